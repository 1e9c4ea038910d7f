/* The source, with how often each line ran, and the chosen path through it. */
(function () {
    "use strict";

    const { make, id } = trod;
    const HEIGHT = 19;
    let shown = null; /* { file, lines, counts, most, of_function, on_path } */
    let grid = null;

    /* Lines of the function, and for each line on the path what was decided there. */
    function lines_of_function(g, file) {
        const out = new Set();

        for (let b = 0; b < g.n; b++)
            if (trod.file_of_block(g, b) === file)
                for (const line of g.lines[b])
                    out.add(line);
        return out;
    }

    function decided_on(g, lit, file) {
        const out = new Map();

        for (let i = 0; i < lit.block.length; i++) {
            const b = lit.block[i], e = lit.edge[i];

            if (!(e >= 0) || !trod.decides(g, b) || trod.file_of_block(g, b) !== file)
                continue;
            const line = trod.decision_line(g, b), ways = out.get(line) || [];
            ways.push(trod.told_way(g, e));
            out.set(line, ways);
        }
        return out;
    }

    /* Rows of the pane are lines; without the text of the file, only those that have code. */
    function rows_of(file, counts) {
        const text = trod.data.files[file] && trod.data.files[file].lines;

        if (text)
            return { n: text.length, line: (i) => i + 1, row: (line) => line - 1, text: (i) => text[i] };
        const known = [...counts.keys()].sort((a, b) => a - b), place = new Map(known.map((line, i) => [line, i]));
        return { n: known.length, line: (i) => known[i], row: (line) => place.has(line) ? place.get(line) : -1, text: () => "" };
    }

    function fill_row([mark, number, count, code], i, node) {
        const line = shown.rows.line(i), has = shown.counts.has(line), n = shown.counts.get(line);
        const lit = shown.thread ? shown.thread.lines.has(line) : false;
        const ways = shown.decided && shown.decided.get(line);

        mark.replaceChildren();
        trod.text(number, String(line));
        trod.text(count, !has ? "" : n === null ? "?" : trod.short(n));
        node.dataset.heat = has && n !== null ? trod.heat(n, shown.most) : "";
        node.classList.toggle("code", has);
        node.classList.toggle("own", shown.own.has(line));
        node.classList.toggle("lit", lit);
        node.classList.toggle("dim", !!shown.thread && !lit && shown.own.has(line));
        node.title = !has ? "" : n === null ? "It is not known whether line " + line + " ran" : "Line " + line + " ran " + (trod.data.exact ? "" : "~") + trod.plural(n, "time");
        code.replaceChildren(make("span", { class: "text" }, shown.rows.text(i)),
            ways ? make("span", { class: "ways" }, ways.slice(0, 8).map((way) => make("i", { class: "way" }, way))) : "");
    }

    const drawn = (from, to) => trod.draw_thread(shown, from, to, HEIGHT, grid);

    function why_none(fn) {
        const file = fn && fn.file !== null && fn.file !== undefined ? trod.data.files[fn.file] : null;

        if (!fn)
            return "Choose a function or a path to see its source.";
        if (!file)
            return "It is not known where " + fn.name + " is: it was compiled without debug information (-g).";
        return file.lines ? "" : "No text of " + file.name + ": " + (file.why || "not in this page") + "." + (trod.lines_of(fn.file).counts.size ? " Only lines that have code are shown." : "");
    }

    function put_head(fn) {
        const file = fn && fn.file !== null && fn.file !== undefined ? trod.data.files[fn.file] : null;
        const why = why_none(fn);

        id("source-name").replaceChildren(fn ? make("b", { title: fn.name }, trod.name_of(trod.state.f)) : "Source",
            file ? make("span", { class: "quiet", title: file.name }, " " + file.name + (fn.line ? ":" + fn.line : "")) : "");
        trod.text(id("source-why"), why);
        trod.show(id("source-why"), !!why);
        id("source").classList.toggle("bare", !file || !file.lines && !trod.lines_of(fn.file).counts.size);
    }

    /* The first line of the path, or of the function, with some above it. */
    function bring(line) {
        const row = line ? shown.rows.row(line) : -1;

        if (row < 0)
            return;
        const top = row * HEIGHT;
        if (top < grid.top || top > grid.top + grid.seen - 4 * HEIGHT)
            grid.scroll_to(Math.max(0, top - 3 * HEIGHT));
    }

    function show(state, changed) {
        const fn = state.f >= 0 ? trod.data.functions[state.f] : null;

        put_head(fn);
        if (!fn || fn.file === null || fn.file === undefined) {
            shown = null;
            trod.draw_thread(null, 0, 0, HEIGHT, grid);
            return grid.fill(0);
        }
        const g = trod.graph_of(state.f), { counts, most } = trod.lines_of(fn.file), lit = trod.lit();
        shown = { file: fn.file, counts, most, rows: rows_of(fn.file, counts), own: lines_of_function(g, fn.file) };
        if (lit) {
            shown.decided = decided_on(g, lit, fn.file);
            shown.thread = trod.thread_of(g, lit, fn.file);
        }
        grid.at = -1;
        grid.fill(shown.rows.n);
        grid.body.style.minWidth = "calc(" + widest(fn.file) + "ch + 14em)";
        if (changed && (changed.has("f") || changed.has("p")))
            bring(shown.thread && shown.thread.first || fn.line || Math.min(...shown.own));
    }

    const widths = new Map();
    function widest(file) {
        if (!widths.has(file))
            widths.set(file, (trod.data.files[file].lines || []).reduce((most, text) => Math.max(most, Math.min(400, text.length)), 0));
        return widths.get(file);
    }

    /* On a line, Enter asks for the paths through it. */
    function through(i) {
        const line = shown.rows.line(i);

        if (shown.counts.has(line))
            trod.set({ line: shown.file + ":" + line, tab: "paths", only: false, block: "" });
    }

    /* What colours mean. */
    const heat_scale = () => make("span", { id: "heat-scale", class: "quiet", role: "img", "aria-label": "Heat: from seldom to often", title: "Heat of lines and blocks: each step ran about three times as often as the one before" },
        "seldom", make("span", null, Array.from({ length: 8 }, (_, i) => make("i", { "data-heat": i + 1 }))), "often");

    trod.put_source = () => {
        grid = trod.grid({
            id: "source-grid", label: "Source lines", height: HEIGHT, row: fill_row, drawn, entered: through, around: 3 * HEIGHT,
            columns: [
                { word: "mark", kind: "mark", width: "44px" }, { word: "line", kind: "num lineno", width: "4.2em" }, { word: "count", kind: "num ran", width: "5em" },
                { word: "code", kind: "wide code-text", width: "1fr" },
            ],
            key: (i) => shown.rows.line(i),
        });
        id("source").append(make("div", { class: "bar-top" }, make("span", { id: "source-name", class: "what" }), heat_scale()),
            make("p", { id: "source-why", class: "why" }), grid.node);
        trod.on("f p lit", show);
        trod.places.source = () => grid.focus();
    };
})();
