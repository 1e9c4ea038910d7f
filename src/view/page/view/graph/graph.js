/* The control-flow graph: all of it, with the layout stored in the page, or only blocks that ran or are on the path,
 * laid out by the page itself. If there are too many blocks, a list.
 */
(function () {
    "use strict";

    const { make, draw, id } = trod;
    const LABELS_MOST = 400; /* edges; more labels would cover the picture */
    const WAYS_MOST = 3; /* out of one block; labels of more would cover each other, and only that of the chosen path is shown */
    const FEW = 30, MANY = 150; /* blocks; of more than a few, those of the path come first; of many, those that ran */
    /* `picture` is what is drawn: { lens, w, h, blocks, edges }, with holes for hidden ones; null: a list is shown. */
    let g = null, picture = null, key = "", nodes = [], wires = [], camera = null, map = null, world = null, svg = null, list = null, cursor = -1;

    /* --- which blocks ------------------------------------------------------------------------------------ */

    const all_blocks = () => Array.from({ length: g.n }, (_, b) => b);
    const ran_blocks = () => all_blocks().filter((b) => g.count[b] > 0);

    /* The available lenses, and the requested one. */
    function lens_of(state, lit) {
        const ran = g.counted && g.most > 0, has = { path: !!lit && lit.block.length > 0, ran, all: true };

        if (has[state.glens])
            return state.glens;
        if (g.n <= FEW || !has.path && g.layout && g.n <= MANY)
            return "all";
        return has.path ? "path" : has.ran ? "ran" : "all";
    }

    /* The layout of dot is preferred. If it is missing or only a part is shown, the page computes one, unless the graph
     * is too large.
     */
    function lay_out(lens, lit) {
        if (lens === "all" && g.layout)
            return g.layout;
        if (lens === "path")
            return new Set(lit.block).size > trod.LAID_MOST ? null : trod.lay_out_path(g, lit.block);
        const blocks = lens === "ran" ? ran_blocks() : all_blocks();
        return !blocks.length || blocks.length > trod.LAID_MOST ? null : trod.lay_out(g, blocks);
    }

    /* --- the picture ------------------------------------------------------------------------------------- */

    /* The width of an edge is logarithmic: from 1 for one in a million executions to 4 for all. */
    const width_of = (e) => g.passed[e] > 0 ? 1 + 3 * Math.log1p(g.passed[e]) / Math.log1p(Math.max(g.most, 2)) : 1;

    function clipped(text, width) {
        const most = Math.max(3, Math.floor((width - 8) / 6.3));

        return text.length > most ? text.slice(0, most - 1) + "…" : text;
    }

    function block_wording(b) {
        const lines = trod.lines_wording(g, b), frame = g.frame && g.frame[b] ? " in " + g.frames[g.frame[b]] : "";

        return ["block " + g.names[b] + frame + (lines ? ", line " + lines : ""), trod.is_known(g, b) ? "ran " + trod.times(g.count[b]) : g.counted ? "may have run" : "not counted",
            ...(g.calls[b].length ? ["calls " + g.calls[b].join(", ")] : [])];
    }

    function draw_block(b) {
        const [x, y, w, h] = picture.blocks[b], lines = trod.lines_wording(g, b), title = lines || trod.block_name(g, b);
        const deep = g.frame && g.frame[b] ? " framed" : "";
        const ends = g.first[b + 1] === g.first[b], round = b === 0 || ends ? Math.min(h / 2, 12) : 3;

        return draw("g", {
            class: "block" + deep, "data-block": b, "data-heat": trod.heat(g.count[b], g.most), role: "button", "aria-label": block_wording(b).join(", "),
            transform: "translate(" + (x - w / 2) + " " + (y - h / 2) + ")",
        }, draw("rect", { width: w, height: h, rx: round }),
        draw("text", { x: w / 2, y: h / 2 - (h > 26 ? 3 : -4) }, clipped(title, w)),
        h > 26 ? draw("text", { x: w / 2, y: h / 2 + 11, class: "small" }, trod.is_known(g, b) ? clipped(trod.short(g.count[b]) + "×", w) : g.counted ? "?" : "–") : null);
    }

    function draw_edge(e) {
        const d = picture.edges[e] || "";

        return draw("path", {
            d, class: "edge" + (g.cut[e] ? " cut" : "") + (g.passed[e] > 0 || !g.counted || g.sampled ? "" : " never"), "data-edge": e, style: "stroke-width:" + width_of(e).toFixed(2),
            "marker-end": "url(#edge-" + (room_for_head(e) ? "end" : "at") + ")",
        });
    }

    const numbers_of = (e) => ((picture.edges[e] || "").match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) || []).map(Number);

    /* Curves may end at the block or before it. Returns the room for the arrowhead. */
    function room_for_head(e) {
        const [px, py] = numbers_of(e).slice(-2), [x, y, w, h] = picture.blocks[g.to[e]];

        return Math.abs(px - x) > w / 2 + 5 || Math.abs(py - y) > h / 2 + 5;
    }

    /* Is the edge the leftmost one out of its block? Its label is on the left of the curve, others on the right. */
    function is_leftmost(e) {
        const side = (one) => { const at = numbers_of(one); return at[0] + (at[6] ?? at[0]); };

        for (let one = g.first[g.from[e]]; one < g.first[g.from[e] + 1]; one++)
            if (one !== e && picture.edges[one] && (side(one) < side(e) || side(one) === side(e) && one < e))
                return false;
        return true;
    }

    const label_at = (e, x, y, left) => draw("text", { x, y, class: g.first[g.from[e] + 1] - g.first[g.from[e]] > WAYS_MOST ? "way many" : "way", "text-anchor": left ? "end" : "start", "data-edge": e }, trod.way_wording(g, e));

    /* T and F at the start of an edge, beside its curve. The curves of Graphviz begin with a move to that point. */
    function draw_label(e) {
        const [x, y, tx, ty] = numbers_of(e), aside = 6 + width_of(e) / 2;

        if (!(ty > -1e9) || !trod.decides(g, g.from[e]))
            return null;
        /* If an edge leaves at a side, its label is above its start. */
        if (Math.abs(ty - y) < 2)
            return label_at(e, x + (tx < x ? -5 : 5), y - 4, tx < x);
        const left = is_leftmost(e), slope = (tx - x) * Math.min(1, 14 / Math.max(1, Math.abs(ty - y)));
        return label_at(e, x + (left ? -aside : aside) + slope, y + (ty >= y ? 12 : -5), left);
    }

    function markers() {
        const one = (name, back) => draw("marker", { id: name, viewBox: "0 0 10 10", refX: back, refY: 5, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" },
            draw("path", { d: "M0,0.8L10,5L0,9.2z" }));

        return draw("defs", null, one("edge-end", 0.5), one("edge-end-lit", 0.5), one("edge-at", 9), one("edge-at-lit", 9));
    }

    /* Hidden blocks and edges are not drawn: nodes and wires have holes. */
    function draw_graph() {
        wires = [];
        nodes = [];
        for (let e = 0; e < g.m; e++)
            if (picture.edges[e])
                wires[e] = draw_edge(e);
        for (let b = 0; b < g.n; b++)
            if (picture.blocks[b])
                nodes[b] = draw_block(b);
        const drawn = Object.keys(wires).map(Number), labels = drawn.length <= LABELS_MOST ? drawn.map(draw_label) : [];
        world = draw("g", null, draw("g", { class: "edges" }, drawn.map((e) => wires[e])), draw("g", { class: "blocks" }, nodes.filter(Boolean)), draw("g", { class: "labels" }, labels));
        svg.replaceChildren(markers(), world);
        camera.fit(0.75);
    }

    /* Labels that would overlap a block or another label are omitted, those of the path last. Sizes are estimated,
     * since measuring would force a layout for each.
     */
    function part_labels() {
        const taken = [];
        const box_of = (text) => {
            const wide = 6.4 * text.textContent.length, x = Number(text.getAttribute("x")), y = Number(text.getAttribute("y"));

            return text.getAttribute("text-anchor") === "end" ? [x - wide, y - 10, x, y + 2] : [x, y - 10, x + wide, y + 2];
        };
        const meet = ([a, b, c, d], [e, f, g2, h]) => a < g2 && e < c && b < h && f < d;
        const blocks = picture.blocks.filter(Boolean).map(([x, y, w, h]) => [x - w / 2 - 1, y - h / 2 - 1, x + w / 2 + 1, y + h / 2 + 1]);

        for (const text of [...svg.querySelectorAll(".labels text")].sort((a, b) => b.classList.contains("lit") - a.classList.contains("lit"))) {
            const box = text.box || (text.box = box_of(text)), free = text.free ?? (text.free = !blocks.some((one) => meet(box, one)));
            const seen = free && !(text.classList.contains("many") && !text.classList.contains("lit")) && !taken.some((one) => meet(box, one));

            text.classList.toggle("covered", !seen);
            if (seen)
                taken.push(box);
        }
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
                trod.tip(event, block_wording(Number(node.dataset.block)));
            else
                trod.untip();
        });
        svg.addEventListener("pointerleave", trod.untip);
        return svg;
    }

    /* --- choosing blocks --------------------------------------------------------------------------------- */

    /* Choosing the same block again removes the filter. */
    function ask(b) {
        const block = g.f + ":" + b;

        trod.set({ block: trod.state.block === block ? "" : block, line: "", tab: "paths" });
    }

    /* The next visible block in this direction. */
    function go_to(from, step) {
        let b = from;

        for (let i = 0; i < g.n && !nodes[(b + g.n) % g.n]; i++)
            b += step;
        cursor = (b + g.n) % g.n;
        nodes.forEach((node, i) => node.classList.toggle("at", i === cursor));
        bring_one(cursor);
        trod.say(block_wording(cursor).join(", "));
    }

    function key_down(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || !g || !picture)
            return;
        if (event.key === "n" || event.key === "j")
            go_to(cursor + 1, 1);
        else if (event.key === "p" || event.key === "k")
            go_to(cursor < 0 ? g.n - 1 : cursor - 1, -1);
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
        part_labels();
        map.show({ ...picture, lit: blocks, heat: Array.from(g.count, (n) => trod.heat(n, g.most)) });
        if (lit && lit.block.length)
            bring(lit.block);
        else if (moved)
            bring_one(picture.blocks.findIndex(Boolean));
    }

    /* Bring all blocks into view if they fit, otherwise the first. */
    function bring(blocks) {
        let left = Infinity, right = -Infinity, top = Infinity, low = -Infinity;

        for (const b of new Set(blocks.filter((one) => picture.blocks[one]))) {
            const [x, y, w, h] = picture.blocks[b];

            left = Math.min(left, x - w / 2);
            right = Math.max(right, x + w / 2);
            top = Math.min(top, y - h / 2);
            low = Math.max(low, y + h / 2);
        }
        if (right < left)
            return;
        if (!camera.fits(right - left + 16, low - top + 16))
            return bring_one(blocks.find((b) => picture.blocks[b]));
        camera.bring(left - 8, top - 8, right - left + 16, low - top + 16);
    }

    function bring_one(b) {
        const [x, y, w, h] = picture.blocks[b];

        camera.bring(x - w / 2 - 8, y - h / 2 - 8, w + 16, h + 16);
    }

    /* --- without a layout -------------------------------------------------------------------------------- */

    function fill_row([name, count, to], b, node) {
        const lit = list.lit && list.lit.block.includes(b);

        name.replaceChildren(make("b", null, g.names[b]), make("span", { class: "quiet" }, trod.lines_wording(g, b) ? " line " + trod.lines_wording(g, b) : ""));
        trod.text(count, trod.is_known(g, b) ? trod.short(g.count[b]) + "×" : g.counted ? "?" : "–");
        node.dataset.heat = trod.heat(g.count[b], g.most);
        node.classList.toggle("lit", !!lit);
        node.classList.toggle("dim", !!list.lit && !lit);
        to.replaceChildren();
        for (let e = g.first[b]; e < g.first[b + 1]; e++)
            to.append(make("span", { class: "to" + (list.lit && list.lit.edge.includes(e) ? " lit" : "") },
                (g.first[b + 1] - g.first[b] > 1 ? trod.way_wording(g, e) + " " : "") + (g.cut[e] === 1 ? "↺ " : "→ ") + g.names[g.to[e]] + (g.cut[e] === 3 ? " (cut)" : ""), g.counted && !g.sampled ? make("small", null, " " + trod.short(g.passed[e])) : ""));
        if (g.first[b] === g.first[b + 1])
            to.append(make("span", { class: "to quiet" }, trod.leaves_by(g, b)));
    }

    function make_list() {
        list = trod.grid({
            id: "graph-list", label: "Blocks", height: 24, row: fill_row, key: (b) => b, entered: ask,
            columns: [{ word: "name", title: "block", width: "9em" }, { word: "count", title: "times", kind: "num", width: "6em" }, { word: "to", title: "goes on to", kind: "wide", width: "minmax(8em, 1fr)" }],
        });
    }

    /* --- the pane ---------------------------------------------------------------------------------------- */

    const LENSES = [["path", "Path", "Only blocks of the path"], ["ran", "Ran", "Only blocks that ran"], ["all", "All", "All blocks"]];

    function buttons() {
        const one = (title, text, job) => make("button", { type: "button", class: "tool", title, "aria-label": title, onclick: job }, text);

        return make("span", { id: "graph-tools", class: "group" }, one("Smaller (-)", "−", () => camera.zoom(0.8)),
            one("Larger (+)", "+", () => camera.zoom(1.25)), one("Fit (0)", "⤢", () => camera.fit()));
    }

    const lens_buttons = () => make("span", { id: "graph-lens", class: "group joined", role: "group", "aria-label": "Blocks that are shown" },
        LENSES.map(([word, text, title]) => make("button", { type: "button", class: "tool", title, "data-lens": word, onclick: () => trod.set({ glens: word }) }, text)));

    function put_lens(lens, lit) {
        for (const button of id("graph-lens").children) {
            button.setAttribute("aria-pressed", button.dataset.lens === lens);
            button.disabled = button.dataset.lens === "path" ? !lit : button.dataset.lens === "ran" ? !(g.counted && g.most > 0) : false;
        }
    }

    /* Why there is no drawing, or why it is not the best one. */
    function why_none(lens) {
        if (!g)
            return "Choose a function or a path to see its graph.";
        if (!g.n)
            return "The blocks of this function are not known.";
        const because = g.undrawn ? " (" + g.undrawn + ")" : "";
        if (picture)
            return lens === "all" && !g.layout ? "Laid out by this page, not by Graphviz" + because + "." : "";
        return trod.plural(lens === "ran" ? ran_blocks().length : g.n, "block") + " are too many to draw; at most " + trod.number(trod.LAID_MOST) + " are" + because + ". Choose a path, or look at the list.";
    }

    function put_head(lens) {
        const why = why_none(lens), f = g ? g.f : -1;

        id("graph-name").replaceChildren(g ? make("b", null, trod.name_parts(f)) : "Graph", g ? make("span", { class: "quiet" }, picture && lens !== "all" ? " " + trod.number(nodes.filter(Boolean).length) + " of " + trod.plural(g.n, "block") : " " + trod.plural(g.n, "block")) : "");
        id("graph-name").title = g ? trod.data.functions[f].name : "";
        trod.text(id("graph-why"), why);
        trod.show(id("graph-why"), !!why);
        trod.show(id("graph-tools"), !!picture);
        trod.show(id("graph-lens"), !!g && g.n > 0);
    }

    /* Redraw if the function or the visible blocks changed. With the path lens, the path's blocks determine which. */
    function redraw(lens, lit) {
        const next = g ? g.f + " " + lens + (lens === "path" ? " " + lit.block.join() : "") : "";

        if (next === key)
            return false;
        key = next;
        nodes = [];
        wires = [];
        cursor = -1;
        world = null;
        svg.replaceChildren();
        picture = g && g.n ? lay_out(lens, lit) : null;
        svg.style.display = picture ? "" : "none";
        trod.show(list.node, !!g && !picture && g.n > 0);
        if (picture)
            draw_graph();
        else
            map.show(null);
        put_head(lens);
        return true;
    }

    function show(state, changed) {
        const lit = trod.lit();

        g = state.f >= 0 ? trod.graph_of(state.f) : null;
        const lens = g && g.n ? lens_of(state, lit) : "", drawn = redraw(lens, lit);
        if (!g)
            return;
        put_lens(lens, lit);
        if (picture)
            return light(lit, drawn || changed.has("f"));
        list.lit = lit;
        list.fill(g.n);
    }

    trod.put_graph = () => {
        make_list();
        fresh_svg();
        camera = trod.camera(svg, () => world, () => picture, () => {
            camera.fit(0.75);
            light(trod.lit(), true);
        }, () => map && map.moved());
        map = trod.minimap(camera);
        id("graph").append(make("div", { class: "bar-top" }, make("span", { id: "graph-name", class: "what" }), lens_buttons(), buttons()), make("p", { id: "graph-why", class: "why" }),
            make("div", { id: "graph-holder" }, svg, map.node, list.node));
        trod.on("f p block lit glens", show);
        trod.turn_graph = () => {
            const there = [...id("graph-lens").children].filter((one) => !one.disabled), at = there.findIndex((one) => one.getAttribute("aria-pressed") === "true");

            if (there.length)
                there[(at + 1) % there.length].click();
        };
        trod.places.graph = () => g && !picture ? list.focus() : svg.focus();
    };
})();
