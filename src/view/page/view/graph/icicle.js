/* How paths share prefixes: a tree of decisions, and the positions of its cells. The tree is implicit. The paths of a
 * function are sorted by start and outcomes, so each prefix is a range, and prefix sums of counts give the count of a
 * range by one subtraction. Only cells wide enough to be visible are computed. A cell extends while its paths do not
 * diverge: it may stand for many decisions that they share.
 */
(function () {
    "use strict";

    const tries = [];

    function sort_paths(f) {
        const { start, way, count } = trod.data.paths;
        const order = trod.paths_of(f).filter((p) => count[p] > 0);

        return order.sort((a, b) => start[a] - start[b] || (way[a] < way[b] ? -1 : way[a] > way[b] ? 1 : a - b));
    }

    trod.trie = (f) => {
        if (!tries[f]) {
            const order = sort_paths(f), sum = new Float64Array(order.length + 1);

            for (let i = 0; i < order.length; i++)
                sum[i + 1] = sum[i] + trod.data.paths.count[order[i]];
            tries[f] = { order, sum };
        }
        return tries[f];
    };

    /* The end of the decision at k, or of the separator between two paths of a chain. */
    const MARK = /\|(?:\d+:)?/y;
    function token_end(way, k) {
        if (way[k] === "(")
            return way.indexOf(")", k) + 1 || way.length;
        if (way[k] !== "|")
            return k + 1;
        MARK.lastIndex = k;
        MARK.exec(way);
        return MARK.lastIndex;
    }

    /* The common prefix of all paths of a range, in whole decisions: that of the first and the last. */
    function shared(trie, lo, hi, from) {
        const { way } = trod.data.paths, a = way[trie.order[lo]], b = way[trie.order[hi - 1]];
        let k = from;

        while (k < a.length && k < b.length) {
            const end = token_end(a, k);

            if (a.slice(k, end) !== b.slice(k, end))
                break;
            k = end;
        }
        return k;
    }

    /* Binary search: the first in a sorted range that differs from the one at `lo`. */
    function bound(lo, hi, same) {
        let low = lo + 1, high = hi;

        while (low < high) {
            const middle = (low + high) >> 1;

            if (same(middle))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    function way_cell(f, lo, hi, from, parent) {
        const trie = trod.trie(f), to = shared(trie, lo, hi, from);
        const leaf = hi - lo === 1 || trod.data.paths.way[trie.order[hi - 1]].length === to;

        return { kind: "way", f, lo, hi, from, to, leaf, parent, count: trie.sum[hi] - trie.sum[lo] };
    }

    function starts_of(cell) {
        const trie = trod.trie(cell.f), { start } = trod.data.paths, out = [];

        for (let lo = 0; lo < trie.order.length;) {
            const hi = bound(lo, trie.order.length, (i) => start[trie.order[i]] === start[trie.order[lo]]);

            out.push(way_cell(cell.f, lo, hi, 0, cell));
            lo = hi;
        }
        return out;
    }

    function ways_of(cell) {
        const trie = trod.trie(cell.f), { way } = trod.data.paths, out = [];

        for (let lo = cell.lo; lo < cell.hi;) {
            const own = way[trie.order[lo]], next = own.slice(cell.to, token_end(own, cell.to));
            const same = next === "" ? (i) => way[trie.order[i]].length === cell.to
                : (i) => way[trie.order[i]].slice(cell.to, token_end(way[trie.order[i]], cell.to)) === next;
            const hi = bound(lo, cell.hi, same);

            out.push(way_cell(cell.f, lo, hi, cell.to, cell));
            lo = hi;
        }
        return out;
    }

    trod.cell_of_function = (f, parent) => ({ kind: "function", f, parent: parent || null, count: trod.data.functions[f].count, leaf: false });

    /* Only functions that are not hidden. */
    trod.cell_of_all = () => {
        const scope = trod.scope(trod.state), { total, functions } = trod.data;

        return { kind: "all", parent: null, count: scope ? functions.reduce((sum, fn, f) => sum + (scope[f] ? fn.count : 0), 0) : total, leaf: false };
    };

    trod.cells_in = (cell) => {
        if (cell.leaf)
            return [];
        if (cell.kind === "all") {
            const scope = trod.scope(trod.state), order = trod.data.functions.map((_, f) => f).filter((f) => trod.data.functions[f].count > 0 && (!scope || scope[f]));

            order.sort((a, b) => trod.data.functions[b].count - trod.data.functions[a].count);
            return order.map((f) => trod.cell_of_function(f, cell));
        }
        return cell.kind === "function" ? starts_of(cell) : ways_of(cell);
    };

    /* --- names of cells, for the address ------------------------------------------------------------------ */

    trod.cell_name = (cell) => {
        if (cell.kind === "all")
            return "all";
        if (cell.kind === "function")
            return String(cell.f);
        const p = trod.trie(cell.f).order[cell.lo];
        return cell.f + "~" + trod.data.paths.start[p] + "~" + trod.data.paths.way[p].slice(0, cell.to);
    };

    /* Follow a name from the root to its cell, as far as it exists. */
    trod.cell_named = (name) => {
        const [f, start, way] = name.split("~"), all = trod.cell_of_all();

        if (name === "all" || !trod.data.functions[f])
            return all;
        let cell = trod.cell_of_function(Number(f), all);
        while (start !== undefined) {
            const next = trod.cells_in(cell).find((one) => {
                const p = trod.trie(one.f).order[one.lo];

                return trod.data.paths.start[p] === Number(start) && trod.data.paths.way[p].slice(0, one.to) === way.slice(0, one.to) && one.to <= way.length;
            });
            if (!next)
                break;
            cell = next;
            if (cell.leaf || cell.to === way.length)
                break;
        }
        return cell;
    };

    /* --- words ------------------------------------------------------------------------------------------- */

    const START = { call: "after", loop: "loop", cut: "from" };
    const loop_wording = (g, b) => {
        const at = trod.loop_place(g, b);

        return at.line ? trod.place_wording(trod.data.functions[g.f], at) : "";
    };
    const END = { 1: "again", 2: "calls", 3: "cut" }; /* by why the last edge is cut */

    /* The decisions that a cell stands for, at most `most`. */
    trod.cell_words = (cell, most) => {
        if (cell.kind === "all")
            return ["all functions"];
        if (cell.kind === "function")
            return [trod.name_of(cell.f)];
        const p = trod.trie(cell.f).order[cell.lo], g = trod.graph_of(cell.f), w = trod.walk(p), way = trod.data.paths.way[p], out = [];
        let k = 0;

        if (cell.parent.kind === "function")
            out.push(trod.data.paths.start[p] < 0 ? "entry" : START[trod.start_kind(g, w.block[0])] + " " + (loop_wording(g, w.block[0]) || trod.block_name(g, w.block[0])));
        for (let i = 0; i < w.n && k < cell.to && out.length < most; i++) {
            const b = w.block[i], e = w.edge[i];

            if (e >= 0 && g.first[b + 1] - g.first[b] > 1) {
                if (k >= cell.from)
                    out.push((trod.decision_place(g, b).line ? trod.decision_wording(g, e) : trod.block_name(g, b) + ":" + trod.way_wording(g, e)));
                k = token_end(way, k);
            }
            if (way[k] === "|" && e >= 0 && g.cut[e]) {
                if (k >= cell.from)
                    out.push("then");
                k = token_end(way, k);
            }
        }
        if (cell.leaf && out.length < most)
            out.push(w.edge[w.n - 1] >= 0 ? END[g.cut[w.edge[w.n - 1]]] || "cut" : trod.leaves_by(g, w.block[w.n - 1]));
        return out.length ? out : ["end"];
    };
})();
