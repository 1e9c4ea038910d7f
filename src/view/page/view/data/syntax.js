/* Syntax highlighting of C and C++, line by line; and the width of tabs. */
(function () {
    "use strict";

    const { make } = trod;
    const KEYWORDS = new Set(("alignas alignof asm auto bool break case catch char class co_await co_return co_yield concept const consteval constexpr constinit const_cast continue decltype default delete do double " +
        "dynamic_cast else enum explicit export extern false final float for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register " +
        "reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void " +
        "volatile wchar_t while _Bool _Atomic _Generic _Noreturn _Static_assert size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t ptrdiff_t").split(" "));
    const TOKEN = /(\/\*[^]*?(?:\*\/|$)|\/\/.*)|((?:u8|[uUL])?"(?:[^"\\]|\\.)*(?:"|$)|(?:u8|[uUL])?'(?:[^'\\]|\\.)*(?:'|$))|((?:\b|\.)\d(?:[\w.']|[eEpP][+-])*)|(^\s*#\s*\w+)|([A-Za-z_]\w*)/g;
    const KINDS = ["comment", "string", "number", "directive"];

    /* Is a comment open at the end of the line? */
    const BETWEEN = /\/\*[^]*?(?:\*\/|$)|\/\/.*|"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/g;
    function is_open_behind(text, open) {
        const end = open ? text.indexOf("*/") : -2;

        if (end === -1)
            return true;
        let last = "";
        for (const [token] of text.slice(end + 2).matchAll(BETWEEN))
            last = token;
        return last.startsWith("/*") && !(last.length > 3 && last.endsWith("*/"));
    }

    /* Which lines begin inside a comment; computed once per file. Long files have gaps, after which it is unknown. */
    const GAP = 6;
    const kept = new Map();
    function comments(file) {
        if (!kept.has(file)) {
            const { lines } = trod.data.files[file], out = new Uint8Array(lines.length + 1);
            let empty = 0;

            lines.forEach((text, i) => {
                empty = text ? 0 : empty + 1;
                out[i + 1] = text ? is_open_behind(text, out[i] === 1) ? 1 : 0 : empty < GAP ? out[i] : 0;
            });
            kept.set(file, out);
        }
        return kept.get(file);
    }

    const piece = (kind, text) => make("span", { class: "s-" + kind }, text);

    function tokens(text, out) {
        let at = 0;

        for (const found of text.matchAll(TOKEN)) {
            const kind = found[5] ? KEYWORDS.has(found[5]) ? "keyword" : null : KINDS[found.slice(1, 5).findIndex((one) => one !== undefined)];

            if (!kind)
                continue;
            if (found.index > at)
                out.push(text.slice(at, found.index));
            out.push(piece(kind, found[0]));
            at = found.index + found[0].length;
        }
        if (at < text.length)
            out.push(text.slice(at));
        return out;
    }

    /* The parts of a line, as texts and elements; concatenated they are its text. */
    trod.coloured = (file, line, text) => {
        if (!text || text.length > 2000)
            return [text];
        if (!comments(file)[line - 1])
            return tokens(text, []);
        const end = text.indexOf("*/");
        return end < 0 ? [piece("comment", text)] : tokens(text.slice(end + 2), [piece("comment", text.slice(0, end + 2))]);
    };

    /* If both blanks and tabs indent a file, tabs are eight wide. If only tabs do, they are four wide if lines would be
     * too long with eight.
     */
    const WIDEST = 100, SAMPLE = 20000;
    const widths = new Map();
    trod.tab_width = (file) => {
        if (!widths.has(file))
            widths.set(file, guess((trod.data.files[file].lines || []).slice(0, SAMPLE).filter(Boolean)));
        return widths.get(file);
    };

    function guess(lines) {
        const tabbed = lines.filter((text) => text[0] === "\t"), blank = lines.filter((text) => /^ {2,}[^\s*]/.test(text));

        if (!tabbed.length)
            return lines.some((text) => text.includes("\t")) ? 8 : 4;
        if (blank.length > tabbed.length / 20)
            return 8;
        const long = tabbed.filter((text) => text.replace(/\t/g, "        ").length > WIDEST).length;
        return long > tabbed.length / 50 ? 4 : 8;
    }
})();
