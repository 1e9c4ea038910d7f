/* What is written at a decision, and a path as its decisions: line, condition, outcome. */
(function () {
    "use strict";

    const AROUND = 4, TEXT_MOST = 160; /* lines above and below; letters */

    /* Words, operators, brackets; strings, characters and comments as a whole. */
    const TOKEN = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[A-Za-z_0-9$]+|&&|\|\||[=!<>+\-*/%&|^]=|<<=?|>>=?|->|::|\S/g;
    const OPENS = new Set(["(", "[", "{"]), CLOSES = new Set([")", "]", "}"]);
    const BETWEEN = new Set(["&&", "||", ";", "{", "}", ",", "?", ":"]);
    const BEFORE = new Set(["return", "else", "do", "case", "co_return", "co_yield", "throw", "="]);
    const KEYWORDS = new Set(["if", "while", "switch", "for"]);

    const tokens_of = (text) => [...text.matchAll(TOKEN)].map((found) => ({ text: found[0], from: found.index, to: found.index + found[0].length })).filter(({ text: one }) => !/^\/[/*]/.test(one));

    /* The bracket that the one at `at` closes; -1: there is none. */
    function opener(tokens, at) {
        let depth = 0;

        for (let i = at; i >= 0; i--) {
            depth += CLOSES.has(tokens[i].text) ? 1 : OPENS.has(tokens[i].text) ? -1 : 0;
            if (!depth)
                return i;
        }
        return -1;
    }

    /* Up to a bracket that it does not close, the end of what a keyword asks, or something between two conditions. Gives the first token that
     * is part of it.
     */
    function left_end(tokens, at) {
        let i = at;

        for (; i > 0; i--) {
            const { text } = tokens[i - 1], open = CLOSES.has(text) && text !== "}" ? opener(tokens, i - 1) : -1;

            if (open >= 0 && !KEYWORDS.has(tokens[open - 1]?.text))
                i = open + 1;
            else if (open >= 0 || OPENS.has(text) || CLOSES.has(text) || BETWEEN.has(text) || BEFORE.has(text))
                break;
        }
        return i;
    }

    /* The same to the right: the first token behind it. */
    function right_end(tokens, at) {
        let depth = 0, i = at;

        for (; i < tokens.length; i++) {
            const { text } = tokens[i];

            if (OPENS.has(text) && (depth || text !== "{"))
                depth++;
            else if (CLOSES.has(text) && depth)
                depth--;
            else if (!depth && (CLOSES.has(text) || BETWEEN.has(text)))
                break;
        }
        return i;
    }

    /* Outcomes are those of what is written: a "!" before brackets around all of it is a part of it. */
    function negated(tokens, from, to) {
        let low = from, high = to;

        while (tokens[low - 1]?.text === "(" && tokens[high]?.text === ")" && tokens[low - 2]?.text === "!") {
            low -= 2;
            high++;
        }
        return [low, high];
    }

    /* In the brackets behind a keyword; of a for loop, the part in the middle. */
    function behind(text, tokens, at) {
        const open = tokens[at + 1];

        if (!open || open.text !== "(")
            return "";
        let depth = 1, i = at + 2;
        const ends = [open.to];
        for (; i < tokens.length && depth; i++) {
            depth += OPENS.has(tokens[i].text) ? 1 : CLOSES.has(tokens[i].text) ? -1 : 0;
            if (depth === 1 && tokens[i].text === ";" && tokens[at].text === "for")
                ends.push(tokens[i].from, tokens[i].to);
        }
        const close = tokens[i - 1].from;
        return ends.length > 2 ? text.slice(ends[2], ends[3] ?? close) : text.slice(open.to, close);
    }

    /* The condition that a place is in: places are those of operators, calls and keywords, as debug information has them. */
    function condition_at(text, place) {
        const tokens = tokens_of(text), found = tokens.findIndex((one) => one.to > place), at = found > 0 && BETWEEN.has(tokens[found].text) ? found - 1 : found;

        if (at < 0)
            return "";
        if (KEYWORDS.has(tokens[at].text))
            return behind(text, tokens, at);
        const [from, to] = negated(tokens, left_end(tokens, at), right_end(tokens, tokens[at].text === "(" ? at : at + 1));
        return from < to ? text.slice(tokens[from].from, tokens[to - 1].to) : "";
    }

    const tidy = (text) => {
        const short = text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, " ").replace(/\s+/g, " ").trim();

        return short.length > TEXT_MOST ? short.slice(0, TEXT_MOST - 1) + "…" : short;
    };

    /* The condition that a block decides, as it is written; "": not known. Kept: every path through the block asks. */
    trod.condition = (g, b) => {
        const kept = g.conditions || (g.conditions = new Map());

        if (!kept.has(b))
            kept.set(b, written(g, b));
        return kept.get(b);
    };

    function written(g, b) {
        const file = trod.file_of_block(g, b), lines = file === null ? null : trod.data.files[file]?.lines, line = trod.decision_line(g, b), column = g.columns.get(b) || 0;

        if (!lines || !line || !lines[line - 1])
            return "";
        /* A comment that began above is one again; where it is not known that it did, its end says so. */
        const first = Math.max(0, line - 1 - AROUND), given = (trod.begins_in_comment(file, first + 1) ? "/*" : "") + lines.slice(first, line - 1).map((text) => text + "\n").join("");
        const above = given.replace(/^(?:(?!\/\*)[^])*?\*\//, (part) => " ".repeat(part.length));
        const text = above + lines.slice(line - 1, line + AROUND).join("\n"), keyword = /\b(if|while|switch|for)\b/.exec(lines[line - 1]);
        return column ? tidy(condition_at(text, above.length + column - 1)) : keyword ? tidy(condition_at(text, above.length + keyword.index)) : "";
    }

    const OUTCOMES = { T: "true", F: "false" };
    trod.outcome = (g, e) => {
        const way = trod.told_way(g, e);

        return OUTCOMES[way] || way;
    };

    /* A path, step by step: { kind, line, text, outcome, file }. `kind` is start, way or end; a way has its condition as `text`. */
    trod.steps = (p) => {
        const { paths } = trod.data, w = trod.walk(p), g = trod.graph_of(w.f), block = w.block.slice(0, w.n), edge = w.edge.slice(0, w.n), out = [];

        if (!w.n || !g.lined)
            return trod.words(p).map(({ text, kind }) => ({ kind, line: 0, text, outcome: "", file: null }));
        out.push({ kind: "start", line: paths.start[p] < 0 ? trod.data.functions[w.f].line || 0 : trod.loop_line(g, block[0]), text: trod.start_words(g, block[0], paths.start[p] < 0), outcome: "", file: trod.file_of_block(g, block[0]) });
        for (let i = 0; i < block.length; i++) {
            const b = block[i], e = edge[i];

            if (e < 0)
                continue;
            if (trod.decides(g, b))
                out.push({ kind: "way", line: trod.decision_line(g, b), text: trod.condition(g, b), outcome: trod.outcome(g, e), file: trod.file_of_block(g, b), inlined: trod.inlined_name(g, b) });
            if (g.cut[e] && i + 1 < block.length)
                out.push({ kind: "start", line: trod.loop_line(g, block[i + 1]), text: "then " + trod.start_words(g, block[i + 1], false), outcome: "", file: trod.file_of_block(g, block[i + 1]) });
        }
        const last = block.length - 1, to = edge[last] >= 0 ? g.to[edge[last]] : -1;
        out.push({ kind: "end", line: to < 0 ? trod.own_last_line(g, block[last]) : trod.loop_line(g, to), text: trod.end_words(g, block[last], edge[last]), outcome: "", file: trod.file_of_block(g, block[last]) });
        return out;
    };

    /* The same as lines of text, to be pasted. */
    trod.path_text = (p) => {
        const { paths, functions, files, total } = trod.data, fn = functions[paths.of[p]], steps = trod.steps(p), wide = Math.max(...steps.map((step) => String(step.line || "").length));
        const file = fn.file === null || fn.file === undefined ? "" : " (" + files[fn.file].label + (fn.line ? ":" + fn.line : "") + ")";
        const longest = Math.min(60, Math.max(...steps.map((step) => step.outcome ? step.text.length : 0)));

        return [fn.name + file, "path " + paths.id[p] + ", " + trod.times(paths.count[p]) + (total ? ", " + trod.share(paths.count[p] / total) + " of all" : ""),
            ...steps.map(({ line, text, outcome, inlined }) => ("  " + String(line || "").padStart(wide) + "  " + ((inlined ? inlined + ": " : "") + text).padEnd(outcome ? longest : 0) + (outcome ? "  " + outcome : "")).trimEnd())].join("\n") + "\n";
    };
})();
