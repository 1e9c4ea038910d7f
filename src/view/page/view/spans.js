/* Segments of execution across functions: a list, and the chosen one as nested bars, with calls inside their callers.
 */
(function () {
    "use strict";

    const { make } = trod;

    const item_name = (item) => item[1] === null || item[1] === undefined ? item[2] || "?" : trod.name_of(item[1]);

    function summary(span) {
        return span.items.map((item) => item_name(item) + (item[4] ? " " + item[4] : "")).join(" · ");
    }

    const is_estimate = (span) => span.low || span.high;
    const range_wording = (span) => is_estimate(span) ? trod.number(span.low) + " … " + trod.number(span.high) : "";

    function columns(spans) {
        return [
            spans.total ? { word: "share", title: "share", kind: "num bars" } : null,
            { word: "count", title: "times", kind: "num" },
            spans.list.some(is_estimate) ? { word: "range", title: "between", kind: "num", width: "11em", hint: "The estimate is within this, most probably" } : null,
            { word: "depth", title: "depth", kind: "num", width: "4.5em", hint: "How deep it nests" },
            { word: "what", title: "what ran", kind: "wide wording" },
        ].filter(Boolean);
    }

    const fillers = {
        share: (span, spans) => [make("span", { class: "bar" }, make("i", { style: "width:" + 100 * span.count / spans.list[0].count + "%" })), make("span", { class: "figure" }, trod.share(span.count / spans.total))],
        count: (span) => [(is_estimate(span) ? "~" : "") + trod.number(span.count)],
        range: (span) => [range_wording(span)],
        depth: (span) => [String(span.items.reduce((most, item) => Math.max(most, item[0]), 0))],
        what: (span) => [summary(span)],
    };

    /* --- nested bars ------------------------------------------------------------------------------------- */

    /* The width of an item includes everything nested in it. */
    function end_of(items, i) {
        let k = i + 1;

        while (k < items.length && items[k][0] > items[i][0])
            k++;
        return k;
    }

    function light(item) {
        if (item[1] !== null && item[1] !== undefined)
            trod.light(item[1], item[3] || []);
    }

    function bar(items, i, deepest) {
        const item = items[i], n = items.length, known = item[1] !== null && item[1] !== undefined;
        const heat = known ? trod.heat_of(item[1]) : 0;

        return make("button", {
            type: "button", class: "span-bar", "data-heat": heat, title: item_name(item) + (item[4] ? ": " + item[4] : ""), disabled: !known,
            style: "left:" + 100 * i / n + "%;width:" + 100 * (end_of(items, i) - i) / n + "%;top:" + item[0] * 26 + "px", onclick: () => light(item),
        }, make("b", null, item_name(item)), " ", make("span", null, item[4] || ""));
    }

    function line(item) {
        const known = item[1] !== null && item[1] !== undefined;

        return make("li", { style: "margin-left:" + 1.4 * item[0] + "em" },
            known ? make("button", { type: "button", class: "link", onclick: () => light(item) }, item_name(item)) : make("b", null, item_name(item)), " ", make("span", { class: "wording" }, item[4] || ""));
    }

    function put_detail(box, span) {
        const { items } = span, deepest = items.reduce((most, item) => Math.max(most, item[0]), 0);

        box.replaceChildren(make("div", { class: "span-bars", style: "height:" + (deepest + 1) * 26 + "px;min-width:" + items.length * 4 + "em" }, items.map((_, i) => bar(items, i, deepest))),
            make("ol", { class: "span-items" }, items.map(line)));
    }

    function put(spans, word) {
        const detail = make("div", { class: "span-detail", "data-spans": spans.word, tabindex: "0", role: "region", "aria-label": "The chosen one, nested" });
        let list = [], filled = null; /* numbers of those in scope; for which */
        const grid = trod.grid({
            id: word + "-grid", label: spans.title || spans.word, columns: columns(spans), height: 26, key: (i) => list[i],
            row: (cells, i) => cells.forEach((cell) => cell.replaceChildren(...fillers[cell.dataset.word](spans.list[list[i]], spans))),
            moved: (i) => put_detail(detail, spans.list[list[i]]),
            entered: (i) => light(spans.list[list[i]].items.find((item) => item[1] !== null && item[1] !== undefined) || [0, null]),
        });
        const left = spans.left ? " " + trod.number(spans.left) + " more are not listed." : "";
        const head = make("span", { class: "quiet" });
        const fill_rows = () => {
            const scope = trod.scope(trod.state);

            if (!trod.is_seen(word) || filled === scope && grid.n)
                return;
            filled = scope;
            list = trod.in_scope(spans.list, ({ items }) => items.map((item) => item[1]));
            trod.text(head, (spans.title || "") + left + trod.hidden_wording(spans.list.length - list.length, "row"));
            grid.fill(list.length);
            grid.point(list.length ? 0 : -1);
            if (list.length)
                put_detail(detail, spans.list[list[0]]);
            else
                detail.replaceChildren();
        };

        trod.add_tab(word, spans.word, make("div", null, make("div", { class: "bar-top" }, head), make("div", { class: "holder" }, grid.node), detail), fill_rows);
        trod.on("at sys", fill_rows);
        trod.places["view-" + word] = () => grid.focus();
    }

    trod.put_spans = () => trod.data.spans.forEach((spans, i) => put(spans, "spans" + i));
})();
