// Checks that cannot fail are no evidence: pages with one thing wrong must be found out.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate, root } from "./browser.mjs";
import { check_source, check_words, TALL } from "./check_paths.mjs";
import { check_flags } from "./check_filters.mjs";
import { check_detail, check_graph_lens, check_source_lens } from "./check_lens.mjs";
import { check_included, check_same, made as written } from "./check_conditions.mjs";
import { check_narrowed, check_own, check_tree, several } from "./check_files.mjs";
import { check_copy, check_editor, check_finding, check_in_view, check_terms, named } from "./check_use.mjs";
import { check_functions } from "./check_compare.mjs";
import { check_arrows, check_labels, check_reading, crowded } from "./check_looks.mjs";
import { open, settle } from "./open.mjs";
import { failures_of, ok } from "./tap.mjs";

// What data a check needs; those of most are the first.
const made = (...words) => () => JSON.parse(generate(...words));
const plain = made("--seed=61", "--functions=2", "--paths=60", "wide", "tested", "since", "confidence"), wide = made("--seed=81", "--paths=80", "--functions=4", "wide"), small = made("--seed=41", "--paths=200"), compared = made("--seed=97", "--paths=200", "--functions=8", "since"), repeated = made("--seed=13", "--functions=5", "rounds");

// Name, file, what is in it, what comes in its place, the check that must fail, its data, and the size of the window.
const WINDOW = { width: 1280, height: 800 };
const FAULTS = [
    ["folds count wrong", "source.js", "fold.to - fold.from + 1", "fold.to - fold.from", check_source_lens, wide],
    ["true is false", "conditions.js", 'T: "true", F: "false"', 'F: "true", T: "false"', check_source_lens, wide],
    ["conditions are those of other blocks", "data.js", "out.set(b, conditions[i++])", "out.set(b, conditions[++i])", check_detail, small],
    ["conditions of other files are of the function's", "data.js", "g.elsewhere.get(b) ?? ", "", check_same, written, WINDOW],
    ["included lines are nowhere", "data.js", "g.included.has(b) ? own.concat(", "false ? own.concat(", check_included, written, WINDOW],
    ["what did not run is shown", "graph.js", "g.count[b] > 0)", "g.count[b] >= 0)", check_graph_lens, wide],
    ["blocks lie on each other", "layout.js", "one.wide / 2 + 22", "one.wide / 9", check_graph_lens, wide],
    ["the path is unfolded over its row", "grid.js", "(i + 1) * grid.options.height", "i * grid.options.height", check_detail, wide],
    ["system code is not hidden", "files.js", "!state.sys && trod.count_system() > 0", "state.sys && trod.count_system() > 0", check_own, several, WINDOW],
    ["folders narrow nothing", "files.js", "(!state.at || trod.text_files", "(!state.at || true || trod.text_files", check_tree, several, WINDOW],
    ["tables are not narrowed", "files.js", "return scope ? all.filter(", "return false ? all.filter(", check_narrowed, several, WINDOW],
    ["exact names come last", "functions.js", "[...out.filter(is_exact), ...out.filter((f) => !is_exact(f))]", "[...out.filter((f) => !is_exact(f)), ...out.filter(is_exact)]", check_finding, named, WINDOW],
    ["s loses the path", "source.js", "grid.point(Math.max(0, shown.rows.row(first_line())))", "grid.point(0)", check_in_view, named, WINDOW],
    ["another path is copied", "conditions.js", '"path " + paths.id[p]', '"path " + paths.id[p + 1]', check_copy, named, WINDOW],
    ["scripts are editors", "editor.js", "!/^(javascript|data|vbscript|blob):/i.test(text)", "true", check_editor, named, WINDOW],
    ["a private word", "header.js", '["paths", trod.number', '["there are", trod.number', check_terms, named, WINDOW],
    ["before and now change places", "compare.js", "fn.count - fn.old", "fn.old - fn.count", check_functions, compared, WINDOW],
    ["two arrows", "grid.js", "!by || by.word !== cell.dataset.word", "!by || columns.find((one) => one.word === cell.dataset.word).sort !== word", check_arrows, small, WINDOW],
    ["dim text is too pale", "details.css", "#source-grid .row.dim .text, #source-grid .row.dim .text * { color: var(--faint); }", "#source-grid .row.dim .text, #source-grid .row.dim .text * { color: var(--edge); }", check_reading, small, WINDOW],
    ["labels lie on each other", "graph.js", "        part_labels();\n", "", check_labels, crowded, WINDOW],
    ["true and false change places", "walk.js", "known[2 + k]", "known[3 - k]", check_words],
    ["what repeats is said to once more", "paths.js", '"x" + times', '"x" + (times + 1)', check_words, repeated],
    ["decisions above 9 are read wrong", "walk.js", "? 48 : 87", "? 48 : 88", check_words],
    ["the last edge is not lit", "graph.js", "lit ? lit.edge : []", "lit ? lit.edge.slice(1) : []", check_words],
    ["source lights one block less", "thread.js", "lit.block.forEach((b, i) => {", "lit.block.slice(1).forEach((b, i) => {", check_words],
    ["lines have the counts of others", "lines.js", "count[i] ?? null", "count[i + 1] ?? null", check_source],
    ["flags are forgotten", "filter.js", "s.flags ? (p)", "s.flagged ? (p)", check_flags],
    ["it asks the network", "start.js", "trod.put_keys();", 'trod.put_keys(); fetch("http://127.0.0.1:9/x").catch(() => 0);', null],
    ["it writes to the console", "start.js", "trod.put_keys();", 'trod.put_keys(); console.warn("x");', null],
];

function spoil(folder, i) {
    const [, file, from, to] = FAULTS[i], view = join(folder, "view" + i);

    cpSync(join(root, "src", "view", "page", "view"), view, { recursive: true });
    const order = readFileSync(join(view, "order.txt"), "utf8").split("\n"), place = order.find((one) => one.split("/").pop() === file);
    if (!place)
        throw new Error("order.txt no longer has: " + file);
    const name = join(view, place), text = readFileSync(name, "utf8");
    if (!text.includes(from))
        throw new Error(file + " no longer has: " + from);
    writeFileSync(name, text.replace(from, to));
    return view;
}

export async function check_planted(context, folder) {
    const data = plain();

    for (let i = 0; i < FAULTS.length; i++) {
        const [name, , , , check, make = plain, size = TALL] = FAULTS[i], view = spoil(folder, i), own = make(folder);
        const failed = await failures_of(async () => {
            const { page, close } = await open(context, folder, "planted" + i, own.data || own, { view, size });

            if (check)
                await check(page, own, "planted", 8);
            await settle(page);
            await close();
        });

        ok(failed.length > 0 && !failed.some((one) => one.startsWith("died: ")), "found out: " + name + (failed.length ? " (" + failed[0] + ")" : ""), failed.join("\n"));
    }
    const clean = await failures_of(async () => {
        const { page, close } = await open(context, folder, "unspoilt", data, { size: TALL });

        await check_words(page, data, "unspoilt", 8);
        await check_source(page, data);
        await check_flags(page, data);
        await close();
    });
    ok(!clean.length, "and the page as it is passes the same", clean.join("\n"));
}
