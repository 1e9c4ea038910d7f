/* How often each line of a file ran, as its blocks tell it.
 *
 * A line's count is how often it was begun: come to from the function's entry, or from a block whose last line is another, or
 * again in a round of a loop. Functions that are there several times share their lines, whose counts are added up. The same rule
 * as in src/flow. Of supergraphs, blocks of other frames than the first are left out: what is called is counted as a function of its
 * own, too. Where blocks were sampled, a line ran as often as that of its blocks that ran most.
 */
(function () {
    "use strict";

    const kept = new Map();

    function begun_first(g, fn, b, line, into) {
        let count = b === 0 ? fn.entered || 0 : 0;

        for (const e of into[b] || [])
            if (g.cut[e] === 1 || trod.last_line(g, g.from[e]) !== line)
                count += g.passed[e];
        return count;
    }

    function edges_into(g) {
        const into = [];

        for (let e = 0; e < g.m; e++)
            (into[g.to[e]] || (into[g.to[e]] = [])).push(e);
        return into;
    }

    function add_function(all, file, f) {
        const g = trod.graph_of(f), fn = trod.data.functions[f], into = edges_into(g), counts = new Map();

        for (let b = 0; b < g.n; b++) {
            if (trod.file_of_block(g, b) !== file || g.frame && g.frame[b])
                continue;
            g.lines[b].forEach((line, i) => {
                const before = counts.get(line) || 0;

                counts.set(line, g.sampled ? Math.max(before, g.count[b]) : before + (i ? g.count[b] : begun_first(g, fn, b, line, into)));
            });
        }
        const unknown = new Set();
        for (const b of g.unknown)
            g.lines[b].forEach((line) => unknown.add(line));
        for (const [line, count] of counts)
            all.set(line, g.counted && !(count === 0 && unknown.has(line)) ? (all.get(line) || 0) + count : all.get(line) ?? null);
    }

    const is_in = (fn, file) => fn.file === file || fn.frame_files && fn.frame_files.includes(file) ||
        fn.frames && fn.frames.some((name) => trod.data.functions[trod.data.named.get(name)]?.file === file);

    /* Of a file: a map from lines that have code to counts, null where they were not counted, and the most of these. */
    trod.lines_of = (file) => {
        if (!kept.has(file)) {
            const counts = new Map();
            let most = 0;

            trod.data.functions.forEach((fn, f) => is_in(fn, file) && add_function(counts, file, f));
            for (const count of counts.values())
                most = Math.max(most, count);
            kept.set(file, { counts, most });
        }
        return kept.get(file);
    };

    /* Which functions have a line, and which of their blocks: [[f, Set of blocks], ...] */
    trod.blocks_on_line = (file, line) => {
        const out = [];

        trod.data.functions.forEach((fn, f) => {
            if (!is_in(fn, file))
                return;
            const g = trod.graph_of(f), blocks = new Set();
            for (let b = 0; b < g.n; b++)
                if (g.lines[b].includes(line) && trod.file_of_block(g, b) === file)
                    blocks.add(b);
            if (blocks.size)
                out.push([f, blocks]);
        });
        return out;
    };
})();
