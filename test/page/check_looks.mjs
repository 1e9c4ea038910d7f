// Light, dark, paper, narrow windows, contrast; the pointer in graph and icicle.
import { address, look, open, settle } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

// Relative luminance and contrast, as WCAG 2 has them.
const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

// The screen says what is really painted, whatever the styles say.
async function brightness(page) {
    const png = (await page.screenshot()).toString("base64");

    return page.evaluate(async (base64) => {
        const image = new Image(), canvas = document.createElement("canvas"), pen = canvas.getContext("2d");

        image.src = "data:image/png;base64," + base64;
        await image.decode();
        Object.assign(canvas, { width: image.width, height: image.height });
        pen.drawImage(image, 0, 0);
        const { data } = pen.getImageData(0, 0, image.width, image.height);
        let sum = 0;
        for (let i = 0; i < data.length; i += 4)
            sum += data[i] + data[i + 1] + data[i + 2];
        return sum / (data.length / 4) / 3;
    }, png);
}

async function check_contrast(page, theme) {
    const colours = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(name).trim();
        const out = ["back", "pane", "head", "row", "lit-back"].flatMap((back) => ["ink", "faint"].map((ink) => [ink + " on " + back, of("--" + ink), of("--" + back)]));

        out.push(["lit on pane", of("--lit"), of("--pane")], ["lit-ink on lit", of("--lit-ink"), of("--lit")], ["good", of("--good"), of("--pane")], ["bad", of("--bad"), of("--pane")]);
        for (let i = 0; i < 9; i++)
            out.push(["heat " + i, of("--heat-ink-" + i), of("--heat-" + i)]);
        return out;
    });

    for (const [name, ink, back] of colours) {
        const ratio = contrast(rgb(ink), rgb(back));
        ok(ratio >= 4.5, theme + ": contrast of " + name, ratio.toFixed(2) + " of " + ink + " on " + back);
    }
}

async function check_themes(page) {
    const light = await brightness(page);

    ok(light > 180, "light is light", light);
    await check_contrast(page, "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await settle(page);
    const dark = await brightness(page);
    ok(dark < 80, "dark as the system wishes", dark);
    is(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(19, 21, 25)", "the background is dark");
    await check_contrast(page, "dark");
    await page.click("#theme-button");
    await settle(page);
    ok(await brightness(page) > 180, "the button is stronger than the system");
    await page.emulateMedia({ colorScheme: "light" });
    await look(page, "");
}

async function check_paper(page, data) {
    await page.waitForFunction(() => document.querySelector("#print tbody tr"));
    await page.emulateMedia({ media: "print" });
    ok(await page.isVisible("#print table"), "on paper there are tables");
    ok(!await page.isVisible("#work") && !await page.isVisible("#theme-button"), "and nothing to click");
    const text = await page.textContent("#print");
    ok(data.functions.every((fn) => text.includes(fn.name)), "all functions are printed");
    ok(data.notes.every((note) => text.includes(note)), "and the notes");
    is(await page.locator("#print table:last-child tbody tr").count(), Math.min(60, data.paths.way.length), "and the paths that ran most");
    await look(page, "theme=dark");
    is(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "paper is white");
    await page.emulateMedia({ media: "screen" });
    await look(page, "");
}

// What is really painted behind texts of the source and of the graph, and how well they can be read on it.
const unreadable = (page) => page.evaluate(() => {
    const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
    const over = (colours) => { pen.clearRect(0, 0, 1, 1); for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); } return [...pen.getImageData(0, 0, 1, 1).data]; };
    const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
    const style = (node) => getComputedStyle(node), pane = style(document.getElementById("source")).backgroundColor, out = [];
    const look = (what, ink, backs) => { const ratio = contrast(over([...backs, ink]), over(backs)); if (ratio < 4.5) out.push(what + " " + ratio.toFixed(2)); };

    for (const row of document.querySelectorAll("#source-grid .row:not([hidden])"))
        for (const text of row.querySelectorAll(".text, .text *, .lineno"))
            if (text.textContent.trim())
                look(row.className + " " + text.className, style(text).color, [pane, style(row).backgroundColor]);
    for (const block of document.querySelectorAll("#graph-svg .block"))
        for (const text of block.querySelectorAll("text"))
            look(block.getAttribute("class"), style(text).fill, [pane, style(block.querySelector("rect")).fill]);
    return [...new Set(out)];
});

export async function check_reading(page) {
    for (const theme of ["light", "dark"])
        for (const p of [0, 3, 9, 20]) {
            await look(page, "lens=all&glens=all&theme=" + theme + "&p=" + p);
            await page.waitForTimeout(200);
            is(await unreadable(page), [], theme + ", path " + p + ": what is dim, hot or coloured can be read");
        }
    ok(await page.locator("#source-grid .s-keyword").count() > 3, "keywords of the source have a colour");
    is(await page.$$eval("#source-grid .row.code:not([hidden]) .text", (all) => all.some((one) => one.querySelector(".s-number"))), true, "and so have numbers");
    await look(page, "");
}

export async function check_arrows(page) {
    for (const sort of ["", "count", "-count", "weight", "function"]) {
        await look(page, "sort=" + sort);
        is(await page.locator("#paths-grid .head [aria-sort=ascending], #paths-grid .head [aria-sort=descending]").count(), 1, "one column has the arrow, sorted by " + (sort || "default"));
    }
    await look(page, "");
}

