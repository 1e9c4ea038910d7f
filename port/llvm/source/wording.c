#include "llvm/source/condition.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* The source is read as text, only to tell what the program does not say: how labels and parentheses are written. Wherever the
 * text is not what it is taken for, it says nothing: macros, conditional lines, a file that is another by now.
 */

/* --- files ---------------------------------------------------------------------------------------------- */

/* The file that was read last. */
static struct {
    struct trod_arena mem;
    bool open;
    LLVMMetadataRef file;
    const char *bytes;
    size_t length;
    size_t *line; /* where each begins */
    uint32_t nline;
} text;

static void out_of_memory(void *ctx)
{
    (void)ctx;
    abort();
}

void trod_wording_close(void)
{
    if (text.open)
        trod_arena_free(&text.mem);
    text.open = false;
    text.file = NULL;
}

static bool read_file(LLVMMetadataRef file)
{
    unsigned length = 0, nfolder = 0;
    const char *name = LLVMDIFileGetFilename(file, &length);
    const char *folder = LLVMDIFileGetDirectory(file, &nfolder);
    struct trod_string path;
    struct trod_err err;
    uint32_t room = 0;
    char *bytes;

    trod_wording_close();
    trod_arena_init(&text.mem, out_of_memory, NULL);
    text.open = true;
    text.file = file;
    text.bytes = NULL;
    text.length = 0;
    text.line = NULL;
    text.nline = 0;
    trod_string_init(&path, &text.mem);
    if (length && *name != '/' && nfolder)
        trod_put(&path.sink, "%.*s/", (int)nfolder, folder);
    trod_put(&path.sink, "%.*s", (int)length, name);
    if (!length ||
        !trod_llvm_read_bytes(&bytes, &text.length, path.text, &text.mem, &err))
        return false;
    text.bytes = bytes;
    for (size_t i = 0; i < text.length; i++)
        if (!i || bytes[i - 1] == '\n') {
            trod_reserve(&text.mem, text.line, text.nline, room);
            text.line[text.nline++] = i;
        }
    return true;
}

/* What is written at a place; NULL: not known. */
static const char *at_place(LLVMMetadataRef file, uint32_t line, uint32_t column)
{
    size_t at;

    if (!file || !line || !column)
        return NULL;
    if (file != text.file)
        read_file(file);
    if (!text.bytes || line > text.nline)
        return NULL;
    at = text.line[line - 1] + column - 1;
    return at < (line < text.nline ? text.line[line] : text.length) ? text.bytes + at
                                                                    : NULL;
}

/* --- tokens ----------------------------------------------------------------------------------------------- */

struct scan {
    const char *at, *end;
    const char *token; /* the last one */
    size_t length;
};

static bool starts(const struct scan *s, const char *word)
{
    size_t n = strlen(word);

    return (size_t)(s->end - s->at) >= n && memcmp(s->at, word, n) == 0;
}

