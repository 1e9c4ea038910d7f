#include "clang/tree/tree_reader.h"

#include <stdlib.h>
#include <string.h>

/* --- items -------------------------------------------------------------------------------------- */

/* The extent of a cursor. That of an if would include all of its else branches: clang walks down the
 * whole chain for it, which makes long chains quadratic. So the end of an if is computed from the
 * items in it.
 */
static CXSourceRange extent_of(CXCursor cursor)
{
    CXSourceLocation at;

    if (clang_getCursorKind(cursor) != CXCursor_IfStmt)
        return clang_getCursorExtent(cursor);
    at = clang_getCursorLocation(cursor);
    return clang_getRange(at, at);
}

uint32_t read_open(struct tree_reader *r, CXCursor cursor, int level, const char *kind)
{
    CXSourceRange extent = extent_of(cursor);
    unsigned line, last;
    const struct read_file *file = read_place(r, clang_getRangeStart(extent), &line),
                           *end = read_place(r, clang_getRangeEnd(extent), &last);
    struct read_item *item;
    uint32_t depth = r->nitem ? r->item[r->now].depth + 1 : 0;

    trod_reserve(r->mem, r->item, r->nitem, r->room_item);
    item = &r->item[r->nitem++];
    *item = (struct read_item){.depth = depth,
        .level = level,
        .kind = kind,
        .file = file ? file->name : NULL,
        .line = line,
        .last = file == end && last > line ? last : line,
        .own = {8, 8},
        .below = {9, 9}};
    /* Not in a file of the program, as the text of some macros: use the location of the enclosing item. */
    if (!item->file && depth) {
        item->file = r->item[r->now].file;
        item->line = item->last = r->item[r->now].line;
    }
    r->now = r->nitem - 1;
    return r->now;
}

struct pair read_tree(const struct read_item *item)
{
    struct pair tree = item->own;

    if (item->has_below)
        pair_join(&tree, item->below);
    return tree;
}

/* Extends an item to this line. */
static void reach(struct tree_reader *r, uint32_t item, const char *file, uint32_t line)
{
    struct read_item *i = &r->item[item];

    if (file && i->file && line > i->last && strcmp(file, i->file) == 0)
        i->last = line;
}

void read_close(struct tree_reader *r, uint32_t item, uint32_t before)
{
    r->now = before;
    if (item == before)
        return;
    pair_join(&r->item[before].below, read_tree(&r->item[item]));
    r->item[before].has_below = true;
    reach(r, before, r->item[item].file, r->item[item].last);
}

static void mix(struct tree_reader *r, uint32_t item, struct pair value)
{
    pair_join(&r->item[item].own, value);
}

/* What follows belongs to this part of the statement. */
static void begin_part(struct tree_reader *r, uint32_t item, uint64_t part)
{
    pair_mix(&r->item[item].own, part);
    pair_mix(&r->item[item].below, part);
}

/* --- kinds of statements ------------------------------------------------------------------------- */

static const struct statement {
    const char *name;
    enum CXCursorKind kind;
    /* The number of children, counted from the end, that are statements; the others belong to the
     * statement itself. */
    uint32_t nbody;
} statements[] = {
    {"if", CXCursor_IfStmt, 2},
    {"switch", CXCursor_SwitchStmt, 1},
    {"case", CXCursor_CaseStmt, 1},
    {"default", CXCursor_DefaultStmt, 1},
    {"label", CXCursor_LabelStmt, 1},
    {"for", CXCursor_ForStmt, 1},
    {"for", CXCursor_CXXForRangeStmt, 1},
    {"while", CXCursor_WhileStmt, 1},
    {"do", CXCursor_DoStmt, 1},
    {"return", CXCursor_ReturnStmt, 0},
    {"break", CXCursor_BreakStmt, 0},
    {"continue", CXCursor_ContinueStmt, 0},
    {"goto", CXCursor_GotoStmt, 0},
    {"goto", CXCursor_IndirectGotoStmt, 0},
    {"empty", CXCursor_NullStmt, 0},
    {"decl", CXCursor_DeclStmt, 0},
    {"asm", CXCursor_GCCAsmStmt, 0},
    {"asm", CXCursor_MSAsmStmt, 0},
    {"try", CXCursor_CXXTryStmt, UINT32_MAX},
    {"catch", CXCursor_CXXCatchStmt, 1},
    {"throw", CXCursor_CXXThrowExpr, 0},
};

static const struct statement *statement_of(enum CXCursorKind kind)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (statements[i].kind == kind)
            return &statements[i];
    return NULL;
}

