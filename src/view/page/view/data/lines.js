/* Line counts. They are computed by src/view/flow for every report; none are derived here. */
(function () {
    "use strict";

    const kept = new Map();

    const is_in = (fn, file) => fn.file === file || (fn.included || []).some(([other]) => other === file) || fn.frame_files && fn.frame_files.includes(file) ||
        fn.frames && fn.frames.some((name) => trod.data.functions[trod.data.named.get(name)]?.file === file);

    /* For a file: a map from lines with code to counts (null: not counted), their maximum, and the counts of the other
     * profile, if any.
     */
    trod.lines_of = (file) => {
        if (!kept.has(file)) {
            const { line = [], count = [], old = null } = trod.data.files[file].rows || {};

            kept.set(file, {
                counts: new Map(line.map((one, i) => [one, count[i] ?? null])), old: old && new Map(line.map((one, i) => [one, old[i] ?? null])),
                most: count.reduce((most, one) => Math.max(most, one || 0), 0),
            });
        }
        return kept.get(file);
    };

    /* The functions with code on a line, and their blocks there: [[f, Set of blocks], ...] */
    trod.blocks_on_line = (file, line) => {
        const out = [];

        trod.data.functions.forEach((fn, f) => {
            if (!is_in(fn, file))
                return;
            const g = trod.graph_of(f), blocks = new Set();
            for (let b = 0; b < g.n; b++)
                if (trod.lines_in(g, b, file).includes(line))
                    blocks.add(b);
            if (blocks.size)
                out.push([f, blocks]);
        });
        return out;
    };
})();