// No label lies on another, or on a block.
export async function check_labels(page, data) {
    let seen = 0;

    for (let f = 0; f < data.functions.length; f++) {
        await look(page, "f=" + f + "&glens=all");
        const on = await page.evaluate(() => {
            const box = (one) => { const { left, top, right, bottom } = one.getBoundingClientRect(); return [left, top, right, bottom]; }, meet = (a, b) => a[0] < b[2] - 1 && b[0] < a[2] - 1 && a[1] + 2 < b[3] - 1 && b[1] < a[3] - 3;
            const labels = [...document.querySelectorAll("#graph-svg .labels text")].filter((one) => getComputedStyle(one).display !== "none").map(box), blocks = [...document.querySelectorAll("#graph-svg .block rect")].map(box);

            return [labels.length, labels.filter((a, i) => labels.some((b, k) => k > i && meet(a, b)) || blocks.some((b) => meet(a, b))).length];
        });
        is(on[1], 0, "labels of graph " + f + " lie on nothing");
        seen += on[0];
    }
    return seen;
}

// Blocks so near to each other that there is no room for labels.
export function crowded() {
    const data = JSON.parse(generate("--seed=43", "--paths=40", "--functions=4")), low = (y) => 0.62 * y;

    for (const { layout } of data.functions) {
        layout.blocks = layout.blocks.map(([x, y, w, h]) => [x, low(y), w, h]);
        layout.edges = layout.edges.map((text) => text.replace(/(-?[\d.]+),(-?[\d.]+)/g, (_, x, y) => x + "," + low(Number(y))));
    }
    return data;
}

// As wide as the file's own indentation shows.
async function check_tabs(context, folder) {
    const data = JSON.parse(generate("--seed=42", "--paths=20", "--functions=2")), lines = data.files[0].lines, tab = (page) => page.$eval("#source-grid .code-text", (one) => getComputedStyle(one).tabSize);
    const tabbed = lines.map((text) => text.replace(/^( {4})+/, (all) => "\t".repeat(all.length / 4)));

    for (const [name, texts, want] of [["tabs alone", tabbed, "8"], ["tabs and long lines", tabbed.map((text) => text + " /* " + "x".repeat(90) + " */"), "4"], ["blanks and tabs", tabbed.map((text, i) => i % 2 ? text : text.replace(/^\t/, "    ")), "8"]]) {
        const { page, close } = await open(context, folder, "tabs", { ...data, files: [{ ...data.files[0], lines: texts }] });

        is(await tab(page), want, name + ": a tab is " + want + " wide");
        await close();
    }
}

async function check_narrow(page) {
    await page.setViewportSize({ width: 400, height: 800 });
    await look(page, "p=0");
    for (const hash of ["p=0", "p=0&lens=path&glens=path", "tab=prefixes", "p=0&only=1&f=0"]) {
        await look(page, hash);
        ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "400 pixels wide, it does not scroll sideways: " + hash);
        const off = await page.$$eval("button, input, a", (all) => all.filter((one) => one.offsetParent && !one.closest(".grid, .trail, #tabs") && (one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1)).map((one) => one.id || one.textContent));
        is(off.filter((name) => name !== "skip"), [], "and everything that can be clicked is in it: " + hash);
    }
}

async function check_less_narrow(page) {
    await page.setViewportSize({ width: 420, height: 800 });
    await look(page, "p=0");
    ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "a narrow window does not scroll sideways");
    for (const id of ["functions-grid", "paths-grid", "source-grid", "graph-svg"])
        ok(await page.$eval("#" + id, (box) => box.getBoundingClientRect().height > 120), "there is room for " + id);
    await page.setViewportSize({ width: 1280, height: 800 });
    await settle(page);
}

async function check_pointer(page, data) {
    const at = () => page.$eval("#graph-svg > g", (world) => world.getAttribute("transform"));

    await look(page, "p=0");
    const box = await page.locator("#graph-svg").boundingBox(), start = await at();
    await page.mouse.move(box.x + box.width - 20, box.y + box.height - 20);
    await page.mouse.wheel(0, -300);
    await settle(page);
    const zoomed = await at();
    ok(zoomed !== start, "the wheel zooms the graph");
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 90, box.y + box.height - 70, { steps: 4 });
    await page.mouse.up();
    ok(await at() !== zoomed, "and a drag moves it");
    await look(page, "tab=prefixes");
    const canvas = await page.locator("#icicle").boundingBox(), hottest = data.functions.indexOf([...data.functions].sort((a, b) => b.count - a.count)[0]);
    await page.mouse.move(canvas.x + 20, canvas.y + 36);
    ok((await page.textContent("#tip")).includes(data.functions[hottest].name), "the pointer on a cell shows its function");
    await page.mouse.click(canvas.x + 20, canvas.y + 36);
    await settle(page);
    is((await address(page)).zoom, String(hottest), "a click zooms the icicle in");
    await page.click("#icicle-trail button");
    await settle(page);
    is((await address(page)).zoom, "all", "its trail leads out");
    await look(page, "p=0&tab=prefixes");
    const blue = await page.$eval("#icicle", (icicle) => Array.from(icicle.getContext("2d").getImageData(8, 4, 1, 1).data.slice(0, 3)));
    ok(blue[2] > 150 && blue[0] < 80, "the chosen path is lit in the icicle", blue);
}

export async function check_looks(context, folder) {
    const data = JSON.parse(generate("--seed=41", "--paths=200"));
    const { page, close } = await open(context, folder, "looks", data);

    await check_themes(page);
    await check_paper(page, data);
    await check_narrow(page);
    await check_less_narrow(page);
    await check_reading(page);
    await check_arrows(page);
    const seen = await check_labels(page, data);
    ok(seen > 20, "and there are some", seen);
    await check_pointer(page, data);
    await page.click("#notes-button");
    ok(await page.isVisible("#notes li") && (await page.textContent("#notes-button")).startsWith("2"), "notes are counted, and open");
    await close();
    await check_tabs(context, folder);
    const near = crowded(), other = await open(context, folder, "crowded", near);
    await check_labels(other.page, near);
    await other.close();
}
