// Every kind of data, the odd ones too: nothing ran, nothing known, names that are markup, pieces across functions, hardware.
import * as oracle from "./oracle.mjs";
import { address, cell, found, lit_blocks, look, open, settle, wording } from "./open.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generate, root } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const unique = (list) => [...new Set(list)].sort((a, b) => a - b);
const made = (...words) => JSON.parse(generate(...words));
const tabs = (page) => page.$$eval("[role=tab]", (all) => all.map((tab) => tab.textContent));

async function check_empty(context, folder) {
    const empty = { trod: "page", version: 1, title: "nothing", facts: [], notes: [], exact: true, tested: false, since: false, total: 0, weight: 0, files: [], functions: [],
        paths: { function: [], id: [], count: [], weight: [], start: [], way: [], flags: null, old: null, confidence: null }, confidence: null, spans: [], tables: [], hardware: null };
    const { page, close } = await open(context, folder, "empty", empty);

    is(await page.textContent("#paths-none"), "No path ran.", "nothing ran, which is said");
    is(await tabs(page), ["Paths", "Decision tree"], "no tab for what is not there");
    await look(page, "tab=prefixes");
    await close();
    const bad = await open(context, folder, "other-version", { ...empty, version: 2 });
    ok((await bad.page.getAttribute("html", "data-trod-error")).includes("version"), "data of another version are refused");
    ok(await bad.page.isVisible("#wrong"), "and that is said");
    await bad.page.close();
}

async function check_one(context, folder) {
    const one = { trod: "page", version: 1, title: "one", exact: true, total: 5, weight: 5, files: [{ name: "a.c", lines: ["int f(void) { return 1; }"] }],
        functions: [{ name: "f", link: "f", file: 0, line: 1, count: 5, weight: 5, entered: 5, ran: 1, paths: 1, partial: true, blocks: [[5, [1]]], edges: [], layout: { w: 80, h: 40, blocks: [[40, 20, 60, 36]], edges: [] } }],
        paths: { function: [0], id: ["9007199254740993"], count: [5], weight: [5], start: [-1], way: [""] } };
    const { page, close } = await open(context, folder, "one", one);

    is(await wording(page, 0), "entry return 1", "one path, of one block");
    is(await lit_blocks(page), [0], "which is lit");
    is(await page.textContent("#functions-grid .cover"), "1/1", "and all that there are");
    ok(await page.isVisible(".partial"), "that only some paths were counted is marked");
    await look(page, "tab=prefixes&p=0");
    await close();
}

// A path that is none of its function's must not be passed off as one, nor keep the page for ever.
async function check_broken(context, folder) {
    const data = made("--seed=51", "--paths=30", "--functions=3");

    data.paths.way[0] = data.paths.way[0] + "000000";
    data.paths.way[1] = "z";
    data.paths.start[2] = 99999;
    const { page, close } = await open(context, folder, "broken", data);
    for (const p of [0, 2]) {
        await look(page, "p=" + p);
        ok(/does not fit|does not have/.test(await wording(page, p)), "path " + p + " that does not fit is reported as such", await wording(page, p));
    }
    await look(page, "q=zzzz");
    await close();
}

async function check_missing(context, folder) {
    const data = made("--seed=52", "--paths=40", "--functions=3", "nosource", "nolayout"), { page, close } = await open(context, folder, "missing", data, { size: { width: 1280, height: 3000 } });
    const p = 3, way = oracle.walk(data, p);

    await look(page, "p=" + p);
    ok((await page.textContent("#source-why")).includes("src/made_up.c: not found"), "why there is no text of the source");
    ok(await page.locator("#source-grid .row.lit:not([hidden])").count() > 0, "its lines are there, and lit");
    await look(page, "p=" + p + "&glens=all");
    is([await page.locator("#graph-svg .block").count(), await lit_blocks(page)], [data.functions[data.paths.function[p]].blocks.length, unique(way.blocks)], "without a layout, the page draws its blocks");
    ok((await page.textContent("#graph-why")).includes("not by Graphviz"), "and says so");
    await close();
    const bare = made("--seed=53", "--paths=40", "--functions=3", "nolines"), other = await open(context, folder, "no-lines", bare);
    const { blocks, end } = oracle.walk(bare, 0);
    await look(other.page, "p=0");
    is(await wording(other.page, 0), [...(bare.paths.start[0] >= 0 ? [">"] : []), ...blocks, ...(end === "return" ? [] : ["> " + end])].join(" "), "without lines, a path is its blocks");
    ok((await other.page.textContent("#source-why")).includes("-g"), "and what would help is said");
    await other.close();
}

