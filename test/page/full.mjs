#!/usr/bin/env node
// The page in a real browser, all of it: prints TAP. Run by `test/run --full`; test/page/smoke.t is what `make test` runs.
//
//     node test/page/full.mjs [WORD...]     only checks whose name has one of the words
import { with_browser } from "./browser.mjs";
import { done, ok } from "./tap.mjs";
import { check_paths } from "./check_paths.mjs";
import { check_filters } from "./check_filters.mjs";
import { check_keys } from "./check_keys.mjs";
import { check_looks } from "./check_looks.mjs";
import { check_kinds } from "./check_kinds.mjs";
import { check_lens } from "./check_lens.mjs";
import { check_conditions } from "./check_conditions.mjs";
import { check_files } from "./check_files.mjs";
import { check_use } from "./check_use.mjs";
import { check_compare } from "./check_compare.mjs";
import { check_known } from "./check_known.mjs";
import { check_large } from "./check_large.mjs";
import { check_real } from "./check_real.mjs";
import { check_planted } from "./check_planted.mjs";

const checks = { paths: check_paths, filters: check_filters, keys: check_keys, lens: check_lens, conditions: check_conditions, files: check_files, use: check_use, compare: check_compare, looks: check_looks, kinds: check_kinds, known: check_known, real: check_real, planted: check_planted, large: check_large };
const words = process.argv.slice(2);

await with_browser(async (context, folder) => {
    for (const [name, check] of Object.entries(checks)) {
        if (words.length && !words.some((word) => name.includes(word)))
            continue;
        try {
            await check(context, folder);
        } catch (error) {
            ok(false, name + ": came to its end", error.stack);
        }
    }
});
done();
