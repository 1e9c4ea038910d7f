/* The filters of paths: a box for text, one for a line, buttons, and a removable chip for each condition. */
(function () {
    "use strict";

    const { make, id } = trod;

    function words_box() {
        const box = make("input", {
            id: "paths-search", type: "search", placeholder: "Find paths: words, functions, 76:T", "aria-label": "Find paths", autocomplete: "off", spellcheck: "false",
            oninput: () => trod.set({ q: box.value }),
            onkeydown: (event) => {
                if (event.key !== "ArrowDown" && event.key !== "Enter")
                    return;
                trod.focus("paths");
                if (event.key === "Enter")
                    trod.choose_only();
                event.preventDefault();
            },
        });

        trod.on("q", (state) => { if (box.value !== state.q) box.value = state.q; });
        return box;
    }

    /* "76" is a line of the file shown, "json.c:76" one of a file whose name ends like that. */
    function line_meant(text) {
        const [, name, line] = /^(?:(.+):)?(\d{1,9})$/.exec(text.trim()) || [];
        const shown = trod.state.f >= 0 ? trod.data.functions[trod.state.f].file : trod.data.files.length === 1 ? 0 : null;

        if (!line)
            return null;
        const file = name ? trod.data.files.findIndex((one) => one.name === name || one.name.endsWith("/" + name)) : shown ?? -1;
        return file >= 0 ? file + ":" + Number(line) : null;
    }

    function line_box() {
        const box = make("input", {
            id: "paths-line", class: "short", type: "text", placeholder: "through line", "aria-label": "Paths that go through a line: 76 or file.c:76", autocomplete: "off",
            title: "Paths that go through a line: 76, or file.c:76; Enter",
            oninput: () => box.setCustomValidity(""),
            onkeydown: (event) => {
                if (event.key !== "Enter")
                    return;
                const line = line_meant(box.value);
                if (line)
                    trod.set({ line });
                else
                    trod.say("There is no such line.");
                box.classList.toggle("bad", !line);
                if (line)
                    box.value = "";
                event.preventDefault();
            },
        });

        return box;
    }

    function flag_button([bit, word, hint]) {
        const button = make("button", {
            type: "button", class: "toggle", title: hint, "data-flag": bit, onclick: () => trod.set({ flags: trod.state.flags ^ bit }),
        }, word);

        trod.on("flags", (state) => button.setAttribute("aria-pressed", (state.flags & bit) !== 0));
        return button;
    }

    function flag_buttons() {
        const wanted = (trod.data.tested ? 3 : 0) | (trod.data.since ? 12 : 0);
        const buttons = trod.path_flags.filter(([bit]) => bit & wanted).map(flag_button);

        return buttons.length ? make("span", { class: "group", role: "group", "aria-label": "Only paths that are" }, buttons) : null;
    }

    /* --- chips ------------------------------------------------------------------------------------------- */

    function line_wording(text) {
        const [file, line] = trod.pair(text);

        return trod.base_name(trod.data.files[file].name) + ":" + line;
    }

    function block_wording(text) {
        const [f, b] = trod.pair(text), g = trod.graph_of(f), lines = trod.lines_wording(g, b);

        return "block " + g.names[b] + (lines ? " (" + lines + ")" : "") + " of " + trod.name_of(f);
    }

    /* The name of each condition, and the change that removes it. */
    function chips(state) {
        return [
            state.at && ["in", state.at, { at: "" }],
            state.only && ["in", trod.name_of(state.f), { only: false }],
            state.q.trim() && ["has", state.q.trim(), { q: "" }],
            state.line && ["through", line_wording(state.line), { line: "" }],
            state.block && ["contains", block_wording(state.block), { block: "" }],
            ...trod.path_flags.map(([bit, word]) => state.flags & bit && ["only", word, { flags: state.flags ^ bit }]),
            state.sure >= 0 && ["confidence", trod.data.confidence[state.sure].word, { sure: -1 }],
        ].filter(Boolean);
    }

    function put_chips(state) {
        const box = id("chips"), had = document.activeElement && document.activeElement.closest("#chips");

        box.replaceChildren(...chips(state).map(([what, text, without]) => make("button", {
            type: "button", class: "chip", "aria-label": "Remove filter: " + what + " " + text, title: "Remove this filter", onclick: () => trod.set(without),
        }, make("small", null, what), make("b", null, text), make("span", { "aria-hidden": "true" }, "×"))));
        if (had)
            (box.lastElementChild || id("paths-search")).focus();
    }

    /* Remove the last condition; returns whether there was one. */
    trod.drop_filter = () => {
        const last = chips(trod.state).pop();

        if (last)
            trod.set(last[2]);
        return !!last;
    };

    function legend() {
        const { confidence } = trod.data;

        return confidence && make("div", { id: "sure-legend", class: "legend", role: "group", "aria-label": "Confidence" },
            confidence.map((kind, i) => make("button", {
                type: "button", class: "plain", title: kind.title, onclick: () => trod.set({ sure: trod.state.sure === i ? -1 : i }),
            }, trod.swatch(i), kind.word)));
    }

    trod.filter_bar = () => {
        trod.on("only q line block flags sure f at", put_chips);
        return make("div", { class: "bar-top" }, words_box(), line_box(), flag_buttons(), make("span", { id: "chips" }), legend(),
            make("span", { id: "paths-found", class: "quiet", "aria-live": "polite" }));
    };
})();
