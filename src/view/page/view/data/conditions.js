/* A path as its decisions: line, condition, outcome. */
(function () {
    "use strict";

    /* The condition of a block, formatted as in reports; "" if unknown. */
    trod.condition = (g, b) => g.conditions.get(b) || "";

    const OUTCOMES = { T: "true", F: "false" };
    trod.outcome = (g, e) => {
        const b = g.from[e], way = trod.way_wording(g, e), line = g.decisions.has(b) ? 0 : trod.own_first_line(g, g.to[e]);

        return OUTCOMES[way] || (line ? "to line " + line : g.decisions.has(b) ? way : "way " + (e - g.first[b] + 1) + " of " + (g.first[b + 1] - g.first[b]));
    };
    trod.outcome_class = (outcome) => outcome === "true" || outcome === "false" ? "out-" + outcome : "";

    /* A path, step by step: { kind, line, text, outcome, file }. `kind` is start, way or end; the `text` of a way is
     * its condition.
     */
    trod.steps = (p) => {
        const { paths } = trod.data, w = trod.walk(p), g = trod.graph_of(w.f), block = w.block.slice(0, w.n), edge = w.edge.slice(0, w.n), out = [];

        if (!w.n || !g.lined)
            return trod.words(p).map(({ text, kind }) => ({ kind, line: 0, text, outcome: "", file: null }));
        out.push({ kind: "start", ...paths.start[p] < 0 ? { line: trod.data.functions[w.f].line || 0, file: trod.file_of_block(g, block[0]) } : trod.loop_place(g, block[0]), text: trod.start_words(g, block[0], paths.start[p] < 0), outcome: "" });
        for (let i = 0; i < block.length; i++) {
            const b = block[i], e = edge[i];

            if (e < 0)
                continue;
            if (trod.is_worth_words(g, e))
                out.push({ kind: "way", ...trod.decision_place(g, b), text: trod.condition(g, b), outcome: trod.outcome(g, e), inlined: trod.inlined_name(g, b) });
            if (g.cut[e] && i + 1 < block.length)
                out.push({ kind: "start", ...trod.loop_place(g, block[i + 1]), text: "then " + trod.start_words(g, block[i + 1], false), outcome: "" });
        }
        const last = block.length - 1, to = edge[last] >= 0 ? g.to[edge[last]] : -1;
        out.push({ kind: "end", ...to < 0 ? { line: trod.own_last_line(g, block[last]), file: trod.file_of_block(g, block[last]) } : trod.loop_place(g, to), text: trod.end_words(g, block[last], edge[last]), outcome: "" });
        return out;
    };

    /* The same as plain text, for the clipboard. */
    trod.path_text = (p) => {
        const { paths, functions, files, total } = trod.data, fn = functions[paths.of[p]], steps = trod.steps(p), place = ({ line, file }) => line ? trod.place_wording(fn, { line, file }) : "", wide = Math.max(...steps.map((step) => place(step).length));
        const file = fn.file === null || fn.file === undefined ? "" : " (" + files[fn.file].label + (fn.line ? ":" + fn.line : "") + ")";
        const longest = Math.min(60, Math.max(...steps.map((step) => step.outcome ? step.text.length : 0)));

        return [fn.name + file, "path " + paths.id[p] + ", " + trod.times(paths.count[p]) + (total ? ", " + trod.share(paths.count[p] / total) + " of all" : ""),
            ...steps.map(({ line, file, text, outcome, inlined }) => ("  " + place({ line, file }).padStart(wide) + "  " + ((inlined ? inlined + ": " : "") + text).padEnd(outcome ? longest : 0) + (outcome ? "  " + outcome : "")).trimEnd())].join("\n") + "\n";
    };
})();
