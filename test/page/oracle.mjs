// What a page must show, from its data alone, as doc/everyday/page.md says it and the dumbest way. Nothing of the page's own scripts is used.

// The decisions of one path: "3(40)1" is [3, 40, 1].
const decisions = (way) => (way.match(/\(\d+\)|[0-9a-z]/g) || []).map((one) => one[0] === "(" ? Number(one.slice(1, -1)) : parseInt(one, 36));

// Blocks in order, and edges as their numbers in the function's list. ends: "return", or the block that a cut edge leads to.
export function walk(data, p) {
    const fn = data.functions[data.paths.function[p]], blocks = [], edges = [], iterations = [];
    let at = data.paths.start[p] === -1 ? 0 : data.paths.start[p], end = null;

    for (const part of data.paths.way[p].split("|")) {
        const other = /^(\d+):/.exec(part), left = decisions(other ? part.slice(other[0].length) : part), iteration = [];

        if (other)
            at = Number(other[1]);
        for (;;) {
            const out = fn.edges.map((edge, e) => ({ edge, e })).filter(({ edge }) => edge[0] === at);

            blocks.push(at);
            iteration.push(at);
            if (!out.length) {
                end = "return";
                break;
            }
            const { edge, e } = out.length === 1 ? out[0] : out[left.shift()];
            edges.push(e);
            end = edge[1];
            at = edge[1];
            if (edge[3])
                break;
        }
        iterations.push({ blocks: iteration, end });
        if (left.length)
            throw new Error("path " + p + " has decisions left");
    }
    return { fn, blocks, edges, iterations, end };
}

const lines = (fn, b) => fn.blocks[b][1] || [];
const first = (fn, b) => lines(fn, b)[0];
const last = (fn, b) => lines(fn, b)[lines(fn, b).length - 1];
const decision = (fn, b) => (fn.decisions || []).find((one) => one[0] === b);
const with_line = (word, line) => line ? word + " " + line : word;
const with_cut = (word, line) => line ? word + " " + line + " (cut)" : word + " a cut";

// The text of a path as `trod report` prints it. Supergraphs and functions without lines have their own checks.
export function path_wording(data, p) {
    const { fn, blocks, edges, end } = walk(data, p), words = [];
    const start = (b, entry) => entry ? "entry" : fn.edges.some((edge) => edge[1] === b && edge[3] === 1) ? with_line("loop", first(fn, b)) : with_cut("from", first(fn, b));
    const ending = (e, b) => fn.edges[e][3] === 1 ? with_line("again", first(fn, b)) : with_cut("to", first(fn, b));

    words.push(start(blocks[0], data.paths.start[p] === -1));
    blocks.forEach((b, i) => {
        const out = fn.edges.filter((edge) => edge[0] === b), taken = edges[i] === undefined ? -1 : out.indexOf(fn.edges[edges[i]]);

        if (out.length > 1)
            words.push((decision(fn, b) ? decision(fn, b)[1] : last(fn, b)) + ":" + (decision(fn, b) ? decision(fn, b)[2 + taken] : "way" + (taken + 1)));
        if (taken >= 0 && fn.edges[edges[i]][3] && i + 1 < blocks.length)
            words.push("then " + start(blocks[i + 1], false));
    });
    words.push(end === "return" ? with_line("return", last(fn, blocks[blocks.length - 1])) : ending(edges[edges.length - 1], end));
    return words.join(" ");
}

export const lit_lines = (data, p) => {
    const { fn, blocks } = walk(data, p);

    return [...new Set(blocks.flatMap((b) => lines(fn, b)))].sort((a, b) => a - b);
};

// How often each line ran, as the data have it.
export const line_counts = (data) => new Map(data.files[0].rows.line.map((line, i) => [line, data.files[0].rows.count[i]]));

// What is written where a block decides, and what came of it.
export function decided(data, p) {
    const { fn, blocks, edges } = walk(data, p);

    return blocks.flatMap((b, i) => {
        const at = (fn.decisions || []).findIndex((one) => one[0] === b);

        if (at < 0 || edges[i] === undefined)
            return [];
        const [, line, ...ways] = fn.decisions[at], taken = edges[i] - fn.edges.findIndex((edge) => edge[0] === b), way = ways[taken];
        const deciding = fn.blocks.map((_, one) => one).filter((one) => fn.edges.filter((edge) => edge[0] === one).length > 1);
        return [[line, fn.conditions[deciding.indexOf(b)], { T: "true", F: "false" }[way] || way]];
    });
}

export const paths_where = (data, test) => data.paths.way.map((_, p) => p).filter(test);