static bool begins_line(const struct scan *s)
{
    const char *p = s->at;

    while (p > text.bytes && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == text.bytes || p[-1] == '\n';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static void skip_blanks(struct scan *s)
{
    while (s->at < s->end) {
        if (starts(s, "//")) {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        } else if (starts(s, "/*")) {
            s->at += 2;
            while (s->at < s->end && !starts(s, "*/"))
                s->at++;
            s->at += s->at < s->end ? 2 : 0;
        } else if (isspace((unsigned char)*s->at) || starts(s, "\\\n")) {
            s->at++;
        } else {
            return;
        }
    }
}

/* A word, a literal, or a mark of one character. False: the end, a directive, or what is not understood. */
static bool next(struct scan *s)
{
    char c;

    skip_blanks(s);
    if (s->at >= s->end || (*s->at == '#' && begins_line(s)) || starts(s, "R\""))
        return false;
    s->token = s->at;
    c = *s->at++;
    if (c == '"' || c == '\'') {
        while (s->at < s->end && *s->at != c && *s->at != '\n')
            s->at += *s->at == '\\' ? 2 : 1;
        if (s->at >= s->end || *s->at != c)
            return false;
        s->at++;
    } else if (is_word(c)) {
        bool number = isdigit((unsigned char)c);

        while (s->at < s->end && (is_word(*s->at) || (number && *s->at == '\'')))
            s->at++;
    } else if (c == '.' && starts(s, "..")) {
        s->at += 2;
    } else if (c == ':' && starts(s, ":")) {
        s->at++;
    }
    s->length = (size_t)(s->at - s->token);
    return true;
}

static bool is(const struct scan *s, const char *word)
{
    return s->length == strlen(word) && memcmp(s->token, word, s->length) == 0;
}

/* Behind an opening mark: to behind the one that closes it. */
static bool skip_to(struct scan *s, char opens, char closes)
{
    unsigned depth = 1;

    while (depth && next(s)) {
        if (s->length == 1 && *s->token == opens)
            depth++;
        else if (s->length == 1 && *s->token == closes)
            depth--;
    }
    return !depth;
}

/* --- parentheses -------------------------------------------------------------------------------------------- */

static bool is_operator(const char *at, enum trod_operator is)
{
    const struct scan s = {.at = at, .end = text.bytes + text.length};

    return at && (is == TROD_JOINS_AND ? starts(&s, "&&") || starts(&s, "and")
                                       : starts(&s, "||") || starts(&s, "or"));
}

bool trod_wording_between(
    int *open, const struct trod_leaf *from, const struct trod_leaf *to)
{
    const char *first = at_place(from->file, from->own_line, from->own_column);
    const char *last = from->file == to->file
                           ? at_place(to->file, to->own_line, to->own_column)
                           : NULL;
    struct scan s = {.at = first ? first + 2 : NULL, .end = last};

    if (!is_operator(first, to->before) || !is_operator(last, to[1].before) ||
        last <= first)
        return false;
    *open = 0;
    while (next(&s)) {
        *open += is(&s, "(");
        *open -= is(&s, ")");
    }
    skip_blanks(&s);
    return s.at >= s.end;
}

/* --- labels --------------------------------------------------------------------------------------------------- */

enum { MOST_LABEL = 48, MOST_RANGE = 64 };

/* A label, and its value where that is a plain number or character. */
struct written {
    const char *text;
    int64_t low, high;
    bool known, range;
};

struct labels {
    struct written *label;
    uint32_t n, room;
    struct trod_arena *mem;
};

/* A number or a character, with a sign perhaps. */
static bool read_literal(int64_t *out, const char *from, const char *to)
{
    static const char escape[] = "n\nt\tr\r0\0a\ab\bf\fv\v\\\\''\"\"?\?";
    bool minus = false;
    char copy[32], *end;

    while (from < to && (isspace((unsigned char)*from) || *from == '-')) {
        minus ^= *from == '-';
        from++;
    }
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    if (to - from == 3 && *from == '\'' && to[-1] == '\'') {
        *out = (unsigned char)from[1];
        return !minus && !(from[1] & 0x80);
    }
    if (to - from == 4 && *from == '\'' && from[1] == '\\' && to[-1] == '\'') {
        for (size_t i = 0; i + 1 < sizeof escape - 1; i += 2)
            if (escape[i] == from[2]) {
                *out = (unsigned char)escape[i + 1];
                return !minus;
            }
        return false;
    }
    if (to == from || (size_t)(to - from) >= sizeof copy ||
        !isdigit((unsigned char)*from))
        return false;
    memcpy(copy, from, (size_t)(to - from));
    copy[to - from] = '\0';
    *out = (int64_t)strtoull(copy, &end, 0);
    if (minus)
        *out = -*out;
    return *end == '\0';
}

/* As it is written, on one line, and not longer than fits. */
static const char *copy_label(const char *from, const char *to, struct trod_arena *mem)
{
    struct trod_string out;
    bool blank = false;

    trod_string_init(&out, mem);
    trod_put(&out.sink, "case ");
    for (; from < to && out.length < MOST_LABEL; from++) {
        if (isspace((unsigned char)*from)) {
            blank = true;
            continue;
        }
        if ((unsigned char)*from < ' ' || *from == 0x7f)
            return NULL;
        trod_put(&out.sink, "%s%c", blank && out.length > 5 ? " " : "", *from);
        blank = false;
    }
    if (from < to)
        trod_put(&out.sink, "...");
    return out.text;
}

/* Behind `case`. */
static bool read_label(struct scan *s, struct labels *out)
{
    struct written made = {.text = NULL};
    const char *from = s->at, *middle = NULL;
    unsigned asked = 0;

    for (;;) {
        if (!next(s))
            return false;
        if (is(s, "(") && !skip_to(s, '(', ')'))
            return false;
        asked += is(s, "?");
        if (is(s, "..."))
            middle = s->token;
        if (is(s, ":") && !asked--)
            break;
        if (is(s, ":"))
            continue;
        if (is(s, ";") || is(s, "{") || is(s, "}") || is(s, "case"))
            return false;
    }
    made.text = copy_label(from, s->token, out->mem);
    made.range = middle;
    if (middle)
        made.known = read_literal(&made.low, from, middle) &&
                     read_literal(&made.high, middle + 3, s->token);
    else
        made.known = read_literal(&made.low, from, s->token);
    if (!middle)
        made.high = made.low;
    if (!made.text || (made.range && !made.known))
        return false;
    trod_reserve(out->mem, out->label, out->n, out->room);
    out->label[out->n++] = made;
    return true;
}

static bool skip_condition(struct scan *s)
{
    return next(s) && is(s, "(") && skip_to(s, '(', ')') && next(s) && is(s, "{");
}

/* The labels of a switch that are its own. */
static bool read_labels(struct scan *s, struct labels *out)
{
    unsigned depth = 1;

    if (!next(s) || !is(s, "switch") || !skip_condition(s))
        return false;
    while (depth) {
        if (!next(s))
            return false;
        if (is(s, "case")) {
            if (!read_label(s, out))
                return false;
        } else if (is(s, "switch")) {
            if (!skip_condition(s) || !skip_to(s, '{', '}'))
                return false;
        } else {
            depth += is(s, "{");
            depth -= is(s, "}");
        }
    }
    return true;
}

bool trod_wording_cases(
    struct trod_cases *out, LLVMValueRef instruction, struct trod_arena *mem)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    LLVMMetadataRef file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
    const char *from =
        at ? at_place(file, LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at))
           : NULL;
    unsigned ncase = LLVMGetNumSuccessors(instruction) - 1, n = 0;
    struct scan s = {.at = from, .end = text.bytes + text.length};
    struct labels labels = {.mem = mem};
    struct trod_label *label;

    if (!from || !read_labels(&s, &labels))
        return false;
    label = trod_new(mem, struct trod_label, ncase);
    for (uint32_t i = 0; i < labels.n; i++) {
        const struct written *w = &labels.label[i];
        uint64_t count = w->range ? (uint64_t)w->high - (uint64_t)w->low + 1 : 1;

        if (w->range && (w->low > w->high || count > MOST_RANGE))
            continue; /* clang compares instead */
        for (uint64_t k = 0; k < count; k++) {
            int64_t value;

            if (n == ncase)
                return false;
            value = LLVMConstIntGetSExtValue(LLVMGetOperand(instruction, 2 * (n + 1)));
            if (w->known && (uint32_t)value != (uint32_t)(w->low + (int64_t)k))
                return false;
            label[n++] = (struct trod_label){value, w->text};
        }
    }
    if (n != ncase)
        return false;
    out->label = label;
    out->nlabel = n;
    return true;
}