// More blocks than a picture has room for: a list of them, and the reason; and a picture of the path all the same.
async function check_huge(context, folder) {
    const n = 2000, data = { trod: "page", version: 1, title: "huge", exact: true, total: 7, weight: 9, files: [{ name: "a.c", lines: null, why: "not found", rows: { line: [], count: [] } }],
        functions: [{ name: "f", link: "f", file: 0, line: 1, count: 7, weight: 9, entered: 7, ran: 1, paths: 2, blocks: Array.from({ length: n }, (_, b) => [7, [b + 1]]), undrawn: "it has too many blocks for dot",
            edges: [[0, 1, 7], [0, n - 1, 0], ...Array.from({ length: n - 2 }, (_, i) => [i + 1, i + 2, 7])], layout: null }],
        paths: { function: [0, 0], id: [0, 1], count: [5, 2], weight: [5, 4], start: [-1, -1], way: ["0", "1"] } };
    const { page, close } = await open(context, folder, "huge", data);

    await look(page, "p=1&glens=all");
    ok(await page.isVisible("#graph-list") && !await page.isVisible("#graph-svg"), "too many blocks are a list");
    ok(/2,000 blocks are too many to draw; at most 1,500 .*too many blocks for dot/.test(await page.textContent("#graph-why")), "and the reason is given");
    is(await page.locator("#graph-list .row.lit:not([hidden])").count(), 1, "blocks of the path are lit in the list");
    await page.focus("#graph-list");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await settle(page);
    is((await address(page)).block, "0:0", "Enter on one asks for paths through it");
    await look(page, "p=1");
    is([await lit_blocks(page), await page.locator("#graph-svg .block").count()], [[0, n - 1], 2], "the path itself has a picture");
    await close();
}

async function check_frames(context, folder) {
    const data = made("--seed=54", "--paths=120", "--functions=10", "frames"), f = data.functions.findIndex((fn) => fn.frames);
    const { page, close } = await open(context, folder, "frames", data);
    const p = data.paths.function.findIndex((of, i) => of === f && data.paths.start[i] === -1 && oracle.walk(data, i).end === "return"), way = oracle.walk(data, p), inner = data.functions[f].frames[1];

    ok(f >= 0 && p >= 0, "there is a supergraph, and a way all through it");
    await look(page, "p=" + p);
    const text = await wording(page, p);
    ok(text.includes(inner + "( ") && / \)( |$)/.test(text), "calls that are followed are reported", text);
    is(await lit_blocks(page), unique(way.blocks), "blocks of all frames are lit");
    ok(await page.locator("#graph-svg .block.framed.lit").count() > 0, "those of the inner one look it");
    await close();
}

async function check_hostile(context, folder) {
    const data = made("--seed=55", "--paths=80", "--functions=7", "hostile", "spans", "tables", "hardware");
    data.spans[0].title = data.tables[0].title = data.hardware.design = "<img src=x onerror='window.hacked=1'>";
    data.files[0].name = "</style><script>window.hacked=1</script>";
    const { page, close } = await open(context, folder, "hostile", data);

    const order = readFileSync(join(root, "src", "view", "page", "view", "order.txt"), "utf8"), parts = [order.match(/\.js$/gm).length, order.match(/\.css$/gm).length];

    is(await page.title(), data.title, "a title that is markup is text");
    for (const hash of ["p=0", "p=5&only=1", "tab=prefixes", "tab=spans0", "tab=table0", "tab=hardware", "q=%3Cimg"]) {
        await look(page, hash);
        is(await page.evaluate((given) => [window.hacked || 0, document.querySelectorAll("img").length, document.querySelectorAll("script").length - given[0], document.querySelectorAll("style").length - given[1]], parts), [0, 0, 1, 0],
            "names that are markup stay text: " + hash);
    }
    await close();
}

