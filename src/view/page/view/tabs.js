/* Tabs and keyboard focus. Views without data have no tab. */
(function () {
    "use strict";

    const { make, id } = trod;
    const tabs = [];

    /* Moves the keyboard focus: maps names of places to functions that focus them. */
    trod.focus = (place) => {
        if (trod.places[place])
            trod.places[place]();
    };

    /* `shown` is called whenever the view becomes visible, so that views are built only when needed. */
    trod.add_tab = (word, title, panel, shown) => {
        const n = tabs.length + 1;
        const button = make("button", {
            id: "tab-" + word, type: "button", role: "tab", "aria-controls": "panel-" + word, "aria-keyshortcuts": n < 10 ? n : null,
            title: n < 10 ? title + " (" + n + ")" : title, onclick: () => trod.set({ tab: word }),
        }, title);

        panel.id = "panel-" + word;
        panel.classList.add("panel");
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", "tab-" + word);
        id("tabs").append(button);
        id("panels").append(panel);
        tabs.push({ word, button, panel, shown });
    };

    trod.nth_tab = (n) => {
        if (!tabs[n])
            return false;
        trod.set({ tab: tabs[n].word });
        trod.focus("view");
        return true;
    };

    const current = () => tabs.find((tab) => tab.word === trod.state.tab) || tabs[0];

    function show() {
        const now = current();

        for (const tab of tabs) {
            tab.button.setAttribute("aria-selected", tab === now);
            tab.button.tabIndex = tab === now ? 0 : -1;
            trod.show(tab.panel, tab === now);
        }
        if (now.shown)
            now.shown(trod.state);
    }

    function turn(event) {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];

        if (!step)
            return;
        const next = tabs[(tabs.indexOf(current()) + step + tabs.length) % tabs.length];
        trod.set({ tab: next.word });
        next.button.focus();
        event.preventDefault();
    }

    trod.put_tabs = () => {
        id("tabs").addEventListener("keydown", turn);
        trod.on("tab", show);
        trod.places.view = () => trod.focus("view-" + current().word);
    };
    trod.is_seen = (word) => current().word === word;
})();
