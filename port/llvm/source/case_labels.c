#include "llvm/source/location.h"
#include "llvm/source/source_scan.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Aligns the labels in the source text with the cases of the switch instruction; both are in source
 * order. Conditional lines turn the text into a graph, because at most one branch of an #if is
 * compiled. A case gets a label only if every path through that graph that consumes all cases
 * assigns it the same one. A label with a known value matches only the case with that value. A
 * branch of an #if that contains lines with code of the function was certainly compiled.
 */

/* Maximum characters of a label; values of a range that clang expands to cases; entries of the
 * alignment table; nested #if. */
enum { MOST_LABEL = 48, MOST_RANGE = 64, MOST_TABLE = 1 << 25, MOST_IFS = 32 };

/* A case label as written in the source. */
struct case_label {
    const char *text;
    int64_t low, high;
    bool known, range;
    bool sure; /* every #if around it is known to hold */
};

/* An edge between two points of the text: a label, nothing, or an unknown number of labels. */
enum step_kind { STEP_NOTHING, STEP_LABEL, STEP_ANY };

struct step {
    uint32_t from, to;
    enum step_kind kind;
    uint32_t label;
    bool never;
};

/* An #if with its branches, up to #endif. */
struct group {
    uint32_t start, end;   /* points */
    uint32_t first_branch; /* step that begins its first branch */
    uint32_t
        proven; /* step that begins the branch known to be compiled; TROD_NO_BLOCK: unknown */
    uint32_t branch;      /* step that begins the current branch */
    uint32_t first_label; /* of the current branch */
    const char *from;     /* where the current branch begins */
    bool closed;          /* it has an #else, or a branch that is always compiled */
    unsigned depth, nested;
};

struct reader {
    struct trod_scan s;
    LLVMModuleRef module;
    struct trod_arena *mem;
    struct case_label *label;
    uint32_t nlabel, room_label;
    struct step *step; /* in topological order of the points */
    uint32_t nstep, room_step;
    uint32_t at, npoint;
    struct group group[MOST_IFS];
    unsigned ngroup;
    unsigned depth;            /* of braces */
    unsigned nested[MOST_IFS]; /* brace depth of each switch nested in this one */
    unsigned nnested;
    uint32_t chain;  /* first of the adjacent labels that have no step yet */
    uint64_t *lines; /* bitmap: lines with code of the function */
    uint32_t nline;
};

/* --- labels ------------------------------------------------------------------------------------- */

/* The label on one line, without comments, truncated to MOST_LABEL characters. */
static const char *copy_label(const char *from, const char *to, struct trod_arena *mem)
{
    struct trod_scan s = {.start = from, .at = from, .end = to};
    struct trod_string out;
    const char *last = NULL;

    trod_string_init(&out, mem);
    trod_put(&out.sink, "case ");
    while (trod_scan_next(&s)) {
        if (out.length + s.length > MOST_LABEL) {
            trod_put(&out.sink, "%.*s...", (int)(MOST_LABEL - out.length), s.token);
            return out.text;
        }
        for (size_t i = 0; i < s.length; i++)
            if ((unsigned char)s.token[i] < ' ' || s.token[i] == 0x7f)
                return NULL;
        trod_put(&out.sink, "%s%.*s", last && last != s.token ? " " : "", (int)s.length,
            s.token);
        last = s.at;
    }
    return s.at >= s.end ? out.text : NULL;
}

static void add_step(
    struct reader *r, uint32_t from, uint32_t to, enum step_kind kind, uint32_t label)
{
    trod_reserve(r->mem, r->step, r->nstep, r->room_step);
    r->step[r->nstep++] =
        (struct step){.from = from, .to = to, .kind = kind, .label = label};
}

/* Clang adds the cases of a range after it has emitted the statement that the range labels,
 * including other labels there. So ranges come last, in reverse order. */
static void put_chain(struct reader *r)
{
    uint32_t n = r->nlabel;

    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t k = 0; k < n - r->chain; k++) {
            uint32_t i = pass ? n - 1 - k : r->chain + k;

            if (r->label[i].range != (pass == 1))
                continue;
            add_step(r, r->at, r->npoint, STEP_LABEL, i);
            r->at = r->npoint++;
        }
    r->chain = n;
}

/* An unknown number of labels may be here, from an #include or a macro. */
static void add_any(struct reader *r)
{
    put_chain(r);
    add_step(r, r->at, r->npoint, STEP_ANY, 0);
    r->at = r->npoint++;
}

