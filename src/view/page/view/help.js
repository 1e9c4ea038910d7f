/* Explains paths by an example, lists the keys, and selects the editor that opens lines. */
(function () {
    "use strict";

    const { make, id } = trod;
    const KEYS = [
        ["/", "find paths; Enter chooses the only one"], ["f", "find functions; Enter chooses the only one, or the one of that name"], ["t", "files"], ["j k ↑ ↓", "next, previous row"], ["PgUp PgDn Home End", "further"],
        ["Enter", "go in: from function to paths, from path to source, from line or block to the paths through it"],
        ["Esc", "back: leave a box, drop a filter or a zoom, drop the path"],
        ["1 … 9", "views"], ["s", "source, at the path"], ["l", "source: only lines of the path, or all"], ["g", "graph: arrows move, + − 0 zoom, n p from block to block"], ["b", "graph: blocks of the path, that ran, all"],
        ["c", "copy the path as text"], ["o", "only my code, or system code, too"], ["Backspace", "zoom out of the decision tree"], ["d", "light or dark"], ["? ", "this help"], ["Tab", "from pane to pane; on a bar between panes, arrows move it"],
    ];

    /* The lines of the example: whether they are on the path, and a remark. */
    const EXAMPLE = [
        [1, "int weigh(int n)", true, "The path starts at the entry of the function."],
        [2, "{", true, ""],
        [3, "    if (n < 0)", true, "false: n is not negative."],
        [4, "        return -1;", false, "Not on this path."],
        [5, "    if (n > 9 && odd(n))", true, "true, then false: both conditions count."],
        [6, "        n /= 2;", false, "Not on this path."],
        [7, "    return n;", true, "The path ends here."],
    ];

    function example() {
        const rows = EXAMPLE.map(([line, text, on, what]) => make("tr", { class: on ? "on" : "off" }, make("td", null, line), make("td", null, make("code", null, text)), make("td", null, what)));

        return [make("p", null, "A ", make("b", null, "path"), " is one way through a function: from its entry, or from the start of a loop's next iteration, to a return or to the end of the iteration. It is named by what was decided on the way. This function has 4 paths; one of them is"),
            make("p", { class: "wording" }, "entry 3:F 5:T 5:F return 7"), make("table", { id: "help-example" }, make("tbody", null, rows)),
            make("p", null, make("code", null, "3:F"), " says that the condition on line 3 was false. The count of a path says how often the function was run just so: counts of lines or branches cannot tell which decisions were taken together."),
            make("p", null, make("b", null, "Share"), " is of all paths that ran, in all functions. ", make("b", null, "Cumulative"), " adds up the rows so far. ", make("b", null, "Possible"), " paths are all ways through the function's graph; many can never run. ",
                make("b", null, "loop"), " and ", make("b", null, "again"), ": the path starts or ends with an iteration of the loop on that line.")];
    }

    const keys = () => make("dl", null, KEYS.map(([names, what]) => make("div", null, make("dt", null, names.trim().split(" ").map((key) => make("kbd", null, key))), make("dd", null, what))));

    trod.put_help = () => {
        const help = id("help");

        help.append(make("form", { method: "dialog", class: "close" }, make("button", { type: "submit", "aria-label": "Close" }, "×")), make("h2", null, "What a path is"), ...example(), make("h2", null, "Keys"), keys(),
            make("h2", null, "Editor"), make("div", { id: "help-editor" }), make("p", { class: "quiet" }, "A link with {path}, {line} and {column} in it. It is kept in this browser."),
            make("p", { class: "quiet" }, "Heat is by magnitude: each step is about three times the one before. What you look at is in the page's address: copy it to link to a view."));
        id("help-button").addEventListener("click", () => trod.open_help());
    };

    trod.open_help = (part) => {
        id("help-editor").replaceChildren(trod.editor_choice());
        id("help").showModal();
        if (part) {
            id(part).scrollIntoView({ block: "center" });
            id(part).focus();
        }
    };
})();
