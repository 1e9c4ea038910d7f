// Pages that trod makes of real runs: paths are reported as `trod report` prints them, whatever way they were counted.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open, look, wording } from "./open.mjs";
import { root } from "./browser.mjs";
import { is, ok } from "./tap.mjs";

const env = { ...process.env, PATH: join(root, "build", process.env.TROD_CONFIG || "release") + ":" + process.env.PATH };
const INPUT = JSON.stringify(Array.from({ length: 90 }, (_, i) => ({ id: i, name: "row \"" + i + "\"", share: i / 7, tags: i % 3 ? ["a", "b"] : [], on: i % 5 ? true : null, deep: [[["\u00e9\n"]], -1e9] })), null, 1);

const trod = (folder, ...words) => execFileSync("trod", words, { env, cwd: folder, encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "pipe"] });

// A program, built so, and run: gives the name of its profile.
function run(folder, name, options) {
    trod(folder, "cc", ...options, "-g", "-o", name, join(root, "example", "json.c"));
    execFileSync(join(folder, name), { env: { ...env, TROD_OUT: join(folder, name + ".trod") }, input: INPUT, stdio: ["pipe", "ignore", "inherit"] });
    return name + ".trod";
}

// What trod writes is what tools/page writes of the same data, but for how JSON is laid out.
function check_assembly(name, html, file) {
    const bare = (text) => text.replace(/<script type="application\/json" id="trod-data">[^]*?<\/script>/, "");

    ok(bare(html) === bare(readFileSync(file, "utf8")), name + ": trod html and tools/page make the same page");
}

async function check_wordings(context, folder, name, options, like = /:T/) {
    const profile = run(folder, name, options), data = JSON.parse(trod(folder, "html", "--quiet", "--json", profile));
    const report = JSON.parse(trod(folder, "report", "--quiet", "--json", "--all-code", "--most=100000", profile)).report.hot;
    const { page, close, file } = await open(context, folder, name + "-page", data);
    const key = (fn, id) => fn + " =" + id, want = new Map(report.map((row) => [key(row.function, row.id), row])), wrong = [];
    const rows = await page.evaluate(() => trod.data.paths.way.map((_, p) => [trod.data.functions[trod.data.paths.of[p]].name, trod.data.paths.id[p], trod.path_wording(p), trod.data.paths.count[p]]));

    check_assembly(name, trod(folder, "html", "--quiet", profile), file);
    for (const [fn, id, text, count] of rows) {
        const row = want.get(key(fn, id));

        if (!row || row.path !== text || row.count !== count)
            wrong.push([fn, id, text, row && row.path, count, row && row.count]);
    }
    is([rows.length, wrong.slice(0, 5)], [report.length, []], name + ": all paths are reported as trod report prints them");
    ok(rows.length > 20 && rows.some((row) => like.test(row[2])), name + ": which are many, and of this kind");
    await look(page, "p=1");
    is(await wording(page, 1), rows[1][2], name + ": and shown so");
    ok(await page.locator("#graph-svg .block.lit").count() > 0, name + ": a path is lit in its graph");
    ok(await page.locator("#source-grid .row.lit .text").count() > 0, name + ": and in its source");
    await close();
}

export async function check_real(context, folder) {
    await check_wordings(context, folder, "optimised", ["-O2"]);
    await check_wordings(context, folder, "debug", ["-O0"]);
    await check_wordings(context, folder, "rounds", ["--iterations=3", "-O2"]);
    await check_wordings(context, folder, "limited", ["--limit=32", "-O1"], /from \d+ \(cut\)/);
    await check_wordings(context, folder, "subpaths", ["--subpaths", "-O1"]);
    await check_wordings(context, folder, "across", ["--segments=" + join(folder, "subpaths.trod"), "--depth=2", "-O1"], /\(/);
}
