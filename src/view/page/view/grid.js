/* Lists of any length: only visible rows are in the page.
 *
 * A grid has a cursor, which the keyboard and the pointer move; its owner decides what that means. It is one stop of the
 * Tab key, and announces the row of the cursor to screen readers (aria-activedescendant).
 *
 *   trod.grid({
 *       id, label,       of the element that has the focus
 *       role             grid, or listbox
 *       columns          [{ word, title, kind, width, sort, hint }], with a head if they have titles; none: one cell
 *       height           of a row, in pixels
 *       row(cells, i)    fills the cells of row i; `cells` are elements, one a column
 *       key(i)           what row i is, for aria and tests
 *       moved(i)         the cursor was moved to row i
 *       clicked(i)       the pointer moved it there
 *       entered(i)       Enter, or a double click
 *       sorted(word)     a head was chosen
 *       pressed(key, i)  a key that the list has no use for; true: it was used
 *   }) -> { node, fill(n), point(i), at, redraw(), focus(), order(sort), scroll_to(y), scroll, unfold(i, node), hide(word) }
 *
 * Below one row there may be more: unfold(i, node) puts an element of any height there, and rows behind it move down.
 */
(function () {
    "use strict";

    const { make } = trod;
    const MORE = 6; /* rows above and below, so that slow pictures show no gaps */

    function head_cell(column, options) {
        const sorts = column.sort && options.sorted;
        const name = make(sorts ? "button" : "span",
            { type: sorts && "button", tabindex: sorts && "-1", title: column.hint, onclick: sorts && (() => options.sorted(column.sort)) },
            column.title);

        return make("div", { role: "columnheader", class: "cell " + (column.kind || ""), "data-word": column.word }, name);
    }

    /* Columns of numbers are narrow, and one column takes the remaining width. Narrow panes omit some columns. */
    const width_of = ({ kind = "", width }) => width || (kind.includes("wide") ? "minmax(14em, 1fr)" : kind.includes("bars") ? "8.5em" : kind.includes("num") ? "7.2em"
        : "minmax(6em, 12em)");

    function put_widths(grid) {
        const columns = grid.options.columns.filter(({ word }) => word !== grid.hidden), { style } = grid.node;

        style.setProperty("--columns", columns.map(width_of).join(" "));
        style.setProperty("--columns-narrow", columns.filter(({ kind = "" }) => !kind.includes("dispensable")).map(width_of).join(" "));
    }

    function make_row(grid) {
        const { options } = grid, inner = options.role === "listbox" ? null : "gridcell";
        const cells = options.columns.map((column) => make("div", { role: inner, class: "cell " + (column.kind || "") + (column.word === grid.hidden ? " unsaid" : ""), "data-word": column.word }));
        const node = make("div", { class: "row", role: inner ? "row" : "option" }, cells);

        node.style.height = options.height + "px";
        grid.body.append(node);
        return { node, cells, at: -1 };
    }

    /* Rows after the unfolded one are shifted down. */
    const top_of = (grid, i) => i * grid.options.height + (grid.gap_at >= 0 && i > grid.gap_at ? grid.gap : 0);

    function row_at(grid, y) {
        const { height } = grid.options, plain = Math.floor(y / height);

        return grid.gap_at < 0 || plain <= grid.gap_at ? plain : Math.max(grid.gap_at, Math.floor((y - grid.gap) / height));
    }

    const whole_height = (grid) => grid.n * grid.options.height + (grid.gap_at >= 0 ? grid.gap : 0);

    function put_height(grid) {
        grid.body.style.height = whole_height(grid) + "px";
    }

    /* The browser determines the height, which depends on line wrapping. */
    function unfold(grid, i, node) {
        if (grid.more !== node) {
            if (grid.more) {
                grid.watch.disconnect();
                grid.more.remove();
            }
            grid.more = node;
            grid.gap = 0;
            if (node) {
                node.classList.add("more");
                grid.body.append(node);
                grid.watch = new ResizeObserver(() => {
                    grid.gap = node.offsetHeight;
                    put_height(grid);
                    if (grid.at >= 0 && grid.at === grid.gap_at)
                        bring(grid, grid.at);
                    grid.redraw();
                });
                grid.watch.observe(node);
            }
        }
        if (grid.gap_at === (node ? i : -1))
            return;
        grid.gap_at = node ? i : -1;
        if (node)
            node.style.transform = "translateY(" + (i + 1) * grid.options.height + "px)";
        put_height(grid);
        grid.redraw();
    }

    function place(grid, row, i) {
        const chosen = i === grid.at;

        row.at = i;
        row.node.hidden = false;
        row.node.id = grid.options.id + "-" + i;
        row.node.style.transform = "translateY(" + top_of(grid, i) + "px)";
        row.node.setAttribute("aria-rowindex", i + 1 + grid.headed);
        row.node.setAttribute("aria-selected", chosen);
        row.node.classList.toggle("at", chosen);
        row.node.classList.toggle("odd", (i & 1) === 1);
        if (grid.options.key)
            row.node.dataset.key = grid.options.key(i);
        grid.options.row(row.cells, i, row.node);
    }

    /* Scroll position and height are cached: reading them would force a layout each time. A row keeps its element while
     * it is visible: row i has element i modulo their number.
     */
    function draw(grid) {
        const { scroll, options } = grid, seen = grid.seen || 400;

        if (grid.scrolls)
            scroll.scrollTop = grid.top;
        grid.scrolls = false;
        const from = Math.max(0, row_at(grid, grid.top) - MORE);
        const to = Math.min(grid.n, row_at(grid, grid.top + seen) + 1 + MORE);
        const need = Math.ceil(seen / options.height) + 2 * MORE + 2;

        while (grid.rows.length < need)
            grid.rows.push(make_row(grid));
        const m = grid.rows.length;
        for (let i = from; i < Math.min(to, from + m); i++)
            if (grid.rows[i % m].at !== i || grid.stale)
                place(grid, grid.rows[i % m], i);
        for (const row of grid.rows)
            if (row.at < from || row.at >= to || grid.rows[row.at % m] !== row) {
                row.at = -1;
                trod.show(row.node, false);
            }
        grid.stale = false;
        if (grid.at >= from && grid.at < to)
            scroll.setAttribute("aria-activedescendant", options.id + "-" + grid.at);
        else
            scroll.removeAttribute("aria-activedescendant");
        if (options.drawn)
            options.drawn(from, to);
    }

    /* Scroll to a row, with some context around it. */
    function bring(grid, i) {
        const { options } = grid, top = top_of(grid, i), seen = (grid.seen || 400) - grid.above;
        const high = Math.min(seen, options.height + (i === grid.gap_at ? grid.gap : 0));

        if (top < grid.top)
            scroll_to(grid, top - (options.around || 0));
        else if (top + high > grid.top + seen)
            scroll_to(grid, top + high - seen + (options.around || 0));
    }

    function scroll_to(grid, y) {
        grid.top = Math.max(0, Math.min(y, whole_height(grid) + grid.above - grid.seen));
        grid.scrolls = true;
        grid.redraw();
    }

    function move(grid, i) {
        const to = Math.max(0, Math.min(grid.n - 1, i));

        if (!grid.n)
            return;
        grid.point(to);
        if (grid.options.moved)
            grid.options.moved(to);
    }

    const steps = {
        ArrowDown: () => 1, j: () => 1, ArrowUp: () => -1, k: () => -1,
        PageDown: (grid) => page(grid), PageUp: (grid) => -page(grid),
        Home: () => -Infinity, End: () => Infinity,
    };
    const page = (grid) => Math.max(1, Math.floor(grid.seen / grid.options.height) - 2);

    function key_down(grid, event) {
        if (event.ctrlKey || event.metaKey || event.altKey || event.target !== grid.scroll)
            return;
        if (steps[event.key]) {
            move(grid, grid.at < 0 ? 0 : grid.at + steps[event.key](grid));
        } else if ((event.key === "Enter" || event.key === " ") && grid.at >= 0) {
            (grid.options.entered || grid.options.moved || (() => 0))(grid.at);
        } else if (!(grid.options.pressed && grid.options.pressed(event.key, grid.at))) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    function row_of(grid, event) {
        const node = event.target.closest(".row");
        const row = node && grid.rows.find((one) => one.node === node);

        return row ? row.at : -1;
    }

    function listen(grid) {
        const { scroll } = grid;

        scroll.addEventListener("scroll", () => {
            if (!grid.scrolls)
                grid.top = scroll.scrollTop;
            trod.soon(grid.options.id, () => draw(grid));
        }, { passive: true });
        scroll.addEventListener("keydown", (event) => key_down(grid, event));
        scroll.addEventListener("click", (event) => {
            const i = row_of(grid, event);

            if (i < 0 || event.target.closest("button, a"))
                return;
            move(grid, i);
            if (grid.options.clicked)
                grid.options.clicked(i);
        });
        scroll.addEventListener("dblclick", (event) => {
            const i = row_of(grid, event);

            if (i >= 0 && grid.options.entered && !event.target.closest("button, a"))
                grid.options.entered(i);
        });
        new ResizeObserver(() => {
            grid.seen = scroll.clientHeight;
            grid.above = grid.head ? grid.head.offsetHeight : 0;
            if (grid.seen)
                grid.sized();
        }).observe(scroll);
    }

    function order(grid, sort) {
        const least = sort.startsWith("-"), word = least ? sort.slice(1) : sort, { columns } = grid.options;
        /* If several columns sort by the same key, only one has the arrow. */
        const by = columns.find((one) => one.sort === word && one.word === word) || columns.find((one) => one.sort === word);

        for (const cell of grid.head ? grid.head.children : [])
            cell.setAttribute("aria-sort", !by || by.word !== cell.dataset.word ? "none" : least ? "ascending" : "descending");
    }

    trod.grid = (options) => {
        const grid = { options, n: 0, at: -1, rows: [], stale: true, headed: 0, top: 0, seen: 0, above: 0, scrolls: false, gap: 0, gap_at: -1, more: null, hidden: null };

        options.columns = options.columns || [{ word: "only" }];
        grid.body = make("div", { class: "rows", role: options.role === "listbox" ? null : "rowgroup" });
        if (options.sorted || options.columns[0].title !== undefined) {
            grid.head = make("div", { class: "head", role: "row" }, options.columns.map((column) => head_cell(column, options)));
            grid.headed = 1;
        }
        grid.scroll = make("div", { id: options.id, class: "grid", role: options.role || "grid", tabindex: "0", "aria-label": options.label },
            options.role === "listbox" ? null : grid.head, grid.body);
        grid.node = options.role === "listbox" && grid.head ? make("div", { class: "headed" }, grid.head, grid.scroll) : grid.scroll;
        put_widths(grid);
        grid.redraw = () => { grid.stale = true; trod.soon(options.id, () => draw(grid)); };
        grid.scroll_to = (y) => scroll_to(grid, y);
        /* Rows requested before there was room are scrolled to now. */
        grid.sized = () => {
            if (!grid.roomy && grid.at >= 0)
                bring(grid, grid.at);
            grid.roomy = true;
            grid.redraw();
        };
        grid.fill = (n) => {
            grid.n = n;
            if (grid.gap_at >= n)
                unfold(grid, -1, null);
            grid.top = Math.max(0, Math.min(grid.top, whole_height(grid) + grid.above - grid.seen));
            put_height(grid);
            grid.scroll.setAttribute("aria-rowcount", n + grid.headed);
            if (grid.at >= n)
                grid.at = -1;
            grid.redraw();
        };
        grid.point = (i, quietly) => {
            grid.at = i;
            if (i >= 0 && !quietly)
                bring(grid, i);
            grid.redraw();
        };
        grid.focus = () => {
            grid.scroll.focus();
            if (grid.at < 0 && grid.n)
                grid.point(0);
        };
        grid.unfold = (i, node) => unfold(grid, i, node);
        grid.order = (sort) => order(grid, sort);
        /* Hide a column that is empty at present; null: show all. */
        grid.hide = (word) => {
            if (grid.hidden === word)
                return;
            grid.hidden = word;
            put_widths(grid);
            for (const cell of grid.scroll.querySelectorAll(".cell"))
                cell.classList.toggle("unsaid", cell.dataset.word === word);
        };
        listen(grid);
        return grid;
    };
})();