/* Reads the label after `case`. */
static bool read_label(struct reader *r, struct trod_scan *s)
{
    struct case_label made = {.sure = true};
    const char *from = s->at, *middle = NULL;
    unsigned asked = 0;

    for (;;) {
        if (!trod_scan_next(s))
            return false;
        if (trod_scan_is(s, "(") && !trod_scan_skip(s, '(', ')'))
            return false;
        asked += trod_scan_is(s, "?");
        if (trod_scan_is(s, "..."))
            middle = s->token;
        if (trod_scan_is(s, ":") && !asked--)
            break;
        if (trod_scan_is(s, ";") || trod_scan_is(s, "{") || trod_scan_is(s, "}") ||
            trod_scan_is(s, "case"))
            return false;
    }
    made.text = copy_label(from, s->token, r->mem);
    made.range = middle;
    made.known =
        trod_constant_read(&made.low, r->module, from, middle ? middle : s->token);
    made.high = made.low;
    if (middle)
        made.known &= trod_constant_read(&made.high, r->module, middle + 3, s->token);
    if (!made.text)
        return false;
    trod_reserve(r->mem, r->label, r->nlabel, r->room_label);
    r->label[r->nlabel++] = made;
    return true;
}

/* --- conditional lines ---------------------------------------------------------------------------- */

static bool has_code(const struct reader *r, const char *from, const char *to)
{
    uint32_t last = trod_scan_line_of(to);

    for (uint32_t line = trod_scan_line_of(from) + 1; line < last; line++)
        if (line < r->nline && r->lines[line / 64] >> line % 64 & 1)
            return true;
    return false;
}

static void end_branch(struct reader *r, struct group *g)
{
    put_chain(r);
    add_step(r, r->at, g->end, STEP_NOTHING, 0);
    if (has_code(r, g->from, r->s.at))
        g->proven = g->branch;
    if (g->proven != g->branch)
        for (uint32_t i = g->first_label; i < r->nlabel; i++)
            r->label[i].sure = false;
}

/* The value of a constant #if condition, 0 or 1; -1: it is not constant. */
static int constant_value(const char *from, const char *to)
{
    struct trod_scan s = {.start = from, .at = from, .end = to};
    int value =
        trod_scan_next(&s) && s.length == 1 && (*s.token == '0' || *s.token == '1')
            ? *s.token - '0'
            : -1;

    trod_scan_blanks(&s);
    return s.at >= s.end ? value : -1;
}

static void begin_branch(struct reader *r, struct group *g, int value, const char *at)
{
    g->branch = r->nstep;
    g->first_label = r->nlabel;
    g->from = at;
    add_step(r, g->start, r->npoint, STEP_NOTHING, 0);
    r->step[g->branch].never = value == 0 || g->closed;
    r->at = r->npoint++;
    g->closed |= value == 1;
    r->depth = g->depth;
    r->nnested = g->nested;
}

static bool open_group(struct reader *r, int value, const char *at)
{
    struct group *g = &r->group[r->ngroup++];

    if (r->ngroup == MOST_IFS)
        return false;
    *g = (struct group){.start = r->at,
        .end = r->npoint++,
        .proven = TROD_NO_BLOCK,
        .depth = r->depth,
        .nested = r->nnested};
    g->first_branch = r->nstep;
    begin_branch(r, g, value, at);
    return true;
}

static bool close_group(struct reader *r)
{
    struct group *g;

    if (!r->ngroup)
        return false;
    g = &r->group[--r->ngroup];
    end_branch(r, g);
    if (!g->closed)
        add_step(r, g->start, g->end, STEP_NOTHING, 0);
    for (uint32_t i = g->first_branch; g->proven != TROD_NO_BLOCK && i < r->nstep; i++)
        r->step[i].never |= r->step[i].from == g->start && i != g->proven;
    r->at = g->end;
    return true;
}

