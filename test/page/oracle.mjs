// What a page must show, from its data alone, as doc/page.md says it and the dumbest way. Nothing of the page's own scripts is used.

// The decisions of one path: "3(40)1" is [3, 40, 1].
const decisions = (way) => (way.match(/\(\d+\)|[0-9a-z]/g) || []).map((one) => one[0] === "(" ? Number(one.slice(1, -1)) : parseInt(one, 36));

// Blocks in order, and edges as their numbers in the function's list. ends: "return", or the block that a cut edge leads to.
export function walk(data, p) {
    const fn = data.functions[data.paths.function[p]], blocks = [], edges = [], rounds = [];
    let at = data.paths.start[p] === -1 ? 0 : data.paths.start[p], end = null;

    for (const part of data.paths.way[p].split("|")) {
        const other = /^(\d+):/.exec(part), left = decisions(other ? part.slice(other[0].length) : part), round = [];

        if (other)
            at = Number(other[1]);
        for (;;) {
            const out = fn.edges.map((edge, e) => ({ edge, e })).filter(({ edge }) => edge[0] === at);

            blocks.push(at);
            round.push(at);
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
        rounds.push({ blocks: round, end });
        if (left.length)
            throw new Error("path " + p + " has decisions left");
    }
    return { fn, blocks, edges, rounds, end };
}

const lines = (fn, b) => fn.blocks[b][1] || [];
const first = (fn, b) => lines(fn, b)[0];
const last = (fn, b) => lines(fn, b)[lines(fn, b).length - 1];
const with_line = (word, line) => line ? word + " " + line : word;
const with_cut = (word, line) => line ? word + " " + line + " (cut)" : word + " a cut";

// Told as `trod report` tells it. Supergraphs and functions without lines have checks of their own.
export function told(data, p) {
    const { fn, blocks, edges, end } = walk(data, p), words = [];
    const start = (b, entry) => entry ? "entry" : fn.edges.some((edge) => edge[1] === b && edge[3] === 1) ? with_line("loop", first(fn, b)) : with_cut("from", first(fn, b));
    const ending = (e, b) => fn.edges[e][3] === 1 ? with_line("again", first(fn, b)) : with_cut("to", first(fn, b));

    words.push(start(blocks[0], data.paths.start[p] === -1));
    blocks.forEach((b, i) => {
        const out = fn.edges.filter((edge) => edge[0] === b), taken = edges[i] === undefined ? -1 : out.indexOf(fn.edges[edges[i]]);

        if (out.length > 1)
            words.push((last(fn, b) ? last(fn, b) + ":" : "") + (out.length === 2 ? "TF"[taken] : taken ? "case" + taken : "default"));
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

// How often each line was begun; see src/flow/flow.h.
export function line_counts(data) {
    const out = new Map();

    for (const fn of data.functions)
        fn.blocks.forEach((block, b) => lines(fn, b).forEach((line, i) => {
            const into = fn.edges.filter((edge) => edge[1] === b && (edge[3] || last(fn, edge[0]) !== line));
            const begun = i ? block[0] : (b === 0 ? fn.entered : 0) + into.reduce((sum, edge) => sum + edge[2], 0);

            out.set(line, (out.get(line) || 0) + begun);
        }));
    return out;
}

export const paths_where = (data, test) => data.paths.way.map((_, p) => p).filter(test);
