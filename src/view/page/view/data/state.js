/* What is looked at. All of it is in the address behind "#", so that a view can be linked.
 *
 *   tab      which view
 *   f, p     function and path that are shown; -1: none
 *   only     paths of function f alone
 *   q        words that paths must have
 *   line     "file:line" that paths go through
 *   block    "function:block" that paths contain
 *   flags    a sum of 1 untested, 2 never ran, 4 new, 8 gone: paths with one of these
 *   sure     a kind of confidence
 *   sort     a column, with "-" before it if the least come first
 *   fq, fsort  the same of functions
 *   at       a folder or file that functions and paths are in: as its name begins
 *   sys      code of system headers and libraries, too
 *   src      the file whose text is shown, where function f has text of several; -1: its own
 *   lens     lines of the source: "path" those of the path alone, "all"; "": by how long the function is
 *   glens    blocks of the graph: "path" those of the path, "ran" those that ran, "all"; "": by how many there are
 *   zoom     what the decision tree shows: "function~start~way"
 *   theme    light or dark; "": as the system has it
 *
 * Which editor opens lines is the reader's own choice, and kept in the browser (editor.js).
 */
(function () {
    "use strict";

    const EMPTY = {
        tab: "paths", f: -1, p: -1, only: false, q: "", line: "", block: "", flags: 0, sure: -1, sort: "", fq: "", fsort: "",
        zoom: "", theme: "", at: "", sys: false, lens: "", glens: "", src: -1,
    };
    const listeners = [];

    trod.state = { ...EMPTY };
    trod.on = (names, listener) => listeners.push({ names: names.split(" "), listener });

    function written() {
        const out = new URLSearchParams();

        for (const [name, value] of Object.entries(trod.state))
            if (value !== EMPTY[name])
                out.set(name, value === true ? "1" : value);
        return out.toString();
    }

    /* Parse an address. It may be from another page or edited by hand, so invalid parts are ignored. */
    function parsed(text) {
        const out = { ...EMPTY };

        for (const [name, value] of new URLSearchParams(text)) {
            if (typeof EMPTY[name] === "number")
                out[name] = /^\d{1,9}$/.test(value) ? Number(value) : EMPTY[name];
            else if (typeof EMPTY[name] === "boolean")
                out[name] = value === "1";
            else if (name in EMPTY)
                out[name] = value;
        }
        return fitted(out);
    }

    const pair = (text) => /^\d{1,9}:\d{1,9}$/.test(text) ? text.split(":").map(Number) : null;
    trod.pair = pair;

    function fitted(state) {
        const { functions, files, paths, confidence } = trod.data, line = pair(state.line), block = pair(state.block);

        if (state.f >= functions.length)
            state.f = -1;
        if (state.p >= paths.n)
            state.p = -1;
        if (state.p >= 0)
            state.f = paths.of[state.p];
        if (state.f < 0)
            state.only = false;
        if (state.f < 0 || !trod.files_of(functions[state.f]).includes(state.src))
            state.src = -1;
        if (line && line[0] >= files.length || !line)
            state.line = "";
        if (!block || block[0] >= functions.length || block[1] >= (functions[block[0]].blocks || []).length)
            state.block = "";
        for (const [name, words] of [["theme", ["light", "dark"]], ["lens", ["path", "all"]], ["glens", ["path", "ran", "all"]]])
            if (!words.includes(state[name]))
                state[name] = "";
        if (state.at && !files.some((file) => trod.is_below(file.label, state.at)))
            state.at = "";
        if (!confidence || state.sure >= confidence.length)
            state.sure = -1;
        state.flags &= 15;
        return state;
    }

    function tell(changed) {
        for (const { names, listener } of listeners)
            if (names.some((name) => changed.has(name)))
                listener(trod.state, changed);
    }

    /* Highlighting was changed by something that is not in the address. */
    trod.refresh_lit = () => tell(new Set(["lit"]));

    function become(next) {
        const changed = new Set(Object.keys(next).filter((name) => next[name] !== trod.state[name]));

        trod.state = next;
        if (changed.size)
            tell(changed);
        return changed.size > 0;
    }

    /* Browsers differ in how a local file may change its address. */
    function write_address() {
        const text = written();

        if (location.hash.slice(1) === text)
            return;
        try {
            history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
        } catch (e) {
            location.replace("#" + text);
        }
    }

    /* The chosen source file is reset when the function changes. */
    trod.set = (changes) => {
        const moves = changes.f !== undefined && changes.f !== trod.state.f && changes.src === undefined;

        if (become({ ...trod.state, ...changes, ...moves ? { src: -1 } : {} }))
            trod.soon("address", write_address);
    };

    /* Choose a function. A chosen path of it stays chosen. */
    trod.choose_function = (f) => {
        const { p } = trod.state;

        trod.set({ f, only: f >= 0, p: p >= 0 && trod.data.paths.of[p] === f ? p : -1, block: "", line: "" });
    };
    trod.choose_path = (p) => trod.set(p < 0 ? { p } : { p, f: trod.data.paths.of[p] });

    trod.open_address = () => {
        trod.state = parsed(location.hash.slice(1));
        tell(new Set(Object.keys(EMPTY)));
        addEventListener("hashchange", () => {
            if (location.hash.slice(1) !== written())
                become(parsed(location.hash.slice(1)));
        });
    };
})();
