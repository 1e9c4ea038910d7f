#include "llvm/source/source_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Maximum depth of includes, depth of #if, total bytes read, depth of expressions and macro expansions. */
enum { MOST_INCLUDES = 8, MOST_IFS = 64, MOST_BYTES = 64 << 20, MOST_DEEP = 32 };

struct enumerator {
    int64_t value;
    bool doubtful; /* enumerators with this name have different values */
};

/* Macros of the file that was read last and its includes; enumerators of the module. */
static struct {
    struct trod_arena mem;
    bool open, has_macros;
    LLVMModuleRef module;
    struct trod_names macro_names, enumerator_names, files;
    struct trod_macro *macro;
    uint32_t room_macro;
    struct enumerator *enumerator;
    uint32_t room_enumerator;
    size_t bytes;
} known;

static void out_of_memory(void *ctx)
{
    (void)ctx;
    abort();
}

static void open_known(void)
{
    if (known.open)
        return;
    trod_arena_init(&known.mem, out_of_memory, NULL);
    known.open = true;
    trod_names_init(&known.macro_names, &known.mem);
    trod_names_init(&known.enumerator_names, &known.mem);
    trod_names_init(&known.files, &known.mem);
}

void trod_macros_close(void)
{
    if (known.open)
        trod_arena_free(&known.mem);
    memset(&known, 0, sizeof known);
}

/* --- macros -------------------------------------------------------------------------------------- */

