// Pages under test: opened, watched for anything that must not happen, and read as a person would read them.
import { assemble } from "./browser.mjs";
import { ok } from "./tap.mjs";

// Console, errors and requests. A page asks for itself and for nothing else.
function watch(page, problems) {
    page.on("console", (message) => problems.push(message.type() + ": " + message.text()));
    page.on("pageerror", (error) => problems.push("error: " + error.message));
    page.on("request", (request) => { if (!/^(file:\/\/.*\.html(#.*)?$|data:image)/.test(request.url())) problems.push("request: " + request.url()); });
}

// Nothing is being worked out, and what was is painted.
export const settle = (page) => page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));

    do
        await frame();
    while (document.querySelector("[aria-busy]"));
    await frame();
});

export async function open(context, folder, name, data, { hash = "", view, size } = {}) {
    const page = await context.newPage(), problems = [], file = assemble(folder, name, data, view);

    watch(page, problems);
    if (size)
        await page.setViewportSize(size);
    await page.goto("file://" + file + (hash ? "#" + hash : ""));
    await page.waitForSelector("html[data-trod-ready], html[data-trod-error]");
    await settle(page);
    const close = async () => {
        ok(problems.length === 0, name + ": nothing on the console, no request but for the file", problems.join("\n"));
        ok(await page.getAttribute("html", "data-trod-error") === null, name + ": no error", await page.getAttribute("html", "data-trod-error"));
        await page.close();
    };

    return { page, close, problems, file };
}

// Another view of the same page, as a link would open it. That the address is another comes to the page as an event, later.
export async function look(page, hash) {
    await page.evaluate((text) => new Promise((done) => {
        const before = location.hash;

        addEventListener("hashchange", done, { once: true });
        location.hash = text;
        if (location.hash === before)
            done();
    }), hash);
    await settle(page);
}

const row_text = (page, row, word) => page.$eval(row + " [data-word=" + word + "]", (cell) => cell.textContent.replace(/\s+/g, " ").trim());

// What is seen of path p: the text of its row, which blocks and edges are lit, which lines are.
// The words of a path's row, with what is folded replaced by its copies: "A x3" by "A A A", "[A B] x2" by "A B A B".
export async function wording(page, p) {
    const selector = '#paths-grid .row[data-key="' + p + '"]:not([hidden])', text = await row_text(page, selector, "path");
    const words = await page.$eval(selector, (row) => [...row.querySelectorAll(".w")].map((one) => [one.textContent, one.classList.contains("fold")]));

    if (!words.some(([, folds]) => folds))
        return text;
    const open = [[]];
    for (const [word, folds] of words) {
        if (folds && word === "[")
            open.push([]);
        else if (folds && word === "]")
            open.at(-2).push(open.pop());
        else if (folds)
            open.at(-1).push(...Array(Number(word.slice(1)) - 1).fill(open.at(-1).at(-1)));
        else
            open.at(-1).push([word]);
    }
    return [text.slice(0, text.indexOf(words[0][0])).trim(), ...open[0].flat(Infinity)].filter(Boolean).join(" ");
}
export const cell = (page, p, word) => row_text(page, '#paths-grid .row[data-key="' + p + '"]:not([hidden])', word);
const numbers = (page, selector, name) => page.$$eval(selector, (all, key) => all.map((one) => Number(one.dataset[key])).sort((a, b) => a - b), name);
export const lit_blocks = (page) => numbers(page, "#graph-svg .block.lit", "block");
export const lit_edges = (page) => numbers(page, "#graph-svg .edge.lit", "edge");
export const lit_lines = (page) => numbers(page, "#source-grid .row.lit:not([hidden])", "key");
export const dim_lines = (page) => numbers(page, "#source-grid .row.dim:not([hidden])", "key");
export const shown_paths = (page) => numbers(page, "#paths-grid .row:not([hidden])", "key");
export const found = async (page) => Number(await page.getAttribute("html", "data-trod-found"));
export const has_focus = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.tagName);
// The address is written with the next picture.
export const address = async (page) => await settle(page) || page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
