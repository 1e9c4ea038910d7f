// Everything with the keyboard alone.
import { address, found, has_focus, lit_blocks, open, settle } from "./open.mjs";
import * as oracle from "./oracle.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const unique = (list) => [...new Set(list)].sort((a, b) => a - b);

async function press(page, ...keys) {
    for (const key of keys)
        await page.keyboard.press(key);
    await settle(page);
}

async function check_tables(page, data) {
    await press(page, "1");
    is(await has_focus(page), "paths-grid", "1: the table of paths has the keyboard");
    await press(page, "j", "j", "ArrowDown", "k");
    is((await address(page)).p, "2", "j, j, down, k: the third path is chosen");
    is(await lit_blocks(page), unique(oracle.walk(data, 2).blocks), "and lit");
    is(await page.getAttribute("#paths-grid", "aria-activedescendant"), "paths-grid-2", "those who listen know it");
    await press(page, "End");
    is((await address(page)).p, String(data.paths.way.length - 1), "End: the last");
    await press(page, "Home", "PageDown");
    ok(Number((await address(page)).p) > 3, "PageDown: further");
    await press(page, "Enter");
    is(await has_focus(page), "source-grid", "Enter: to the source");
    await press(page, "1", "Home", "Escape");
    is((await address(page)).p, undefined, "Esc: no path is chosen");
}

async function check_search(page, data) {
    const f = data.paths.function[0], name = data.functions[f].name;

    await press(page, "/");
    is(await has_focus(page), "paths-search", "/: the search box");
    await page.keyboard.type("entry");
    await settle(page);
    is(await found(page), oracle.paths_where(data, (p) => (oracle.path_wording(data, p) + data.functions[data.paths.function[p]].name).includes("entry")).length, "typing finds");
    await press(page, "Enter");
    is(await has_focus(page), "paths-grid", "Enter: to what was found");
    await press(page, "Escape", "Escape", "Escape");
    is((await address(page)).q, undefined, "Esc: the words are taken away");
    await press(page, "f");
    await page.keyboard.type(name);
    await press(page, "ArrowDown", "Home");
    is((await address(page)).f, String(f), "f, a name, down: a function is chosen");
    await press(page, "Enter");
    is(await has_focus(page), "paths-grid", "Enter: to its paths");
    await press(page, "Escape", "Escape");
    is((await address(page)).only, undefined, "Esc, Esc: all paths again");
    await press(page, "f", "Escape");
    is((await address(page)).fq, undefined, "Esc in the box empties it");
}

async function check_graph(page) {
    await press(page, "1", "Home", "g");
    is(await has_focus(page), "graph-svg", "g: the graph");
    const at = () => page.$eval("#graph-svg > g", (world) => world.getAttribute("transform"));
    const before = await at();
    await press(page, "+", "+");
    const larger = await at();
    ok(larger !== before, "+ zooms", larger);
    await press(page, "ArrowLeft");
    ok(await at() !== larger, "arrows move");
    await press(page, "0");
    await press(page, "n", "n", "Enter");
    is((await address(page)).block.split(":")[1], "1", "n, n, Enter: paths through the second block");
    await press(page, "Escape", "Escape");
}

async function check_icicle(page, data) {
    await press(page, "2");
    is(await has_focus(page), "icicle", "2: prefixes");
    await press(page, "ArrowDown");
    await press(page, "Enter");
    const first = (await address(page)).zoom;
    ok(/^\d+$/.test(first || ""), "down, Enter: into a function", first);
    await press(page, "ArrowDown", "Enter");
    ok((await address(page)).zoom.startsWith(first + "~"), "and further");
    await press(page, "Backspace");
    is((await address(page)).zoom, first, "Backspace: out");
    await press(page, "Escape");
    is((await address(page)).zoom, "all", "Esc: out, too");
    for (let i = 0; i < 40 && (await address(page)).p === undefined; i++)
        await press(page, "ArrowDown", "ArrowDown", "Enter");
    const { p, zoom } = await address(page);
    ok(p !== undefined && data.paths.function[p] === Number(zoom.split("~")[0]), "down to the end: a path is chosen", zoom);
}

async function check_rest(page) {
    const seen = [];

    await press(page, "?");
    ok(await page.isVisible("#help"), "?: the keys");
    await press(page, "Escape");
    ok(!await page.isVisible("#help"), "Esc: no longer");
    await press(page, "d");
    is(await page.getAttribute("html", "data-theme"), "dark", "d: dark");
    await press(page, "d");
    is(await page.getAttribute("html", "data-theme"), "light", "d: light");
    for (let n = 3; n <= 5; n++) {
        await press(page, String(n));
        seen.push(await page.$eval("[role=tab][aria-selected=true]", (tab) => tab.id));
    }
    is(seen, ["tab-spans0", "tab-table0", "tab-hardware"], "3, 4, 5: further views");
    await press(page, "ArrowRight", "ArrowDown");
    ok((await page.textContent("#hardware-wording")).includes("window"), "arrows in the heat map describe a cell");
    await page.focus("#tab-hardware");
    await press(page, "ArrowRight");
    is(await has_focus(page), "tab-paths", "arrows turn tabs");
    await page.focus("#split-main");
    const before = await page.$eval("#panels", (box) => box.clientHeight);
    await press(page, "ArrowDown", "ArrowDown");
    ok(await page.$eval("#panels", (box) => box.clientHeight) > before, "bars between panes move");
}

// Tab comes by everything, and wherever it is can be seen.
async function check_tab_key(page) {
    const seen = new Set();
    let rings = 0, stops = 0;

    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        const at = await page.evaluate(() => {
            const now = document.activeElement, style = getComputedStyle(now);
            return [now.id, now === document.body || style.outlineStyle !== "none" || now.matches(".split, input")];
        });
        stops++;
        rings += at[1];
        seen.add(at[0]);
    }
    for (const id of ["notes-button", "theme-button", "help-button", "functions-search", "functions-grid", "paths-search", "paths-line", "paths-grid", "source-grid", "graph-svg", "split-side"])
        ok(seen.has(id), "Tab comes to " + id, [...seen].join(" "));
    is(rings, stops, "the focus can be seen everywhere");
}

export async function check_keys(context, folder) {
    const data = JSON.parse(generate("--seed=31", "--paths=300", "spans", "tables", "hardware"));
    const { page, close } = await open(context, folder, "keys", data);

    await check_tables(page, data);
    await check_search(page, data);
    await check_graph(page);
    await check_rest(page);
    await press(page, "1");
    await check_tab_key(page);
    await check_icicle(page, data);
    await close();
}
