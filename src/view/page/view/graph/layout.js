/* Where blocks and edges are drawn when the page itself has to decide: of a path, or of what ran, whatever the size of the function.
 *
 *   trod.lay_out_path(g, blocks)     one below the other, in the order of the path
 *   trod.lay_out(g, blocks)          in layers, as Sugiyama, Tagawa and Toda have it (1981)
 *
 * Both give { w, h, blocks, edges }, as the data have layouts, with nothing where a block or an edge is not shown.
 */
(function () {
    "use strict";

    const HIGH = 36, GAP = 26, HEAD = 10; /* of a block, between layers, of an arrow */
    const LANE = 9, LANES_MOST = 14, MARGIN = 8;
    const SPAN_MOST = 30, DUMMIES_MOST = 8000, SWEEPS = 8;
    trod.LAID_MOST = 1500; /* blocks; more take a browser too long, and nobody sees anything */

    /* The width of a block: room for its lines and its count. */
    const width_of = (g, b) => Math.max(44, 14 + 7 * Math.max((trod.lines_wording(g, b) || trod.block_name(g, b)).length, g.counted ? trod.short(g.count[b]).length + 1 : 1));

    function shown_edges(g, has) {
        const out = [];

        for (let e = 0; e < g.m; e++)
            if (has[g.from[e]] && has[g.to[e]])
                out.push(e);
        return out;
    }

    const curve = (points) => points.slice(1).reduce((text, [x, y], i) => {
        const [px, py] = points[i], middle = (py + y) / 2;

        return text + "C" + px.toFixed(1) + "," + middle.toFixed(1) + " " + x.toFixed(1) + "," + middle.toFixed(1) + " " + x.toFixed(1) + "," + y.toFixed(1);
    }, "M" + points[0][0].toFixed(1) + "," + points[0][1].toFixed(1));

    /* An arc that leaves at one side and returns, along a lane. */
    const arc = (x1, y1, lane, x2, y2) => "M" + x1.toFixed(1) + "," + y1.toFixed(1) + "C" + lane.toFixed(1) + "," + y1.toFixed(1) + " " + lane.toFixed(1) + "," + y2.toFixed(1) + " " + x2.toFixed(1) + "," + y2.toFixed(1);

    /* Assign lanes, short arcs innermost: the first lane that is free between two rows. */
    function lanes_of(list) {
        const used = [], lane = new Map();

        for (const one of [...list].sort((a, b) => a.to - a.from - (b.to - b.from))) {
            let at = used.findIndex((taken) => taken.every(([from, to]) => one.to <= from || to <= one.from));

            if (at < 0)
                at = used.push([]) - 1;
            used[at].push([one.from, one.to]);
            lane.set(one.e, Math.min(at, LANES_MOST));
        }
        return { lane, n: Math.min(used.length, LANES_MOST + 1) };
    }

    /* Edges to the next block are straight; edges that skip blocks are on the right, back edges on the left. */
    trod.lay_out_path = (g, list) => {
        const blocks = [], edges = [], has = new Uint8Array(g.n), row = new Map(), order = [...new Set(list)];

        order.forEach((b, i) => { has[b] = 1; row.set(b, i); });
        const all = shown_edges(g, has), wide = order.reduce((most, b) => Math.max(most, width_of(g, b)), 0);
        const side = (back) => all.filter((e) => back ? row.get(g.to[e]) <= row.get(g.from[e]) : row.get(g.to[e]) > row.get(g.from[e]) + 1)
            .map((e) => ({ e, from: Math.min(row.get(g.from[e]), row.get(g.to[e])), to: Math.max(row.get(g.from[e]), row.get(g.to[e])) }));
        const left = lanes_of(side(true)), right = lanes_of(side(false)), x = MARGIN + 24 + LANE * 2 * left.n + wide / 2, y = (i) => MARGIN + HIGH / 2 + i * (HIGH + GAP);

        order.forEach((b, i) => { blocks[b] = [x, y(i), width_of(g, b), HIGH]; });
        for (const e of all) {
            const [, ay, aw] = blocks[g.from[e]], [, by, bw] = blocks[g.to[e]];

            if (left.lane.has(e))
                edges[e] = arc(x - aw / 2, ay + 6, x - wide / 2 - 22 - 2 * LANE * left.lane.get(e), x - bw / 2 - HEAD, by - 6);
            else if (right.lane.has(e))
                edges[e] = arc(x + aw / 2, ay + 6, x + wide / 2 + 30 + 2 * LANE * right.lane.get(e), x + bw / 2 + HEAD, by - 6);
            else
                edges[e] = curve([[x, ay + HIGH / 2], [x, by - HIGH / 2 - HEAD]]);
        }
        return { w: x + wide / 2 + 34 + 2 * LANE * right.n + MARGIN, h: y(order.length - 1) + HIGH / 2 + MARGIN, blocks, edges };
    };

    /* --- layers ------------------------------------------------------------------------------------------ */

    /* Back edges, by a depth-first search without recursion. */
    function find_back(g, has, blocks) {
        const colour = new Uint8Array(g.n), back = new Set(), order = [];

        for (const root of [0, ...blocks]) {
            if (!has[root] || colour[root])
                continue;
            const stack = [[root, g.first[root]]];
            colour[root] = 1;
            order.push(root);
            while (stack.length) {
                const top = stack[stack.length - 1], [b] = top;

                if (top[1] === g.first[b + 1]) {
                    colour[b] = 2;
                    stack.pop();
                    continue;
                }
                const e = top[1]++, to = g.to[e];
                if (!has[to])
                    continue;
                if (colour[to] === 1)
                    back.add(e);
                else if (!colour[to]) {
                    colour[to] = 1;
                    order.push(to);
                    stack.push([to, g.first[to]]);
                }
            }
        }
        return { back, order };
    }

    /* The rank of a block is the length of the longest way to it. */
    function rank_blocks(g, has, blocks, back) {
        const rank = new Int32Array(g.n), waits = new Int32Array(g.n), ready = [];
        const down = (b, job) => { for (let e = g.first[b]; e < g.first[b + 1]; e++) if (has[g.to[e]] && !back.has(e)) job(g.to[e]); };

        for (const b of blocks)
            down(b, (to) => { waits[to]++; });
        for (const b of blocks)
            if (!waits[b])
                ready.push(b);
        while (ready.length) {
            const b = ready.pop();

            down(b, (to) => {
                rank[to] = Math.max(rank[to], rank[b] + 1);
                if (!--waits[to])
                    ready.push(to);
            });
        }
        return rank;
    }

    /* The elements of layers: blocks, and the points where long edges cross a layer. */
    function make_layers(g, blocks, all, rank, back) {
        const layers = [], of = new Map(), bends = new Map();
        let n = 0;
        const put = (thing) => { (layers[thing.rank] || (layers[thing.rank] = [])).push(thing); return thing; };
        const link = (a, b) => { a.down.push(b); b.up.push(a); };

        for (const b of blocks)
            of.set(b, put({ rank: rank[b], wide: width_of(g, b), x: 0, up: [], down: [] }));
        for (const e of all) {
            const a = of.get(g.from[e]), b = of.get(g.to[e]), span = b.rank - a.rank;

            if (back.has(e) || span < 1 || span > SPAN_MOST || n + span > DUMMIES_MOST)
                continue;
            const points = Array.from({ length: span - 1 }, (_, i) => put({ rank: a.rank + 1 + i, wide: 10, x: 0, up: [], down: [] }));
            n += points.length;
            [a, ...points, b].reduce((before, next) => (link(before, next), next));
            bends.set(e, points);
        }
        return { layers, of, bends };
    }

    const mean = (list, of) => list.reduce((sum, one) => sum + one[of], 0) / list.length;

    function sweep(layers, of, side) {
        for (const layer of side === "up" ? layers : [...layers].reverse()) {
            layer.forEach((one, i) => { one.key = one[side].length ? mean(one[side], of) : i; });
            layer.sort((a, b) => a.key - b.key);
            layer.forEach((one, i) => { one.at = i; });
        }
    }

    /* Positions in a layer closest to the wished ones without overlap: least squares, by pooling adjacent violators. */
    function settle(layer, wish) {
        const pools = [];
        let offset = 0;

        layer.forEach((one, i) => {
            offset += i ? layer[i - 1].wide / 2 + one.wide / 2 + 22 : 0;
            one.offset = offset;
            pools.push({ sum: wish(one) - offset, n: 1 });
            while (pools.length > 1 && pools[pools.length - 2].sum / pools[pools.length - 2].n > pools[pools.length - 1].sum / pools[pools.length - 1].n) {
                const last = pools.pop();

                pools[pools.length - 1].sum += last.sum;
                pools[pools.length - 1].n += last.n;
            }
        });
        let i = 0;
        for (const { sum, n } of pools)
            for (let k = 0; k < n; k++, i++)
                layer[i].x = layer[i].offset + sum / n;
    }

    function place(layers) {
        layers.forEach((layer) => layer.forEach((one, i) => { one.at = i; }));
        for (let i = 0; i < SWEEPS; i++)
            sweep(layers, "at", i % 2 ? "down" : "up");
        for (const layer of layers)
            settle(layer, (one) => one.at * 80);
        for (let i = 0; i < SWEEPS; i++) {
            const side = i % 2 ? "down" : "up";

            for (const layer of i % 2 ? [...layers].reverse() : layers)
                settle(layer, (one) => one[side].length ? mean(one[side], "x") : one.x);
        }
    }

    trod.lay_out = (g, list) => {
        const has = new Uint8Array(g.n), blocks = [], edges = [];

        for (const b of list)
            has[b] = 1;
        const { back, order } = find_back(g, has, list), all = shown_edges(g, has), rank = rank_blocks(g, has, order, back);
        const { layers, of, bends } = make_layers(g, order, all, rank, back);
        place(layers);
        const least = Math.min(...layers.map((layer) => layer[0].x - layer[0].wide / 2)), y = (rank_of) => MARGIN + HIGH / 2 + rank_of * (HIGH + GAP + 6);
        let most = 0;

        for (const [b, one] of of) {
            blocks[b] = [one.x - least + MARGIN + 30, y(one.rank), one.wide, HIGH];
            most = Math.max(most, blocks[b][0] + one.wide / 2);
        }
        for (const e of all) {
            const [ax, ay, aw] = blocks[g.from[e]], [bx, by, bw] = blocks[g.to[e]], points = bends.get(e);

            if (points)
                edges[e] = curve([[ax, ay + HIGH / 2], ...points.map((one) => [one.x - least + MARGIN + 30, y(one.rank)]), [bx, by - HIGH / 2 - HEAD]]);
            else
                edges[e] = arc(ax - aw / 2, ay, Math.max(4, Math.min(ax - aw / 2, bx - bw / 2) - 26 - 3 * Math.min(12, Math.abs(g.from[e] - g.to[e]))), bx - bw / 2 - HEAD, by);
        }
        return { w: most + 30 + MARGIN, h: y(layers.length - 1) + HIGH / 2 + MARGIN, blocks, edges };
    };
})();
