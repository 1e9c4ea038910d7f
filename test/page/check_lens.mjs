// Lenses: of a long function, the lines and blocks of the path, with conditions and outcomes; and the path in full, below its row.
import * as oracle from "./oracle.mjs";
import { address, look, open, settle } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

export const TALL = { width: 1280, height: 9000 };
const unique = (list) => [...new Set(list)].sort((a, b) => a - b);
const lens_rows = (page) => page.$$eval("#source-grid .row:not([hidden]):not(.of-way)", (rows) => rows.map((row) => [row.getBoundingClientRect().top, Number(row.dataset.key), row.classList.contains("fold"), row.textContent.trim()]).sort((a, b) => a[0] - b[0]).map((row) => row.slice(1)));

// Every line of the path is a row, and every line that is not there is counted by a fold.
export async function check_source_lens(page, data) {
    for (const p of [0, 1, 5]) {
        const lines = oracle.lit_lines(data, p), fn = data.functions[data.paths.function[p]], total = data.files[0].lines.length;

        await look(page, "p=" + p + "&lens=path");
        const rows = await lens_rows(page), shown = rows.filter((row) => !row[1]).map((row) => row[0]);
        is(lines.filter((line) => !shown.includes(line)), [], "path " + p + ": its lines are rows");
        const folded = rows.filter((row) => row[1]).reduce((sum, row) => sum + Number(/^… ([\d,]+) lines? …$/.exec(row[2])[1].replace(",", "")), 0);
        is(shown.length + folded, total, "path " + p + ": folds say how many lines are not there");
        const near = new Set([...lines, ...lines.map((line) => line - 1), fn.line, fn.line - 1]), odd = shown.filter((line) => !near.has(line));
        ok(odd.every((line) => shown.includes(line - 1) && shown.includes(line + 1) || line === 1 || line === total), "path " + p + ": no others but single lines between", odd.join());
        const several = oracle.decided(data, p).map(([line]) => line).filter((line, i, all) => all.indexOf(line) !== i);
        is(await page.$$eval("#source-grid .row.of-way:not([hidden])", (all) => all.length), oracle.decided(data, p).filter(([line]) => several.includes(line)).length, "path " + p + ": several decisions of a line have a row each");
        const chips = await page.$$eval("#source-grid .row:not([hidden])", (all) => all.flatMap((row) => [...row.querySelectorAll("i.way")].flatMap((way) => (way.dataset.more ? way.dataset.more.split("\n") : [way.title]).map((title) => [Number(row.dataset.key), title]))));
        const want = oracle.decided(data, p).map(([line, text, outcome]) => line + " " + text + ": " + outcome).sort();
        is(chips.filter(([, title]) => title).map(([line, title]) => line + " " + title).sort(), want, "path " + p + ": conditions and outcomes stand beside the lines");
    }
}

async function check_folds(page) {
    const before = (await lens_rows(page)).length;

    await page.click("#source-grid .row.fold:not([hidden])");
    await settle(page);
    ok((await lens_rows(page)).length > before, "a click on a fold shows its lines");
    await page.click("#source-lens");
    await settle(page);
    is([(await address(page)).lens, await page.locator("#source-grid .row.fold:not([hidden])").count()], ["all", 0], "the button shows all lines");
    await page.keyboard.press("l");
    await settle(page);
    is([(await address(page)).lens, await page.locator("#source-grid .row.fold:not([hidden])").count() > 0], ["path", true], "l: those of the path");
}

// Of long functions the lens is on by itself, of short ones it is not.
async function check_auto(page, data) {
    const span = (p) => { const all = data.functions[data.paths.function[p]].blocks.flatMap((block) => block[1]); return Math.max(...all) - Math.min(...all) + 1; };
    const long = data.paths.way.findIndex((_, p) => span(p) > 120), short = data.paths.way.findIndex((_, p) => span(p) <= 120);

    for (const [p, pressed] of [[long, "true"], [short, "false"]]) {
        await look(page, "p=" + p);
        is(await page.getAttribute("#source-lens", "aria-pressed"), pressed, "a function of " + span(p) + " lines: the lens is " + (pressed === "true" ? "on" : "off"));
    }
}

