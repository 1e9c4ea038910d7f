/* The table of paths. */
(function () {
    "use strict";

    const { make, id } = trod;
    const WORDS_MOST = 60; /* more do not fit any window */
    const FLAGS = [[1, "untested", "It ran, and no test ran it."], [2, "never ran", "It did not run, and is one decision away from a path that did."],
        [4, "new", "It did not run in the other profile."], [8, "gone", "It ran in the other profile, and does not in this one."]];
    let list = new Int32Array(0), all = null, grid = null, hottest = 1;

    trod.path_flags = FLAGS;

    /* As wide as the longest name, up to a limit. */
    function name_width() {
        const longest = trod.data.functions.reduce((most, _, f) => Math.max(most, trod.name_of(f).length), 0);

        return "minmax(8em, " + Math.max(9, Math.min(17, 0.57 * longest + 1.6)).toFixed(1) + "em)";
    }

    function columns() {
        const { since, confidence } = trod.data;

        return [
            { word: "share", title: "share", sort: "count", kind: "num bars", hint: "Of all paths that ran" },
            { word: "all", title: "cumulative", kind: "num dispensable", width: "6.8em", hint: "Share of this row and those above it" },
            { word: "count", title: since ? "times now" : "times", sort: "count", kind: "num", hint: "How often the path ran" },
            since && { word: "old", title: "times before", sort: "old", kind: "num", hint: "How often it ran in the other profile" },
            since && { word: "change", title: "change", sort: "change", kind: "num", hint: "How many times more or less" },
            { word: "weight", title: "blocks run", sort: "weight", kind: "num dispensable", hint: "Times, by blocks on the path" },
            { word: "length", title: "blocks", sort: "length", kind: "num dispensable", width: "5em", hint: "Blocks on the path" },
            confidence && { word: "sure", title: "confidence", sort: "sure", kind: "sure", width: "8em" },
            { word: "function", title: "function", sort: "function", kind: "ident", width: name_width() },
            { word: "path", title: "path", kind: "wide wording" },
        ].filter(Boolean);
    }

    /* --- a row ------------------------------------------------------------------------------------------- */

    function change_wording(p) {
        const { count, old } = trod.data.paths, by = count[p] - old[p];

        if (!by)
            return "=";
        return (by > 0 ? "+" : "−") + trod.number(Math.abs(by));
    }

    function marks(p) {
        const flags = trod.data.paths.flags[p];

        return FLAGS.filter(([bit]) => flags & bit).map(([bit, word, hint]) => make("i", { class: "flag flag-" + bit, title: hint }, word));
    }

    /* What repeats at once is folded as in reports (src/view/report/fold.c): "A x3", "[A B] x2". Search and details have all words. */
    const PERIOD_MOST = 8;

    function is_balanced(words) {
        let depth = 0;

        for (const { text } of words) {
            if (text === ")" && !depth--)
                return false;
            depth += text.endsWith("(");
        }
        return !depth;
    }

    function fold_at(words, first, end, most) {
        let best = { period: 1, times: 1 };

        for (let period = 1; period <= most && period <= (end - first) / 2; period++) {
            let at = first;
            while (at + period < end && words[at].text === words[at + period].text)
                at++;
            const times = Math.floor((at - first) / period) + 1;
            if (times > 1 && times * period > best.times * best.period && is_balanced(words.slice(first, first + period)))
                best = { period, times };
        }
        return best;
    }

    function fold(out, words, first, end, most) {
        for (let at = first; at < end;) {
            const { period, times } = fold_at(words, at, end, most);

            if (period > 1) {
                out.push({ text: "[", kind: "fold" });
                fold(out, words, at, at + period, period >> 1);
                out.push({ text: "]", kind: "fold" });
            } else {
                out.push(words[at]);
            }
            if (times > 1)
                out.push({ text: "x" + times, kind: "fold" });
            at += period * times;
        }
        return out;
    }

    function path_words(p) {
        const all = trod.words(p), words = trod.graph_of(trod.walk(p).f).lined ? fold([], all, 0, all.length, PERIOD_MOST) : all, out = [];

        words.slice(0, WORDS_MOST).forEach(({ text, kind }, i) => {
            const colon = kind === "way" ? text.lastIndexOf(":") + 1 : 0, next = words[i + 1];

            out.push(make("span", { class: "w " + kind }, colon ? make("small", null, text.slice(0, colon)) : null, text.slice(colon)),
                kind === "fold" && text === "[" || next && next.kind === "fold" && next.text === "]" ? "" : " ");
        });
        return words.length > WORDS_MOST ? out.concat("… " + trod.number(words.length - WORDS_MOST) + " more") : out;
    }
    trod.path_words = path_words;

    const fillers = {
        share: (p) => [make("span", { class: "bar" }, trod.data.paths.count[p] ? make("i", { style: "width:" + 100 * trod.data.paths.count[p] / hottest + "%" }) : ""),
            make("span", { class: "figure" }, trod.share(trod.data.total ? trod.data.paths.count[p] / trod.data.total : 0))],
        all: (p, i) => [trod.share(trod.data.total ? all[i] / trod.data.total : 0)],
        count: (p) => [trod.count(trod.data.paths.count[p])],
        old: (p) => [trod.count(trod.data.paths.old ? trod.data.paths.old[p] : 0)],
        change: (p) => [trod.data.paths.old ? change_wording(p) : ""],
        weight: (p) => [trod.count(trod.data.paths.weight[p])],
        length: (p) => [trod.number(trod.length_of(p))],
        sure: (p) => {
            const kind = trod.data.paths.confidence ? trod.data.paths.confidence[p] : 0;

            return [trod.swatch(kind), trod.data.confidence[kind].word];
        },
        function: (p) => [trod.name_parts(trod.data.paths.of[p])],
        path: (p) => [...marks(p), ...path_words(p)],
    };

    function fill_row(cells, i) {
        const p = list[i];

        for (const cell of cells) {
            cell.replaceChildren(...fillers[cell.dataset.word](p, i));
            if (cell.dataset.word === "function")
                cell.title = trod.data.functions[trod.data.paths.of[p]].name;
        }
        const change = cells.find((cell) => cell.dataset.word === "change");
        if (change && trod.data.paths.old)
            change.classList.toggle("less", trod.data.paths.count[p] < trod.data.paths.old[p]);
    }

    /* --- the list ---------------------------------------------------------------------------------------- */

    function place_of(p) {
        return p < 0 ? -1 : list.indexOf(p);
    }

    /* Paths of functions that are not hidden. */
    function in_sight(state) {
        const scope = trod.scope(state), { first } = trod.data.paths;

        return scope ? scope.reduce((sum, is_in, f) => sum + (is_in ? first[f + 1] - first[f] : 0), 0) : trod.data.paths.n;
    }

    function put_found(state) {
        const n = list.length, { paths, total } = trod.data;
        const share = n && total ? ", " + trod.share(all[n - 1] / total) + " of all that ran" : "";
        const of = state.only ? trod.paths_of(state.f).length : paths.n, hidden = state.only ? 0 : paths.n - in_sight(state);

        trod.text(id("paths-found"), n === of && !state.only ? trod.plural(n, "path")
            : (n === of ? trod.plural(n, "path") : trod.number(n) + " of " + trod.plural(of, "path")) + share);
        id("paths-found").title = hidden ? trod.plural(hidden, "path") + " of functions that are hidden" : "";
        trod.show(id("paths-none"), !n);
        trod.text(id("paths-none"), paths.n ? "No path matches all filters. Remove one (Esc)." : trod.data.spans.length || trod.data.tables.length ? "Paths were not counted: see the other views." : "No path ran.");
    }

    /* Enter in the search box chooses the only path found, now or when the search ends. */
    let asks_only = false;
    trod.choose_only = () => {
        asks_only = true;
        if (!id("panel-paths").hasAttribute("aria-busy"))
            take_only();
    };

    function take_only() {
        if (asks_only && list.length === 1)
            trod.choose_path(list[0]);
        asks_only = false;
    }

    /* Unfold the chosen path if it is in the list. */
    function point(p, quietly) {
        const i = place_of(p);

        grid.unfold(i, i < 0 ? null : trod.path_detail(p));
        grid.point(i, quietly);
    }

    function take(found, state) {
        const { count } = trod.data.paths;
        let sum = 0;

        list = found;
        all = new Float64Array(found.length);
        for (let i = 0; i < found.length; i++)
            all[i] = sum += count[found[i]];
        document.documentElement.dataset.trodFound = found.length;
        grid.fill(found.length);
        point(state.p, found.length === 0);
        put_found(state);
        id("panel-paths").removeAttribute("aria-busy");
        take_only();
    }

    function find(state) {
        id("panel-paths").setAttribute("aria-busy", "true");
        grid.order(state.sort || "count");
        trod.filter(state, (found) => take(found, state));
    }

    function sort(word) {
        const now = trod.state.sort || "count";

        trod.set({ sort: now === word ? "-" + word : word });
    }

    trod.put_paths = () => {
        hottest = trod.data.paths.count.reduce((most, n) => Math.max(most, n), 1);
        grid = trod.grid({
            id: "paths-grid", label: "Paths", columns: columns(), height: 26, row: fill_row, sorted: sort, key: (i) => list[i],
            moved: (i) => trod.choose_path(list[i]), entered: () => trod.focus("source"),
        });
        grid.scroll.classList.add(trod.data.since ? "with-old" : "no-old", trod.data.confidence ? "with-sure" : "no-sure");
        trod.add_tab("paths", "Paths", make("div", null, trod.filter_bar(),
            make("div", { class: "holder" }, grid.node, make("p", { id: "paths-none", class: "none", hidden: true }))));
        trod.on("q line block flags sure only sort at sys", find);
        trod.on("only", (state) => grid.hide(state.only ? "function" : null));
        trod.on("f", (state, changed) => { if (state.only && !changed.has("only")) find(state); });
        trod.on("p", (state) => point(state.p));
        trod.places["view-paths"] = trod.places.paths = () => { trod.set({ tab: "paths" }); grid.focus(); };
    };
})();
