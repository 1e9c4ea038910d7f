// What is known of counts, and how it is said: not counted, estimated, carried over. And names of C++, which are long.
import { look, open, settle } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const made = (...words) => JSON.parse(generate(...words));
const names = (page) => page.$$eval("#functions-grid .row:not([hidden])", (rows) => rows.map((row) => [row.getBoundingClientRect().top, row.querySelector(".ident").textContent]).sort((a, b) => a[0] - b[0]).map((row) => row[1]));
const figures = (page, f) => page.$$eval('#functions-grid .row[data-key="' + f + '"] .num', (cells) => cells.map((cell) => cell.textContent));

function uncount(fn) {
    Object.assign(fn, { count: 0, weight: 0, ran: 0 });
    for (const block of fn.blocks)
        block[0] = null;
    for (const edge of fn.edges)
        edge[2] = null;
}

// A function without counts and paths of its own; one more is there twice, once without.
async function check_uncounted(context, folder) {
    const data = made("--seed=61", "--paths=60", "--functions=5"), none = data.functions.length;

    for (const name of ["only_here", data.functions[0].name]) {
        data.functions.push({ ...structuredClone(data.functions[1]), name, link: name });
        uncount(data.functions.at(-1));
    }
    const { page, close } = await open(context, folder, "uncounted", data);
    is(await figures(page, none), ["–", "–"], "a function that was not counted has no figures");
    is(await page.textContent("#functions-found"), "6 functions", "one that was counted in another form is there once");
    for (const sort of ["count", "-count", "coverage", "-coverage"]) {
        await look(page, "fsort=" + sort);
        is((await names(page)).pop(), "only_here", "it is the last, sorted by " + sort);
    }
    await look(page, "f=" + none);
    is(await page.$eval("#graph-svg .block .small", (text) => text.textContent), "–", "its blocks have no counts");
    await close();
}

async function check_words(context, folder) {
    const data = made("--seed=62", "--paths=60", "--functions=4", "confidence", "tables", "tested");

    data.tables[0].estimates = true;
    const { page, close } = await open(context, folder, "carried", data, { hash: "tab=table0" });
    is(await page.textContent("#exact"), "carried over", "counts of another version are not called exact");
    ok((await page.getAttribute("#exact", "title")).includes(data.confidence[1].title), "and how they are known is there to be read");
    ok((await page.$$eval("#table0-grid .row:not([hidden]) [data-word='2']", (cells) => cells.map((cell) => cell.textContent))).every((text) => /^~[\d,]+$/.test(text)), "estimates of a table are marked");
    await look(page, "tab=prefixes");
    ok((await page.textContent("#icicle-wording")).includes("did not run have no cell"), "the icicle says what is not in it");
    await page.evaluate(() => window.dispatchEvent(new ErrorEvent("error", { message: "ResizeObserver loop completed with undelivered notifications." })));
    await settle(page);
    ok(!await page.isVisible("#wrong"), "a size that is reported later is no failure");
    await close();
    const sure = await open(context, folder, "profiled", { ...data, confidence: data.confidence.slice(0, 1), paths: { ...data.paths, confidence: data.paths.confidence.map(() => 0) } });
    is(await sure.page.textContent("#exact"), "exact", "what was all profiled again is");
    await sure.close();
}

// What the data have as a short name is what lists show; where there is none, the name.
const LONG = [
    ["std::__cxx11::basic_string<char16_t, std::char_traits<char16_t>, std::allocator<char16_t> >::_M_data() const", "basic_string<...>::_M_data"],
    ["main::$_0::operator()(int, int, long, unsigned long) const", "main::$_0::operator()"],
    ["a<b", undefined],
];

async function check_names(context, folder) {
    const data = made("--seed=63", "--paths=60", "--functions=" + LONG.length);

    LONG.forEach(([name, short], f) => Object.assign(data.functions[f], { name, link: "_Z" + f, short }));
    const { page, close } = await open(context, folder, "names", data);
    for (const [f, [name, brief]] of LONG.entries()) {
        is(await page.textContent('#functions-grid .row[data-key="' + f + '"] .ident'), brief ?? name, "in brief: " + name);
        ok((await page.getAttribute('#functions-grid .row[data-key="' + f + '"] .ident', "title")).includes(name), "and whole, where the pointer rests");
    }
    await close();
}

export async function check_known(context, folder) {
    await check_uncounted(context, folder);
    await check_words(context, folder);
    await check_names(context, folder);
}