static bool same_text(
    const char *a, const char *a_end, const char *b, const char *b_end)
{
    return a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

static void add_macro(const char *name, const struct trod_macro *made)
{
    uint32_t before = known.macro_names.count;
    uint32_t i = trod_names_add(&known.macro_names, name);
    struct trod_macro *old;

    if (i == before) {
        while (known.room_macro <= i)
            trod_reserve(&known.mem, known.macro, known.room_macro, known.room_macro);
        known.macro[i] = *made;
        return;
    }
    old = &known.macro[i];
    old->doubtful |= made->doubtful || old->function != made->function ||
                     !same_text(old->from, old->to, made->from, made->to) ||
                     !same_text(old->names, old->end, made->names, made->end);
}

/* Reads what follows `#define` or `#undef`. Inside of conditional lines the definition is doubtful. */
static void read_macro(struct trod_scan *s, bool doubtful)
{
    struct trod_macro made = {.doubtful = doubtful};
    const char *name;

    if (!trod_scan_next(s) || !trod_scan_is_word(*s->token))
        return;
    name = trod_copy_text(&known.mem, s->token, s->length);
    made.names = made.end = made.from = made.to = s->at;
    if (s->at < s->end && *s->at == '(') {
        made.function = true;
        made.names = ++s->at;
        if (!trod_scan_skip(s, '(', ')'))
            return;
        made.end = s->token;
    }
    trod_scan_blanks(s);
    made.from = s->at;
    made.to = s->end;
    while (made.to > made.from && isspace((unsigned char)made.to[-1]))
        made.to--;
    add_macro(name, &made);
}

/* A file being read, and the conditions around the current line. */
struct file {
    const char *path;
    unsigned deep; /* depth of includes */
    unsigned nif;
    bool counts[MOST_IFS]; /* of each #if: it is not an include guard */
    const char *guard;     /* after #ifndef: its name */
    size_t nguard;
    unsigned ncount;
};

static void read_macros(const char *path, unsigned deep);

/* Reads #include "FILE" from the directory of the including file only: other search paths are
 * unknown here. */
static void read_include(struct trod_scan *s, const struct file *f)
{
    const char *folder = strrchr(f->path, '/');
    struct trod_string name;

    if (!trod_scan_next(s) || *s->token != '"' || f->deep == MOST_INCLUDES)
        return;
    trod_string_init(&name, &known.mem);
    if (folder)
        trod_put(&name.sink, "%.*s", (int)(folder + 1 - f->path), f->path);
    trod_put(&name.sink, "%.*s", (int)(s->length - 2), s->token + 1);
    read_macros(name.text, f->deep + 1);
}

static void open_if(struct file *f, struct trod_scan *s)
{
    f->guard = NULL;
    if (trod_scan_is(s, "ifndef") && trod_scan_next(s)) {
        f->guard = s->token;
        f->nguard = s->length;
    }
    if (f->nif < MOST_IFS)
        f->counts[f->nif] = true;
    f->nif++;
    f->ncount++;
}

static void close_if(struct file *f)
{
    if (!f->nif)
        return;
    f->nif--;
    if (f->nif >= MOST_IFS || f->counts[f->nif])
        f->ncount--;
}

/* Does this #define complete an include guard (#ifndef X, #define X)? A guard does not make the
 * header's lines conditional. */
static bool is_guard(const struct file *f, struct trod_scan s)
{
    if (!f->guard || f->nif > MOST_IFS || !trod_scan_next(&s) ||
        !same_text(f->guard, f->guard + f->nguard, s.token, s.at))
        return false;
    trod_scan_blanks(&s);
    return s.at >= s.end;
}

static void read_directive(struct file *f, struct trod_scan s)
{
    s.at++;
    if (!trod_scan_next(&s))
        return;
    if (trod_scan_is(&s, "define") && is_guard(f, s)) {
        f->counts[f->nif - 1] = false;
        f->ncount--;
    } else if (trod_scan_is(&s, "define")) {
        read_macro(&s, f->ncount > 0);
    } else if (trod_scan_is(&s, "undef")) {
        read_macro(&s, true);
    } else if (trod_scan_is(&s, "include")) {
        read_include(&s, f);
    } else if (trod_scan_is(&s, "if") || trod_scan_is(&s, "ifdef") ||
               trod_scan_is(&s, "ifndef")) {
        open_if(f, &s);
        return;
    } else if (trod_scan_is(&s, "endif")) {
        close_if(f);
    }
    f->guard = NULL;
}

static void read_macros(const char *path, unsigned deep)
{
    struct file f = {.path = path, .deep = deep};
    uint32_t before = known.files.count;
    struct trod_err err;
    size_t length;
    char *bytes;

    if (trod_names_add(&known.files, path) != before || known.bytes > MOST_BYTES ||
        !trod_llvm_read_bytes(&bytes, &length, path, &known.mem, &err))
        return;
    known.bytes += length;
    for (size_t i = 0; i < length; i++) {
        struct trod_scan s = {.start = bytes, .at = bytes + i, .end = bytes + length};

        while (s.at < s.end && (*s.at == ' ' || *s.at == '\t'))
            s.at++;
        if (trod_scan_at_directive(&s)) {
            const char *from, *to;

            trod_scan_line(&s, &from, &to);
            read_directive(
                &f, (struct trod_scan){.start = from, .at = from, .end = to});
        }
        while (s.at < s.end && *s.at != '\n')
            s.at++;
        i = (size_t)(s.at - bytes);
    }
}

const struct trod_macro *trod_macro_find(const char *name, size_t length)
{
    uint32_t i;

    open_known();
    if (!known.has_macros) {
        known.has_macros = true;
        if (trod_scan_path())
            read_macros(trod_scan_path(), 0);
    }
    i = trod_names_find(&known.macro_names, trod_copy_text(&known.mem, name, length));
    return i == UINT32_MAX ? NULL : &known.macro[i];
}

/* --- calls of macros -------------------------------------------------------------------------------- */

enum { MOST_PARAMETERS = 8 };

struct piece {
    const char *from, *to;
};

/* Splits at top-level commas and trims blanks. False: there are too many parts. */
static bool split(struct piece *out, unsigned *n, const char *from, const char *to)
{
    struct trod_scan s = {.start = from, .at = from, .end = to};

    *n = 0;
    out[0].from = from;
    while (trod_scan_next(&s)) {
        if (trod_scan_is(&s, "(") && !trod_scan_skip(&s, '(', ')'))
            return false;
        if (!trod_scan_is(&s, ","))
            continue;
        out[(*n)++].to = s.token;
        if (*n == MOST_PARAMETERS)
            return false;
        out[*n].from = s.at;
    }
    out[(*n)++].to = to;
    for (unsigned i = 0; i < *n; i++) {
        while (out[i].from < out[i].to && isspace((unsigned char)*out[i].from))
            out[i].from++;
        while (out[i].to > out[i].from && isspace((unsigned char)out[i].to[-1]))
            out[i].to--;
    }
    return true;
}

const char *trod_macro_expand(const struct trod_macro *macro, const char *from,
    const char *to, struct trod_arena *mem)
{
    struct piece name[MOST_PARAMETERS], given[MOST_PARAMETERS];
    struct trod_scan s = {.start = macro->from, .at = macro->from, .end = macro->to};
    unsigned nname = 0, ngiven = 0;
    struct trod_string out;
    const char *last = NULL;
    bool glued = false;

    if (macro->function && (!split(name, &nname, macro->names, macro->end) ||
                               !split(given, &ngiven, from, to) || nname != ngiven))
        return NULL;
    trod_string_init(&out, mem);
    while (trod_scan_next(&s)) {
        struct piece put = {s.token, s.at};

        if (trod_scan_is(&s, "#")) {
            if (s.at >= s.end || *s.at != '#')
                return NULL; /* stringification is not supported */
            s.at++;
            glued = true;
            continue;
        }
        for (unsigned i = 0; i < nname; i++)
            if (same_text(name[i].from, name[i].to, s.token, s.at))
                put = given[i];
        trod_put(&out.sink, "%s%.*s", last && last != s.token && !glued ? " " : "",
            (int)(put.to - put.from), put.from);
        last = s.at;
        glued = false;
    }
    return s.at >= s.end ? out.text : NULL;
}

/* --- constants ---------------------------------------------------------------------------------------- */

static void take_enumerator(void *ctx, const char *name, size_t length, int64_t value)
{
    uint32_t before = known.enumerator_names.count;
    uint32_t i = trod_names_add(
        &known.enumerator_names, trod_copy_text(&known.mem, name, length));

    (void)ctx;
    while (known.room_enumerator <= i)
        trod_reserve(
            &known.mem, known.enumerator, known.room_enumerator, known.room_enumerator);
    if (i == before)
        known.enumerator[i] = (struct enumerator){value, false};
    else
        known.enumerator[i].doubtful |= known.enumerator[i].value != value;
}

struct reader {
    struct trod_scan s;
    bool more; /* s holds a token that is not consumed yet */
    unsigned deep;
};

static void advance(struct reader *r)
{
    r->more = trod_scan_next(&r->s);
}

static bool read_binary(int64_t *out, struct reader *r, unsigned level);

static bool read_all(int64_t *out, const char *from, const char *to, unsigned deep)
{
    struct reader r = {.s = {.start = from, .at = from, .end = to}, .deep = deep};

    if (deep > MOST_DEEP)
        return false;
    advance(&r);
    return read_binary(out, &r, 0) && !r.more && r.s.at >= r.s.end;
}

static bool read_name(int64_t *out, struct reader *r)
{
    const char *name = r->s.token;
    size_t length = r->s.length;
    const struct trod_macro *macro;
    uint32_t i;

    advance(r);
    while (r->more && trod_scan_is(&r->s, "::")) { /* Colour::red */
        advance(r);
        if (!r->more || !trod_scan_is_word(*r->s.token))
            return false;
        name = r->s.token;
        length = r->s.length;
        advance(r);
    }
    macro = trod_macro_find(name, length);
    if (macro && !same_text(macro->from, macro->to, name, name + length))
        return !macro->doubtful && !macro->function &&
               read_all(out, macro->from, macro->to, r->deep + 1);
    i = trod_names_find(
        &known.enumerator_names, trod_copy_text(&known.mem, name, length));
    if (i == UINT32_MAX || known.enumerator[i].doubtful)
        return false;
    *out = known.enumerator[i].value;
    return true;
}

static bool read_number(int64_t *out, const struct trod_scan *s)
{
    char copy[40], *end;
    size_t n = 0;

    for (size_t i = 0; i < s->length; i++)
        if (s->token[i] != '\'') {
            if (n + 1 == sizeof copy)
                return false;
            copy[n++] = s->token[i];
        }
    copy[n] = '\0';
    if (copy[0] == '0' && (copy[1] == 'b' || copy[1] == 'B'))
        *out = (int64_t)strtoull(copy + 2, &end, 2);
    else
        *out = (int64_t)strtoull(copy, &end, 0);
    return end > copy && strspn(end, "uUlL") == strlen(end);
}

/* A character literal below 128 only: whether others are negative depends on the target. */
static bool read_character(int64_t *out, const struct trod_scan *s)
{
    static const char escape[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"?\?";
    const char *from = s->token + 1;
    size_t n = s->length - 2;
    char copy[8], *end;

    if (n == 1 && !(*from & 0x80)) {
        *out = (unsigned char)*from;
        return true;
    }
    if (n < 2 || *from != '\\' || n > sizeof copy)
        return false;
    for (size_t i = 0; n == 2 && i + 1 < sizeof escape - 1; i += 2)
        if (escape[i] == from[1]) {
            *out = (unsigned char)escape[i + 1];
            return true;
        }
    if (n == 2 && (from[1] == 'e' || from[1] == 'E')) {
        *out = 27;
        return true;
    }
    memcpy(copy, from + 1, n - 1);
    copy[n - 1] = '\0';
    *out = (int64_t)strtoull(copy + (*copy == 'x'), &end, *copy == 'x' ? 16 : 8);
    return end > copy && !*end && *out >= 0 && *out < 0x80;
}

static bool read_unary(int64_t *out, struct reader *r)
{
    const struct trod_scan s = r->s;

    if (!r->more || r->deep > MOST_DEEP)
        return false;
    if (trod_scan_is(&s, "(")) {
        advance(r);
        r->deep++;
        if (!read_binary(out, r, 0) || !r->more || !trod_scan_is(&r->s, ")"))
            return false;
        r->deep--;
        advance(r);
        return true;
    }
    if (isdigit((unsigned char)*s.token) || *s.token == '\'') {
        advance(r);
        return *s.token == '\'' ? read_character(out, &s) : read_number(out, &s);
    }
    if (trod_scan_is_word(*s.token))
        return read_name(out, r);
    if (s.length != 1 || !strchr("-+~", *s.token))
        return false;
    advance(r);
    r->deep++;
    if (!read_unary(out, r))
        return false;
    r->deep--;
    if (*s.token == '-')
        *out = (int64_t)-(uint64_t)*out;
    else if (*s.token == '~')
        *out = ~*out;
    return true;
}

/* Operators by precedence, lowest first. */
static const char *const operators[] = {"|", "^", "&", "<>", "+-", "*"};

static bool join(int64_t *out, char op, int64_t right)
{
    uint64_t x = (uint64_t)*out, y = (uint64_t)right;

    if ((op == '<' || op == '>') && (y > 62 || *out < 0))
        return false;
    *out = (int64_t)(op == '|'   ? x | y
                     : op == '^' ? x ^ y
                     : op == '&' ? x & y
                     : op == '<' ? x << y
                     : op == '>' ? x >> y
                     : op == '+' ? x + y
                     : op == '-' ? x - y
                                 : x * y);
    return true;
}

static bool read_binary(int64_t *out, struct reader *r, unsigned level)
{
    if (level == sizeof operators / sizeof *operators)
        return read_unary(out, r);
    if (!read_binary(out, r, level + 1))
        return false;
    while (r->more && r->s.length == 1 && strchr(operators[level], *r->s.token)) {
        char op = *r->s.token;
        int64_t right;

        advance(r);
        if (op == '<' || op == '>') {
            if (!r->more || r->s.length != 1 || *r->s.token != op)
                return false;
            advance(r);
        }
        if (!read_binary(&right, r, level + 1) || !join(out, op, right))
            return false;
    }
    return true;
}

bool trod_constant_read(
    int64_t *out, LLVMModuleRef module, const char *from, const char *to)
{
    open_known();
    if (known.module != module) {
        known.module = module;
        trod_bridge_each_enumerator(module, take_enumerator, NULL);
    }
    return read_all(out, from, to, 0);
}
