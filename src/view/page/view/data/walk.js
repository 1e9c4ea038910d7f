/* Paths: from a start and outcomes to blocks and edges, and to text.
 *
 * A walk has blocks and the edges out of them: edge[i] leaves block[i]. The last block has no edge if the function ends
 * there, and a cut edge if another path would start. Chains also have cut edges in the middle.
 */
(function () {
    "use strict";

    /* Reused for each walk; callers that keep it must copy it. */
    const walk = { n: 0, block: new Int32Array(256), edge: new Int32Array(256), whole: true, f: -1 };

    function room() {
        for (const name of ["block", "edge"]) {
            const wider = new Int32Array(2 * walk[name].length);

            wider.set(walk[name]);
            walk[name] = wider;
        }
    }

    /* The outcomes to read: each is a digit, or a number in parentheses. -1: at the end. */
    let way = "", at = 0;

    function decision() {
        const c = at < way.length ? way.charCodeAt(at) : 0;

        if (c >= 48 && c <= 57 || c >= 97 && c <= 122) {
            at++;
            return c - (c <= 57 ? 48 : 87);
        }
        if (c !== 40)
            return -1;
        const end = way.indexOf(")", at), number = parseInt(way.slice(at + 1, end), 10);
        at = end + 1;
        return end > 0 && number >= 0 ? number : -1;
    }

    /* In a chain, the next path starts where the previous one led, or at an explicit block: "|7:". */
    const OTHER = /\|(\d+):/y;
    function next_start(led) {
        OTHER.lastIndex = at;
        const other = OTHER.exec(way);

        at += other ? other[0].length : 1;
        return other ? Number(other[1]) : led;
    }

    /* A path that does not fit its graph is walked as far as possible, and `whole` is false. The length of a walk is
     * limited to decisions times blocks, in case a cycle has neither a cut edge nor a decision.
     */
    trod.walk = (p) => {
        const { paths } = trod.data, g = trod.graph_of(paths.of[p]);
        let b = Math.max(0, paths.start[p]), idle = 0;

        way = paths.way[p];
        at = 0;
        walk.f = g.f;
        walk.n = 0;
        walk.whole = b < g.n;
        while (walk.whole) {
            if (walk.n === walk.block.length)
                room();
            const first = g.first[b], degree = g.first[b + 1] - first, i = walk.n++;
            let e = first;

            walk.block[i] = b;
            walk.edge[i] = -1;
            if (!degree)
                break;
            if (degree > 1) {
                const way_out = decision();

                walk.whole = way_out >= 0 && way_out < degree;
                e += way_out;
                idle = 0;
            } else {
                walk.whole = idle++ <= g.n;
            }
            if (!walk.whole)
                break;
            walk.edge[i] = e;
            b = g.to[e];
            if (g.cut[e]) {
                if (way[at] !== "|")
                    break;
                b = next_start(b);
                idle = 0;
                walk.whole = b < g.n;
            }
        }
        walk.whole = walk.whole && at >= way.length;
        return walk;
    };

    trod.length_of = (p) => {
        const { paths } = trod.data;

        return paths.count[p] && paths.weight[p] ? Math.round(paths.weight[p] / paths.count[p]) : trod.walk(p).n;
    };

    /* --- words ------------------------------------------------------------------------------------------- */

    const place_wording = (g, at) => at.line ? trod.place_wording(trod.data.functions[g.f], at) : 0;
    const place = (word, line) => line ? word + " " + line : word;
    const cut_place = (word, line) => line ? word + " " + line + " (cut)" : word + " a cut";

    /* Why an edge is cut: it is a back edge, leads to a call, or neither (see doc/everyday/page.md). */
    const LOOP = 1, CALL = 2;

    /* Why the edges to each block are cut, as a bit set. Cached, since every path needs it. */
    function why_cut(g) {
        if (!g.why_cut) {
            g.why_cut = new Uint8Array(g.n);
            for (let e = 0; e < g.m; e++)
                g.why_cut[g.to[e]] |= 1 << g.cut[e];
        }
        return g.why_cut;
    }

    /* The kind of start of a path that does not start at the entry: "call", "loop" or "cut". */
    trod.start_kind = (g, b) => why_cut(g)[b] & 1 << CALL ? "call" : why_cut(g)[b] & 1 << LOOP ? "loop" : "cut";

    /* The meaning of an outcome in the source: T, F, case 3. If unknown, the index of the outcome. */
    trod.way_wording = (g, e) => {
        const b = g.from[e], k = e - g.first[b], known = g.decisions.get(b);

        return known && known[2] !== "-" && known[2 + k] || "way" + (k + 1);
    };

    /* Frames are numbered after their callers. */
    const goes_in = (g, e) => g.frame && g.frame[g.to[e]] > g.frame[g.from[e]];

    /* Choosing the target of a followed call is not a decision. */
    function decides(g, b) {
        if (g.first[b + 1] - g.first[b] < 2 || g.decisions.has(b) && g.decisions.get(b)[2] === "-")
            return false;
        for (let e = g.first[b]; e < g.first[b + 1]; e++)
            if (goes_in(g, e) && !g.cut[e])
                return false;
        return true;
    }
    trod.decides = decides;

    /* That a call which could throw returned is a decision that reports omit. */
    trod.is_worth_words = (g, e) => decides(g, g.from[e]) && trod.way_wording(g, e) !== "returns";

    function decision_wording(g, e) {
        const at = trod.decision_place(g, g.from[e]), text = (at.line ? place_wording(g, at) + ":" : "") + trod.way_wording(g, e), inlined = trod.inlined_name(g, g.from[e]);

        return inlined ? inlined + "(" + text + ")" : text;
    }

    trod.decision_wording = decision_wording;

    function start_wording(g, b, is_entry) {
        const inside = g.frame && g.frame[b] ? "in " + g.frames[g.frame[b]] + ": " : "";

        if (is_entry)
            return inside + "entry";
        const kind = trod.start_kind(g, b), line = trod.own_first_line(g, b);
        if (kind === "call")
            return inside + place("after " + (g.calls[b][0] || "*"), line);
        return inside + (kind === "loop" ? place("loop", place_wording(g, trod.loop_place(g, b))) : cut_place("from", line));
    }

    /* If a path ends inside a followed call, its last edge leads back to the caller. Returns the callee's graph and the
     * corresponding edge of it, if the page has it; otherwise null.
     */
    function paused_at(g, b, e) {
        const frame = g.frame ? g.frame[b] : 0, own = frame ? trod.data.named.get(g.frames[frame]) : undefined;

        if (own === undefined || g.frame[g.to[e]] === frame)
            return null;
        const inner = trod.graph_of(own), at = b - g.frame.indexOf(frame), way = e - g.first[b];
        return at < inner.n && way < inner.first[at + 1] - inner.first[at] ? [inner, inner.first[at] + way] : null;
    }

    trod.leaves_by = (g, b) => g.leaves.get(b) || "return";

    function end_wording(g, b, e) {
        if (e < 0)
            return place(trod.leaves_by(g, b), trod.own_last_line(g, b));
        return cut_wording(...paused_at(g, b, e) || [g, e]);
    }

    function cut_wording(g, e) {
        const line = trod.own_first_line(g, g.to[e]);

        if (g.cut[e] === CALL)
            return place("calls " + (g.calls[g.to[e]][0] || "*"), line);
        return g.cut[e] === LOOP ? place("again", place_wording(g, trod.loop_place(g, g.to[e]))) : cut_place("to", line);
    }

    trod.start_words = start_wording;
    trod.end_words = end_wording;

    /* Without lines, only blocks are shown; ">" marks a start or end at a cut edge. */
    function trail(g, w, started) {
        const words = started ? [{ text: ">", kind: "start" }] : [];

        for (let i = 0; i < w.n; i++) {
            words.push({ text: g.names[w.block[i]], kind: "way" });
            if (w.edge[i] >= 0 && g.cut[w.edge[i]])
                words.push({ text: i + 1 < w.n ? ">" : "> " + g.names[g.to[w.edge[i]]], kind: "end" });
        }
        return words;
    }

    function step_words(words, g, w, i) {
        const b = w.block[i], e = w.edge[i];

        if (e < 0)
            return;
        if (trod.is_worth_words(g, e))
            words.push({ text: decision_wording(g, e), kind: "way" });
        if (g.cut[e]) {
            if (i + 1 < w.n && w.block[i + 1] !== g.to[e])
                words.push({ text: end_wording(g, b, e), kind: "end" });
            if (i + 1 < w.n)
                words.push({ text: "then " + start_wording(g, w.block[i + 1], false), kind: "start" });
        } else if (goes_in(g, e)) {
            words.push({ text: g.frames[g.frame[g.to[e]]] + "(", kind: "frame" });
        } else if (g.frame && g.frame[g.to[e]] < g.frame[b]) {
            words.push({ text: ")", kind: "frame" });
        }
    }

    /* A path formatted as in `trod report`, in parts with a text and a kind. */
    trod.words = (p) => {
        const { paths } = trod.data, w = trod.walk(p), g = trod.graph_of(w.f), start = paths.start[p];
        let words;

        if (!w.n)
            return [{ text: "a path that this function does not have", kind: "wrong" }];
        if (!g.lined) {
            words = trail(g, w, start >= 0);
        } else {
            words = [{ text: start_wording(g, w.block[0], start < 0), kind: "start" }];
            for (let i = 0; i < w.n; i++)
                step_words(words, g, w, i);
            words.push({ text: end_wording(g, w.block[w.n - 1], w.edge[w.n - 1]), kind: "end" });
        }
        if (!w.whole)
            words.push({ text: "and does not fit the graph", kind: "wrong" });
        return words;
    };

    /* Joined texts, cached for searching. Very long ones are not cached, to save memory. */
    const wording = [];
    trod.path_wording = (p) => {
        if (wording[p] !== undefined)
            return wording[p];
        const text = trod.words(p).map((word) => word.text).join(" ");
        if (text.length < 1000)
            wording[p] = text;
        return text;
    };
})();