static bool read_directive(struct reader *r)
{
    struct trod_scan line;
    const char *from, *to;

    put_chain(r);
    trod_scan_line(&r->s, &from, &to);
    line = (struct trod_scan){.start = from, .at = from + 1, .end = to};
    if (!trod_scan_next(&line))
        return true;
    if (trod_scan_is(&line, "if"))
        return open_group(r, constant_value(line.at, to), from);
    if (trod_scan_is(&line, "ifdef") || trod_scan_is(&line, "ifndef"))
        return open_group(r, -1, from);
    if (trod_scan_is(&line, "endif"))
        return close_group(r);
    if (trod_scan_is(&line, "include") || trod_scan_is(&line, "include_next")) {
        add_any(r);
    } else if (line.length > 2 &&
               memcmp(line.token, "el", 2) == 0) { /* else, elif... */
        struct group *g = r->ngroup ? &r->group[r->ngroup - 1] : NULL;

        if (!g)
            return false;
        end_branch(r, g);
        begin_branch(r, g, trod_scan_is(&line, "else") ? 1 : -1, from);
    }
    return true;
}

/* --- reading the text of a switch -------------------------------------------------------------------- */

/* The expansion of the macro call at this token, if it contains `word`; otherwise NULL. */
static const char *macro_text(struct reader *r, const char *word)
{
    const struct trod_macro *macro = trod_macro_find(r->s.token, r->s.length);
    const char *from, *text;

    if (!macro)
        return NULL;
    if (macro->function) {
        struct trod_scan ahead = r->s;

        if (!trod_scan_next(&ahead) || !trod_scan_is(&ahead, "("))
            return NULL;
        from = ahead.at;
        if (!trod_scan_skip(&ahead, '(', ')'))
            return NULL;
        text = trod_macro_expand(macro, from, ahead.token, r->mem);
        if (!text || !strstr(text, word))
            return NULL;
        r->s = ahead;
    } else {
        text = trod_macro_expand(macro, NULL, NULL, r->mem);
    }
    return text && strstr(text, word) ? text : NULL;
}

/* At `switch`, or at a macro that expands to it and its condition: skips to after the opening brace. */
static bool skip_head(struct reader *r)
{
    const char *text =
        trod_scan_is(&r->s, "switch") ? "switch" : macro_text(r, "switch");

    if (!text || strncmp(text, "switch", 6) != 0)
        return false;
    if (strchr(text, '{'))
        return true;
    if (!strchr(text, '(') && (!trod_scan_next(&r->s) || !trod_scan_is(&r->s, "(") ||
                                  !trod_scan_skip(&r->s, '(', ')')))
        return false;
    return trod_scan_next(&r->s) && trod_scan_is(&r->s, "{");
}

/* Reads the labels in the expansion of a macro. */
static bool read_macro_labels(struct reader *r, const char *text)
{
    struct trod_scan s = {.start = text, .at = text, .end = text + strlen(text)};
    unsigned depth = 0;

    while (trod_scan_next(&s)) {
        if (trod_scan_is(&s, "switch"))
            return false;
        if (trod_scan_is(&s, "case") && !read_label(r, &s))
            return false;
        depth += trod_scan_is(&s, "{");
        depth -= trod_scan_is(&s, "}");
    }
    r->depth += depth;
    return s.at >= s.end;
}

/* Does the colon of the expansion's last label follow the macro call? */
static bool ends_open(const char *text)
{
    const char *last = strrchr(text, ':'), *word = text;

    for (const char *p = strstr(text, "case"); p; p = strstr(p + 1, "case"))
        word = p;
    return !last || last < word;
}

static const char *with_colon(const char *text, struct trod_arena *mem)
{
    struct trod_string out;

    trod_string_init(&out, mem);
    trod_put(&out.sink, "%s:", text);
    return out.text;
}

/* A word that may be a macro. If it is one whose labels cannot be seen, the alignment fails for
 * lack of labels. */
static void read_word(struct reader *r)
{
    const char *text = NULL;

    if (!r->nnested && trod_scan_is_word(*r->s.token) &&
        !isdigit((unsigned char)*r->s.token))
        text = macro_text(r, "case");
    if (text && ends_open(text)) {
        struct trod_scan ahead = r->s;

        if (trod_scan_next(&ahead) && trod_scan_is(&ahead, ":")) {
            text = with_colon(text, r->mem);
            r->s = ahead;
        }
    }
    if (text && !read_macro_labels(r, text))
        add_any(r);
}

