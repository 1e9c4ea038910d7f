// Search, filters, order, and their chips: which paths are left is worked out from the data, too.
import * as oracle from "./oracle.mjs";
import { address, found, look, open, settle, shown_paths } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const chips = (page) => page.$$eval("#chips .chip", (all) => all.map((one) => one.textContent));

async function check_search(page, data) {
    const word = oracle.path_wording(data, 0).split(" ").find((one) => one.includes(":")), name = data.functions[data.paths.function[0]].name;
    const has = (p, ...words) => words.every((one) => (oracle.path_wording(data, p) + " " + data.functions[data.paths.function[p]].name).toLowerCase().includes(one.toLowerCase()));

    await page.fill("#paths-search", word);
    await settle(page);
    is(await found(page), oracle.paths_where(data, (p) => has(p, word)).length, "search for a decision");
    await page.fill("#paths-search", name.toUpperCase() + "  " + word);
    await settle(page);
    is(await found(page), oracle.paths_where(data, (p) => has(p, name, word)).length, "search for a function and a decision");
    is((await address(page)).q, name.toUpperCase() + "  " + word, "the search is in the address");
    await page.fill("#paths-search", "no path has this");
    await settle(page);
    is(await found(page), 0, "search for nothing");
    ok(await page.isVisible("#paths-none"), "that there is none is said");
    await page.click("#chips .chip");
    await settle(page);
    is(await found(page), data.paths.way.length, "its chip takes it away");
    is(await page.inputValue("#paths-search"), "", "and empties the box");
}

async function check_function(page, data) {
    const f = data.paths.function[0], own = oracle.paths_where(data, (p) => data.paths.function[p] === f);

    await page.click('#functions-grid .row[data-key="' + f + '"]');
    await settle(page);
    is(await found(page), own.length, "a function's paths");
    is(await chips(page), ["in" + data.functions[f].name + "×"], "a chip says whose");
    await page.click("#chips .chip");
    await settle(page);
    await page.fill("#functions-search", data.functions[f].name);
    await settle(page);
    const names = data.functions.filter((fn) => fn.name.includes(data.functions[f].name)).length;
    is(await page.locator("#functions-grid .row:not([hidden])").count(), names, "search in the list of functions");
    await page.fill("#functions-search", "");
    for (const [word, by] of [["name", (a, b) => a.name < b.name ? -1 : 1], ["share", (a, b) => b.count - a.count]]) {
        await page.click("#functions-grid .head [data-word=" + word + "] button");
        await settle(page);
        const first = await page.$$eval("#functions-grid .row:not([hidden])", (rows) => rows.map((row) => [row.getBoundingClientRect().top, row.querySelector(".ident").textContent]).sort((a, b) => a[0] - b[0])[0][1]);
        is(first, [...data.functions].sort(by)[0].name, "functions by " + word);
    }
}

async function check_places(page, data) {
    const p = data.paths.way.findIndex((way) => way.length > 2), f = data.paths.function[p], { blocks } = oracle.walk(data, p), b = blocks[blocks.length - 1];
    const line = data.functions[f].blocks[b][1][0] || oracle.lit_lines(data, p)[0];
    const through = (q) => oracle.walk(data, q).blocks.some((one) => oracle.walk(data, q).fn.blocks[one][1].includes(line));

    await look(page, "p=" + p);
    await page.dispatchEvent('#graph-svg .block[data-block="' + b + '"] rect', "click");
    await settle(page);
    is(await found(page), oracle.paths_where(data, (q) => data.paths.function[q] === f && oracle.walk(data, q).blocks.includes(b)).length, "a click on a block: paths that contain it");
    is((await address(page)).block, f + ":" + b, "the block is in the address");
    await page.dispatchEvent('#graph-svg .block[data-block="' + b + '"] rect', "click");
    await settle(page);
    is(await found(page), data.paths.way.length, "again: all paths");
    await page.fill("#paths-line", String(line));
    await page.press("#paths-line", "Enter");
    await settle(page);
    is(await found(page), oracle.paths_where(data, through).length, "paths through a line");
    ok((await chips(page))[0].startsWith("through"), "a chip says which line");
    await page.fill("#paths-line", "made_up.c:" + line);
    await page.press("#paths-line", "Enter");
    await settle(page);
    is(await found(page), oracle.paths_where(data, through).length, "the same with the file's name");
    await page.fill("#paths-line", "nonsense");
    await page.press("#paths-line", "Enter");
    ok(await page.$eval("#paths-line", (box) => box.classList.contains("bad")), "what is no line is marked");
}

