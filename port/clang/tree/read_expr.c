#include "clang/tree/tree_reader.h"

#include <stdlib.h>
#include <string.h>

/* Has no effect on the meaning. */
static bool is_mute(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    return clang_isAttribute(kind) || kind == CXCursor_NamespaceRef;
}

static struct pair read_all(struct tree_reader *r, uint32_t from, struct pair out)
{
    uint32_t end = r->nkid, n = 0;

    for (uint32_t k = from; k < end; k++) {
        if (is_mute(r->kid[k]))
            continue;
        pair_join(&out, read_expr(r, r->kid[k]));
        n++;
    }
    pair_mix(&out, n);
    return out;
}

static struct pair node(CXCursor cursor)
{
    struct pair out = {3, 3};

    pair_mix(&out, (uint64_t)clang_getCursorKind(cursor));
    return out;
}

/* --- literals -------------------------------------------------------------------------------- */

static struct pair literal(uint64_t value, uint64_t type)
{
    struct pair out = {4, 4};

    pair_mix(&out, value);
    pair_mix(&out, type);
    return out;
}

/* Evaluates a constant expression, if clang can. */
static bool evaluate(CXCursor cursor, uint64_t *out)
{
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    CXEvalResultKind kind = result ? clang_EvalResult_getKind(result) : 0;
    double real;

    if (kind == CXEval_Int) {
        *out = clang_EvalResult_isUnsignedInt(result)
                   ? clang_EvalResult_getAsUnsigned(result)
                   : (uint64_t)clang_EvalResult_getAsLongLong(result);
    } else if (kind == CXEval_Float) {
        real = clang_EvalResult_getAsDouble(result);
        memcpy(out, &real, sizeof real);
    }
    if (result)
        clang_EvalResult_dispose(result);
    return kind == CXEval_Int || kind == CXEval_Float;
}

/* Is it __LINE__? Its value is the number of its line, or of the last line of the macro invocation,
 * and is not in the source. */
static bool is_own_line(struct tree_reader *r, CXCursor cursor, uint64_t value)
{
    CXSourceLocation at = clang_getCursorLocation(cursor);
    unsigned line;
    char first;

    if (value < r->first || value > r->last)
        return false;
    first = read_first_char(r, at);
    if (first >= '0' && first <= '9')
        return false;
    read_place(r, at, &line);
    return value == line || value == read_last_line(r, at);
}

static struct pair read_number(struct tree_reader *r, CXCursor cursor)
{
    uint64_t value = 0, type = read_type(r, clang_getCursorType(cursor)).flat;

    if (!evaluate(cursor, &value))
        value = read_cursor_hash(r, cursor);
    else if (clang_getCursorKind(cursor) == CXCursor_IntegerLiteral &&
             is_own_line(r, cursor, value))
        value = 0x114e;
    return literal(value, type);
}

/* In C, true and false used to be macros for 1 and 0, and nullptr was NULL. */
static struct pair read_bool(struct tree_reader *r, CXCursor cursor)
{
    uint64_t value = 0, type;

    evaluate(cursor, &value);
    type = r->unit->cxx ? trod_mix(1, CXType_Bool) : trod_mix(1, CXType_Int);
    return literal(value, type);
}

static struct pair null_pointer(void)
{
    return literal(0, 0x6e756c6c);
}

/* Has it the form of __TIME__ or __DATE__: "12:34:56", "Jan  1 2030"? */
static bool is_of_time(const char *text, size_t length)
{
    return (length == 10 && text[3] == ':' && text[6] == ':') ||
           (length == 13 && text[4] == ' ' && text[7] == ' ');
}

/* Is it a string from a predefined macro: one that ends in the name of this file, or a date or time? */
static bool is_of_place(struct tree_reader *r, CXCursor cursor, const char *text)
{
    size_t length = strlen(text), base = r->base ? strlen(r->base) : 0;
    bool file = base && length >= base + 2 && text[length - 1] == '"' &&
                memcmp(text + length - 1 - base, r->base, base) == 0;

    return (file || is_of_time(text, length)) &&
           read_first_char(r, clang_getCursorLocation(cursor)) != '"';
}

static struct pair read_text(struct tree_reader *r, CXCursor cursor)
{
    struct pair out = {5, 5};
    CXString spelled = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(spelled);

