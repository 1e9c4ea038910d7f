/* The head of the page: what it is of, what is known of it, and what is not in it. */
(function () {
    "use strict";

    const { make, id } = trod;

    /* Long numbers are told apart by their beginning; the whole is there to be read. */
    const brief = (value) => /^[0-9a-f]{24,}$/.test(value) ? value.slice(0, 12) : value;

    function fact([what, value]) {
        return make("div", { class: "fact" }, make("dt", null, what), make("dd", { title: value }, brief(value)));
    }

    /* One line of them, and a button where there are more. */
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

    /* Never hidden in silence: how many there are stands in the head. */
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

    trod.other_theme = () => trod.set({ theme: document.documentElement.dataset.theme === "dark" ? "light" : "dark" });

    trod.put_header = () => {
        const { title, facts, notes, exact, total, paths, functions } = trod.data;
        const own = [["functions", trod.number(functions.length)], ["paths", trod.number(paths.n)], ["ran", trod.count(total)]];

        trod.text(id("title"), title);
        trod.text(id("exact"), exact ? "exact" : "estimates");
        id("exact").classList.add(exact ? "sure" : "unsure");
        id("exact").title = exact ? "Every path was counted." : "Counts are estimates, and written with ~.";
        id("facts").append(...own.concat(facts).map(fact));
        fold_facts();
        put_notes(notes);
        id("theme-button").addEventListener("click", trod.other_theme);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => put_theme(trod.state));
        trod.on("theme", put_theme);
    };
})();
