/* The print version: the head, the hottest functions and paths, as plain tables. */
(function () {
    "use strict";

    const { make, id } = trod;
    const FUNCTIONS_MOST = 40, PATHS_MOST = 60;

    function table(caption, heads, rows) {
        return make("table", null, make("caption", null, caption), make("thead", null, make("tr", null, heads.map((head) => make("th", null, head)))),
            make("tbody", null, rows.map((row) => make("tr", null, row.map((cell) => make("td", null, cell))))));
    }

    const some = (n, most, word) => n > most ? "The " + most + " most frequent " + word + "s of " + trod.number(n) : trod.plural(n, word);

    function functions() {
        const { functions: all } = trod.data, order = all.map((_, f) => f).sort((a, b) => trod.share_of(all[b]) - trod.share_of(all[a]) || a - b);

        return table(some(all.length, FUNCTIONS_MOST, "function"), ["share", "times", "function", "paths ran"],
            order.slice(0, FUNCTIONS_MOST).map((f) => [...trod.is_counted(all[f]) ? [trod.share(trod.share_of(all[f])), trod.count(all[f].count)] : ["–", "–"], all[f].name, trod.coverage(all[f]).text]));
    }

    function paths() {
        const { paths: all, functions: of, total } = trod.data, rows = [];
        let sum = 0;

        for (let p = 0; p < Math.min(all.n, PATHS_MOST); p++) {
            sum += all.count[p];
            rows.push([trod.share(total ? all.count[p] / total : 0), trod.share(total ? sum / total : 0), trod.count(all.count[p]), of[all.of[p]].name, trod.path_wording(p)]);
        }
        return table(some(all.n, PATHS_MOST, "path"), ["share", "cumulative", "times", "function", "path"], rows);
    }

    trod.put_paper = () => {
        const { notes } = trod.data;

        id("print").replaceChildren(notes.length ? make("ul", null, notes.map((note) => make("li", null, note))) : "", functions(), paths());
    };
})();