async function check_across(context, folder) {
    const data = made("--seed=56", "--paths=80", "spans", "tables", "hardware", "confidence", "estimates"), { page, close } = await open(context, folder, "across", data);

    is(await tabs(page), ["Paths", "Decision tree", "segments", "calls", "hardware"], "tabs for what is there");
    is(await cell(page, 0, "count"), "~" + data.paths.count[0].toLocaleString("en-US"), "estimates are marked");
    is(await page.textContent("#exact"), "estimates", "in the head, too");
    is(await cell(page, 0, "sure"), data.confidence[data.paths.confidence[0]].word, "confidence in words");
    is(await page.locator("#sure-legend .swatch").count(), 4, "and a legend of its colours");
    await check_spans(page, data);
    await check_table(page, data);
    await check_hardware(page, data);
    await close();
}

async function check_spans(page, data) {
    const list = data.spans[0].list, k = 1;

    await look(page, "tab=spans0");
    await page.click('#spans0-grid .row[data-key="' + k + '"]');
    await settle(page);
    is(await page.locator(".span-bar").count(), list[k].items.length, "a span has a bar for each of its items");
    is(await page.$$eval(".span-bar", (bars) => bars.map((bar) => Math.round(parseFloat(bar.style.top) / 26))), list[k].items.map((item) => item[0]), "as deep as they nest");
    ok((await page.textContent('#spans0-grid .row[data-key="' + k + '"] [data-word=range]')).includes(Math.round(list[k].low).toLocaleString("en-US")), "estimates say between what");
    ok((await page.textContent("#panel-spans0 .bar-top")).includes("7 more are not listed"), "what is not listed is said");
    const at = list[k].items.findIndex((item) => item[1] !== null);
    await page.locator(".span-bar").nth(at).click();
    await settle(page);
    is([(await address(page)).f, await lit_blocks(page)], [String(list[k].items[at][1]), unique(list[k].items[at][3])], "a bar leads to its function, and lights its blocks");
}

async function check_table(page, data) {
    const { rows } = data.tables[0], top = () => page.$$eval("#table0-grid .row:not([hidden])", (all) => Number(all.map((row) => [row.getBoundingClientRect().top, row.dataset.key]).sort((a, b) => a[0] - b[0])[0][1]));

    await look(page, "tab=table0");
    await page.click('#table0-grid .head [data-word="2"] button');
    await settle(page);
    is(rows[await top()][2], Math.max(...rows.map((row) => row[2])), "tables sort");
    await page.click('#table0-grid .head [data-word="2"] button');
    await settle(page);
    is(rows[await top()][2], Math.min(...rows.map((row) => row[2])), "both ways");
    const row = await top();
    await page.click('#table0-grid .row[data-key="' + row + '"] [data-word="0"] button');
    await settle(page);
    is(await found(page), data.paths.function.filter((f) => f === rows[row][0]).length, "a function in a table leads to it");
}

async function check_hardware(page, data) {
    await look(page, "tab=hardware");
    const box = await page.locator("#hardware-map").boundingBox(), wide = (box.width - 268) / 30, row = 2, window = 4;
    await page.mouse.move(box.x + 260 + (window + 0.5) * wide, box.y + 64 + row * 22 + 5);
    const text = await page.textContent("#tip"), entry = data.hardware.entries[row];
    ok(text.includes("window 5 of 30") && text.includes("really: " + entry.really[window].toLocaleString("en-US")), "the heat map describes its cells", text);
    ok(entry.held[window] ? text.includes("held: " + entry.held[window].toLocaleString("en-US")) : text.includes("not in the table"), "and what was held");
}

// Sampled, not counted: there are no paths, and what there is comes first.
async function check_no_paths(context, folder) {
    const data = made("--seed=57", "--paths=20", "--functions=4", "spans", "estimates");
    data.paths = { function: [], id: [], count: [], weight: [], start: [], way: [], flags: null, old: null, confidence: null };
    data.total = 0;
    const { page, close } = await open(context, folder, "no-paths", data), hottest = [...data.functions].sort((a, b) => b.weight - a.weight)[0];

    is(await page.$eval("[role=tab][aria-selected=true]", (tab) => tab.textContent), "segments", "without paths, another view is first");
    const share = (100 * hottest.weight / data.weight).toFixed(1) + "%";
    ok((await page.textContent("#functions-grid .row:not([hidden]) [data-word=share]")).includes(share), "and shares are of blocks");
    await close();
}

export async function check_kinds(context, folder) {
    for (const check of [check_empty, check_one, check_broken, check_missing, check_huge, check_frames, check_hostile, check_across, check_no_paths])
        await check(context, folder);
}
