/* The decision tree as an icicle plot: each cell is a common prefix of paths, with a width proportional to their count.
 * It is drawn on a canvas, since there may be thousands of cells. For the keyboard it has a cursor, which is announced.
 */
(function () {
    "use strict";

    const { make, id } = trod;
    const ROW = 24, LEVELS_MOST = 160, TEXT_LEAST = 40;
    let canvas = null, cells = [], root = null, cursor = null, over = null;

    /* Cells are rebuilt for each frame. They are equal if they stand for the same paths and decisions. */
    const same = (a, b) => !!a && !!b && a.kind === b.kind && a.f === b.f && a.lo === b.lo && a.hi === b.hi && a.from === b.from;

    /* --- where cells are --------------------------------------------------------------------------------- */

    const ancestors = (cell) => cell.parent ? [...ancestors(cell.parent), cell.parent] : [];

    function add_below(top, level, x, width) {
        const stack = [{ cell: top, level, x, width }];

        while (stack.length) {
            const { cell, level: at, x: left, width: wide } = stack.pop();
            let next = left;

            cells.push({ cell, level: at, x: left, width: wide });
            if (at >= LEVELS_MOST || wide < 2)
                continue;
            for (const inner of trod.cells_in(cell)) {
                const own = cell.count ? wide * inner.count / cell.count : 0;

                if (own >= 0.7)
                    stack.push({ cell: inner, level: at + 1, x: next, width: own });
                next += own;
            }
        }
    }

    function lay_out(width) {
        const above = ancestors(root);

        cells = above.map((cell, level) => ({ cell, level, x: 0, width, above: true }));
        add_below(root, above.length, 0, width);
        return cells.reduce((most, one) => Math.max(most, one.level), 0) + 1;
    }

    /* --- the picture ------------------------------------------------------------------------------------- */

    /* Is the chosen path in the cell? */
    function lit_by(p) {
        if (p < 0)
            return () => false;
        const f = trod.data.paths.of[p], at = trod.trie(f).order.indexOf(p);
        return (cell) => at >= 0 && (cell.kind === "all" || cell.f === f && (cell.kind === "function" || cell.lo <= at && at < cell.hi));
    }

    /* Measuring text is slow, so texts that certainly fit or certainly do not are not measured. Bounds of the width of
     * a letter, in points.
     */
    const NARROW = 4.5, WIDE = 13;
    const is_within = (pen, text, room) => text.length * NARROW <= room && (text.length * WIDE <= room || pen.measureText(text).width <= room);

    /* The text that fits. A truncated line number would be misleading: it is dropped as a whole, and the outcome stays.
     */
    function fitting(pen, words, room, is_name) {
        const [first] = words, colon = first.lastIndexOf(":"), blank = first.lastIndexOf(" ");
        const brief = is_name ? first.slice(0, Math.max(1, Math.floor(room / 7.5) - 1)) + "…" : colon >= 0 ? "…" + first.slice(colon + 1) : blank > 0 ? first.slice(0, blank) + " …" : "";
        const forms = [words.join(" "), ...words.slice(1).map((_, i) => words.slice(0, words.length - 1 - i).join(" ") + " …"), brief];

        return forms.find((text) => is_within(pen, text, room)) || "";
    }

    function draw_cell(pen, one, colours, lit) {
        const { cell, x, width, level, above } = one, y = level * ROW, heat = above ? 0 : trod.heat(cell.count, root.count);
        const on = !above && lit(cell), gap = width > 3 ? 1 : 0;

        pen.fillStyle = on ? colours.lit : above ? colours.line : colours.heat[heat];
        pen.fillRect(x, y, Math.max(0.7, width - gap), ROW - 1);
        if (width >= TEXT_LEAST) {
            pen.fillStyle = on ? colours.back : above ? colours.text : colours.ink[heat];
            pen.fillText(fitting(pen, trod.cell_words(cell, Math.ceil(width / 24) + 1), width - 11, cell.kind === "function"), x + 6, y + ROW / 2 + 0.5);
        }
        const is_at = cursor && same(cursor.cell, cell);
        if (is_at || over && same(over.cell, cell)) {
            pen.strokeStyle = is_at && !on ? colours.lit : colours.text;
            pen.lineWidth = 2;
            pen.strokeRect(x + 1, y + 1, Math.max(1, width - 3), ROW - 3);
        }
    }

    function paint() {
        if (!trod.is_seen("prefixes"))
            return;
        const width = id("icicle-box").clientWidth, ratio = devicePixelRatio || 1;
        if (!width)
            return;
        const height = lay_out(width) * ROW, pen = canvas.getContext("2d"), colours = trod.colours(), lit = lit_by(trod.state.p);
        canvas.style.height = height + "px";
        canvas.width = width * ratio;
        canvas.height = height * ratio;
        pen.scale(ratio, ratio);
        pen.font = "12px " + colours.font;
        pen.textBaseline = "middle";
        for (const one of cells)
            draw_cell(pen, one, colours, lit);
        canvas.dataset.cells = cells.length;
    }

    /* --- what is said of a cell --------------------------------------------------------------------------- */

    function wording(cell) {
        const parts = cell.kind === "way" ? [trod.plural(cell.hi - cell.lo, "path")] : [];
        const parent = cell.parent && cell.parent.count ? trod.share(cell.count / cell.parent.count) + " of " + trod.cell_words(cell.parent, 2).join(" ") : null;

        return [trod.cell_words(cell, 14).join(" "), trod.times(cell.count) + ", " + trod.share(trod.data.total ? cell.count / trod.data.total : 0) + " of all",
            ...(parent ? [parent] : []), ...parts];
    }

    /* --- moving ------------------------------------------------------------------------------------------ */

    function current_root(state) {
        if (state.zoom)
            return trod.cell_named(state.zoom);
        return state.only ? trod.cell_of_function(state.f, trod.cell_of_all()) : trod.cell_of_all();
    }

    function show(state) {
        root = current_root(state);
        cursor = null;
        put_trail();
        trod.soon("icicle", paint);
    }

    function put_trail() {
        const all = [...ancestors(root), root];

        id("icicle-trail").replaceChildren(...all.map((cell, i) => make("button", {
            type: "button", class: "plain", "aria-current": i === all.length - 1 ? "true" : null, onclick: () => zoom(cell),
        }, (i ? "› " : "") + trod.cell_words(cell, 4).join(" "))));
    }

    /* Zoom into a cell. At the end of a path, the path is chosen. */
    function zoom(cell) {
        if (cell.leaf)
            trod.choose_path(trod.trie(cell.f).order[cell.lo]);
        trod.set({ zoom: trod.cell_name(cell), ...(cell.kind === "all" ? { only: false } : {}) });
    }

    function back() {
        if (!root || !root.parent)
            return false;
        zoom(root.parent);
        return true;
    }

    function cell_at(event) {
        const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, level = Math.floor((event.clientY - box.top) / ROW);
        const near = (slack) => cells.find((one) => one.level === level && x >= one.x - slack && x < one.x + Math.max(one.width, 1) + slack);

        return near(0) || near(1) || null;
    }

    function beside(step) {
        const row = cells.filter((one) => one.level === cursor.level).sort((a, b) => a.x - b.x);

        return row[row.findIndex((one) => same(one.cell, cursor.cell)) + step];
    }

    const moves = {
        ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
        ArrowUp: () => cells.find((one) => same(one.cell, cursor.cell.parent)),
        ArrowDown: () => cells.filter((one) => same(one.cell.parent, cursor.cell)).sort((a, b) => b.width - a.width)[0],
    };

    function point(one) {
        if (one) {
            cursor = one;
            trod.say(wording(one.cell).join(", "));
            id("icicle-wording").textContent = wording(one.cell).join(" · ");
            id("icicle-box").scrollTop = Math.max(0, Math.min(id("icicle-box").scrollTop, one.level * ROW));
            if ((one.level + 2) * ROW > id("icicle-box").scrollTop + id("icicle-box").clientHeight)
                id("icicle-box").scrollTop = (one.level + 2) * ROW - id("icicle-box").clientHeight;
        }
        trod.soon("icicle", paint);
    }

    function key_down(event) {
        const inward = event.key === "Enter" || event.key === " ", outward = event.key === "Backspace" || event.key === "Escape";

        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        cursor = cursor && cells.find((one) => same(one.cell, cursor.cell)) || cells.find((one) => same(one.cell, root));
        if (moves[event.key])
            point(moves[event.key]());
        else if (inward && cursor)
            zoom(cursor.cell);
        else if (!(outward && back()))
            return;
        event.preventDefault();
        event.stopPropagation();
    }

    function listen() {
        canvas.addEventListener("click", (event) => {
            const one = cell_at(event);

            if (one)
                zoom(one.cell);
        });
        canvas.addEventListener("pointermove", (event) => {
            const one = cell_at(event);

            if (!same(one && one.cell, over && over.cell)) {
                over = one;
                trod.soon("icicle", paint);
            }
            if (one)
                trod.tip(event, wording(one.cell));
            else
                trod.untip();
        });
        canvas.addEventListener("pointerleave", () => { over = null; trod.untip(); trod.soon("icicle", paint); });
        canvas.addEventListener("keydown", key_down);
        document.addEventListener("trod-theme", () => trod.soon("icicle", paint));
        new ResizeObserver(() => trod.soon("icicle", paint)).observe(id("icicle-box"));
    }

    function caption() {
        const { count } = trod.data.paths;

        if (!count.some((n) => n > 0))
            return "No paths were counted.";
        return "Decisions, from the first down; a cell is as wide as its paths ran often." + (count.includes(0) ? " Paths that did not run have no cell." : "");
    }

    trod.put_prefixes = () => {
        canvas = make("canvas", { id: "icicle", tabindex: "0", role: "application", "aria-label": "Decision tree: arrows move, Enter zooms in, Backspace out" });
        trod.add_tab("prefixes", "Decision tree", make("div", null,
            make("div", { class: "bar-top" }, make("button", { type: "button", class: "tool", title: "Out (Backspace)", onclick: back }, "↑ out"), make("span", { id: "icicle-trail", class: "trail" }),
                make("span", { id: "icicle-wording", class: "quiet" }, caption())),
            make("div", { id: "icicle-box" }, canvas)), show);
        listen();
        trod.on("zoom only f at sys", (state, changed) => {
            if (changed.has("f") && !changed.has("zoom") && state.only && state.zoom)
                return trod.set({ zoom: "" });
            if (trod.is_seen("prefixes"))
                show(state);
        });
        trod.on("p", () => trod.soon("icicle", paint));
        trod.places["view-prefixes"] = () => canvas.focus();
    };
})();
