/* The head of the page: its subject, known facts, and notes on what is missing. */
(function () {
    "use strict";

    const { make, id } = trod;

    /* Long hashes are shortened; the tooltip has the whole. */
    const brief = (value) => /^[0-9a-f]{24,}$/.test(value) ? value.slice(0, 12) : value;

    function fact([what, value]) {
        return make("div", { class: "fact" }, make("dt", null, what), make("dd", { title: value }, brief(value)));
    }

    /* One line of facts, and a button if there are more. */
    function fold_facts() {
        const list = id("facts"), button = id("facts-button");

        const look = () => trod.show(button, list.classList.contains("open") || list.scrollHeight > list.clientHeight + 4);
        button.addEventListener("click", () => {
            const open = list.classList.toggle("open");

            trod.text(button, open ? "less" : "more");
            button.setAttribute("aria-expanded", open);
        });
        new ResizeObserver(() => trod.soon("facts", look)).observe(list);
    }

    /* Notes are never hidden silently: the head shows their number. */
    function put_notes(notes) {
        const button = id("notes-button"), box = id("notes");

        if (!notes.length)
            return;
        trod.show(button, true);
        trod.text(button, trod.plural(notes.length, "note"));
        box.append(make("ul", null, notes.map((note) => make("li", null, note))));
        button.addEventListener("click", () => {
            trod.show(box, box.hidden);
            button.setAttribute("aria-expanded", !box.hidden);
        });
    }

    function put_theme(state) {
        const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
        const theme = state.theme || system;

        document.documentElement.dataset.theme = theme;
        trod.text(id("theme-button"), theme === "dark" ? "☀" : "☾");
        trod.soon("theme", () => document.dispatchEvent(new Event("trod-theme")));
    }

    /* The kind of counts: its name, meaning, and whether it is reliable. For migrated profiles, the legend of the paths
     * shows how each count is known.
     */
    function sort_of_counts() {
        const { exact, confidence, total, weight } = trod.data;

        if (exact && confidence && confidence.some(({ word }) => word !== "profiled"))
            return ["carried over", "Some counts come from profiles of another version; a column says how each path is known.\n" + confidence.map(({ word, title }) => word + ": " + title).join("\n"), false];
        if (exact && !total && !weight)
            return ["no paths counted", "No paths were counted: see the other views.", false];
        return exact ? ["exact", "Every path was counted.", true] : ["estimates", "Counts are estimates, marked with ~.", false];
    }

    trod.other_theme = () => trod.set({ theme: document.documentElement.dataset.theme === "dark" ? "light" : "dark" });

    trod.put_header = () => {
        const { title, facts, notes, total, weight, paths, functions } = trod.data, [word, hint, sure] = sort_of_counts();
        const own = [["functions", trod.number(functions.length - trod.twins().size)], ...paths.n || total ? [["paths", trod.number(paths.n)], ["ran", trod.times(total)]] : [],
            ...!total && weight ? [["blocks ran", trod.times(weight)]] : []];

        trod.text(id("title"), title);
        trod.text(id("exact"), word);
        id("exact").classList.add(sure ? "sure" : "unsure");
        id("exact").title = hint;
        id("facts").append(...own.concat(facts).map(fact));
        fold_facts();
        put_notes(notes);
        id("theme-button").addEventListener("click", trod.other_theme);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => put_theme(trod.state));
        trod.on("theme", put_theme);
    };
})();
