// A hundred thousand paths: that everything is right still, and how long it takes. Times are written down and not judged: how busy the
// machine is decides them as much as the page does.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import * as oracle from "./oracle.mjs";
import { found, lit_blocks, look, open, settle, wording } from "./open.mjs";
import { generate_once, root } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const PATHS = 100000, ROUNDS = 5;

// From the event to the picture that shows its result: what a person waits for.
const timed = (page, job, ...args) => page.evaluate(async ([text, given]) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))), start = performance.now();

    new Function("given", text)(given);
    do
        await frame();
    while (document.querySelector("[aria-busy]"));
    return performance.now() - start;
}, [job, args]);

const typed = 'const box = document.getElementById(given[0]); box.value = given[1]; box.dispatchEvent(new Event("input"));';

function actions(data) {
    const hot = data.paths.function[0], word = oracle.path_wording(data, 0).split(" ").find((one) => one.includes(":"));

    return [
        ["search paths", typed, "paths-search", word], ["search ends", typed, "paths-search", ""], ["search functions", typed, "functions-search", "scan"], ["choose a function", "trod.choose_function(given[0])", hot],
        ["all functions again", "trod.set({ only: false })"], ["choose a path", "trod.choose_path(given[0])", 50000], ["next path", "trod.choose_path(given[0])", 50001],
        ["sort by blocks run", 'trod.set({ sort: "weight" })'], ["sort by length", 'trod.set({ sort: "length" })'], ["sort by count", 'trod.set({ sort: "" })'],
        ["contains block", "trod.set({ block: given[0] })", hot + ":0"], ["through line", "trod.set({ block: '', line: given[0] })", "0:" + data.functions[hot].blocks[0][1][0]],
        ["untested only", "trod.set({ line: '', flags: 1 })"], ["all paths", "trod.set({ flags: 0 })"],
        ["scroll to the middle", 'document.getElementById("paths-grid").scrollTop = 1300000'],
        ["prefixes of all", 'trod.set({ tab: "prefixes", zoom: "all" })'], ["zoom in", "trod.set({ zoom: given[0] })", String(hot)], ["zoom out", 'trod.set({ zoom: "all" })'], ["back to paths", 'trod.set({ tab: "paths", zoom: "" })'],
        ["dark", 'trod.set({ theme: "dark" })'], ["light", 'trod.set({ theme: "light" })'],
    ];
}

// How long the page's thread was at work, in its own processor time: the part of a wait that other programs do not change.
async function worker(context, page) {
    const client = await context.newCDPSession(page);

    await client.send("Performance.enable", { timeDomain: "threadTicks" });
    return async () => (await client.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value * 1000;
}

const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const ms = (x) => Math.round(x);

async function first_paint(context, folder, text) {
    const opened = await open(context, folder, "large", text);
    const times = await opened.page.evaluate(() => ({
        painted: performance.getEntriesByName("first-contentful-paint")[0].startTime, ready: performance.getEntriesByName("trod-ready")[0].startTime,
    }));

    return { ...opened, times };
}

export async function check_large(context, folder) {
    const text = generate_once("page-large", "--seed=71", "--paths=" + PATHS, "--functions=60", "tested", "since"), data = JSON.parse(text), starts = [], rows = [];
    let page, close;

    for (let i = 0; i < ROUNDS; i++) {
        const opened = await first_paint(context, folder, text);

        starts.push(opened.times);
        if (i + 1 < ROUNDS)
            await opened.page.close();
        else
            ({ page, close } = opened);
    }
    ok(data.paths.way.length >= PATHS, "there are a hundred thousand paths");
    is(await found(page), data.paths.way.length, "all are in the table");
    ok(await page.locator("#paths-grid .row").count() < 200, "few are in the document");
    for (const p of [0, 49999, 99999]) {
        await look(page, "p=" + p);
        is((await wording(page, p)).replace(/^((untested|never ran|new|gone) ?)+/, ""), oracle.path_wording(data, p), "path " + p + " in words");
        is(await lit_blocks(page), [...new Set(oracle.walk(data, p).blocks)].sort((a, b) => a - b), "path " + p + " lit");
    }
    await look(page, "flags=1");
    is(await found(page), data.paths.flags.filter((flags) => flags & 1).length, "a filter finds what it should");
    await look(page, "");
    const worked = await worker(context, page);
    for (const [name, job, ...args] of actions(data)) {
        const times = [], works = [];

        for (let i = 0; i < 3; i++) {
            const before = await page.evaluate(() => location.hash.slice(1));

            const start = await worked();
            times.push(await timed(page, job, ...args));
            works.push(await worked() - start);
            if (i < 2) {
                await look(page, before);
                await settle(page);
            }
        }
        rows.push({ action: name, ms: ms(middle(times)), work: ms(middle(works)), least: ms(Math.min(...times)), most: ms(Math.max(...times)) });
    }
    await close();
    write({ starts, rows, data, text, browser: context.browser() ? context.browser().version() : await version(context) });
}

const version = async (context) => {
    const page = await context.newPage(), text = await page.evaluate(() => navigator.userAgent.match(/Chrome\/([\d.]+)/)[1]);

    await page.close();
    return text;
};

function write({ starts, rows, data, text, browser }) {
    const file = process.env.TROD_PAGE_RESULT || join(root, "build", "page.json");
    const out = {
        machine: { cpus: cpus().length, model: cpus()[0].model, load: Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]) }, browser,
        paths: data.paths.way.length, functions: data.functions.length, lines: data.files[0].lines.length, bytes: text.length,
        first_paint_ms: ms(middle(starts.map((one) => one.painted))), ready_ms: ms(middle(starts.map((one) => one.ready))), actions: rows,
    };

    mkdirSync(join(root, "build"), { recursive: true });
    writeFileSync(file, JSON.stringify(out, null, 2) + "\n");
    console.log("# first paint " + out.first_paint_ms + " ms, ready " + out.ready_ms + " ms, slowest of " + rows.length + " actions " + Math.max(...rows.map((row) => row.ms)) + " ms, of which at work " + Math.max(...rows.map((row) => row.work)) + " ms at most (" + file + ")");
}
