/* The control-flow graph, laid out when the page was made. Without a layout, its blocks as a list. */
(function () {
    "use strict";

    const { make, draw, id } = trod;
    const LABELS_MOST = 400; /* edges; more labels would cover the picture */
    const WAYS_MOST = 3; /* out of one block; labels of more would cover each other, and only that of the chosen path is shown */
    let g = null, nodes = [], wires = [], camera = null, world = null, svg = null, list = null, cursor = -1;

    /* --- the picture ------------------------------------------------------------------------------------- */

    /* Once in a million is 1, always is 4: a width says a magnitude. */
    const width_of = (e) => g.passed[e] > 0 ? 1 + 3 * Math.log1p(g.passed[e]) / Math.log1p(Math.max(g.most, 2)) : 1;

    function clipped(text, width) {
        const most = Math.max(3, Math.floor((width - 8) / 6.3));

        return text.length > most ? text.slice(0, most - 1) + "…" : text;
    }

    function told_block(b) {
        const lines = trod.told_lines(g, b), frame = g.frame && g.frame[b] ? " in " + g.frames[g.frame[b]] : "";

        return ["block " + g.names[b] + frame + (lines ? ", line " + lines : ""), trod.is_known(g, b) ? "ran " + trod.count(g.count[b]) + " times" : g.counted ? "may have run" : "not counted",
            ...(g.calls[b].length ? ["calls " + g.calls[b].join(", ")] : [])];
    }

    function draw_block(b) {
        const [x, y, w, h] = g.layout.blocks[b], lines = trod.told_lines(g, b), title = lines || trod.block_name(g, b);
        const deep = g.frame && g.frame[b] ? " framed" : "";
        const ends = g.first[b + 1] === g.first[b], round = b === 0 || ends ? Math.min(h / 2, 12) : 3;

        return draw("g", {
            class: "block" + deep, "data-block": b, "data-heat": trod.heat(g.count[b], g.most), role: "button", "aria-label": told_block(b).join(", "),
            transform: "translate(" + (x - w / 2) + " " + (y - h / 2) + ")",
        }, draw("rect", { width: w, height: h, rx: round }),
        draw("text", { x: w / 2, y: h / 2 - (h > 26 ? 3 : -4) }, clipped(title, w)),
        h > 26 ? draw("text", { x: w / 2, y: h / 2 + 11, class: "small" }, trod.is_known(g, b) ? clipped(trod.short(g.count[b]), w) : g.counted ? "?" : "–") : null);
    }

    function draw_edge(e) {
        const d = g.layout.edges[e] || "";

        return draw("path", {
            d, class: "edge" + (g.cut[e] ? " cut" : "") + (g.passed[e] > 0 || !g.counted || g.sampled ? "" : " never"), "data-edge": e, style: "stroke-width:" + width_of(e).toFixed(2),
            "marker-end": "url(#edge-" + (room_for_head(e) ? "end" : "at") + ")",
        });
    }

    const numbers_of = (e) => ((g.layout.edges[e] || "").match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) || []).map(Number);

    /* Curves may end at the block, or before it, so that an arrow's head fits between. */
    function room_for_head(e) {
        const [px, py] = numbers_of(e).slice(-2), [x, y, w, h] = g.layout.blocks[g.to[e]];

        return Math.abs(px - x) > w / 2 + 5 || Math.abs(py - y) > h / 2 + 5;
    }

    /* Of the edges out of a block, the one furthest to the left, as its curve begins: its label is at the left of it, others are at the right. */
    function is_leftmost(e) {
        const side = (one) => { const at = numbers_of(one); return at[0] + (at[6] ?? at[0]); };

        for (let one = g.first[g.from[e]]; one < g.first[g.from[e] + 1]; one++)
            if (one !== e && (side(one) < side(e) || side(one) === side(e) && one < e))
                return false;
        return true;
    }

    /* T and F where edges begin, beside their curve; Graphviz's curves start with a move to there. */
    function draw_label(e) {
        const [x, y, tx, ty] = numbers_of(e), aside = 6 + width_of(e) / 2;

        if (!(ty > -1e9) || !trod.decides(g, g.from[e]))
            return null;
        const left = is_leftmost(e), slope = (tx - x) * Math.min(1, 14 / Math.max(1, Math.abs(ty - y)));
        return draw("text", { x: x + (left ? -aside : aside) + slope, y: y + (ty >= y ? 12 : -5), class: g.first[g.from[e] + 1] - g.first[g.from[e]] > WAYS_MOST ? "way many" : "way", "text-anchor": left ? "end" : "start", "data-edge": e }, trod.told_way(g, e));
    }

    function markers() {
        const one = (name, back) => draw("marker", { id: name, viewBox: "0 0 10 10", refX: back, refY: 5, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" },
            draw("path", { d: "M0,0.8L10,5L0,9.2z" }));

        return draw("defs", null, one("edge-end", 0.5), one("edge-end-lit", 0.5), one("edge-at", 9), one("edge-at-lit", 9));
    }

    function draw_graph() {
        wires = Array.from({ length: g.m }, (_, e) => draw_edge(e));
        nodes = Array.from({ length: g.n }, (_, b) => draw_block(b));
        const labels = g.m <= LABELS_MOST ? wires.map((_, e) => draw_label(e)) : [];
        world = draw("g", null, draw("g", { class: "edges" }, wires), draw("g", { class: "blocks" }, nodes), draw("g", { class: "labels" }, labels));
        svg.replaceChildren(markers(), world);
        camera.fit(0.75);
    }

    function fresh_svg() {
        svg = draw("svg", { id: "graph-svg", tabindex: "0", role: "application", "aria-label": "Control-flow graph: arrows move, + and - zoom, 0 fits, n and p go from block to block, Enter asks for paths through it" });
        svg.addEventListener("click", (event) => {
            const node = event.target.closest(".block");

            svg.focus();
            if (node)
                ask(Number(node.dataset.block));
        });
        svg.addEventListener("keydown", key_down);
        svg.addEventListener("pointermove", (event) => {
            const node = event.target.closest(".block");

            if (node && !event.buttons)
                trod.tip(event, told_block(Number(node.dataset.block)));
            else
                trod.untip();
        });
        svg.addEventListener("pointerleave", trod.untip);
        return svg;
    }

    /* --- choosing blocks --------------------------------------------------------------------------------- */

    /* The same block again takes the question away. */
    function ask(b) {
        const block = g.f + ":" + b;

        trod.set({ block: trod.state.block === block ? "" : block, line: "", tab: "paths" });
    }

    function go_to(b) {
        cursor = (b + g.n) % g.n;
        nodes.forEach((node, i) => node.classList.toggle("at", i === cursor));
        bring_one(cursor);
        trod.say(told_block(cursor).join(", "));
    }

    function key_down(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || !g || !g.layout)
            return;
        if (event.key === "n" || event.key === "j")
            go_to(cursor + 1);
        else if (event.key === "p" || event.key === "k")
            go_to(cursor < 0 ? g.n - 1 : cursor - 1);
        else if (event.key === "Enter" && cursor >= 0)
            ask(cursor);
        else if (!camera.key(event))
            return;
        event.preventDefault();
        event.stopPropagation();
    }

    /* --- what is lit ------------------------------------------------------------------------------------- */

    function light(lit, moved) {
        const blocks = new Set(lit ? lit.block : []), edges = new Set(lit ? lit.edge : []);

        id("graph").classList.toggle("with-path", !!lit);
        nodes.forEach((node, b) => {
            node.classList.toggle("lit", blocks.has(b));
            node.classList.toggle("asked", trod.state.block === g.f + ":" + b);
        });
        wires.forEach((wire, e) => {
            wire.classList.toggle("lit", edges.has(e));
            wire.setAttribute("marker-end", wire.getAttribute("marker-end").replace(/(-lit)?\)/, edges.has(e) ? "-lit)" : ")"));
        });
        for (const label of svg.querySelectorAll(".labels text"))
            label.classList.toggle("lit", edges.has(Number(label.dataset.edge)));
        if (lit && lit.block.length)
            bring(lit.block);
        else if (moved)
            bring_one(0);
    }

    /* All of them if they fit, else the first. */
    function bring(blocks) {
        let left = Infinity, right = -Infinity, top = Infinity, low = -Infinity;

        for (const b of new Set(blocks)) {
            const [x, y, w, h] = g.layout.blocks[b];

            left = Math.min(left, x - w / 2);
            right = Math.max(right, x + w / 2);
            top = Math.min(top, y - h / 2);
            low = Math.max(low, y + h / 2);
        }
        if (!camera.fits(right - left + 16, low - top + 16))
            return bring_one(blocks[0]);
        camera.bring(left - 8, top - 8, right - left + 16, low - top + 16);
    }

    function bring_one(b) {
        const [x, y, w, h] = g.layout.blocks[b];

        camera.bring(x - w / 2 - 8, y - h / 2 - 8, w + 16, h + 16);
    }

    /* --- without a layout -------------------------------------------------------------------------------- */

    function fill_row([name, count, to], b, node) {
        const lit = list.lit && list.lit.block.includes(b);

        name.replaceChildren(make("b", null, g.names[b]), make("span", { class: "quiet" }, trod.told_lines(g, b) ? " line " + trod.told_lines(g, b) : ""));
        trod.text(count, trod.is_known(g, b) ? trod.short(g.count[b]) : g.counted ? "?" : "–");
        node.dataset.heat = trod.heat(g.count[b], g.most);
        node.classList.toggle("lit", !!lit);
        node.classList.toggle("dim", !!list.lit && !lit);
        to.replaceChildren();
        for (let e = g.first[b]; e < g.first[b + 1]; e++)
            to.append(make("span", { class: "to" + (list.lit && list.lit.edge.includes(e) ? " lit" : "") },
                (g.first[b + 1] - g.first[b] > 1 ? trod.told_way(g, e) + " " : "") + (g.cut[e] === 1 ? "↺ " : "→ ") + g.names[g.to[e]] + (g.cut[e] === 3 ? " (cut)" : ""), g.counted && !g.sampled ? make("small", null, " " + trod.short(g.passed[e])) : ""));
        if (g.first[b] === g.first[b + 1])
            to.append(make("span", { class: "to quiet" }, "return"));
    }

    function make_list() {
        list = trod.grid({
            id: "graph-list", label: "Blocks", height: 24, row: fill_row, key: (b) => b, entered: ask,
            columns: [{ word: "name", title: "block", width: "9em" }, { word: "count", title: "count", kind: "num", width: "6em" }, { word: "to", title: "goes on to", kind: "wide", width: "minmax(8em, 1fr)" }],
        });
    }

    /* --- the pane ---------------------------------------------------------------------------------------- */

    function buttons() {
        const one = (title, text, job) => make("button", { type: "button", class: "tool", title, "aria-label": title, onclick: job }, text);

        return make("span", { id: "graph-tools", class: "group" }, one("Smaller (-)", "−", () => camera.zoom(0.8)),
            one("Larger (+)", "+", () => camera.zoom(1.25)), one("Fit (0)", "⤢", () => camera.fit()));
    }

    function why_none() {
        if (!g)
            return "Choose a function or a path to see its graph.";
        return !g.n ? "Nothing is known of its blocks." : g.layout ? "" : "No picture was made of this graph (it is large, or Graphviz was not there): its blocks instead.";
    }

    function open_graph(f) {
        g = f >= 0 ? trod.graph_of(f) : null;
        nodes = [];
        wires = [];
        cursor = -1;
        world = null;
        svg.replaceChildren();
        const drawn = !!(g && g.layout);
        trod.text(id("graph-name"), g ? "Graph of " + trod.name_of(f) : "Graph");
        id("graph-name").title = g ? trod.data.functions[f].name : "";
        trod.text(id("graph-why"), why_none());
        trod.show(id("graph-why"), !!why_none());
        svg.style.display = drawn ? "" : "none";
        trod.show(list.node, !!g && !drawn && g.n > 0);
        trod.show(id("graph-tools"), drawn);
        if (drawn)
            draw_graph();
    }

    function show(state, changed) {
        if (changed.has("f"))
            open_graph(state.f);
        if (!g)
            return;
        const lit = trod.lit();
        if (g.layout)
            return light(lit, changed.has("f"));
        list.lit = lit;
        list.fill(g.n);
    }

    trod.put_graph = () => {
        make_list();
        id("graph").append(make("div", { class: "bar-top" }, make("span", { id: "graph-name", class: "what" }), buttons()), make("p", { id: "graph-why", class: "why" }), fresh_svg(), list.node);
        camera = trod.camera(svg, () => world, () => ({ w: g.layout.w, h: g.layout.h }), () => {
            camera.fit(0.75);
            light(trod.lit(), true);
        });
        trod.on("f p block lit", show);
        trod.places.graph = () => g && !g.layout ? list.focus() : svg.focus();
    };
})();
