/* The chosen path in full, below its row: each decision with its condition and outcome, and actions for the path. */
(function () {
    "use strict";

    const { make } = trod;
    const STEPS_MOST = 300, TESTS_NAMED = 6;

    function step({ kind, line, text, outcome, file, inlined }) {
        const place = line ? make("small", null, trod.place_wording(trod.data.functions[trod.data.paths.of[shown]], { line, file })) : "";
        const show = line && file !== null ? () => trod.show_line(file, line) : null;

        return make(show ? "button" : "span", { type: show && "button", tabindex: show && "-1", class: "step-" + kind + " step", title: show && "Show line " + line, onclick: show },
            place, kind === "way" ? [inlined ? make("span", { class: "quiet" }, inlined + ": ") : "", text ? make("code", null, text) : "", make("b", { class: "out " + trod.outcome_class(outcome) }, outcome)] : make("span", null, words_of(text, line)));
    }

    /* The line number is in its own column, so it is removed: "return 269" becomes "return". */
    const words_of = (text, line) => line ? text.replace(new RegExp("\\s" + line + "(?= \\(cut\\)|$)"), "") : text;

    function steps_of(p, all) {
        const steps = trod.steps(p), out = steps.slice(0, all ? undefined : STEPS_MOST).map(step);

        if (out.length < steps.length)
            out.push(make("button", { type: "button", class: "link", onclick: (event) => event.target.closest(".steps").replaceChildren(...steps_of(p, true)) }, "… " + trod.number(steps.length - out.length) + " more"));
        return out;
    }

    /* The tests that take the path, if runs are distinguished. */
    function tests_of(p) {
        const { paths, tests } = trod.data;

        if (!tests || !paths.tests)
            return null;
        const [n, ...some] = paths.tests[p];
        return make("p", { class: "tests" }, make("span", { class: "quiet" }, n ? "Taken by " + trod.number(n) + " of " + trod.plural(tests.length, "test") + ": " : "No test takes it."),
            n ? some.slice(0, TESTS_NAMED).map((t) => tests[t]).join(", ") + (n > some.length ? " …" : "") : "");
    }

    /* The clipboard is missing in old browsers, and in pages without a user gesture. */
    async function copy(text) {
        try {
            await navigator.clipboard.writeText(text);
        } catch (e) {
            const box = make("textarea", { style: "position:fixed;opacity:0" });

            box.value = text;
            document.body.append(box);
            box.select();
            document.execCommand("copy");
            box.remove();
        }
    }

    trod.copy_path = () => {
        const { p } = trod.state, button = trod.id("copy-path");

        if (p < 0)
            return;
        copy(trod.path_text(p));
        trod.say("Copied.");
        if (button)
            trod.text(button, "Copied");
    };

    function actions(p) {
        const fn = trod.data.functions[trod.data.paths.of[p]], link = trod.editor_link(fn.file, fn.line);

        return make("span", { class: "actions" }, make("button", { id: "copy-path", type: "button", class: "tool", title: "Copy the path as text (c)", onclick: trod.copy_path }, "Copy"),
            link ? make("a", { id: "open-editor", class: "tool", href: link, title: "Open in the editor" }, "Open in editor")
                : fn.file !== null && fn.file !== undefined ? make("button", { id: "open-editor", type: "button", class: "tool", title: "Choose an editor first", onclick: () => trod.open_help("editor-list") }, "Open in editor …") : null);
    }

    function facts(p) {
        const { paths, total, functions, since, old_total } = trod.data, fn = functions[paths.of[p]];
        const before = since && paths.old ? ", before " + trod.times(paths.old[p]) + (old_total ? " (" + trod.share(paths.old[p] / old_total) + ")" : "") : "";

        return make("span", { class: "quiet" }, make("b", { title: fn.name }, trod.name_of(paths.of[p])), " path " + paths.id[p] + " · " + trod.times(paths.count[p]) + (total ? " (" + trod.share(paths.count[p] / total) + " of all)" : "") + before + " · " + trod.plural(trod.length_of(p), "block"));
    }

    /* A single element, reused. If the path is already shown, nothing is done. */
    let node = null, shown = -1;
    trod.path_detail = (p) => {
        if (!node) {
            node = make("div", { id: "path-detail", role: "row" });
            document.addEventListener("trod-editor", () => { shown = -1; if (trod.state.p >= 0) trod.path_detail(trod.state.p); });
        }
        if (shown === p)
            return node;
        shown = p;
        node.replaceChildren(make("div", { role: "gridcell" }, make("div", { class: "detail-top" }, facts(p), actions(p)), make("div", { class: "steps" }, steps_of(p, false)), tests_of(p)));
        return node;
    };
})();
