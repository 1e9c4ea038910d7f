// What a person does with it: finds a function by its name, reads what a path is, copies one, opens an editor, sees which tests take it.
import * as oracle from "./oracle.mjs";
import { address, found, has_focus, look, open, settle } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

async function press(page, ...keys) {
    for (const key of keys)
        await page.keyboard.press(key);
    await settle(page);
}

// One function's name is the beginning of another's.
function named() {
    const data = JSON.parse(generate("--seed=95", "--paths=200", "--functions=8"));

    ["scan", "scan_all_of_it", "rescan", "take", "drop", "emit", "load", "find_me"].forEach((name, f) => Object.assign(data.functions[f], { name, link: name, count: name === "scan" ? 1 : 1000 + f }));
    Object.assign(data, { tests: ["one.trod", "two.trod", "three.trod@2"], editor: "vscode://file{path}:{line}:{column}" });
    data.files[0].path = "/home/me/a b/src/made_up.c";
    data.paths.tests = data.paths.way.map((_, p) => p % 3 ? [2, 0, 2] : [0]);
    return data;
}

export async function check_finding(page, data) {
    await press(page, "f");
    await page.keyboard.type("scan");
    await settle(page);
    const order = await page.$$eval("#functions-grid .row:not([hidden])", (rows) => rows.map((row) => [row.getBoundingClientRect().top, row.querySelector(".ident").textContent]).sort((a, b) => a[0] - b[0]).map((row) => row[1]));
    is(order[0], "scan", "the exact name comes first");
    await press(page, "Enter");
    is([(await address(page)).f, (await address(page)).only, await has_focus(page)], ["0", "1", "paths-grid"], "Enter chooses it, and goes to its paths");
    await press(page, "f");
    await page.keyboard.type("find_");
    await press(page, "Enter");
    is([(await address(page)).f, await has_focus(page)], ["7", "paths-grid"], "Enter chooses the only match");
    await look(page, "");
    const text = (p) => oracle.path_wording(data, p) + " " + data.functions[data.paths.function[p]].name, all = data.paths.way.map((_, p) => text(p));
    const p = all.findIndex((own) => all.filter((other) => own.split(" ").every((word) => other.includes(word))).length === 1);
    await press(page, "/");
    await page.keyboard.type(all[p]);
    await press(page, "Enter");
    is([await found(page), (await address(page)).p], [1, String(p)], "Enter in the search for paths chooses the only one");
    await look(page, "");
    await press(page, "/");
    await page.keyboard.type("entry");
    await press(page, "Enter");
    ok(await found(page) > 1 && await has_focus(page) === "paths-grid", "of several, it goes to the first");
}

// `s` goes to the source, and the path stays where it can be seen.
export async function check_in_view(page, data) {
    const p = data.paths.way.length - 1, seen = () => page.$$eval("#source-grid .row.lit:not([hidden])", (rows) => { const box = document.getElementById("source-grid").getBoundingClientRect(); return rows.some((row) => { const at = row.getBoundingClientRect(); return at.top >= box.top - 1 && at.bottom <= box.bottom + 1; }); });

    await look(page, "p=" + p + "&lens=all");
    ok(await seen(), "a path that is chosen can be seen in the source");
    await press(page, "s");
    is(await has_focus(page), "source-grid", "s: the source");
    ok(await seen(), "and the path can still be seen");
    ok(oracle.lit_lines(data, p).includes(await page.$eval("#source-grid .row.at", (row) => Number(row.dataset.key))), "the cursor is on it");
}

async function check_help(page) {
    await press(page, "?");
    const text = await page.textContent("#help");

    ok(/What a path is/.test(text) && /entry 3:F 5:T 5:F return 7/.test(text), "?: what a path is, with an example");
    is(await page.locator("#help-example tr.on").count() > 3 && await page.locator("#help-example tr.off").count() > 0, true, "whose lines are on the path or not");
    await page.setViewportSize({ width: 400, height: 700 });
    ok(await page.$eval("#help", (box) => box.getBoundingClientRect().width <= innerWidth && box.scrollWidth <= box.clientWidth + 1), "it fits a narrow window");
    await page.setViewportSize({ width: 1280, height: 800 });
    await press(page, "Escape");
}