static bool read_token(struct reader *r)
{
    struct trod_scan *s = &r->s;

    if (trod_scan_is(s, "case")) {
        struct trod_scan before = *s;

        if (!r->nnested && !read_label(r, s)) {
            *s = before;
            add_any(r);
        }
        return true;
    }
    if (trod_scan_is(s, "default") || trod_scan_is(s, ":"))
        return true;
    if (trod_scan_is(s, "switch")) {
        put_chain(r);
        if (!skip_head(r) || r->nnested == MOST_IFS)
            return false;
        r->nested[r->nnested++] = r->depth++;
        return true;
    }
    if (trod_scan_is(s, "{")) {
        put_chain(r);
        r->depth++;
    } else if (trod_scan_is(s, "}")) {
        put_chain(r);
        r->depth--;
        if (r->nnested && r->nested[r->nnested - 1] == r->depth)
            r->nnested--;
    } else {
        uint32_t n = r->nlabel;

        read_word(r);
        if (r->nlabel == n)
            put_chain(r);
    }
    return true;
}

static bool read_switch(struct reader *r)
{
    if (!trod_scan_next(&r->s) || !skip_head(r))
        return false;
    r->depth = 1;
    while (r->depth) {
        trod_scan_blanks(&r->s);
        if (trod_scan_at_directive(&r->s)) {
            if (!read_directive(r))
                return false;
        } else if (!trod_scan_next(&r->s) || !read_token(r)) {
            return false;
        }
    }
    put_chain(r);
    return !r->ngroup;
}

/* --- alignment --------------------------------------------------------------------------------------- */

struct aligner {
    const struct reader *r;
    uint32_t ncase;
    const int64_t *value;
    unsigned width; /* width of the values, in bits */
    bool *forth,
        *back; /* tables by point and number of cases consumed: reachable from the start; the end is reachable */
    const char **text; /* of each case; NULL: unknown */
    bool *doubtful;    /* of each case: different labels are possible */
};

static bool is_same(const struct aligner *a, int64_t x, int64_t y)
{
    unsigned shift = a->width < 64 ? 64 - a->width : 0;

    return (uint64_t)x << shift == (uint64_t)y << shift;
}

/* Can the label stand for the `n` cases from `at` on? */
static bool fits(
    const struct aligner *a, const struct case_label *w, uint32_t at, uint32_t n)
{
    uint64_t count = w->range ? (uint64_t)w->high - (uint64_t)w->low + 1 : 1;

    if (w->known) {
        if (w->range && (w->low > w->high || count > MOST_RANGE))
            count = 0; /* clang emits comparisons instead of cases */
        if (n != count)
            return false;
    } else if (!w->range && n != 1) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++)
        if (!is_same(a, a->value[at + k], (w->known ? w->low : a->value[at]) + k))
            return false;
    return true;
}

/* Iterates over the numbers of cases, from `at` on, that a step can consume: returns the next one
 * after `n`, or UINT32_MAX at the end. Start with n = UINT32_MAX. */
static uint32_t next_take(
    const struct aligner *a, const struct step *s, uint32_t at, uint32_t n)
{
    uint32_t most = a->ncase - at;

    if (s->never)
        return UINT32_MAX;
    switch (s->kind) {
    case STEP_NOTHING:
        return n == UINT32_MAX ? 0 : UINT32_MAX;
    case STEP_ANY:
        return n + 1 <= most ? n + 1 : UINT32_MAX;
    default:
        for (n++; n <= most && n <= MOST_RANGE; n++)
            if (fits(a, &a->r->label[s->label], at, n))
                return n;
        return UINT32_MAX;
    }
}

static void find_ways(struct aligner *a)
{
    const struct reader *r = a->r;
    size_t wide = a->ncase + 1;

    a->forth[0] = true;
    a->back[r->at * wide + a->ncase] = true;
    for (uint32_t i = 0; i < r->nstep; i++)
        for (uint32_t at = 0; at <= a->ncase; at++)
            if (a->forth[r->step[i].from * wide + at])
                for (uint32_t n = next_take(a, &r->step[i], at, UINT32_MAX);
                    n != UINT32_MAX; n = next_take(a, &r->step[i], at, n))
                    a->forth[r->step[i].to * wide + at + n] = true;
    for (uint32_t i = r->nstep; i-- > 0;)
        for (uint32_t at = 0; at <= a->ncase; at++)
            for (uint32_t n = next_take(a, &r->step[i], at, UINT32_MAX);
                n != UINT32_MAX && !a->back[r->step[i].from * wide + at];
                n = next_take(a, &r->step[i], at, n))
                a->back[r->step[i].from * wide + at] =
                    a->back[r->step[i].to * wide + at + n];
}

