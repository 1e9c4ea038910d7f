/* Converts the page's data, specified in doc/everyday/page.md, to the form that the other files use. Columns of paths
 * become typed arrays. Graphs are parsed on first use, since only few of thousands of functions are viewed.
 */
(function () {
    "use strict";

    const { make } = trod;

    function column(list, n, Type) {
        const out = new Type(n);

        for (let i = 0; list && i < n; i++)
            out[i] = list[i];
        return out;
    }

    /* The paths of function f are order[first[f]] to order[first[f + 1] - 1], in the order of the page. */
    function group(of, n, nfunction) {
        const first = new Int32Array(nfunction + 1), order = new Int32Array(n), next = new Int32Array(nfunction);

        for (let p = 0; p < n; p++)
            first[of[p] + 1]++;
        for (let f = 0; f < nfunction; f++)
            first[f + 1] += first[f];
        next.set(first.subarray(0, nfunction));
        for (let p = 0; p < n; p++)
            order[next[of[p]]++] = p;
        return { first, order };
    }

    function take_paths(raw, nfunction) {
        const n = raw.way.length;
        const paths = {
            n, id: raw.id, way: raw.way,
            of: column(raw.function, n, Int32Array),
            count: column(raw.count, n, Float64Array),
            weight: column(raw.weight, n, Float64Array),
            start: column(raw.start, n, Int32Array),
            flags: column(raw.flags, n, Uint8Array),
            old: raw.old ? column(raw.old, n, Float64Array) : null,
            confidence: raw.confidence ? column(raw.confidence, n, Uint8Array) : null,
            tests: raw.tests || null,
        };

        return Object.assign(paths, group(paths.of, n, nfunction));
    }

    /* A readable file name: compilers leave ".." in the middle. */
    const label_of = ({ name, path }) => /(^|\/)\.\.\//.test(name) && path ? path : name.replace(/^(\.\/)+/, "").replace(/\/(\.\/)+/g, "/");

    const NONE = { function: [], id: [], count: [], weight: [], start: [], way: [] };

    trod.take = (text) => {
        const raw = JSON.parse(text);

        if (raw.trod !== "page" || raw.version !== 1)
            throw new Error("the data are not of version 1, which is all that this page knows");
        const data = {
            title: raw.title || "", facts: raw.facts || [], notes: raw.notes || [], exact: raw.exact !== false,
            tested: !!raw.tested, since: !!raw.since, total: raw.total || 0, weight: raw.weight || 0, old_total: raw.old_total || 0,
            editor: raw.editor || "", tests: raw.tests || null,
            files: raw.files || [], functions: raw.functions || [], confidence: raw.confidence || null,
            spans: raw.spans || [], tables: raw.tables || [], hardware: raw.hardware || null, graphs: [],
        };
        for (const file of data.files)
            file.label = label_of(file);
        data.paths = take_paths(raw.paths || NONE, data.functions.length);
        data.named = new Map(data.functions.map((f, i) => [f.link || f.name, i]));
        trod.data = data;
        return data;
    };

    /* --- graphs ------------------------------------------------------------------------------------------ */

    /* The conditions of branches, in order. */
    function take_conditions({ conditions }, first, n) {
        const out = new Map();

        for (let b = 0, i = 0; conditions && b < n; b++)
            if (first[b + 1] - first[b] > 1)
                out.set(b, conditions[i++]);
        return out;
    }

    /* Lines of blocks in files that the function includes: for each block, [[file, [lines]], ...]. */
    function take_included({ included }) {
        const out = new Map();

        for (const [file, blocks] of included || [])
            for (const [b, ...lines] of blocks)
                out.set(b, [...out.get(b) || [], [file, lines]]);
        return out;
    }

    /* The edges out of block b are first[b] to first[b + 1] - 1, in the program's order. */
    function take_graph(f) {
        const raw = trod.data.functions[f], blocks = raw.blocks || [], edges = raw.edges || [];
        const n = blocks.length, m = edges.length, first = new Int32Array(n + 1);
        const at = (i, type) => column(edges.map((e) => e[i] || 0), m, type);
        const from = at(0, Int32Array);

        for (const b of from)
            first[b + 1]++;
        for (let b = 0; b < n; b++)
            first[b + 1] += first[b];
        return {
            f, n, m, first, from, to: at(1, Int32Array), passed: at(2, Float64Array), cut: at(3, Uint8Array),
            count: column(blocks.map((b) => b[0] || 0), n, Float64Array),
            lines: blocks.map((b) => b[1] || []),
            names: blocks.map((b, i) => b[2] || String(i)),
            calls: blocks.map((b) => b[3] || []),
            frame: raw.frames ? column(blocks.map((b) => b[4] || 0), n, Int32Array) : null,
            frames: raw.frames || null,
            inlined: raw.inlined ? new Map(raw.inlined.map(([b, first, last, name]) => [b, { first, last, name }])) : null,
            counted: trod.is_counted(raw),
            /* Blocks that an unfinished path may have run. */
            unknown: new Set(raw.unknown || []),
            /* Blocks were sampled, so the counts of edges are unknown. */
            sampled: edges.some((e) => e[2] === null) && blocks.some((b) => b[0] !== null),
            lined: blocks.some((b) => b[1] && b[1].length),
            most: blocks.reduce((most, b) => Math.max(most, b[0] || 0), 0),
            layout: raw.layout || null,
            decisions: new Map((raw.decisions || []).map((d) => [d[0], d])),
            conditions: take_conditions(raw, first, n),
            elsewhere: new Map(raw.elsewhere || []),
            included: take_included(raw),
            undrawn: raw.undrawn || "",
            loops: new Map(raw.loops || []),
            /* How control leaves the function from a block: "throw", "unwind" or "stop"; others return. */
            leaves: new Map(raw.leaves || []),
        };
    }

    /* Is it known whether a block ran? */
    trod.is_known = (g, b) => g.counted && !g.unknown.has(b);

    /* Was the function counted? If not, no numbers are shown: 0 would mean that it did not run. */
    trod.is_counted = (fn) => typeof fn.count === "number" && !(fn.blocks && fn.blocks.length && fn.blocks[0][0] === null);

    /* Functions without counts that also occur with counts, such as in a supergraph: lists omit them. */
    trod.twins = () => {
        const { functions } = trod.data, counted = new Set(functions.filter(trod.is_counted).map((fn) => fn.link || fn.name));

        return new Set(functions.map((_, f) => f).filter((f) => !trod.is_counted(functions[f]) && counted.has(functions[f].link || functions[f].name)));
    };

    trod.graph_of = (f) => trod.data.graphs[f] || (trod.data.graphs[f] = take_graph(f));
    trod.paths_of = (f) => trod.data.paths.order.subarray(trod.data.paths.first[f], trod.data.paths.first[f + 1]);

    /* --- what is said of things -------------------------------------------------------------------------- */

    trod.first_line = (g, b) => g.lines[b].length ? g.lines[b][0] : 0;
    trod.last_line = (g, b) => g.lines[b].length ? g.lines[b][g.lines[b].length - 1] : 0;

    /* The same in the function itself: for blocks with inlined code, the lines of the calls. */
    trod.own_first_line = (g, b) => g.inlined && g.inlined.has(b) ? g.inlined.get(b).first : trod.first_line(g, b);
    trod.own_last_line = (g, b) => g.inlined && g.inlined.has(b) ? g.inlined.get(b).last : trod.last_line(g, b);

    /* The inlined function that a block's last line belongs to; "" if it is the function itself. */
    trod.inlined_name = (g, b) => g.inlined && g.inlined.has(b) && g.inlined.get(b).name || "";

    /* A place: { line, file }. A block without a line in the function's own file is in an included one. */
    function place_of(g, b, line, pick) {
        const [file, lines] = line || !g.included.has(b) ? [trod.file_of_block(g, b), []] : g.included.get(b)[0];

        return { line: line || lines[pick(lines)] || 0, file };
    }

    /* The places of a block's condition and of the loop that begins with it. */
    trod.decision_place = (g, b) => {
        const known = g.decisions.has(b) ? g.decisions.get(b)[1] : 0;

        return known ? { line: known, file: g.elsewhere.get(b) ?? trod.file_of_block(g, b) } : place_of(g, b, trod.last_line(g, b), (lines) => lines.length - 1);
    };
    trod.loop_place = (g, b) => place_of(g, b, g.inlined && g.inlined.has(b) ? g.inlined.get(b).first : g.loops.get(b) || trod.first_line(g, b), () => 0);
    trod.place_wording = (fn, { line, file }) => (file === null || file === (fn.file ?? null) || fn.frames ? "" : trod.base_name(trod.data.files[file].name) + ":") + line;

    /* The lines of a block in a file. */
    trod.lines_in = (g, b, file) => {
        const own = trod.file_of_block(g, b) === file ? g.lines[b] : [];

        return g.included.has(b) ? own.concat(...g.included.get(b).filter(([other]) => other === file).map(([, lines]) => lines)) : own;
    };

    /* The files with text of a function, its own first; and those that can be shown, including files of followed calls.
     */
    const distinct = (files) => [...new Set(files)].filter((file) => file !== null && file !== undefined);
    trod.text_files = (fn) => distinct([fn.file, ...(fn.included || []).map(([file]) => file)]);
    trod.files_of = (fn) => distinct([...trod.text_files(fn), ...fn.frame_files || []]);

    /* The lines of a block: 12, or 12–15. */
    trod.lines_wording = (g, b) => {
        const [file, lines] = g.lines[b].length || !g.included.has(b) ? [null, g.lines[b]] : g.included.get(b)[0];

        if (!lines.length)
            return "";
        const low = Math.min(...lines), high = Math.max(...lines), name = file === null ? "" : trod.base_name(trod.data.files[file].name) + ":";
        return name + (low === high ? String(low) : low + "–" + high);
    };

    /* The name of a block without lines: an address, or "#" and its number. */
    trod.block_name = (g, b) => /^\d+$/.test(g.names[b]) ? "#" + g.names[b] : g.names[b];

    /* The file of a block's lines; in a supergraph, that of its frame's function. null: unknown. */
    trod.file_of_block = (g, b) => {
        const { functions, named } = trod.data, own = functions[g.f], frame = g.frame ? g.frame[b] : 0;

        if (!frame)
            return own.file ?? null;
        return own.frame_files ? own.frame_files[frame] ?? null : functions[named.get(g.frames[frame])]?.file ?? null;
    };

    /* A star means that the function has so many paths that some edges are cut. */
    trod.coverage = (fn) => {
        if (!trod.is_counted(fn) || !trod.data.total && trod.data.weight)
            return { share: null, brief: "–", text: "Its paths were not counted." };
        const star = fn.limited ? "*" : "", ran = trod.number(fn.ran);

        if (fn.paths === null || fn.paths === undefined)
            return { share: null, brief: ran + "/∞" + star, text: ran + " paths ran; too many are possible to enumerate" };
        return {
            share: fn.paths ? fn.ran / fn.paths : 0, brief: ran + "/" + trod.short(fn.paths).replace("~", "") + star,
            text: ran + " of " + trod.number(fn.paths) + (star ? " possible parts of paths ran: whole paths are too many to count" : " possible paths ran"),
        };
    };

    /* --- names ------------------------------------------------------------------------------------------- */

    /* C++ names are long: lists have the short names of the data, and tooltips the full ones. */
    trod.name_of = (f) => trod.data.functions[f].short || trod.data.functions[f].name;

    /* The ellipsis is in the middle, since the end of a name is as informative as the start. The last part of a
     * qualified name is kept whole if it is short.
     */
    const MIDDLE_FROM = 16, TAIL = 9; /* letters */
    trod.middle = (name) => {
        const at = /^(.*::)([^:]+)$/.exec(name), cut = at && at[2].length <= MIDDLE_FROM ? at[1].length : name.length - TAIL;

        return name.length > MIDDLE_FROM ? make("span", { class: "parts" }, make("span", { class: "scope" }, name.slice(0, cut)), make("span", { class: "last" }, name.slice(cut))) : name;
    };
    trod.name_parts = (f) => trod.middle(trod.name_of(f));

    trod.base_name = (name) => name.slice(name.lastIndexOf("/") + 1);

    /* Five steps from 0, a guess, to 4, as reliable as profiled. Each kind of trod migrate has its own step, since
     * their trust values are similar.
     */
    const STEPS = { profiled: 4, validated: 3, reused: 2, inferred: 1, none: 0 };

    trod.sureness = ({ word, degree }) => STEPS[word] ?? Math.max(0, Math.min(4, Math.floor(degree * 4)));
    trod.swatch = (kind) => make("i", { class: "swatch sure-" + trod.sureness(trod.data.confidence[kind]), "aria-hidden": "true" });
})();