    if (text && is_of_place(r, cursor, text)) {
        clang_disposeString(spelled);
        return out;
    }
    pair_mix(&out, hash_taken(spelled));
    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).flat);
    return out;
}

/* --- references ---------------------------------------------------------------------------------- */

static void use_of(
    struct tree_reader *r, CXCursor ref, const struct read_decl *decl, bool callee)
{
    switch (decl->kind) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        if (callee)
            return;
        read_use(r, USE_NAMES, decl, 0);
        read_use(r, USE_TAKEN, decl, read_type(r, clang_getCursorType(ref)).flat);
        return;
    case CXCursor_EnumConstantDecl:
    case CXCursor_FieldDecl:
        read_use(r, USE_NAMES, read_decl(r, clang_getCursorSemanticParent(ref)), 0);
        return;
    default:
        read_use(r, USE_NAMES, decl, 0);
    }
}

static bool is_callable(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction;
}

static struct pair read_ref(struct tree_reader *r, CXCursor cursor, bool callee)
{
    CXCursor ref = clang_getCursorReferenced(cursor);
    struct read_decl *decl = read_decl(r, ref);
    struct pair out = read_reference(r, decl);
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    if (!decl) {
        pair_mix(&out, read_cursor_hash(r, cursor));
    } else if (!decl->local) {
        use_of(r, ref, decl, callee || decl == r->called);
    }
    /* A function has its declared type, even if it was defined without a prototype. */
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr)
        pair_mix(&out, read_type(r, clang_getCursorType(
                                        decl && is_callable(decl->kind) ? ref : cursor))
                           .deep);
    return out;
}

static struct pair read_member(struct tree_reader *r, CXCursor cursor, bool callee)
{
    struct pair out = read_ref(r, cursor, callee);
    uint32_t from = read_kids(r, cursor);

    out = read_all(r, from, out);
    r->nkid = from;
    return out;
}

/* A reference to a type: its meaning is in the types of expressions, and the reference is recorded
 * as a use. */
static struct pair read_type_ref(struct tree_reader *r, CXCursor cursor)
{
    CXCursor ref = clang_getCursorReferenced(cursor);
    struct read_decl *decl = read_decl(r, ref);
    struct pair out = {6, 6};

    if (decl && !decl->local)
        read_use(r, USE_NAMES, decl, 0);
    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).flat);
    return out;
}

/* --- calls ------------------------------------------------------------------------------------------ */

static void use_call(
    struct tree_reader *r, CXCursor call, CXCursor ref, CXCursor callee)
{
    struct read_decl *decl = read_decl(r, ref);
    CXType type;

    if (decl && is_callable(decl->kind)) {
        read_use(r, USE_CALLS, decl, 0);
        if (clang_Cursor_isDynamicCall(call))
            read_use(r, USE_MAY_CALL, NULL, read_slot(r, ref));
        return;
    }
    type = clang_getCanonicalType(clang_getCursorType(callee));
    if (type.kind == CXType_Pointer || type.kind == CXType_BlockPointer)
        type = clang_getPointeeType(type);
    read_use(r, USE_MAY_CALL, NULL, read_type(r, type).flat);
}

static struct pair read_call(struct tree_reader *r, CXCursor cursor)
{
    CXCursor ref = clang_getCursorReferenced(cursor);
    struct pair out = node(cursor);
    uint32_t from = read_kids(r, cursor), end = r->nkid;
    enum CXCursorKind kind = clang_getCursorKind(ref);
    const struct read_decl *before = r->called;

    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).deep);
    /* The callee of an operator comes after its operands. */
    r->called = kind == CXCursor_CXXMethod ? read_decl(r, ref) : NULL;
    if (is_callable(kind))
        pair_join(&out, read_reference(r, read_decl(r, ref)));
    if (end > from || is_callable(kind))
        use_call(r, cursor, ref, end > from ? r->kid[from] : cursor);
    for (uint32_t k = from; k < end; k++) {
        r->callee = k == from && kind != CXCursor_Constructor;
        pair_join(&out, read_expr(r, r->kid[k]));
    }
    r->callee = false;
    r->called = before;
    pair_mix(&out, end - from);
    r->nkid = from;
    return out;
}

/* --- operators ------------------------------------------------------------------------------------------ */

