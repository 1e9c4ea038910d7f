/* Links that open lines of the source in an editor. The reader's choice is stored in this browser; the default is that
 * of `trod html --editor`.
 */
(function () {
    "use strict";

    const { make } = trod;
    const KEY = "trod-editor";
    const KNOWN = [["none", ""], ["VS Code", "vscode://file{path}:{line}:{column}"], ["VSCodium", "vscodium://file{path}:{line}:{column}"], ["CLion, IDEA", "idea://open?file={path}&line={line}&column={column}"],
        ["Sublime Text", "subl://open?url=file://{path}&line={line}&column={column}"], ["Emacs", "org-protocol://open-source?url={path}&line={line}"]];

    /* If the browser stores nothing for local files, the choice is kept while the page is open. */
    let chosen = null;
    function kept() {
        try {
            return localStorage.getItem(KEY);
        } catch (e) {
            return null;
        }
    }

    /* Links that run scripts are rejected. */
    trod.is_link = (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^(javascript|data|vbscript|blob):/i.test(text) && text.includes("{path}");

    trod.editor = () => {
        const pattern = chosen ?? kept() ?? trod.data.editor;

        return trod.is_link(pattern) ? pattern : "";
    };

    trod.set_editor = (pattern) => {
        chosen = pattern;
        try {
            localStorage.setItem(KEY, pattern);
        } catch (e) { /* see above */ }
        document.dispatchEvent(new Event("trod-editor"));
    };

    /* The address of a line; null if there is no editor, or the file's location is unknown. */
    trod.editor_link = (file, line, column) => {
        const pattern = trod.editor(), of = file === null || file === undefined ? null : trod.data.files[file];

        if (!pattern || !of)
            return null;
        const path = of.path || of.name;
        return pattern.replaceAll("{path}", path.split("/").map(encodeURIComponent).join("/")).replaceAll("{line}", line || 1).replaceAll("{column}", column || 1);
    };

    /* The control that selects the editor. */
    trod.editor_choice = () => {
        const now = trod.editor(), known = KNOWN.find(([, pattern]) => pattern === now);
        const own = make("input", { id: "editor-own", type: "text", value: now, placeholder: KNOWN[1][1], "aria-label": "Link of the editor, with {path}, {line} and {column}", spellcheck: "false",
            oninput: () => { own.classList.toggle("bad", !!own.value && !trod.is_link(own.value)); trod.set_editor(own.value); } });
        const list = make("select", { id: "editor-list", "aria-label": "Editor", onchange: () => {
            if (list.value !== "own") {
                own.value = list.value;
                trod.set_editor(list.value);
            }
        } }, KNOWN.map(([name, pattern]) => make("option", { value: pattern, selected: pattern === now }, name)), make("option", { value: "own", selected: !known }, "other"));

        return make("div", { class: "choice" }, make("label", { for: "editor-list" }, "Open lines in "), list, own);
    };
})();
