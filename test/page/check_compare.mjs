// Two profiles side by side: functions, paths and lines with both counts.
import { cell, look, open, settle } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const grouped = (n) => n.toLocaleString("en-US");
const signed = (n) => n ? (n > 0 ? "+" : "−") + grouped(Math.abs(n)) : "=";
const first = (page) => page.$$eval("#compare-grid .row:not([hidden])", (rows) => Number(rows.map((row) => [row.getBoundingClientRect().top, row.dataset.key]).sort((a, b) => a[0] - b[0])[0][1]));

export async function check_functions(page, data) {
    await look(page, "tab=compare");
    const rows = await page.$$eval("#compare-grid .row:not([hidden])", (all) => all.map((row) => [...row.querySelectorAll(".cell")].map((one) => one.textContent)));

    for (const fn of data.functions.slice(0, 6)) {
        const row = rows.find((one) => one[0] === fn.name);

        is(row && row.slice(1, 4), [grouped(fn.old), grouped(fn.count), signed(fn.count - fn.old)], fn.name + ": before, now, and the change");
    }
    await page.click('#compare-grid .head [data-word="3"] button');
    await settle(page);
    const key = await first(page), name = await page.textContent('#compare-grid .row[data-key="' + key + '"] [data-word="0"]'), most = [...data.functions].sort((a, b) => Math.abs(b.count - b.old) - Math.abs(a.count - a.old))[0];
    is(name, most.name, "sorted by the change, the largest first");
    ok((await page.textContent("#panel-compare .bar-top")).includes(grouped(data.old_total)), "the sums of both are there");
}

async function check_both(page, data) {
    await look(page, "p=0&lens=all");
    is([await cell(page, 0, "count"), await cell(page, 0, "old")], [grouped(data.paths.count[0]), grouped(data.paths.old[0])], "paths have both counts");
    const { line, old } = data.files[0].rows, rows = await page.$$eval("#source-grid .row.code:not([hidden])", (all) => all.map((row) => [Number(row.dataset.key), row.querySelector("[data-word=old]").textContent]));
    const short = (n) => n < 10000 ? grouped(n) + "×" : null, wrong = rows.filter(([at, text]) => short(old[line.indexOf(at)]) !== null && short(old[line.indexOf(at)]) !== text);
    is([rows.length > 5, wrong], [true, []], "and so have lines");
}

export async function check_compare(context, folder) {
    const data = JSON.parse(generate("--seed=97", "--paths=200", "--functions=8", "since"));

    delete data.functions[7].old;
    const { page, close } = await open(context, folder, "compare", data);
    await check_functions(page, data);
    await check_both(page, data);
    await look(page, "tab=compare");
    const rows = await page.$$eval("#compare-grid .row:not([hidden])", (all) => all.map((row) => [...row.querySelectorAll(".cell")].map((one) => one.textContent)));
    is(rows.find((row) => row[0] === data.functions[7].name)[1], "–", "what cannot be compared has no count before");
    await close();
    const alone = await open(context, folder, "alone", JSON.parse(generate("--seed=98", "--paths=20", "--functions=2")));
    is(await alone.page.locator("#tab-compare").count(), 0, "one profile has nothing to compare");
    await alone.close();
}