/* The kind of an expression statement: its outermost operation. */
static const char *kind_of_expr(struct tree_reader *r, CXCursor cursor)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        enum CXUnaryOperatorKind unary;
        uint32_t from;
        bool one;

        switch (kind) {
        case CXCursor_CallExpr:
            return "call";
        case CXCursor_CompoundAssignOperator:
            return "assign";
        case CXCursor_BinaryOperator:
            return clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign
                       ? "assign"
                       : "expr";
        case CXCursor_UnaryOperator:
            unary = clang_getCursorUnaryOperatorKind(cursor);
            return unary == CXUnaryOperator_PostInc ||
                           unary == CXUnaryOperator_PostDec ||
                           unary == CXUnaryOperator_PreInc ||
                           unary == CXUnaryOperator_PreDec
                       ? "assign"
                       : "expr";
        case CXCursor_UnexposedExpr:
        case CXCursor_ParenExpr:
        case CXCursor_CStyleCastExpr:
            from = read_kids(r, cursor);
            one = r->nkid > from;
            if (one)
                cursor = r->kid[r->nkid - 1];
            r->nkid = from;
            if (!one)
                return "expr";
            break;
        default:
            return "expr";
        }
    }
}

/* --- loops ----------------------------------------------------------------------------------------- */

static bool is_false(CXCursor cursor)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    bool is = result && clang_EvalResult_getKind(result) == CXEval_Int &&
              clang_EvalResult_getAsLongLong(result) == 0;

    if (result)
        clang_EvalResult_dispose(result);
    return is;
}

/* do { } while (0) is an idiom of macros, and is not treated as a loop. */
static bool is_loop(struct tree_reader *r, CXCursor cursor, enum CXCursorKind kind)
{
    uint32_t from;
    bool once;

    if (kind != CXCursor_DoStmt)
        return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
               kind == CXCursor_CXXForRangeStmt;
    from = read_kids(r, cursor);
    once = r->nkid - from == 2 && is_false(r->kid[from + 1]);
    r->nkid = from;
    return !once;
}

static unsigned offset_of(CXSourceLocation at)
{
    unsigned offset;

    clang_getExpansionLocation(at, NULL, NULL, NULL, &offset);
    return offset;
}

/* Determines which of the three parts of a for the children are, because clang omits empty ones.
 * Uses the semicolons in the source, unless they come from macros.
 */
static void part_for(
    struct tree_reader *r, CXCursor cursor, uint32_t from, uint32_t n, uint32_t part[3])
{
    CXSourceRange all = clang_getCursorExtent(cursor);
    CXToken *token = NULL;
    unsigned ntoken = 0, semicolon[2] = {0}, nsemicolon = 0;
    int depth = 0;

    for (uint32_t k = 0; k < 3; k++)
        part[k] = k;
    if (n == 3)
        return;
    clang_tokenize(r->tu,
        clang_getRange(clang_getRangeStart(all),
            clang_getRangeStart(clang_getCursorExtent(r->kid[from + n]))),
        &token, &ntoken);
    for (unsigned i = 0; i < ntoken && nsemicolon < 2; i++) {
        CXString spelled = clang_getTokenSpelling(r->tu, token[i]);
        const char *text = clang_getCString(spelled);

        depth += *text == '(' || *text == '{'   ? 1
                 : *text == ')' || *text == '}' ? -1
                                                : 0;
        if (depth == 1 && strcmp(text, ";") == 0)
            semicolon[nsemicolon++] =
                offset_of(clang_getTokenLocation(r->tu, token[i]));
        clang_disposeString(spelled);
    }
    clang_disposeTokens(r->tu, token, ntoken);
    for (uint32_t k = 0; nsemicolon == 2 && k < n; k++) {
        unsigned at =
            offset_of(clang_getRangeStart(clang_getCursorExtent(r->kid[from + k])));

        part[k] = at < semicolon[0] ? 0 : at < semicolon[1] ? 1 : 2;
    }
}

static void read_for(
    struct tree_reader *r, CXCursor cursor, uint32_t item, uint32_t from)
{
    uint32_t n = r->nkid - from - 1, part[3];

    if (n > 3)
        n = 3;
    part_for(r, cursor, from, n, part);
    for (uint32_t k = 0; k < n; k++) {
        begin_part(r, item, part[k]);
        mix(r, item, read_expr(r, r->kid[from + k]));
    }
    begin_part(r, item, 3);
    read_statements(r, r->kid[r->nkid - 1]);
}

/* --- statements ------------------------------------------------------------------------------------------ */

void read_statements(struct tree_reader *r, CXCursor cursor)
{
    uint32_t from, end;

    if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt) {
        read_statement(r, cursor);
        return;
    }
    from = read_kids(r, cursor);
    end = r->nkid;
    for (uint32_t k = from; k < end; k++)
        read_statement(r, r->kid[k]);
    r->nkid = from;
}