/* The stride of pointer arithmetic is part of its meaning. */
static void mix_stride(struct pair *out, CXType type)
{
    CXType canonical = clang_getCanonicalType(type);

    if (canonical.kind == CXType_Pointer)
        pair_mix(out, (uint64_t)read_stride(canonical));
}

static struct pair read_operator(
    struct tree_reader *r, CXCursor cursor, int operator, bool moves)
{
    struct pair out = node(cursor);
    uint32_t from = read_kids(r, cursor);

    pair_mix(&out, (uint64_t)operator);
    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).deep);
    if (moves)
        for (uint32_t k = from; k < r->nkid; k++)
            mix_stride(&out, clang_getCursorType(r->kid[k]));
    out = read_all(r, from, out);
    r->nkid = from;
    return out;
}

static struct pair read_binary(struct tree_reader *r, CXCursor cursor)
{
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(cursor);

    return read_operator(r, cursor, (int)op,
        op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub ||
            op == CXBinaryOperator_AddAssign || op == CXBinaryOperator_SubAssign);
}

static struct pair read_unary(struct tree_reader *r, CXCursor cursor)
{
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(cursor);

    return read_operator(r, cursor, (int)op,
        op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec ||
            op == CXUnaryOperator_PreInc || op == CXUnaryOperator_PreDec);
}

/* sizeof and the like: the type that is their operand may not be among the children. */
static struct pair read_size(struct tree_reader *r, CXCursor cursor)
{
    struct pair out = node(cursor);
    uint32_t from;
    uint64_t value;

    if (evaluate(cursor, &value)) {
        /* The operand may be a name. */
        from = read_kids(r, cursor);
        for (uint32_t k = from; k < r->nkid; k++)
            if (clang_getCursorKind(r->kid[k]) == CXCursor_TypeRef)
                read_type_ref(r, r->kid[k]);
        r->nkid = from;
        return literal(value, read_type(r, clang_getCursorType(cursor)).flat);
    }
    from = read_kids(r, cursor);
    out = read_all(r, from, out);
    r->nkid = from;
    return out;
}

/* --- other expressions ----------------------------------------------------------------------------------- */

/* Is it a parenthesis or an implicit conversion? Conversions follow from the types on both sides;
 * they have the same extent as their operand. */
static bool is_transparent(const struct tree_reader *r, CXCursor cursor, uint32_t from)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    if (r->nkid - from != 1)
        return false;
    return kind == CXCursor_ParenExpr ||
           (kind == CXCursor_UnexposedExpr &&
               clang_equalRanges(
                   clang_getCursorExtent(cursor), clang_getCursorExtent(r->kid[from])));
}

/* The token of an expression that has no cursor kind of its own, such as va_arg. */
static uint64_t word_at(struct tree_reader *r, CXCursor cursor)
{
    CXToken *token = clang_getToken(r->tu, clang_getCursorLocation(cursor));
    uint64_t hash = 0;

    if (!token)
        return 0;
    if (clang_getTokenKind(*token) != CXToken_Literal)
        hash = hash_taken(clang_getTokenSpelling(r->tu, *token));
    clang_disposeTokens(r->tu, token, 1);
    return hash;
}

static struct pair read_unexposed(struct tree_reader *r, CXCursor cursor, bool callee)
{
    uint32_t from = read_kids(r, cursor);
    struct pair out;

    if (is_transparent(r, cursor, from)) {
        r->callee = callee;
        out = read_expr(r, r->kid[from]);
        r->callee = false;
    } else {
        out = node(cursor);
        pair_mix(&out, read_type(r, clang_getCursorType(cursor)).deep);
        if (clang_getCursorKind(cursor) == CXCursor_UnexposedExpr)
            pair_mix(&out, word_at(r, cursor));
        out = read_all(r, from, out);
    }
    r->nkid = from;
    return out;
}

static struct pair read_cast(struct tree_reader *r, CXCursor cursor)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    struct pair out = node(cursor);
    uint32_t from = read_kids(r, cursor);
    uint64_t value;

    if (type.kind == CXType_Pointer && r->nkid > from &&
        clang_getPointeeType(type).kind == CXType_Void &&
        clang_getCursorKind(r->kid[r->nkid - 1]) == CXCursor_IntegerLiteral &&
        evaluate(r->kid[r->nkid - 1], &value) && value == 0) {
        r->nkid = from;
        return null_pointer();
    }
    pair_mix(&out, read_type(r, type).deep);
    out = read_all(r, from, out);
    r->nkid = from;
    return out;
}

