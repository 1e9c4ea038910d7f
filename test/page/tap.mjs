// TAP for tests of the page. Details of failures go to stderr, as in test/kit/tap.sh.
let count = 0, failed = 0, hidden = null;

export function ok(passed, name, detail) {
    if (hidden) {
        hidden.push(...(passed ? [] : [name]));
        return passed;
    }
    count++;
    console.log((passed ? "ok " : "not ok ") + count + " - " + name);
    if (!passed) {
        failed++;
        console.error("# failed: " + name + (detail === undefined ? "" : "\n#   " + String(detail).split("\n").join("\n#   ")));
    }
    return passed;
}

export function is(got, want, name) {
    const a = JSON.stringify(got), b = JSON.stringify(want);

    return ok(a === b, name, "got:  " + a + "\nwant: " + b);
}

// Runs checks that are expected to fail, and gives the names of those that did.
export async function failures_of(work) {
    hidden = [];
    try {
        await work();
    } catch (error) {
        hidden.push("died: " + error.message);
    }
    const out = hidden;
    hidden = null;
    return out;
}

export function done() {
    console.log("1.." + count);
    process.exitCode = failed ? 1 : 0;
}
