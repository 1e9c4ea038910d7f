// Files as a tree that narrows functions and paths; system code, which is hidden at first; names that do not fit.
import { address, found, has_focus, look, open, settle } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

// The functions of made-up data, in four files; one of them is of the system.
const FILES = ["src/lib/a.c", "./src/lib/b.c", "src/main.c", "/usr/include/c++/12/vector"];
function several() {
    const data = JSON.parse(generate("--seed=91", "--paths=200", "--functions=12", "spans", "tables", "hardware", "since")), [whole] = data.files;

    data.files = FILES.map((name) => ({ ...whole, name, ...name.startsWith("/usr") ? { system: true } : {} }));
    data.functions.forEach((fn, f) => { fn.file = f % 4; });
    Object.assign(data.functions[5], { name: "a_function_with_quite_a_long_name_indeed_to_tell_apart", link: "a_function_with_quite_a_long_name_indeed_to_tell_apart" });
    return data;
}

const names = (page, grid) => page.$$eval("#" + grid + " .row:not([hidden])", (rows) => rows.map((row) => [row.getBoundingClientRect().top, row.querySelector(".ident").textContent]).sort((a, b) => a[0] - b[0]).map((row) => row[1]));
const in_files = (data, files) => data.functions.flatMap((fn, f) => files.includes(fn.file) ? [f] : []);
const paths_in = (data, files) => data.paths.function.filter((f) => files.includes(data.functions[f].file)).length;
const row_of = (page, path) => page.locator('#files-grid .row[data-key="' + path + '"]:not([hidden]) .ident');

export async function check_tree(page, data) {
    await look(page, "");
    is((await names(page, "files-grid"))[0], "All files", "the tree begins with all files");
    ok(!(await names(page, "files-grid")).some((name) => name.includes("usr")), "code of the system is not in it at first");
    await row_of(page, "src/").click();
    await settle(page);
    is([(await names(page, "functions-grid")).length, await found(page)], [in_files(data, [0, 1, 2]).length, paths_in(data, [0, 1, 2])], "a folder narrows functions and paths");
    await page.focus("#files-grid");
    await page.keyboard.press("ArrowRight");
    if (!await row_of(page, "src/lib/").count())
        await page.keyboard.press("ArrowRight");
    await settle(page);
    await row_of(page, "src/lib/").click();
    await settle(page);
    is([(await names(page, "functions-grid")).length, await found(page)], [in_files(data, [0, 1]).length, paths_in(data, [0, 1])], "and so does one in it, whatever dots its files have");
    is((await address(page)).at, "src/lib/", "which is in the address");
    await page.click("#chips .chip");
    await settle(page);
    is([await found(page), (await address(page)).at], [paths_in(data, [0, 1, 2]), undefined], "its chip takes it away");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("t");
    is(await has_focus(page), "files-grid", "t: the files");
}

export async function check_own(page, data) {
    await look(page, "");
    const own = in_files(data, [0, 1, 2]).length;

    is([await page.getAttribute("#own-code", "aria-checked"), (await names(page, "functions-grid")).length, await found(page)], ["true", own, paths_in(data, [0, 1, 2])], "only my code, at first");
    is(data.functions[Number((await address(page)).f ?? 0)].file === 3, false, "and what is looked at first is mine");
    const cells = () => page.evaluate(() => [trod.cell_of_all().count, trod.cells_in(trod.cell_of_all()).map((cell) => cell.f).sort((a, b) => a - b)]), ran = (files) => in_files(data, files).filter((f) => data.functions[f].count > 0);
    is(await cells(), [ran([0, 1, 2]).reduce((sum, f) => sum + data.functions[f].count, 0), ran([0, 1, 2])], "the decision tree is of the same functions");
    await page.click("#own-code");
    await settle(page);
    is([await page.getAttribute("#own-code", "aria-checked"), (await names(page, "functions-grid")).length, await found(page)], ["false", data.functions.length, data.paths.way.length], "the switch shows all");
    is((await address(page)).sys, "1", "which is in the address");
    await page.keyboard.press("o");
    await settle(page);
    is(await found(page), paths_in(data, [0, 1, 2]), "o: my own again");
}

