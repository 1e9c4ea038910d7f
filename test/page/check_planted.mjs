// Checks that cannot fail are no evidence: pages with one thing wrong must be found out.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate, root } from "./browser.mjs";
import { check_source, check_words, TALL } from "./check_paths.mjs";
import { check_flags } from "./check_filters.mjs";
import { open, settle } from "./open.mjs";
import { failures_of, ok } from "./tap.mjs";

const FAULTS = [
    ["true and false change places", "walk.js", "known[2 + k]", "known[3 - k]", check_words],
    ["decisions above 9 are read wrong", "walk.js", "? 48 : 87", "? 48 : 88", check_words],
    ["the last edge is not lit", "graph.js", "lit ? lit.edge : []", "lit ? lit.edge.slice(1) : []", check_words],
    ["source lights one block less", "thread.js", "lit.block.forEach((b, i) => {", "lit.block.slice(1).forEach((b, i) => {", check_words],
    ["lines have the counts of others", "lines.js", "count[i] ?? null", "count[i + 1] ?? null", check_source],
    ["flags are forgotten", "filter.js", "s.flags ? (p)", "s.flagged ? (p)", check_flags],
    ["it asks the network", "start.js", "trod.put_keys();", 'trod.put_keys(); fetch("http://127.0.0.1:9/x").catch(() => 0);', null],
    ["it writes to the console", "start.js", "trod.put_keys();", 'trod.put_keys(); console.warn("x");', null],
];

function spoil(folder, i) {
    const [, file, from, to] = FAULTS[i], view = join(folder, "view" + i), name = join(view, file);

    cpSync(join(root, "src", "page", "view"), view, { recursive: true });
    const text = readFileSync(name, "utf8");
    if (!text.includes(from))
        throw new Error(file + " no longer has: " + from);
    writeFileSync(name, text.replace(from, to));
    return view;
}

export async function check_planted(context, folder) {
    const data = JSON.parse(generate("--seed=61", "--functions=2", "--paths=60", "wide", "tested", "since", "confidence"));

    for (let i = 0; i < FAULTS.length; i++) {
        const [name, , , , check] = FAULTS[i], view = spoil(folder, i);
        const failed = await failures_of(async () => {
            const { page, close } = await open(context, folder, "planted" + i, data, { view, size: TALL });

            if (check)
                await check(page, data, "planted", 8);
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