export async function check_graph_lens(page, data) {
    const p = data.paths.way.findIndex((_, q) => data.functions[data.paths.function[q]].blocks.length > 30), { fn, blocks } = oracle.walk(data, p);
    const shown = () => page.$$eval("#graph-svg .block", (all) => all.map((one) => Number(one.dataset.block)).sort((a, b) => a - b));

    await look(page, "p=" + p);
    is(await shown(), unique(blocks), "of a large graph, the blocks of the path");
    await page.click("#graph-lens [data-lens=ran]");
    await settle(page);
    is(await shown(), fn.blocks.flatMap((block, b) => block[0] > 0 ? [b] : []), "or those that ran");
    const boxes = await page.$$eval("#graph-svg .block rect", (all) => all.map((one) => { const box = one.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; }));
    is(boxes.some((a, i) => boxes.some((b, k) => k > i && a[0] < b[2] - 1 && b[0] < a[2] - 1 && a[1] < b[3] - 1 && b[1] < a[3] - 1)), false, "none lies on another");
    await page.click("#graph-lens [data-lens=all]");
    await settle(page);
    is((await shown()).length, fn.blocks.length, "or all");
}

async function check_map(page, data) {
    const at = () => page.$eval("#graph-svg > g", (world) => world.getAttribute("transform"));

    await page.setViewportSize({ width: 1280, height: 800 });
    await look(page, "p=" + data.paths.way.findIndex((_, p) => data.functions[data.paths.function[p]].blocks.length > 60) + "&glens=all");
    ok(await page.isVisible("#graph-map"), "what does not fit has a minimap");
    const before = await at(), box = await page.locator("#graph-map").boundingBox();
    await page.mouse.click(box.x + box.width - 4, box.y + box.height - 4);
    await settle(page);
    ok(await at() !== before, "a click on it goes there");
    await look(page, "p=" + data.paths.way.findIndex((_, p) => data.functions[data.paths.function[p]].blocks.length < 5) + "&glens=all");
    ok(!await page.isVisible("#graph-map"), "what fits has none");
    await page.setViewportSize(TALL);
}

export async function check_detail(page, data) {
    const p = data.paths.way.reduce((best, way, q) => way.length > data.paths.way[best].length ? q : best, 0);

    await look(page, "p=" + p);
    const steps = await page.$$eval("#path-detail .step-way", (all) => all.map((one) => [Number(one.querySelector("small").textContent), one.querySelector("code").textContent, one.querySelector(".out").textContent]));
    is(steps, oracle.decided(data, p), "the chosen path in full: line, condition, outcome of each decision");
    const [row, detail, next] = await page.evaluate((key) => {
        const of = document.querySelector('#paths-grid .row[data-key="' + key + '"]'), top = (node) => node.getBoundingClientRect();
        const below = [...document.querySelectorAll("#paths-grid .row:not([hidden])")].map(top).filter((box) => box.top > top(of).top + 1).sort((a, b) => a.top - b.top)[0];
        return [top(of).bottom, [top(document.getElementById("path-detail")).top, top(document.getElementById("path-detail")).bottom], below ? below.top : 1e9];
    }, String(p));
    ok(Math.abs(detail[0] - row) < 2 && next >= detail[1] - 2, "it is below its row, and above the next", [row, detail, next].join());
    ok(await page.$eval("#path-detail", (one) => one.scrollWidth <= one.clientWidth + 1), "and wraps");
    await page.click("#path-detail .step-way");
    await settle(page);
    is(await page.$eval("#source-grid .row.at", (one) => Number(one.dataset.key)), steps[0][0], "a step leads to its line");
}

export async function check_lens(context, folder) {
    const data = JSON.parse(generate("--seed=81", "--paths=80", "--functions=4", "wide")), { page, close } = await open(context, folder, "lens", data, { size: TALL });

    await check_source_lens(page, data);
    await check_folds(page);
    await check_graph_lens(page, data);
    await check_map(page, data);
    await check_detail(page, data);
    await close();
    const mixed = JSON.parse(generate("--seed=82", "--paths=80", "--functions=10", "wide")), other = await open(context, folder, "lens-mixed", mixed, { size: TALL });
    await check_auto(other.page, mixed);
    await other.close();
}
