/* Two profiles side by side, function by function. Paths and lines have both counts in their own views. */
(function () {
    "use strict";

    /* The functions with new or vanished paths. */
    function count_flags() {
        const { paths, functions } = trod.data, fresh = new Int32Array(functions.length), gone = new Int32Array(functions.length);

        for (let p = 0; p < paths.n; p++) {
            fresh[paths.of[p]] += paths.flags[p] & 4 ? 1 : 0;
            gone[paths.of[p]] += paths.flags[p] & 8 ? 1 : 0;
        }
        return { fresh, gone };
    }

    const COLUMNS = [["function", "function", "minmax(9em, 1fr)"], ["times before", "count"], ["times now", "count"], ["change", "change"], ["share before", "share"], ["share now", "share"], ["points", "points", "5.2em"], ["new paths", "count", "6.8em"], ["gone paths", "count", "7.2em"]];

    function row(fn, f, { fresh, gone }) {
        const { total, old_total } = trod.data, known = typeof fn.old === "number", was = known && old_total ? fn.old / old_total : null, is = total ? fn.count / total : 0;

        return [f, known ? fn.old : null, fn.count, known ? fn.count - fn.old : null, was, is, known && was !== null ? is - was : null, fresh[f], gone[f]];
    }

    trod.put_compare = () => {
        const { since, functions, total, old_total } = trod.data;

        if (!since)
            return;
        const flags = count_flags(), rows = functions.map((fn, f) => row(fn, f, flags)).filter((_, f) => trod.is_counted(functions[f]));
        const title = "Before: " + trod.times(old_total) + " in all, now: " + trod.times(total) + ". Shares are of each profile's own sum. Functions that changed cannot be compared, and have no count before.";

        rows.sort((a, b) => Math.abs(b[6] ?? 0) - Math.abs(a[6] ?? 0));
        trod.put_table({ word: "comparison", title, columns: COLUMNS, rows }, "compare");
    };
})();
