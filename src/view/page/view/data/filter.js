/* Selects and sorts the paths to show. Cheap conditions are columns. Search and "goes through" walk each path, so the
 * work is done in slices, and a new query cancels the previous one. Partial results are not shown: the list changes
 * when all are known.
 */
(function () {
    "use strict";

    /* Conditions, cheapest first. Each returns a predicate of paths, or null if it does not apply. */
    const conditions = [
        (s) => s.only ? null : in_scope(s),
        (s) => s.flags ? (p) => (trod.data.paths.flags[p] & s.flags) !== 0 : null,
        (s) => s.sure >= 0 ? (p) => trod.data.paths.confidence[p] === s.sure : null,
        (s) => s.block ? through_blocks([own_block(s.block)]) : null,
        (s) => s.line ? through_blocks(trod.blocks_on_line(...trod.pair(s.line))) : null,
        (s) => s.q.trim() ? has_words(s.q) : null,
    ];

    function in_scope(state) {
        const scope = trod.scope(state);

        return scope && ((p) => scope[trod.data.paths.of[p]] === 1);
    }

    function own_block(text) {
        const [f, b] = trod.pair(text);

        return [f, new Set([b])];
    }

    function through_blocks(list) {
        const of = new Map(list);

        return (p) => {
            const blocks = of.get(trod.data.paths.of[p]);

            if (!blocks)
                return false;
            const w = trod.walk(p);
            for (let i = 0; i < w.n; i++)
                if (blocks.has(w.block[i]))
                    return true;
            return false;
        };
    }

    /* Each word must occur in the function's name or in the text of the path; case is ignored. */
    function has_words(text) {
        const words = text.trim().toLowerCase().split(/\s+/);
        const names = trod.data.functions.map((fn) => fn.name.toLowerCase());

        return (p) => {
            const name = names[trod.data.paths.of[p]];
            const left = words.filter((word) => !name.includes(word));

            if (!left.length)
                return true;
            const wording = trod.path_wording(p).toLowerCase();
            return left.every((word) => wording.includes(word));
        };
    }

    /* --- order ------------------------------------------------------------------------------------------- */

    const change = (p) => trod.data.paths.count[p] - trod.data.paths.old[p];

    /* The sort key of a column. The largest come first, except for names. */
    const keys = {
        count: (p) => trod.data.paths.count[p],
        weight: (p) => trod.data.paths.weight[p],
        length: trod.length_of,
        old: (p) => trod.data.paths.old ? trod.data.paths.old[p] : 0,
        change: (p) => trod.data.paths.old ? Math.abs(change(p)) : 0,
        sure: (p) => trod.data.paths.confidence ? trod.data.confidence[trod.data.paths.confidence[p]].degree : 0,
    };

    /* Ranks of functions by name: strings are compared once per function, not once per path. */
    function name_ranks() {
        const order = trod.data.functions.map((_, i) => i);
        const rank = new Int32Array(order.length);

        order.sort((a, b) => trod.data.functions[a].name < trod.data.functions[b].name ? 1 : -1);
        order.forEach((f, i) => { rank[f] = i; });
        return (p) => rank[trod.data.paths.of[p]];
    }

    /* Radix sort with four digits of 16 bits, in linear time; nonnegative doubles are in the order of their bits. The
     * sort is stable, and the order of each column is cached.
     */
    function by_digits(key, most) {
        const n = key.length, digits = new Uint16Array(key.buffer), place = new Uint32Array(65537);
        let from = new Uint32Array(n).map((_, p) => p), to = new Uint32Array(n);

        for (let digit = 0; digit < 4; digit++) {
            const flip = most ? 65535 : 0;

            place.fill(0);
            for (let p = 0; p < n; p++)
                place[(digits[4 * p + digit] ^ flip) + 1]++;
            if (place.includes(n))
                continue;
            for (let d = 0; d < 65536; d++)
                place[d + 1] += place[d];
            for (const p of from)
                to[place[digits[4 * p + digit] ^ flip]++] = p;
            [from, to] = [to, from];
        }
        return from;
    }

    const orders = new Map();
    function order_by(sort, word, key) {
        if (!orders.has(sort)) {
            const of = new Float64Array(trod.data.paths.n);

            for (let p = 0; p < of.length; p++)
                of[p] = key(p);
            orders.set(sort, by_digits(of, word === sort));
        }
        return orders.get(sort);
    }

    function sorted(list, sort) {
        const least = sort.startsWith("-"), word = least ? sort.slice(1) : sort;
        const key = word === "function" ? name_ranks() : keys[word];

        if (!key)
            return list;
        const is_in = new Uint8Array(trod.data.paths.n);
        for (const p of list)
            is_in[p] = 1;
        return order_by(sort, word, key).filter((p) => is_in[p]);
    }

    /* --- the list ---------------------------------------------------------------------------------------- */

    let stop = null;

    /* Calls `done` with the indices of paths, now or later. */
    trod.filter = (state, done) => {
        const { paths } = trod.data;
        const all = state.only ? trod.paths_of(state.f) : paths.n;
        const n = state.only ? all.length : all, out = new Int32Array(n);
        const wanted = conditions.map((condition) => condition(state)).filter(Boolean);
        let i = 0, found = 0;

        if (stop)
            stop();
        const step = () => {
            for (const end = Math.min(n, i + 200); i < end; i++) {
                const p = state.only ? all[i] : i;

                if (wanted.every((condition) => condition(p)))
                    out[found++] = p;
            }
            return i < n;
        };
        stop = trod.slices(step, () => done(sorted(out.subarray(0, found), state.sort)));
    };

    /* Prepare the texts of paths for searching while idle. */
    trod.tell_ahead = () => {
        let p = 0;

        const some = (deadline) => {
            do {
                for (const end = Math.min(trod.data.paths.n, p + 100); p < end; p++)
                    trod.path_wording(p);
            } while (p < trod.data.paths.n && deadline && deadline.timeRemaining && deadline.timeRemaining() > 4);
            if (p < trod.data.paths.n)
                trod.idle(some);
        };
        trod.idle(some);
    };
})();
