/* The list of functions: which ran, how much, and how many of their paths. */
(function () {
    "use strict";

    const { make, id } = trod;
    let list = [], grid = null, most = 1, twins = new Set(), nhidden = 0; /* that match, and are not looked at */

    /* The count of paths; if none were counted, of blocks. */
    const amount = (fn) => (trod.data.total ? fn.count : fn.weight) || 0;
    trod.heat_of = (f) => trod.heat(amount(trod.data.functions[f]), trod.data.total || trod.data.weight);
    trod.share_of = (fn) => amount(fn) / (trod.data.total || trod.data.weight || 1);

    const sorts = {
        count: amount, weight: (fn) => fn.weight, ran: (fn) => fn.ran,
        coverage: (fn) => fn.paths ? fn.ran / fn.paths : fn.paths === 0 ? 1 : 0,
    };

    function by_name(a, b) {
        const { functions } = trod.data;

        return functions[a].name < functions[b].name ? -1 : functions[a].name > functions[b].name ? 1 : a - b;
    }

    /* Functions without counts come last, in either order. */
    function sort_by(list, keys, sign) {
        const unknown = trod.data.functions.map((fn) => trod.is_counted(fn) ? 0 : 1);

        list.sort((a, b) => unknown[a] - unknown[b] || sign * (keys[a] - keys[b]) || a - b);
    }

    function chosen(state) {
        const { functions } = trod.data, words = state.fq.trim().toLowerCase().split(/\s+/).filter(Boolean);
        const least = state.fsort.startsWith("-"), word = state.fsort.replace("-", "") || "count";
        const place = (fn) => (fn.name + " " + (fn.file === null || fn.file === undefined ? "" : trod.data.files[fn.file].name)).toLowerCase();
        const scope = trod.scope(state), is_exact = exact(state.fq.trim());
        const all = functions.map((_, f) => f).filter((f) => !twins.has(f) && (!words.length || words.every((one) => place(functions[f]).includes(one))));
        const out = all.filter((f) => !scope || scope[f] || f === state.f && state.only);

        nhidden = words.length ? all.length - out.length : 0;
        if (word === "name")
            out.sort((a, b) => (least ? -1 : 1) * by_name(a, b));
        else if (sorts[word])
            sort_by(out, functions.map(sorts[word]), least ? 1 : -1);
        return is_exact ? [...out.filter(is_exact), ...out.filter((f) => !is_exact(f))] : out;
    }

    /* A complete name means exactly this function. */
    function exact(text) {
        const { functions } = trod.data;

        return text && ((f) => functions[f].name === text || trod.name_of(f) === text || trod.name_of(f).split("::").pop() === text);
    }

    function fill_row([name, share, paths], i) {
        const fn = trod.data.functions[list[i]], cover = trod.coverage(fn);

        name.replaceChildren(make("span", { class: "ident", title: fn.link && fn.link !== fn.name ? fn.name + " (" + fn.link + ")" : fn.name }, trod.name_parts(list[i])),
            fn.partial ? make("i", { class: "partial", title: "Only some of its paths were counted." }, "part") : "");
        name.classList.toggle("cold", !amount(fn));
        share.replaceChildren(make("span", { class: "bar" }, amount(fn) ? make("i", { style: "width:" + 100 * amount(fn) / most + "%" }) : ""),
            make("span", { class: "figure" }, trod.is_counted(fn) ? trod.share(trod.share_of(fn)) : "–"));
        share.title = trod.is_counted(fn) ? "" : "It was not counted.";
        paths.replaceChildren(make("span", { class: "cover" }, cover.brief));
        paths.title = cover.text;
        paths.classList.toggle("whole", cover.share === 1);
    }

    function show(state) {
        list = chosen(state);
        grid.fill(list.length);
        grid.point(list.indexOf(state.f), true);
        grid.order(state.fsort || "count");
        const there = trod.data.functions.length - twins.size, hidden = there - list.length;
        trod.text(id("functions-found"), nhidden ? trod.number(list.length) + (list.length === 1 ? " match, " : " matches, ") + trod.number(nhidden) + " more hidden" : hidden ? trod.number(list.length) + " of " + trod.plural(there, "function") : trod.plural(there, "function"));
    }

    /* Choosing the same column again reverses the order. */
    function sort(word) {
        const now = trod.state.fsort || "count";

        trod.set({ fsort: now === word ? "-" + word : word });
    }

    function columns() {
        return [
            { word: "name", title: "function", sort: "name", kind: "wide", width: "minmax(6.5em, 1fr)" },
            { word: "share", title: "share", sort: "count", kind: "num bars", width: "6.2em", hint: trod.data.total ? "Of all paths that ran" : "Of all blocks that ran" },
            { word: "paths", title: "ran/possible", sort: "coverage", kind: "num", width: "7em", hint: "Paths that ran, of those that are possible; ∞: too many to enumerate; *: counted in parts" },
        ];
    }

    function search_box() {
        const box = make("input", {
            id: "functions-search", type: "search", placeholder: "Find functions", "aria-label": "Find functions", autocomplete: "off", spellcheck: "false",
            oninput: () => trod.set({ fq: box.value }),
            onkeydown: (event) => {
                if (event.key === "Enter" && list.length && (list.length === 1 || exact(box.value.trim())?.(list[0]))) {
                    trod.choose_function(list[0]);
                    trod.focus("paths");
                } else if (event.key === "ArrowDown" || event.key === "Enter") {
                    grid.focus();
                } else {
                    return;
                }
                event.preventDefault();
            },
        });

        trod.on("fq", (state) => { if (box.value !== state.fq) box.value = state.fq; });
        return box;
    }

    trod.put_functions = () => {
        twins = trod.twins();
        most = trod.data.functions.reduce((high, fn) => Math.max(high, amount(fn)), 1);
        grid = trod.grid({
            id: "functions-grid", label: "Functions", columns: columns(), height: 26, row: fill_row, sorted: sort,
            key: (i) => list[i], moved: (i) => trod.choose_function(list[i]), entered: () => trod.focus("paths"),
        });
        trod.put_files();
        id("functions").append(make("div", { class: "bar-top" }, search_box(), make("span", { id: "functions-found", class: "quiet", "aria-live": "polite" })), grid.node);
        trod.on("fq fsort at sys", show);
        trod.on("f", (state) => grid.point(list.indexOf(state.f)));
        trod.places.functions = () => grid.focus();
    };
})();