// The words of the field, and units.
export async function check_terms(page) {
    const heads = await page.$$eval("#paths-grid .head .cell", (all) => all.map((one) => one.textContent)), body = await page.evaluate(() => document.body.innerText);

    ok(["cumulative", "times", "blocks"].every((word) => heads.includes(word)), "columns are named as people would", heads.join());
    ok((await page.$$eval("[role=tab]", (all) => all.map((one) => one.textContent))).includes("Decision tree"), "there is a decision tree");
    ok(/ran\s+[\d,]+ times/.test(body.replace(/\n/g, " ")), "counts have units");
    ok(!/there are\b|left in the middle|\brounds?\b|\btold\b/i.test(body), "and no words of our own", (body.match(/.*(there are\b|left in the middle|\brounds?\b|\btold\b).*/i) || [""])[0]);
}

export async function check_copy(page, data) {
    await look(page, "p=1");
    const text = await page.evaluate(() => trod.path_text(1)), fn = data.functions[data.paths.function[1]], lines = text.trim().split("\n");

    is(lines[0], fn.name + " (src/made_up.c:" + fn.line + ")", "as text: the function and its place");
    ok(lines[1].startsWith("path " + data.paths.id[1] + ", " + data.paths.count[1].toLocaleString("en-US") + " time"), "the path, and how often it ran", lines[1]);
    is(lines.slice(3, -1).map((line) => line.trim().replace(/ {2,}/g, " ")), oracle.decided(data, 1).map(([line, condition, outcome]) => line + " " + condition + " " + outcome), "and its decisions");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("#copy-path");
    await settle(page);
    is(await page.evaluate(() => navigator.clipboard.readText()), text, "the button copies it");
    is(await page.textContent("#copy-path"), "Copied", "and says so");
}

export async function check_editor(page, data) {
    const fn = data.functions[data.paths.function[1]], link = () => page.getAttribute("#open-editor", "href");

    await look(page, "p=1");
    is(await link(), "vscode://file/home/me/a%20b/src/made_up.c:" + fn.line + ":1", "a link to the editor, as trod html was asked");
    const line = oracle.lit_lines(data, 1)[0];
    is(await page.getAttribute('#source-grid .row[data-key="' + line + '"] .lineno a', "href"), "vscode://file/home/me/a%20b/src/made_up.c:" + line + ":1", "and one for each line");
    await press(page, "?");
    await page.fill("#editor-own", "idea://open?file={path}&line={line}");
    await press(page, "Escape");
    is(await link(), "idea://open?file=/home/me/a%20b/src/made_up.c&line=" + fn.line, "the reader may choose another");
    await page.reload();
    await page.waitForSelector("html[data-trod-ready]");
    await look(page, "p=1");
    is(await link(), "idea://open?file=/home/me/a%20b/src/made_up.c&line=" + fn.line, "which the browser keeps");
    for (const bad of ["javascript:alert('{path}')", "data:text/html,{path}", "no link"]) {
        await page.evaluate((text) => trod.set_editor(text), bad);
        await settle(page);
        is(await page.$eval("#open-editor", (one) => one.tagName), "BUTTON", "what is no editor makes no link: " + bad);
    }
    await page.evaluate(() => localStorage.clear());
}

async function check_tests(page, data) {
    await look(page, "p=1");
    ok(/Taken by 2 of 3 tests: one.trod, three.trod@2/.test(await page.textContent("#path-detail")), "which tests take it", await page.textContent("#path-detail"));
    await look(page, "p=0");
    ok((await page.textContent("#path-detail")).includes("No test takes it."), "or that none does");
    ok(data.tests.length === 3, "of three");
}

export async function check_use(context, folder) {
    const data = named(), { page, close } = await open(context, folder, "use", data);

    await check_terms(page);
    await check_finding(page, data);
    await check_in_view(page, data);
    await check_help(page);
    await check_copy(page, data);
    await check_tests(page, data);
    await check_editor(page, data);
    await close();
}
export { named };