static void offer(struct aligner *a, uint32_t at, const char *text)
{
    a->doubtful[at] |= !text || (a->text[at] && strcmp(a->text[at], text) != 0);
    a->text[at] = text;
}

/* Offers each case all labels that it has in any complete alignment. */
static void offer_aligned(struct aligner *a)
{
    const struct reader *r = a->r;
    size_t wide = a->ncase + 1;

    for (uint32_t i = 0; i < r->nstep; i++) {
        const struct step *s = &r->step[i];

        for (uint32_t at = 0; s->kind != STEP_NOTHING && at < a->ncase; at++) {
            if (!a->forth[s->from * wide + at])
                continue;
            for (uint32_t n = next_take(a, s, at, UINT32_MAX); n != UINT32_MAX;
                n = next_take(a, s, at, n))
                for (uint32_t k = 0; k < n && a->back[s->to * wide + at + n]; k++)
                    offer(a, at + k,
                        s->kind == STEP_LABEL ? r->label[s->label].text : NULL);
        }
    }
}

/* The fallback if there is no alignment, because the text is incomplete: labels with known values
 * in lines that are certainly compiled. */
static void offer_known(struct aligner *a)
{
    for (uint32_t at = 0; at < a->ncase; at++)
        for (uint32_t i = 0; i < a->r->nlabel; i++) {
            const struct case_label *w = &a->r->label[i];
            bool in = w->known &&
                      (w->range ? a->value[at] >= w->low && a->value[at] <= w->high
                                : is_same(a, a->value[at], w->low));

            if (in)
                offer(a, at, w->sure ? w->text : NULL);
        }
}

static bool align(struct aligner *a, struct trod_arena *mem)
{
    size_t wide = a->ncase + 1, n = wide * a->r->npoint;

    if (n > MOST_TABLE)
        return false;
    a->forth = trod_new(mem, bool, n);
    a->back = trod_new(mem, bool, n);
    find_ways(a);
    return a->back[0];
}

/* --- entry point ---------------------------------------------------------------------------------------- */

/* Marks the lines of `file` that have code of the function. */
static void find_lines(struct reader *r, LLVMValueRef function, LLVMMetadataRef file)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
            b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                i = LLVMGetNextInstruction(i)) {
                LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
                uint32_t line = at ? LLVMDILocationGetLine(at) : 0;

                if (!line || !trod_location_is_same_file(trod_location_file(at), file))
                    continue;
                if (pass)
                    r->lines[line / 64] |= UINT64_C(1) << line % 64;
                else if (line >= r->nline)
                    r->nline = line + 1;
            }
        if (!pass)
            r->lines = trod_new(r->mem, uint64_t, r->nline / 64 + 1);
    }
}

static unsigned width_of(LLVMValueRef instruction)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
}

void trod_scan_cases(
    struct trod_cases *out, LLVMValueRef instruction, struct trod_arena *mem)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    LLVMMetadataRef file = at ? trod_location_file(at) : NULL;
    const char *from = at ? trod_scan_text_at(file, LLVMDILocationGetLine(at),
                                LLVMDILocationGetColumn(at))
                          : NULL;
    LLVMValueRef function =
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    struct reader r = {.mem = mem, .module = LLVMGetGlobalParent(function)};
    struct aligner a = {.r = &r, .width = width_of(instruction)};
    int64_t *value;

    if (!from || a.width > 64)
        return;
    r.s = trod_scan_from(from);
    r.npoint = 1;
    find_lines(&r, function, file);
    if (!read_switch(&r))
        return;
    a.ncase = LLVMGetNumSuccessors(instruction) - 1;
    a.value = value = trod_new(mem, int64_t, a.ncase);
    a.text = trod_new(mem, const char *, a.ncase);
    a.doubtful = trod_new(mem, bool, a.ncase);
    for (uint32_t i = 0; i < a.ncase; i++)
        value[i] = LLVMConstIntGetSExtValue(LLVMGetOperand(instruction, 2 * (i + 1)));
    if (align(&a, mem))
        offer_aligned(&a);
    else
        offer_known(&a);
    out->label = trod_new(mem, struct trod_label, a.ncase);
    for (uint32_t i = 0; i < a.ncase; i++)
        if (a.text[i] && !a.doubtful[i])
            out->label[out->nlabel++] = (struct trod_label){value[i], a.text[i]};
}
