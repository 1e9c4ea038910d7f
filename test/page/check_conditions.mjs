// What is written where something is decided, and text that functions include: as `trod report` and `trod annotate` have them.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, lit_lines, look, open, settle } from "./open.mjs";
import { root } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const env = { ...process.env, PATH: join(root, "build", process.env.TROD_CONFIG || "release") + ":" + process.env.PATH };
const trod = (folder, ...words) => execFileSync("trod", words, { env, cwd: folder, encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "pipe"] });

const OPS = "\n\ncase 1:\n    if (x > 3 &&\n        !(x & 4))\n        r += 2;\n    break;\ncase 2:\n    while (x-- > 0)\n        r++;\n    break;\n";
const PROGRAM = `#include <cstdio>
namespace tools {
template <class T, class U> struct pair_of_things {
    T first; U second;
    __attribute__((noinline)) bool is_larger(T than) const { return first > than || second > than; }
};
__attribute__((noinline)) int run(int op, int x)
{
    int r = 0;
    switch (op) {
#include "ops.def"
    default:
        r = -1;
    }
    return r;
}
}
int main()
{
    int s = 0;
    for (int i = 0; i < 10; i++)
        s += tools::run(i % 3, i) + tools::pair_of_things<int, long>{i, 2 * i}.is_larger(5);
    printf("%d\\n", s);
    return 0;
}
`;

// Data of a page and the rows of a report, of a program with text of two files.
function made(folder) {
    const at = join(folder, "conditions");

    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, "ops.def"), OPS);
    writeFileSync(join(at, "app.cc"), PROGRAM);
    trod(at, "c++", "-g", "-O1", "-o", "app", "app.cc");
    execFileSync(join(at, "app"), { env: { ...env, TROD_OUT: join(at, "app.trod") }, stdio: "ignore" });
    const report = (...words) => JSON.parse(trod(at, "report", "--quiet", "--json", "--all-code", "--most=1000", ...words, "app.trod")).report.hot;
    return { at, data: JSON.parse(trod(at, "html", "--quiet", "--json", "app.trod")), brief: report(), full: report("--conditions") };
}

const key = (row) => row.function + " =" + row.id;

export async function check_same(page, { brief, full }) {
    const rows = await page.evaluate(() => trod.data.paths.way.map((_, p) => ({
        function: trod.data.functions[trod.data.paths.of[p]].link, id: trod.data.paths.id[p], wording: trod.path_wording(p),
        decisions: trod.steps(p).filter((step) => step.kind === "way").map(({ line, file, text, outcome }) => [line, trod.data.files[file].name, text, outcome]),
    })));
    const wording = new Map(brief.map((row) => [key(row), row.path]));
    const decided = new Map(full.map((row) => [key(row), row.decisions.map((d) => [d.line, d.file || row.file, d.condition, { T: "true", F: "false" }[d.outcome] || d.outcome])]));

    is(rows.map((row) => [key(row), row.wording]), rows.map((row) => [key(row), wording.get(key(row))]), "paths are reported as trod report prints them, with names of other files");
    is(rows.map((row) => row.decisions), rows.map((row) => decided.get(key(row))), "decisions have the line, file and condition that trod report has");
    ok(rows.some((row) => row.decisions.some(([, file, text]) => file.endsWith("ops.def") && text === "!(x & 4)")), "some of these are in included text");
}

// The file that a function includes is chosen, by a step of the path or by hand, and its lines are counted and lit.
export async function check_included(page, { at, data }) {
    const f = data.functions.findIndex((fn) => fn.included), file = data.functions[f].included[0][0], p = data.paths.function.findIndex((of, i) => of === f && data.paths.start[i] === -1 && data.paths.way[i].startsWith("2"));
    const want = JSON.parse(trod(at, "annotate", "--quiet", "--json", "app.trod")).files.find((one) => one.file.endsWith("ops.def")).lines.map(({ line, count }) => [line, count]);

    await look(page, "f=" + f + "&p=" + p + "&lens=all");
    const own = await lit_lines(page);
    await page.click("#path-detail .step:has(small:text('ops.def:9'))");
    await settle(page);
    is(Number((await address(page)).src), file, "a step in included text shows its file");
    is(await page.$eval("#source-name .place", (one) => one.textContent.endsWith("ops.def")), true, "whose name is at the top");
    const rows = await page.$$eval("#source-grid .row.code:not([hidden])", (all) => all.map((row) => [Number(row.dataset.key), Number(row.querySelector("[data-word=count]").textContent.replace("×", ""))]).sort((a, b) => a[0] - b[0]));
    is(rows, want, "lines of included text have the counts of trod annotate");
    ok((await lit_lines(page)).includes(9) && !own.includes(9), "and the path is lit there");
    await page.selectOption("#source-file", "0");
    await settle(page);
    is(await lit_lines(page), own, "the function's own file is there again");
    await look(page, "line=" + file + ":9");
    const through = await page.evaluate(() => [...document.querySelectorAll("#paths-grid .row:not([hidden])")].map((row) => Number(row.dataset.key)));
    is([through.length > 0, through.every((one) => data.paths.function[one] === f)], [true, true], "paths through a line of it are found");
    await look(page, "at=" + encodeURIComponent(data.files[file].name.replace("./", "")));
    is(await page.$$eval("#functions-grid .row:not([hidden])", (all) => all.map((row) => Number(row.dataset.key))), [f], "it narrows the functions to those that include it");
}

export async function check_names(page, { data }) {
    const f = data.functions.findIndex((fn) => fn.name.includes("is_larger")), { name, short } = data.functions[f];

    is(short, "pair_of_things<...>::is_larger", "a name of C++ has a short form in the data");
    await look(page, "");
    is(await page.$eval('#functions-grid .row[data-key="' + f + '"] .ident', (one) => [one.textContent, one.title.startsWith(one.textContent)]), [short, false], "which lists show");
    ok((await page.getAttribute('#functions-grid .row[data-key="' + f + '"] .ident', "title")).startsWith(name), "with the whole where the pointer rests");
}

export async function check_conditions(context, folder) {
    const all = made(folder), { page, close } = await open(context, folder, "conditions", all.data);

    await check_same(page, all);
    await check_included(page, all);
    await check_names(page, all);
    await close();
}
export { made };