/* --- declarations in functions ------------------------------------------------------------------------------ */

static struct pair read_variable(struct tree_reader *r, CXCursor cursor)
{
    struct pair out = node(cursor);
    uint32_t from;

    pair_join(&out, read_reference(r, read_decl(r, cursor)));
    pair_mix(&out, (uint64_t)clang_Cursor_getStorageClass(cursor));
    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).deep);
    from = read_kids(r, cursor);
    out = read_all(r, from, out);
    r->nkid = from;
    return out;
}

/* Fields and enumerators of a local type, and other declarations. */
static struct pair read_other(struct tree_reader *r, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct pair out = node(cursor);
    uint32_t from;

    if (kind == CXCursor_EnumConstantDecl)
        pair_mix(&out, (uint64_t)clang_getEnumConstantDeclValue(cursor));
    if (clang_isDeclaration(kind) || clang_isReference(kind))
        pair_mix(&out, read_cursor_hash(r, cursor));
    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).deep);
    from = read_kids(r, cursor);
    out = read_all(r, from, out);
    r->nkid = from;
    return out;
}

/* A method of a local class is a function at file scope, which is read later. */
static struct pair read_method(struct tree_reader *r, CXCursor cursor)
{
    struct read_decl *decl = read_decl(r, cursor);
    struct pair out = node(cursor);

    pair_mix(&out, read_cursor_hash(r, cursor));
    pair_mix(&out, read_type(r, clang_getCursorType(cursor)).flat);
    if (decl && !decl->listed) {
        decl->listed = true;
        trod_push(r->mem, r->queue, r->nqueue, r->room_queue, cursor);
    }
    return out;
}

/* Inline assembly has no tree, so its tokens are hashed. */
static struct pair read_assembly(struct tree_reader *r, CXCursor cursor)
{
    struct pair out = read_other(r, cursor);
    CXToken *token = NULL;
    unsigned n = 0;

    clang_tokenize(r->tu, clang_getCursorExtent(cursor), &token, &n);
    for (unsigned i = 0; i < n; i++)
        if (clang_getTokenKind(token[i]) == CXToken_Literal)
            pair_mix(&out, hash_taken(clang_getTokenSpelling(r->tu, token[i])));
    clang_disposeTokens(r->tu, token, n);
    return out;
}

/* Statements inside of an expression, a lambda or ({ }): they are below the statement that contains it. */
static struct pair read_inner(struct tree_reader *r, CXCursor cursor)
{
    struct pair out = {7, 7};

    read_statements(r, cursor);
    return out;
}

static struct pair read_label_ref(struct tree_reader *r, CXCursor cursor)
{
    CXString spelled = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(spelled);
    struct pair out = read_label(r, name ? name : "");

    clang_disposeString(spelled);
    return out;
}

struct pair read_expr(struct tree_reader *r, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct pair nothing = {0, 0};
    bool callee = r->callee;

    r->callee = false;
    switch (kind) {
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        return read_unexposed(r, cursor, callee);
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
        return read_number(r, cursor);
    case CXCursor_StringLiteral:
        return read_text(r, cursor);
    case CXCursor_CXXBoolLiteralExpr:
        return read_bool(r, cursor);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return null_pointer();
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRef:
    case CXCursor_VariableRef:
        return read_ref(r, cursor, callee);
    case CXCursor_MemberRefExpr:
        return read_member(r, cursor, callee);
    case CXCursor_TypeRef:
        return read_type_ref(r, cursor);
    case CXCursor_LabelRef:
        return read_label_ref(r, cursor);
    case CXCursor_CallExpr:
        return read_call(r, cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return read_binary(r, cursor);
    case CXCursor_UnaryOperator:
        return read_unary(r, cursor);
    case CXCursor_UnaryExpr:
        return read_size(r, cursor);
    case CXCursor_CStyleCastExpr:
        return read_cast(r, cursor);
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        return read_variable(r, cursor);
    case CXCursor_CompoundStmt:
        return read_inner(r, cursor);
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
        return read_method(r, cursor);
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        return read_assembly(r, cursor);
    default:
        return is_mute(cursor) ? nothing : read_other(r, cursor);
    }
}
