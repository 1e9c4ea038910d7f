/* The source with line counts and the chosen path: all lines, or only those of the path. */
(function () {
    "use strict";

    const { make, id } = trod;
    const HEIGHT = 19;
    const LONG = 120; /* lines of a function: of longer ones, those of the path come first */
    const WAYS_MOST = 6;
    let shown = null; /* { file, rows, counts, old, most, own, decided, thread } */
    let grid = null, unfolded = new Set();

    function lines_of_function(g, file) {
        const out = new Set();

        for (let b = 0; b < g.n; b++)
            for (const line of trod.lines_in(g, b, file))
                out.add(line);
        return out;
    }

    /* For each line on the path: the conditions decided there and their outcomes, in order. */
    function decided_on(g, lit, file) {
        const out = new Map();

        for (let i = 0; i < lit.block.length; i++) {
            const b = lit.block[i], e = lit.edge[i];

            if (!(e >= 0) || !trod.is_worth_words(g, e) || trod.decision_place(g, b).file !== file)
                continue;
            const { line } = trod.decision_place(g, b), ways = out.get(line) || [];
            ways.push({ b, condition: trod.condition(g, b), outcome: trod.outcome(g, e) });
            out.set(line, ways);
        }
        return out;
    }

    /* --- which lines are rows ---------------------------------------------------------------------------- */

    /* Ranges of lines to fold; a single line is not folded. The line above each visible range is also shown, as it may
     * be a label or a keyword.
     */
    function folded(text, on_path, decided) {
        const out = [], lines = new Set(on_path);
        let next = 1;

        for (const line of on_path)
            if (!on_path.has(line - 1) && /\S/.test(text[line - 2] || ""))
                lines.add(line - 1);

        const up_to = (line) => {
            if (line - next > 1 && !unfolded.has(next))
                out.push({ from: next, to: line - 1 });
            else
                for (let i = next; i < line; i++)
                    out.push(i);
        };
        for (const line of [...lines].filter((one) => one > 0 && one <= text.length).sort((a, b) => a - b)) {
            up_to(line);
            out.push(line);
            /* If there are several decisions on a line, each has its own row below it. */
            if ((decided.get(line) || []).length > 1)
                out.push(...decided.get(line).map((way) => ({ line, way })));
            next = line + 1;
        }
        up_to(text.length + 1);
        return out;
    }

    function rows_from(items, text) {
        const place = new Map(items.map((item, i) => [item, i]));

        return {
            n: items.length, line: (i) => typeof items[i] === "number" ? items[i] : 0, fold: (i) => items[i].from ? items[i] : null, way: (i) => items[i].way ? items[i] : null,
            row: (line) => place.has(line) ? place.get(line) : -1, text: (i) => text ? text[items[i] - 1] || "" : "",
        };
    }

    /* All lines, or only those of the path; without the file's text, the lines with code. */
    function rows_of(file, counts, wanted, decided) {
        const text = trod.data.files[file] && trod.data.files[file].lines;

        if (!text)
            return rows_from([...counts.keys()].sort((a, b) => a - b), null);
        if (wanted)
            return rows_from(folded(text, wanted, decided), text);
        return { n: text.length, line: (i) => i + 1, fold: () => null, way: () => null, row: (line) => line <= text.length ? line - 1 : -1, text: (i) => text[i] };
    }

    function span_of(own) {
        let low = Infinity, high = 0;

        for (const line of own) {
            low = Math.min(low, line);
            high = Math.max(high, line);
        }
        return high ? high - low + 1 : 0;
    }

    /* Does the lens show only the path? This is the default for long functions. */
    const is_narrow = (state, own) => state.lens ? state.lens === "path" : span_of(own) > LONG;

    /* --- a row ------------------------------------------------------------------------------------------- */

    function fill_fold(cells, fold, node) {
        const n = fold.to - fold.from + 1;

        for (const cell of cells)
            cell.replaceChildren();
        node.dataset.heat = "";
        node.className = "row fold";
        node.title = "Lines " + fold.from + " to " + fold.to + ": click, or press Enter, to see them";
        cells[cells.length - 1].replaceChildren(make("span", { class: "text" }, "… " + trod.plural(n, "line") + " …"));
    }

    const way_chip = ({ condition, outcome }) => make("i", { class: "way " + trod.outcome_class(outcome), title: condition ? condition + ": " + outcome : outcome }, outcome);

    function fill_way(cells, { line, way }, node) {
        const text = trod.data.files[shown.file].lines[line - 1], indent = /^\s*/.exec(text)[0];

        for (const cell of cells)
            cell.replaceChildren();
        node.dataset.heat = "";
        node.className = "row of-way";
        node.title = "Decided on line " + line;
        cells[cells.length - 1].replaceChildren(make("span", { class: "text" }, indent + "  ↳ " + (way.condition || "line " + line)), make("span", { class: "ways" }, way_chip(way)));
    }

    /* Outcomes for which there is no room. */
    const rest = (ways) => ways.slice(WAYS_MOST).map((way) => way.condition + ": " + way.outcome).join("\n");

    function count_text(has, n) {
        return !has ? "" : n === null ? "?" : trod.short(n) + "×";
    }

    function fill_row(cells, i, node) {
        const fold = shown.rows.fold(i), [mark, number, count] = cells, code = cells[cells.length - 1];

        if (fold)
            return fill_fold(cells, fold, node);
        if (shown.rows.way(i))
            return fill_way(cells, shown.rows.way(i), node);
        const line = shown.rows.line(i), has = shown.counts.has(line), n = shown.counts.get(line);
        const lit = shown.thread ? shown.thread.lines.has(line) : false, ways = shown.decided && shown.decided.get(line);

        mark.replaceChildren();
        const link = trod.editor_link(shown.file, line);
        if (link)
            number.replaceChildren(make("a", { href: link, tabindex: "-1", title: "Open in the editor" }, String(line)));
        else
            trod.text(number, String(line));
        trod.text(count, count_text(has, n));
        if (cells.length > 4)
            trod.text(cells[3], count_text(has, shown.old ? shown.old.get(line) ?? null : null));
        node.dataset.heat = has && n !== null ? trod.heat(n, shown.most) : "";
        for (const [name, on] of [["fold", false], ["of-way", false], ["code", has], ["own", shown.own.has(line)], ["lit", lit], ["dim", !!shown.thread && !lit && shown.own.has(line)]])
            node.classList.toggle(name, on);
        node.title = !has ? "" : n === null ? "It is not known whether line " + line + " ran" : "Line " + line + " ran " + (trod.data.exact ? "" : "~") + trod.plural(n, "time");
        code.replaceChildren(make("span", { class: "text" }, trod.data.files[shown.file].lines ? trod.coloured(shown.file, line, shown.rows.text(i)) : ""),
            ways && !(shown.narrow && ways.length > 1) ? make("span", { class: "ways" }, ways.slice(0, WAYS_MOST).map(way_chip), ways.length > WAYS_MOST ? make("i", { class: "way", title: rest(ways), "data-more": rest(ways) }, "+" + (ways.length - WAYS_MOST)) : "") : "");
    }

    const drawn = (from, to) => trod.draw_thread(shown, from, to, HEIGHT, grid);

    /* --- the pane ---------------------------------------------------------------------------------------- */

    const file_shown = (fn) => trod.state.src >= 0 ? trod.state.src : fn.file ?? null;

    /* The line where the function begins, if it is in the file. */
    const own_line = (fn, file) => file === fn.file && fn.line || 0;

    /* Is the text of the file present, but not that of the function? */
    const is_cold = (fn, file) => !!fn.cold && file === fn.file && !!trod.data.files[file].lines;

    function why_none(fn, number) {
        const file = number === null ? null : trod.data.files[number];

        if (!fn)
            return "Choose a function or a path to see its source.";
        if (!file)
            return "The file of " + fn.name + " is not known: it was compiled without debug information (-g).";
        if (is_cold(fn, number))
            return "The page has no text of " + fn.name + ", because the program is large and other functions are hotter: write one with --function='" + fn.name + "', or with --all-sources.";
        const why = file.why || "not in this page", reason = why.startsWith(file.name + ": ") ? why.slice(file.name.length + 2) : why;

        return file.lines ? "" : "No text of " + file.label + ": " + reason + "." + (trod.lines_of(number).counts.size ? " Only lines that have code are shown." : "");
    }

    function put_head(fn) {
        const number = fn ? file_shown(fn) : null, file = number === null ? null : trod.data.files[number], line = fn && own_line(fn, number);
        const why = why_none(fn, number), link = file && trod.editor_link(number, line || 1);
        const name = file && file.label + (line ? ":" + line : "");

        id("source-name").replaceChildren(fn ? make("b", { title: fn.name }, trod.name_parts(trod.state.f)) : "Source",
            fn && file_choice(fn, number), file ? make(link ? "a" : "span", { class: "quiet place", title: link ? "Open in the editor: " + name : name, href: link }, trod.middle(name)) : "");
        trod.text(id("source-why"), why);
        trod.show(id("source-why"), !!why);
        id("source").classList.toggle("bare", !file || !file.lines && !trod.lines_of(number).counts.size);
    }

    /* If a function includes text or its paths continue into calls, one of its files is shown at a time. */
    function file_choice(fn, number) {
        const files = trod.files_of(fn);

        return files.length > 1 ? make("select", { id: "source-file", "aria-label": "File", title: "Files that the function has text of", onchange: (event) => trod.set({ src: files[event.target.value] }) },
            files.map((file, i) => make("option", { value: i, selected: file === number }, trod.base_name(trod.data.files[file].label)))) : "";
    }

    function put_lens(has_path, narrow) {
        const button = id("source-lens");

        trod.show(button, has_path && !!trod.data.files[shown.file].lines);
        button.setAttribute("aria-pressed", narrow);
    }

    /* Scroll to the first line of the path or function, with some context above. */
    function bring(line) {
        const row = line ? shown.rows.row(line) : -1;

        if (row < 0)
            return;
        const top = row * HEIGHT;
        if (top < grid.top || top > grid.top + grid.seen - 4 * HEIGHT)
            grid.scroll_to(Math.max(0, top - 3 * HEIGHT));
    }

    const first_line = () => shown.thread && shown.thread.first || own_line(trod.data.functions[trod.state.f], shown.file) || Math.min(...shown.own);

    function show(state, changed) {
        const fn = state.f >= 0 ? trod.data.functions[state.f] : null;

        put_head(fn);
        const file = fn ? file_shown(fn) : null;
        if (file === null) {
            shown = null;
            trod.show(id("source-lens"), false);
            trod.draw_thread(null, 0, 0, HEIGHT, grid);
            return grid.fill(0);
        }
        if (changed && ["f", "p", "lens", "src"].some((name) => changed.has(name)))
            unfolded = new Set();
        const g = trod.graph_of(state.f), { counts, old, most } = trod.lines_of(file), lit = trod.lit(), own = lines_of_function(g, file);
        /* The heat of included text is relative to the including function. */
        shown = { file, counts, old, most: file === fn.file || fn.file === null ? most : Math.max(most, trod.lines_of(fn.file).most), own };
        if (lit) {
            shown.decided = decided_on(g, lit, file);
            shown.thread = trod.thread_of(g, lit, file);
        }
        const cold = is_cold(fn, file), narrow = shown.narrow = !!lit && is_narrow(state, own) && !!trod.data.files[file].lines && !cold;
        shown.rows = cold ? rows_from([...own].sort((a, b) => a - b), null) : rows_of(file, counts, narrow ? new Set([...shown.thread.lines, ...shown.decided.keys(), own_line(fn, file)]) : null, shown.decided);
        put_lens(!!lit, narrow);
        grid.at = -1;
        grid.body.style.setProperty("--tab", trod.tab_width(file));
        grid.fill(shown.rows.n);
        grid.body.style.minWidth = "calc(" + widest(file) + "ch + 14em)";
        if (changed && ["f", "p", "lens", "src"].some((name) => changed.has(name)))
            bring(narrow ? Math.min(own_line(fn, file) || Infinity, ...shown.thread.lines) : first_line());
    }

    const widths = new Map();
    function widest(file) {
        if (!widths.has(file))
            widths.set(file, (trod.data.files[file].lines || []).reduce((most, text) => Math.max(most, Math.min(400, text.length)), 0));
        return widths.get(file);
    }

    /* Enter unfolds folded lines; on others, it filters for the paths through them. */
    function enter(i) {
        const line = shown.rows.line(i), fold = shown.rows.fold(i);

        if (fold)
            return unfold(fold);
        if (line && shown.counts.has(line))
            trod.set({ line: shown.file + ":" + line, tab: "paths", only: false, block: "" });
    }

    function unfold(fold) {
        unfolded.add(fold.from);
        show(trod.state);
        grid.point(shown.rows.row(fold.from), true);
    }

    /* Show a line of any file, unfolded if necessary. */
    trod.show_line = (file, line) => {
        if (shown && shown.file !== file && trod.files_of(trod.data.functions[trod.state.f]).includes(file))
            trod.set({ src: file });
        if (!shown || shown.file !== file)
            return;
        for (let i = 0; i < shown.rows.n; i++) {
            const fold = shown.rows.fold(i);

            if (fold && fold.from <= line && line <= fold.to) {
                unfold(fold);
                break;
            }
        }
        const row = shown.rows.row(line);
        if (row >= 0)
            grid.point(row);
    };

    trod.turn_lens = () => {
        const narrow = id("source-lens").getAttribute("aria-pressed") === "true";

        if (shown && !id("source-lens").hidden)
            trod.set({ lens: narrow ? "all" : "path" });
    };

    /* The legend of colours. */
    const heat_scale = () => make("span", { id: "heat-scale", class: "quiet", role: "img", "aria-label": "Heat: from seldom to often", title: "Heat of lines and blocks: each step ran about three times as often as the one before" },
        "seldom", make("span", null, Array.from({ length: 8 }, (_, i) => make("i", { "data-heat": i + 1 }))), "often");

    trod.put_source = () => {
        grid = trod.grid({
            id: "source-grid", label: "Source lines", height: HEIGHT, row: fill_row, drawn, entered: enter, around: 3 * HEIGHT,
            clicked: (i) => shown.rows.fold(i) && unfold(shown.rows.fold(i)),
            columns: [
                { word: "mark", kind: "mark", width: "44px" }, { word: "line", kind: "num lineno", width: "4.2em" }, { word: "count", kind: "num ran", width: "5em" },
                trod.data.since && { word: "old", kind: "num was", width: "5em" }, { word: "code", kind: "wide code-text", width: "1fr" },
            ].filter(Boolean),
            key: (i) => shown.rows.way(i) ? shown.rows.way(i).line : shown.rows.line(i),
        });
        id("source").append(make("div", { class: "bar-top" }, make("span", { id: "source-name", class: "what" }),
            make("button", { id: "source-lens", type: "button", class: "tool", title: "Only lines of the path (l)", onclick: trod.turn_lens }, "Path only"), heat_scale()),
        make("p", { id: "source-why", class: "why" }), grid.node);
        trod.on("f p lit lens src", show);
        document.addEventListener("trod-editor", () => {
            if (trod.state.f >= 0)
                put_head(trod.data.functions[trod.state.f]);
            grid.redraw();
        });
        /* Keep the path in view: the cursor moves to its first line. */
        trod.places.source = () => {
            if (shown && grid.at < 0 && grid.n)
                grid.point(Math.max(0, shown.rows.row(first_line())));
            grid.focus();
        };
    };
})();