export async function check_flags(page, data) {
    await look(page, "");
    for (const [bit, word] of [[1, "untested"], [2, "never ran"], [4, "new"], [8, "gone"]]) {
        const want = oracle.paths_where(data, (p) => data.paths.flags[p] & bit);

        await page.click('button[data-flag="' + bit + '"]');
        await settle(page);
        is(await found(page), want.length, "only " + word);
        ok(want.length > 0, "there are some that are " + word);
        is((await shown_paths(page)).every((p) => want.includes(p)), true, "and these are shown");
        await page.click('button[data-flag="' + bit + '"]');
        await settle(page);
    }
    await look(page, "flags=3");
    is(await found(page), oracle.paths_where(data, (p) => data.paths.flags[p] & 3).length, "two at once: either");
    await look(page, "sure=2");
    is(await found(page), oracle.paths_where(data, (p) => data.paths.confidence[p] === 2).length, "one kind of confidence");
}

async function check_order(page, data) {
    const { count, weight, old } = data.paths, length = data.paths.way.map((_, p) => oracle.walk(data, p).blocks.length);
    const first = (list, sign) => list.reduce((best, one, p) => sign * one > sign * list[best] ? p : best, 0);

    for (const [word, list] of [["count", count], ["weight", weight], ["length", length], ["change", count.map((n, p) => Math.abs(n - old[p]))], ["old", old]])
        for (const [sort, sign] of [[word, 1], ["-" + word, -1]]) {
            await look(page, "sort=" + sort);
            const top = await page.$$eval("#paths-grid .row:not([hidden])", (rows) => Number(rows.map((row) => [row.getBoundingClientRect().top, row.dataset.key]).sort((a, b) => a[0] - b[0])[0][1]));
            is(list[top], list[first(list, sign)], "sorted by " + sort);
        }
    await look(page, "");
    await page.click("#paths-grid .head [data-word=change] button");
    await settle(page);
    is((await address(page)).sort, "change", "a head sorts");
    await page.click("#paths-grid .head [data-word=change] button");
    await settle(page);
    is((await address(page)).sort, "-change", "and a second time reverses it");
    is(await page.getAttribute("#paths-grid .head [data-word=change]", "aria-sort"), "ascending", "which is said");
}

// A view can be linked: the same address shows the same.
async function check_link(context, folder, data) {
    const { page, close } = await open(context, folder, "linked", data, { hash: "p=7&flags=1&sort=weight&theme=dark&q=entry" });

    is([await address(page), await page.getAttribute("html", "data-theme"), await page.inputValue("#paths-search")],
        [{ p: "7", flags: "1", sort: "weight", theme: "dark", q: "entry" }, "dark", "entry"], "a link opens its view");
    for (const hash of ["p=999999&f=-1&line=9:9&block=0:99999&flags=x&sure=9&sort=nothing&tab=none&zoom=~~", "%%%", "p=1e3&__proto__=1"]) {
        await look(page, hash);
        ok(await page.getAttribute("html", "data-trod-error") === null, "a link that makes no sense: " + hash);
    }
    await close();
}

export async function check_filters(context, folder) {
    const data = JSON.parse(generate("--seed=21", "--paths=400", "--functions=8", "since", "tested", "confidence"));
    const { page, close } = await open(context, folder, "filters", data);

    await check_search(page, data);
    await check_function(page, data);
    await check_places(page, data);
    await check_flags(page, data);
    await check_order(page, data);
    await close();
    await check_link(context, folder, data);
}
