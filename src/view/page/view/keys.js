/* Global keys, and the bars between panes. help.js documents the keys. */
(function () {
    "use strict";

    const { id } = trod;
    function search(box, then) {
        if (then)
            trod.set({ tab: then });
        id(box).focus();
        id(box).select();
    }

    /* Undo one step, the innermost first. */
    function back() {
        const box = document.activeElement;

        if (box && box.matches("input")) {
            if (box.value)
                trod.set(box.id === "functions-search" ? { fq: "" } : box.id === "paths-search" ? { q: "" } : {});
            if (box.id === "paths-line")
                box.value = "";
            return trod.focus(box.id === "functions-search" ? "functions" : "paths");
        }
        if (trod.state.p >= 0)
            return trod.choose_path(-1);
        return trod.drop_filter();
    }

    const keys = {
        "/": () => search("paths-search", "paths"), f: () => search("functions-search"),
        "?": () => trod.open_help(), d: trod.other_theme, Escape: back, c: () => trod.copy_path(), l: () => trod.turn_lens(), b: () => trod.turn_graph(),
        s: () => trod.focus("source"), g: () => trod.focus("graph"), t: () => trod.focus("files"), o: () => id("own-code") && id("own-code").click(),
        j: () => trod.focus("view"), k: () => trod.focus("view"), ArrowDown: () => trod.focus("view"), ArrowUp: () => trod.focus("view"),
    };

    function key_down(event) {
        const typing = event.target.matches("input, textarea, select");

        if (event.ctrlKey || event.metaKey || event.altKey || id("help").open || typing && event.key !== "Escape")
            return;
        if (/^[1-9]$/.test(event.key)) {
            if (!trod.nth_tab(Number(event.key) - 1))
                return;
        } else if (keys[event.key] && !(event.key.startsWith("Arrow") && event.target !== document.body)) {
            keys[event.key]();
        } else {
            return;
        }
        event.preventDefault();
    }

    /* --- bars between panes ------------------------------------------------------------------------------ */

    /* A bar sets a length of the style sheet's layout, in per cent of the surrounding element. */
    function put_bar(bar, name, around, is_down, start) {
        let now = start;

        const put = (share) => {
            now = Math.max(8, Math.min(85, share));
            around.style.setProperty(name, now + "%");
            bar.setAttribute("aria-valuenow", Math.round(now));
        };
        bar.setAttribute("aria-valuemin", 8);
        bar.setAttribute("aria-valuemax", 85);
        bar.setAttribute("aria-valuenow", start);
        bar.addEventListener("pointerdown", (event) => { bar.setPointerCapture(event.pointerId); event.preventDefault(); bar.focus(); });
        bar.addEventListener("pointermove", (event) => {
            const box = around.getBoundingClientRect();

            if (bar.hasPointerCapture(event.pointerId))
                put(is_down ? 100 * (event.clientX - box.left) / box.width : 100 * (event.clientY - box.top) / box.height);
        });
        bar.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -3, ArrowUp: -3, ArrowRight: 3, ArrowDown: 3 }[event.key];

            if (!step || event.ctrlKey || event.metaKey || event.altKey)
                return;
            put(now + step);
            event.preventDefault();
            event.stopPropagation();
        });
    }

    trod.put_keys = () => {
        trod.put_help();
        document.addEventListener("keydown", key_down);
        id("skip").addEventListener("click", (event) => { event.preventDefault(); trod.focus("paths"); });
        put_bar(id("split-side"), "--side", id("work"), true, 26);
        put_bar(id("split-main"), "--upper", id("main"), false, 45);
        put_bar(id("split-below"), "--left", id("below"), true, 56);
    };
})();
