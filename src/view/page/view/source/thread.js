/* The chosen path as a thread beside the source: a dot on each line it runs, straight lines downward, an arc for each
 * jump back, and an arrow at the end.
 */
(function () {
    "use strict";

    const { draw } = trod;
    const MIDDLE = 30, WIDTH = 44; /* where the thread is in its column, in pixels */

    /* What is highlighted: the chosen path, or what an interprocedural view requested. Blocks and the edges out of
     * them.
     */
    let asked = null;
    trod.light = (f, blocks) => {
        asked = { f, blocks };
        trod.set({ f, p: -1 });
        trod.refresh_lit();
    };
    trod.lit = () => {
        const { p, f } = trod.state;

        if (p >= 0) {
            const w = trod.walk(p);
            asked = null;
            return { block: Array.from(w.block.subarray(0, w.n)), edge: Array.from(w.edge.subarray(0, w.n)), start: trod.data.paths.start[p] };
        }
        if (!asked || asked.f !== f)
            return null;
        const g = trod.graph_of(f), edge = asked.blocks.map((b, i) => edge_to(g, b, asked.blocks[i + 1]));
        return { block: asked.blocks, edge, start: -1 };
    };

    function edge_to(g, b, to) {
        for (let e = g.first[b]; b < g.n && e < g.first[b + 1]; e++)
            if (g.to[e] === to)
                return e;
        return -1;
    }

    /* The lines in execution order, without adjacent repetitions, and the kind of step between them. */
    trod.thread_of = (g, lit, file) => {
        const line = [], back = [], lines = new Set();

        lit.block.forEach((b, i) => {
            const again = i > 0 && lit.edge[i - 1] >= 0 && g.cut[lit.edge[i - 1]] === 1;

            trod.lines_in(g, b, file).forEach((one, k) => {
                lines.add(one);
                if (line[line.length - 1] !== one || again && !k) {
                    back.push(again && !k);
                    line.push(one);
                }
            });
        });
        const last = lit.edge[lit.edge.length - 1];
        const ends = last >= 0 && g.cut[last] ? trod.lines_in(g, g.to[last], file)[0] || 0 : 0;
        const over = !(last >= 0 && g.cut[last]) && trod.lines_in(g, lit.block[lit.block.length - 1] ?? 0, file).length > 0;
        return { line, lines, back, ends, over, round: last >= 0 && g.cut[last] === 1, first: line[0], entered: lit.start < 0 };
    };

    /* One step, between the centres of two rows. */
    function step(from, to, height, kind, depth) {
        const a = (from + 0.5) * height, b = (to + 0.5) * height;

        if (to > from && kind !== "again")
            return draw("path", { d: "M" + MIDDLE + "," + a + "V" + b, class: "step" });
        const x = Math.max(4, MIDDLE - 9 - 4 * depth);
        if (to === from)
            return draw("path", { d: "M" + (MIDDLE + 3) + "," + (a + 3) + "c14,7 14,-13 1,-7", class: "step " + kind, "marker-end": "url(#thread-arrow)" });
        return draw("path", { d: "M" + (MIDDLE - 4) + "," + a + "C" + x + "," + a + " " + x + "," + a + " " + x + "," + (a - 10) +
            "V" + (b + 10) + "C" + x + "," + b + " " + x + "," + b + " " + (MIDDLE - 6) + "," + b, class: "step " + kind, "marker-end": "url(#thread-arrow)" });
    }

    function arrow() {
        return draw("defs", null, draw("marker", { id: "thread-arrow", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 5, markerHeight: 5, orient: "auto" },
            draw("path", { d: "M0,0L6,3L0,6z", class: "tip" })));
    }

    /* Only the visible part is drawn: a canvas as high as the file could have millions of pixels. */
    trod.draw_thread = (shown, from, to, height, grid) => {
        const thread = shown && shown.thread, old = grid.body.querySelector("svg.thread");

        if (old)
            old.remove();
        if (!thread)
            return;
        const rows = thread.line.map((line) => shown.rows.row(line)), out = [arrow()], seen = new Set();
        const near = (a, b) => Math.max(a, b) >= from && Math.min(a, b) <= to && a >= 0 && b >= 0;
        let depth = 0;

        for (let i = 1; i < rows.length; i++) {
            const key = rows[i - 1] + " " + rows[i];

            if (seen.has(key) || !near(rows[i - 1], rows[i]))
                continue;
            seen.add(key);
            out.push(step(rows[i - 1], rows[i], height, rows[i] > rows[i - 1] ? "on" : "back", rows[i] > rows[i - 1] ? 0 : depth++ % 4));
        }
        const last = rows[rows.length - 1];
        if (thread.ends && near(last, shown.rows.row(thread.ends)))
            out.push(step(last, shown.rows.row(thread.ends), height, thread.round ? "again" : "on", 3));
        new Set(rows).forEach((row) => {
            if (row >= from && row <= to)
                out.push(draw("circle", { cx: MIDDLE, cy: (row + 0.5) * height, r: row === rows[0] ? 4.5 : 3.2, class: row === rows[0] ? "dot first" : "dot" }));
        });
        if (thread.over && last >= from && last <= to)
            out.push(draw("rect", { x: MIDDLE - 4.5, y: (last + 0.5) * height - 4.5, width: 9, height: 9, class: "dot last" }));
        grid.body.append(draw("svg", {
            class: "thread", width: WIDTH, height: (to - from) * height, viewBox: "0 " + from * height + " " + WIDTH + " " + (to - from) * height,
            style: "top:" + from * height + "px", "aria-hidden": "true",
        }, out));
    };
})();