/* The number of statements below an if: 1, or 2 with an else. A declaration or init-statement may
 * precede its condition.
 */
static uint32_t branches_of(const struct tree_reader *r, uint32_t from)
{
    uint32_t n = r->nkid - from;
    enum CXCursorKind first = n ? clang_getCursorKind(r->kid[from]) : CXCursor_NullStmt;
    uint32_t before = first == CXCursor_DeclStmt || first == CXCursor_VarDecl ? 1 : 0;

    if (before && n > 1 && first == CXCursor_DeclStmt &&
        clang_getCursorKind(r->kid[from + 1]) == CXCursor_VarDecl)
        before = 2;
    return n >= before + 3 ? 2 : n ? 1 : 0;
}

static void read_do(struct tree_reader *r, uint32_t item, uint32_t from)
{
    begin_part(r, item, 0);
    read_statements(r, r->kid[from]);
    begin_part(r, item, 1);
    for (uint32_t k = from + 1; k < r->nkid; k++)
        mix(r, item, read_expr(r, r->kid[k]));
}

/* Extends an item to the end of a compound statement in it. */
static void reach_end(struct tree_reader *r, uint32_t item, CXCursor cursor)
{
    unsigned line;
    const struct read_file *file =
        read_place(r, clang_getRangeEnd(clang_getCursorExtent(cursor)), &line);

    if (file)
        reach(r, item, file->name, line);
}

/* Parts in order: first those of the statement itself, then the statements below it. */
static void read_parts(
    struct tree_reader *r, uint32_t item, uint32_t from, uint32_t nbody)
{
    uint32_t end = r->nkid, n = end - from;
    uint32_t body = nbody < n ? end - nbody : from;

    for (uint32_t k = from; k < end; k++) {
        if (clang_isAttribute(clang_getCursorKind(r->kid[k])))
            continue;
        begin_part(r, item, k - from);
        if (k < body) {
            mix(r, item, read_expr(r, r->kid[k]));
            continue;
        }
        if (clang_getCursorKind(r->kid[k]) == CXCursor_CompoundStmt)
            reach_end(r, item, r->kid[k]);
        read_statements(r, r->kid[k]);
    }
}

static void read_label_of(struct tree_reader *r, CXCursor cursor, uint32_t item)
{
    CXString spelled = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(spelled);

    mix(r, item, read_label(r, name ? name : ""));
    clang_disposeString(spelled);
}

static void read_kind(struct tree_reader *r, CXCursor cursor, const struct statement *s)
{
    uint32_t before = r->now, from;
    uint32_t item = read_open(
        r, cursor, is_loop(r, cursor, s->kind) ? READ_LOOP : READ_STATEMENT, s->name);

    pair_mix(&r->item[item].own, (uint64_t)s->kind);
    if (s->kind == CXCursor_LabelStmt)
        read_label_of(r, cursor, item);
    if (s->kind == CXCursor_GCCAsmStmt || s->kind == CXCursor_MSAsmStmt) {
        mix(r, item, read_expr(r, cursor));
        read_close(r, item, before);
        return;
    }
    from = read_kids(r, cursor);
    if (s->kind == CXCursor_DoStmt && r->nkid > from)
        read_do(r, item, from);
    else if (s->kind == CXCursor_ForStmt && r->nkid > from)
        read_for(r, cursor, item, from);
    else
        read_parts(r, item, from,
            s->kind == CXCursor_IfStmt ? branches_of(r, from) : s->nbody);
    r->nkid = from;
    read_close(r, item, before);
}

/* A statement with an attribute, such as [[fallthrough]], is read as the statement itself. */
static bool read_attributed(struct tree_reader *r, CXCursor cursor)
{
    uint32_t from = read_kids(r, cursor), end = r->nkid, n = 0;

    for (uint32_t k = from; k < end; k++) {
        if (clang_isAttribute(clang_getCursorKind(r->kid[k])))
            continue;
        n++;
        read_statements(r, r->kid[k]);
    }
    r->nkid = from;
    return n > 0;
}

void read_statement(struct tree_reader *r, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    const struct statement *s = statement_of(kind);
    uint32_t before = r->now, item;

    if (clang_isAttribute(kind))
        return;
    if (kind == CXCursor_CompoundStmt) {
        read_statements(r, cursor);
    } else if (s) {
        read_kind(r, cursor, s);
    } else if (kind != CXCursor_UnexposedStmt || !read_attributed(r, cursor)) {
        item = read_open(r, cursor, READ_STATEMENT, kind_of_expr(r, cursor));
        mix(r, item, read_expr(r, cursor));
        read_close(r, item, before);
    }
}
