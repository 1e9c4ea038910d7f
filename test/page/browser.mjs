// A browser for tests and screenshots: Debian's Chromium, driven by Playwright, with nothing of its own left to do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync, copyFileSync, existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const own = join(root, "build", "browser");

// Playwright goes below build/, once; the lock says which, to the last byte. Its own browsers are not fetched.
function playwright() {
    const lock = join(root, "test", "page", "package-lock.json"), copy = join(own, "package-lock.json");
    const is_there = existsSync(join(own, "node_modules", "playwright-core", "package.json")) && existsSync(copy) &&
        readFileSync(copy, "utf8") === readFileSync(lock, "utf8");

    if (!is_there) {
        mkdirSync(own, { recursive: true });
        copyFileSync(join(root, "test", "page", "package.json"), join(own, "package.json"));
        copyFileSync(lock, copy);
        execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: own, stdio: ["ignore", "ignore", "inherit"] });
    }
    return createRequire(join(own, "package.json"))("playwright-core");
}

export const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"];

// A browser whose profile is its own and goes when it ends. Calls `work` with a function that opens pages.
export async function with_browser(work) {
    const folder = mkdtempSync(join(tmpdir(), "trod-page-"));
    const context = await playwright().chromium.launchPersistentContext(join(folder, "profile"), {
        executablePath: process.env.TROD_CHROMIUM || "/usr/bin/chromium", args: flags, headless: true, viewport: { width: 1280, height: 800 }, colorScheme: "light",
    });

    context.setDefaultTimeout(180000);
    try {
        return await work(context, folder);
    } finally {
        await context.close();
        rmSync(folder, { recursive: true, force: true });
    }
}

// The data of made-up programs, as text.
export const generate = (...words) => execFileSync("perl", [join(root, "test", "page", "generate"), ...words], { maxBuffer: 1 << 28, encoding: "utf8" });

// The same, kept below build/ until the program that makes them up is another: a hundred thousand paths take it 11 s.
export function generate_once(name, ...words) {
    const kept = join(root, "build", name + ".json"), maker = join(root, "test", "page", "generate");

    if (!existsSync(kept) || statSync(kept).mtimeMs < statSync(maker).mtimeMs) {
        mkdirSync(dirname(kept), { recursive: true });
        writeFileSync(kept + "." + process.pid, generate(...words));
        renameSync(kept + "." + process.pid, kept);
    }
    return readFileSync(kept, "utf8");
}

// A page of data (text, or an object), put together as trod does it.
export function assemble(folder, name, data, view) {
    const json = join(folder, name + ".json"), html = join(folder, name + ".html");

    writeFileSync(json, typeof data === "string" ? data : JSON.stringify(data));
    writeFileSync(html, execFileSync("perl", [join(root, "tools", "page"), ...(view ? ["--view=" + view] : []), json], { maxBuffer: 1 << 28 }));
    return html;
}
