// What is written where something is decided: conditions of many shapes, found from the place that debug information has.
import { open } from "./open.mjs";
import { generate } from "./browser.mjs";
import { is } from "./tap.mjs";

// A source, with "§" where the compiler says that the decision is, and the condition.
const SHAPES = [
    ["if (a §< b)", "a < b"], ["if (a < b && §ok)", "ok"], ["if (§ok && a < b)", "ok"], ["while ((c §== ' ' || c == 9) && n)", "c == ' '"], ["if (!§ok)", "!ok"], ["if (!(a §> 3))", "!(a > 3)"], ["if (!(§a && b))", "a"],
    ["if (peek(r, (x)) §!= ')')", "peek(r, (x)) != ')'"], ["if (§call(a, b == c))", "call(a, b == c)"], ["x = a §< b ? c : d;", "a < b"], ["return §p ? p->n : 0;", "p"], ["for (int i = 0; i §< n; i++)", "i < n"], ["§for (a; b < c; d)", "b < c"],
    ["§while (a && (b || c))", "a && (b || c)"], ["§switch (kind(x)) {", "kind(x)"], ["if (strcmp(s, \"a) && b\") §== 0)", "strcmp(s, \"a) && b\") == 0"], ["if (a /* (b && */ §== c)", "a == c"], ["if ((p = next(q)) §!= NULL)", "(p = next(q)) != NULL"],
    ["if (a) §check(b);", "check(b)"], ["if (f(a)[1] §> 2 && x)", "f(a)[1] > 2"], ["} else if (c §< 0x20) {", "c < 0x20"], ["if (std::§find(a, b) != c)", "std::find(a, b) != c"], ["do x(); while (--n §> 0);", "--n > 0"], ["ok = ok && a[i] §== '\\'';", "a[i] == '\\''"],
    ["if (a <\n    §b + 1 &&\n    c)", "a < b + 1"], ["EACH(§i, n) { }", "i"], ["assert(n §> 0 && \"yes\");", "n > 0"], ["if (x ? y : §z)", "z"], ["case 3: if (§q) break;", "q"], ["", ""], ["if (v §", "v"], ["/* a\n * b's (\n * c\n * d\n * e */\nif (f §< 2)", "f < 2"], ["// it's (\nif (f §> 2)", "f > 2"],
];

function made() {
    const data = JSON.parse(generate("--seed=99", "--paths=10", "--functions=1")), lines = [], decisions = [], columns = [];

    for (const [b, [text]] of SHAPES.entries()) {
        const at = text.indexOf("§"), above = text.slice(0, Math.max(0, at)).split("\n");

        decisions.push([b, lines.length + above.length, "T", "F"]);
        columns.push(at < 0 ? 0 : above.pop().length + 1);
        lines.push(...text.replace("§", "").split("\n"), ";");
    }
    const n = SHAPES.length, fn = { ...data.functions[0], blocks: Array.from({ length: n + 1 }, () => [1, [1]]), edges: Array.from({ length: n }, (_, b) => [[b, b + 1, 1], [b, n, 0]]).flat(), decisions, columns, layout: null };
    return { ...data, files: [{ ...data.files[0], lines }], functions: [fn], paths: { function: [0], id: [0], count: [1], weight: [1], start: [-1], way: ["0".repeat(n)] } };
}

export async function check_shapes(page) {
    const found = await page.evaluate((n) => Array.from({ length: n }, (_, b) => trod.condition(trod.graph_of(0), b)), SHAPES.length);

    for (const [b, [text, want]] of SHAPES.entries())
        is(found[b], want, "condition of: " + text.replace(/\n/g, "↵"));
}

export async function check_conditions(context, folder) {
    const { page, close } = await open(context, folder, "conditions", made());

    await check_shapes(page);
    await close();
}
export { made as shapes };