// Rows of tables that are of functions: those that are looked at, and how many are not.
export async function check_narrowed(page, data) {
    const mine = (f) => typeof f !== "number" || data.functions[f].file !== 3, below = (f) => typeof f !== "number" || data.functions[f].file < 2;
    const of = {
        table0: data.tables[0].rows.map((row) => [row[0]]), spans0: data.spans[0].list.map((span) => span.items.map((item) => item[1])), compare: data.functions.map((_, f) => [f]), hardware: data.hardware.entries.map((entry) => [entry.function]),
    };
    const wording = (tab) => page.textContent(tab === "hardware" ? "#hardware-wording" : "#panel-" + tab + " .bar-top"), shown = async (tab) => tab === "hardware" ? Math.round((await page.$eval("#hardware-map", (map) => map.getBoundingClientRect().height) - 68) / 22) : page.$eval("#" + tab + "-grid", (grid) => Number(grid.getAttribute("aria-rowcount")) - 1);

    for (const [tab, rows] of Object.entries(of)) {
        const known = (row) => row.filter((f) => typeof f === "number"), left = (test) => rows.filter((row) => !known(row).length || known(row).some(test)).length;

        await look(page, "tab=" + tab);
        is(await shown(tab), left(mine), tab + ": only my code narrows it");
        is(/ ([\d,]+) (rows?|paths?) of other code (is|are) hidden/.exec(await wording(tab))?.[1] ?? "0", String(rows.length - left(mine)), tab + ": and it says how many are hidden");
        await look(page, "tab=" + tab + "&sys=1");
        is(await shown(tab), rows.length, tab + ": the switch shows all");
        await look(page, "tab=" + tab + "&at=src%2Flib%2F");
        is(await shown(tab), left(below), tab + ": a folder narrows it, too");
    }
    ok(of.table0.some((row) => !mine(row[0])) && of.compare.length > 3, "some rows are of system code");
}

// A search for something that is hidden says so.
async function check_hidden(page, data) {
    const own = data.functions.find((fn) => fn.file === 3).name;

    await look(page, "");
    await page.fill("#functions-search", own);
    await settle(page);
    const also = data.functions.filter((fn) => fn.name.includes(own) && fn.file !== 3).length;
    is(await page.textContent("#functions-found"), also + (also === 1 ? " match, " : " matches, ") + data.functions.filter((fn) => fn.name.includes(own) && fn.file === 3).length + " more hidden", "a search says what it finds in code that is hidden");
    await page.fill("#functions-search", "");
    await settle(page);
}

async function check_middle(page, data) {
    const cell = '#functions-grid .row[data-key="5"] .ident';

    await look(page, "f=5");
    is(await page.textContent(cell), data.functions[5].name, "a long name is there as a whole");
    const [head, tail, box] = await page.$eval(cell, (one) => { const part = (name) => one.querySelector(name), cut = (node) => node.scrollWidth > node.clientWidth + 1; return [cut(part(".scope")), cut(part(".last")), part(".last").getBoundingClientRect().right <= one.closest(".cell").getBoundingClientRect().right + 1]; });
    is([head, tail, box], [true, false, true], "and gives way in the middle: its end can be read");
}

export async function check_files(context, folder) {
    const data = several(), { page, close } = await open(context, folder, "files", data);

    await check_tree(page, data);
    await check_own(page, data);
    await check_narrowed(page, data);
    await check_hidden(page, data);
    await check_middle(page, data);
    await close();
    const one = JSON.parse(generate("--seed=92", "--paths=20", "--functions=2")), plain = await open(context, folder, "one-file", one);
    is(await plain.page.locator("#files-grid, #own-code").count(), 0, "one file of one's own needs neither tree nor switch");
    await plain.close();
}
export { several };
