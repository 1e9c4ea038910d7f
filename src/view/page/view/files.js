/* The tree of files, which limits functions and paths; and the switch between own and system code. */
(function () {
    "use strict";

    const { make, id } = trod;
    const HEIGHT = 23;
    let tree = null, rows = [], open = new Set(), grid = null;

    /* Is a file this one, or in this folder? */
    trod.is_below = (name, at) => name === at || at.endsWith("/") && name.startsWith(at);

    const is_system = (fn) => fn.file !== null && fn.file !== undefined && !!trod.data.files[fn.file].system;
    let nsystem = -1;
    trod.count_system = () => nsystem < 0 ? nsystem = trod.data.functions.filter(is_system).length : nsystem;

    /* System code is hidden unless there is nothing else. */
    const hides_system = (state) => !state.sys && trod.count_system() > 0 && trod.count_system() < trod.data.functions.length;

    /* Which functions are in scope, as 0 and 1; null: all. */
    let kept = { key: null, scope: null };
    trod.scope = (state) => {
        const { functions, files } = trod.data, hides = hides_system(state), key = state.at + "\n" + hides;

        if (!state.at && !hides)
            return null;
        if (kept.key !== key)
            kept = { key, scope: Uint8Array.from(functions, (fn) =>
                (!hides || !is_system(fn)) && (!state.at || trod.text_files(fn).some((file) => trod.is_below(files[file].label, state.at))) ? 1 : 0) };
        return kept.scope;
    };

    /* The rows in scope: those of functions in scope, and those that belong to no function of the page. `functions_of`
     * returns the functions of a row.
     */
    trod.in_scope = (rows, functions_of) => {
        const scope = trod.scope(trod.state), all = rows.map((_, i) => i);

        return scope ? all.filter((i) => {
            const known = functions_of(rows[i]).filter((f) => typeof f === "number");

            return !known.length || known.some((f) => scope[f] === 1);
        }) : all;
    };
    trod.hidden_wording = (n, word) => n ? " " + trod.plural(n, word) + " of other code " + (n === 1 ? "is" : "are") + " hidden." : "";

    /* --- the tree ---------------------------------------------------------------------------------------- */

    const node_of = (name, path) => ({ name, path, folders: new Map(), files: [], count: 0, n: 0, system: true });

    function add_file(file) {
        const parts = file.label.split("/"), last = parts.pop();
        let at = tree, path = "";

        for (const part of parts) {
            path += part + "/";
            if (!at.folders.has(part))
                at.folders.set(part, node_of(part, path));
            at = at.folders.get(part);
        }
        const leaf = { name: last, path: file.label, count: 0, n: 0, system: !!file.system, leaf: true };
        at.files.push(leaf);
        return leaf;
    }

    /* Chains of folders with a single subfolder are joined into one row. */
    function joined(node) {
        while (node.folders.size === 1 && !node.files.length && node !== tree) {
            const [inner] = node.folders.values();

            inner.name = node.name + "/" + inner.name;
            node = inner;
        }
        node.folders = new Map([...node.folders].map(([part, inner]) => [part, joined(inner)]));
        for (const inner of [...node.folders.values(), ...node.files]) {
            node.count += inner.count;
            node.n += inner.n;
            node.system = node.system && inner.system;
        }
        return node;
    }

    function build() {
        const { files, functions, total } = trod.data;

        tree = node_of("All files", "");
        const leaves = files.map(add_file);
        functions.forEach((fn) => {
            if (fn.file === null || fn.file === undefined)
                return;
            /* Included text counts for the function that includes it. */
            for (const file of trod.text_files(fn))
                leaves[file].n++;
            leaves[fn.file].count += (total ? fn.count : fn.weight) || 0;
        });
        tree = joined(tree);
        /* If there are few folders, open all; otherwise only the first level. */
        const folders = [...tree.folders.values()];
        for (const folder of folders)
            if (files.length <= 12 || folders.length === 1)
                open.add(folder.path);
    }

    function list(state) {
        const hides = hides_system(state), out = [{ node: tree, depth: 0 }];

        const add = (node, depth) => {
            const inner = [...node.folders.values(), ...node.files].filter((one) => one.n && !(hides && one.system)).sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));

            for (const one of inner) {
                out.push({ node: one, depth });
                if (!one.leaf && open.has(one.path))
                    add(one, depth + 1);
            }
        };
        add(tree, 1);
        return out;
    }

    function toggle(i, wanted) {
        const { node } = rows[i];

        if (!node || node.leaf || node === tree || wanted === open.has(node.path))
            return false;
        if (!open.delete(node.path))
            open.add(node.path);
        show(trod.state);
        return true;
    }

    function fill_row([name, share], i, row) {
        const { node, depth } = rows[i], is_open = open.has(node.path) || node === tree, all = trod.data.total || trod.data.weight || 1;

        row.setAttribute("aria-level", depth + 1);
        if (!node.leaf)
            row.setAttribute("aria-expanded", is_open);
        else
            row.removeAttribute("aria-expanded");
        name.style.paddingLeft = 6 + 12 * depth + "px";
        name.title = (node.path || "All files") + ": " + trod.plural(node.n, "function");
        name.replaceChildren(node.leaf || node === tree ? make("span", { class: "twig" }) : make("button", { type: "button", class: "plain twig", tabindex: "-1", "aria-label": is_open ? "Close" : "Open", onclick: () => toggle(i) }, is_open ? "▾" : "▸"),
            make("span", { class: "ident" }, trod.middle(node.name)));
        trod.text(share, trod.share((node === tree ? rows.reduce((sum, one) => sum + (one.depth === 1 ? one.node.count : 0), 0) : node.count) / all));
    }

    function show(state) {
        if (!grid)
            return;
        rows = list(state);
        grid.node.style.height = Math.min(rows.length, 40) * HEIGHT + 2 + "px";
        grid.fill(rows.length);
        grid.point(rows.findIndex(({ node }) => node.path === state.at), true);
    }

    /* --- the switch -------------------------------------------------------------------------------------- */

    function own_switch() {
        const n = trod.count_system(), { functions } = trod.data;

        if (!n || n === functions.length)
            return null;
        const button = make("button", {
            id: "own-code", type: "button", role: "switch", class: "switch", title: trod.plural(n, "function") + " of system headers and libraries",
            onclick: () => trod.set({ sys: !trod.state.sys }),
        }, make("i", { "aria-hidden": "true" }), "Only my code");

        trod.on("sys", (state) => button.setAttribute("aria-checked", !state.sys));
        return button;
    }

    function tree_button() {
        const button = make("button", {
            id: "files-button", type: "button", class: "plain", "aria-expanded": "true", "aria-controls": "files-grid",
            onclick: () => {
                trod.show(grid.node, grid.node.hidden);
                button.setAttribute("aria-expanded", !grid.node.hidden);
                trod.text(button, grid.node.hidden ? "Files ▸" : "Files ▾");
            },
        }, "Files ▾");

        return button;
    }

    /* The files above the functions. Nothing is shown if there is one file and no system code. */
    trod.put_files = () => {
        const own = own_switch();

        build();
        if (trod.data.files.length > 1)
            grid = trod.grid({
                id: "files-grid", label: "Files: functions and paths are those of the chosen one", height: HEIGHT, row: fill_row, key: (i) => rows[i].node.path,
                columns: [{ word: "file", kind: "wide", width: "minmax(6em, 1fr)" }, { word: "share", kind: "num quiet", width: "5.4em" }],
                moved: (i) => trod.set({ at: rows[i].node.path }), entered: (i) => toggle(i) || trod.focus("functions"),
                pressed: (key, i) => i >= 0 && (key === "ArrowRight" ? toggle(i, true) || true : key === "ArrowLeft" ? toggle(i, false) || true : false),
            });
        if (own || grid)
            id("functions").append(make("div", { class: "bar-top tight" }, grid && tree_button(), own));
        if (grid)
            id("functions").append(grid.node);
        trod.on("at sys", show);
        trod.places.files = () => grid && grid.focus();
    };
})();
