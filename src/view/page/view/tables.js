/* All other tables. Cells with functions are links. */
(function () {
    "use strict";

    const { make } = trod;

    const signed = (value, put) => !value ? "=" : (value > 0 ? "+" : "−") + put(Math.abs(value));

    /* Three digits, as in reports (src/data/profile/times_text.c). */
    function time_wording(nanoseconds) {
        const units = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"]];
        const [of, unit] = units.find(([of]) => nanoseconds < 999.5 * of) || [60e9, "m"], value = nanoseconds / of;

        return (unit === "m" ? value.toFixed(0) : value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)) + unit;
    }

    const wording = {
        function: (value) => typeof value === "number" ? trod.name_of(value) : String(value ?? ""),
        count: (value) => typeof value === "number" ? trod.number(value) : "–",
        real: (value) => typeof value === "number" ? String(+value.toFixed(3)) : "",
        time: (value) => typeof value === "number" ? time_wording(value) : "–",
        share: (value) => typeof value === "number" ? trod.share(value) : "–",
        change: (value) => typeof value === "number" ? signed(value, trod.number) : "–",
        points: (value) => typeof value === "number" ? signed(value, (part) => (100 * part).toFixed(2)) : "–",
        text: (value) => String(value ?? ""),
    };
    const kinds = { count: "num", real: "num", time: "num", change: "num", points: "num", share: "num bars", function: "ident link-cell", text: "wording" };

    /* Estimates are marked with "~". */
    function fill(cell, kind, value, estimates) {
        const known = (wording[kind] || wording.text)(value), text = estimates && (kind === "count" || kind === "time") && known !== "–" ? "~" + known : known;

        if (kind === "function" && typeof value === "number")
            cell.replaceChildren(make("button", { type: "button", class: "link", tabindex: "-1", onclick: () => trod.choose_function(value) }, trod.middle(text)));
        else if (kind === "share")
            cell.replaceChildren(make("span", { class: "bar" }, value ? make("i", { style: "width:" + 100 * Math.min(1, value) + "%" }) : ""), make("span", { class: "figure" }, text));
        else
            trod.text(cell, text);
        if (kind === "change" || kind === "points")
            cell.dataset.sign = Math.sign(value || 0);
        cell.title = kind === "text" ? text : kind === "function" && typeof value === "number" ? trod.data.functions[value].name : "";
    }

    function compare(kind, a, b) {
        if (kind === "change" || kind === "points")
            return Math.abs(b ?? 0) - Math.abs(a ?? 0);
        if (kind === "count" || kind === "real" || kind === "time" || kind === "share")
            return (b ?? -1) - (a ?? -1);
        const x = (wording[kind] || wording.text)(a), y = (wording[kind] || wording.text)(b);
        return x < y ? -1 : x > y ? 1 : 0;
    }

    let by_file = null;
    function in_file(name) {
        const { functions, files } = trod.data;

        if (!by_file) {
            by_file = new Map(files.map((file) => [file.name, []]));
            functions.forEach((fn, f) => trod.text_files(fn).forEach((file) => by_file.get(files[file].name).push(f)));
        }
        return by_file.get(name) || [];
    }

    function put(table, word) {
        const columns = table.columns;
        const last = columns.reduce((at, [, kind], i) => kind === "text" ? i : at, columns.findIndex(([, kind]) => kind === "function"));
        let sort = "", order = [], filled = null; /* for which scope */

        const put_order = () => {
            const turned = sort.startsWith("-"), k = Number(turned ? sort.slice(1) : sort), kind = sort && columns[k][1];

            order.sort((a, b) => sort && (turned ? -1 : 1) * compare(kind, table.rows[a][k], table.rows[b][k]) || a - b);
        };
        const by = (name) => {
            sort = sort === name ? "-" + name : name;
            put_order();
            grid.order(sort);
            grid.redraw();
        };
        /* A row belongs to its first function; so a call belongs to its caller. Rows without a function belong to the
         * functions of their file.
         */
        const owner = columns.findIndex(([, kind]) => kind === "function"), named = columns.findIndex(([name]) => name === "file");
        const functions_of = (row) => owner >= 0 ? [row[owner]] : named >= 0 ? in_file(row[named]) : [];
        const first_function = (row) => columns.map(([, kind], i) => kind === "function" ? row[i] : null).find((value) => typeof value === "number");
        const grid = trod.grid({
            id: word + "-grid", label: table.title || table.word, height: 26, key: (i) => order[i], sorted: by,
            columns: columns.map(([name, kind, width], i) => ({ word: String(i), title: name, sort: String(i), width: width || (kind === "function" ? "minmax(9em, 1fr)" : undefined), kind: (kinds[kind] || "wording") + (i === last ? " wide" : "") })),
            row: (cells, i) => cells.forEach((cell, k) => fill(cell, columns[k][1], table.rows[order[i]][k], table.estimates)),
            entered: (i) => {
                const f = first_function(table.rows[order[i]]);

                if (f !== undefined)
                    trod.choose_function(f);
            },
        });
        const left = table.left ? " " + trod.plural(table.left, "row") + " more are not listed." : "", head = make("span", { class: "quiet" });
        const fill_rows = () => {
            const scope = trod.scope(trod.state);

            if (!trod.is_seen(word) || filled === scope && grid.n)
                return;
            filled = scope;
            order = trod.in_scope(table.rows, functions_of);
            put_order();
            trod.text(head, (table.title || "") + left + trod.hidden_wording(table.rows.length - order.length, "row"));
            grid.fill(order.length);
        };

        grid.scroll.classList.add("table");
        trod.add_tab(word, table.word, make("div", null, make("div", { class: "bar-top" }, head), make("div", { class: "holder" }, grid.node)), fill_rows);
        trod.on("at sys", fill_rows);
        trod.places["view-" + word] = () => grid.focus();
    }

    trod.put_table = put;
    trod.put_tables = () => trod.data.tables.forEach((table, i) => put(table, "table" + i));
})();
