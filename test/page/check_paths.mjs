// Whatever path is chosen: its words, and what is lit in source and graph, are what the data say.
import * as oracle from "./oracle.mjs";
import { cell, dim_lines, lit_blocks, lit_edges, lit_lines, look, open, wording } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

export const TALL = { width: 1280, height: 16000 }; // so that all lines of a made-up file are rows of the page
const unique = (list) => [...new Set(list)].sort((a, b) => a - b);

// Some paths of all kinds: first, last, and every so often.
const sample = (n, most) => unique(Array.from({ length: Math.min(n, most) }, (_, i) => Math.floor(i * (n - 1) / Math.max(1, Math.min(n, most) - 1))));

export async function check_words(page, data, name, most = 12) {
    for (const p of sample(data.paths.way.length, most)) {
        const way = oracle.walk(data, p);

        await look(page, "p=" + p);
        is((await wording(page, p)).replace(/^((untested|never ran|new|gone) ?)+/, ""), oracle.path_wording(data, p), name + ": path " + p + " in words");
        is(await lit_blocks(page), unique(way.blocks), name + ": path " + p + " lit in the graph");
        is(await lit_edges(page), unique(way.edges), name + ": path " + p + ", its edges");
        is(await lit_lines(page), oracle.lit_lines(data, p), name + ": path " + p + " lit in the source");
    }
}

async function check_rows(page, data) {
    let sum = 0;
    const share = (n) => { const x = 100 * n / data.total; return x > 0 && x < 0.01 ? "<0.01%" : x.toFixed(x < 1 ? 2 : 1) + "%"; };

    await look(page, "");
    for (let p = 0; p < 8; p++) {
        sum += data.paths.count[p];
        is(await cell(page, p, "count"), data.paths.count[p].toLocaleString("en-US"), "row " + p + ": count");
        is(await cell(page, p, "share"), share(data.paths.count[p]), "row " + p + ": share");
        is(await cell(page, p, "all"), share(sum), "row " + p + ": cumulative share");
        is(await cell(page, p, "function"), data.functions[data.paths.function[p]].name, "row " + p + ": function");
        is(Number(await cell(page, p, "length")), oracle.walk(data, p).blocks.length, "row " + p + ": length");
    }
}

export async function check_source(page, data) {
    const counts = oracle.line_counts(data), wrong = [], p = data.paths.way.findIndex((way) => way.length > 2);

    await look(page, "p=0&lens=all");
    const shown = await page.$$eval("#source-grid .row:not([hidden])", (rows) => rows.map((row) => [Number(row.dataset.key), row.title, row.dataset.heat, row.querySelector(".text").textContent]));

    for (const [line, title, heat, text] of shown) {
        const count = counts.get(line), want = count === undefined ? "" : "Line " + line + " ran " + count.toLocaleString("en-US") + " time" + (count === 1 ? "" : "s");

        if (title !== want || text !== data.files[0].lines[line - 1] || (heat !== "") !== (count !== undefined) || (heat === "0") !== (count === 0))
            wrong.push([line, title, want, heat, text]);
    }
    is(shown.length, data.files[0].lines.length, "every line of the source is there");
    is(wrong, [], "lines have their text, counts and heat");
    await look(page, "p=" + p + "&lens=all&glens=all");
    const { fn } = oracle.walk(data, p), own = unique(fn.blocks.flatMap((block) => block[1])), lit = oracle.lit_lines(data, p);
    is(await dim_lines(page), own.filter((line) => !lit.includes(line)), "lines of the function that were not taken are dim, no others");
    ok(await page.locator("svg.thread .dot").count() >= lit.length, "the thread has a dot on each line");
    const colour = (selector, what) => page.$eval(selector, (one, name) => getComputedStyle(one)[name], what);
    ok(await colour("#source-grid .row.dim .text", "color") !== await colour("#source-grid .row.lit .text", "color"), "dim is dim");
    ok(await colour("#graph-svg .block:not(.lit) text", "fill") === await colour(".quiet", "color"), "blocks that are not on the path are dim");
}

export async function check_paths(context, folder) {
    for (const [name, ...words] of [["plain", "--functions=5", "--seed=11"], ["switches", "--functions=2", "--seed=12", "wide"], ["rows", "--functions=5", "--seed=13", "rounds"], ["marked", "--functions=5", "--seed=14", "tested", "since"]]) {
        const data = JSON.parse(generate("--paths=60", ...words));
        const { page, close } = await open(context, folder, "paths-" + name, data, { size: TALL });

        await check_words(page, data, name);
        if (name === "plain") {
            await check_rows(page, data);
            await check_source(page, data);
        }
        await close();
    }
}
