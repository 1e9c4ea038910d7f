#include "clang/tree/tree_reader.h"

#include <string.h>

static void read_member_of(struct tree_reader *r, CXCursor cursor, uint32_t item);

/* Starts a top-level declaration: numbers of locals start again, and its range of lines is that of
 * possible values of __LINE__. */
static void begin(struct tree_reader *r, CXCursor cursor)
{
    CXSourceRange extent = clang_getCursorExtent(cursor);
    const struct read_file *file =
        read_place(r, clang_getRangeStart(extent), &r->first);

    read_place(r, clang_getRangeEnd(extent), &r->last);
    r->base = file ? file->base : NULL;
    r->epoch++;
    r->norder = 0;
}

/* --- names ------------------------------------------------------------------------------------- */

static void name_item(struct tree_reader *r, uint32_t item, CXCursor cursor)
{
    const struct read_decl *decl = read_decl(r, cursor);

    r->item[item].shown = r->unit->cxx ? read_shown(r, cursor) : NULL;
    r->item[item].name =
        decl && decl->name && *decl->name ? decl->name : r->item[item].shown;
    r->item[item].internal = decl && decl->internal;
}

/* --- functions ---------------------------------------------------------------------------------------- */

static bool is_body(enum CXCursorKind kind)
{
    return kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt;
}

/* Of a signature only the types count; of a constructor, also the initialisers. */
static void read_signature(struct tree_reader *r, uint32_t item, CXCursor cursor)
{
    uint32_t from = read_kids(r, cursor), end = r->nkid;

    pair_mix(&r->item[item].own, read_type(r, clang_getCursorType(cursor)).flat);
    for (uint32_t k = from; k < end; k++) {
        enum CXCursorKind kind = clang_getCursorKind(r->kid[k]);
        struct pair part;

        if (is_body(kind) || clang_isAttribute(kind))
            continue;
        part = read_expr(r, r->kid[k]);
        /* References to types are redundant: the types are hashed already. */
        if (kind != CXCursor_TypeRef && kind != CXCursor_TemplateRef &&
            kind != CXCursor_NamespaceRef)
            pair_join(&r->item[item].own, part);
    }
    for (uint32_t k = from; k < end; k++)
        if (is_body(clang_getCursorKind(r->kid[k])))
            read_statements(r, r->kid[k]);
    r->nkid = from;
}

static bool has_body(struct tree_reader *r, CXCursor cursor)
{
    uint32_t from = read_kids(r, cursor);
    bool has = false;

    for (uint32_t k = from; k < r->nkid && !has; k++)
        has = is_body(clang_getCursorKind(r->kid[k]));
    r->nkid = from;
    return has;
}

/* Adds an item for each linkage name: constructors and destructors have several. */
static void read_function(struct tree_reader *r, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool several = kind == CXCursor_Constructor || kind == CXCursor_Destructor;
    CXStringSet *names = several ? clang_Cursor_getCXXManglings(cursor) : NULL;
    uint32_t n = names && names->Count ? names->Count : 1;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t before = r->now, item;
        uint32_t first = r->first, last = r->last;
        const char *base = r->base;

        begin(r, cursor);
        item = read_open(r, cursor, READ_FUNCTION, "function");
        name_item(r, item, cursor);
        if (names && names->Count) {
            const char *name = clang_getCString(names->Strings[i]);

            r->item[item].name = trod_copy(r->mem, name);
        }
        if (kind == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(cursor))
            read_use(r, USE_TAKEN, read_decl(r, cursor), read_slot(r, cursor));
        read_signature(r, item, cursor);
        read_close(r, item, item == 0 ? item : before);
        r->first = first;
        r->last = last;
        r->base = base;
        /* Items at file scope are independent. */
        if (item == 0)
            read_print(r);
    }
    if (names)
        clang_disposeStringSet(names);
}

/* --- classes -------------------------------------------------------------------------------------------- */

static bool is_class(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_ClassDecl || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool is_function_kind(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

static void read_class(struct tree_reader *r, CXCursor cursor)
{
    uint32_t before = r->now, item = read_open(r, cursor, READ_CLASS, "class");
    uint32_t from, end;

    name_item(r, item, cursor);
    pair_mix(&r->item[item].own, (uint64_t)clang_getCursorKind(cursor));
    pair_mix(&r->item[item].own,
        (uint64_t)clang_Type_getSizeOf(clang_getCursorType(cursor)));
    from = read_kids(r, cursor);
    end = r->nkid;
    for (uint32_t k = from; k < end; k++)
        read_member_of(r, r->kid[k], item);
    r->nkid = from;
    read_close(r, item, item == 0 ? item : before);
}

/* Member functions and member classes are items below it. Everything else belongs to the class itself. */
static void read_member_of(struct tree_reader *r, CXCursor cursor, uint32_t item)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct pair part;

    if (is_class(kind) && clang_isCursorDefinition(cursor) &&
        !clang_Cursor_isAnonymous(cursor)) {
        read_class(r, cursor);
        return;
    }
    if (is_function_kind(kind)) {
        pair_mix(&r->item[item].own, hash_taken(clang_getCursorSpelling(cursor)));
        pair_mix(&r->item[item].own, read_type(r, clang_getCursorType(cursor)).flat);
        pair_mix(&r->item[item].own, (uint64_t)clang_CXXMethod_isVirtual(cursor));
        if (has_body(r, cursor))
            read_function(r, cursor);
        return;
    }
    if (kind == CXCursor_CXXAccessSpecifier || kind == CXCursor_FriendDecl ||
        clang_isAttribute(kind))
        return;
    part = read_expr(r, cursor);
    if (kind == CXCursor_FieldDecl)
        pair_mix(&part, (uint64_t)clang_getFieldDeclBitWidth(cursor));
    pair_join(&r->item[item].own, part);
}

/* --- data and types --------------------------------------------------------------------------------------- */

static void read_data(struct tree_reader *r, CXCursor cursor, const char *kind)
{
    uint32_t item;
    struct pair part;

    begin(r, cursor);
    item = read_open(r, cursor, READ_STATEMENT, kind);
    name_item(r, item, cursor);
    part = read_expr(r, cursor);
    pair_join(&r->item[item].own, part);
    if (clang_getCursorKind(cursor) == CXCursor_TypedefDecl)
        pair_mix(&r->item[item].own,
            read_type(r, clang_getTypedefDeclUnderlyingType(cursor)).deep);
    r->item[item].own.name = r->item[item].own.order;
    r->now = 0;
}

/* Reads a declaration at file scope, including those in namespaces and linkage specifications. */
void read_top(struct tree_reader *r, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    uint32_t from, end;

    if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
        kind == CXCursor_UnexposedDecl) {
        from = read_kids(r, cursor);
        end = r->nkid;
        for (uint32_t k = from; k < end; k++)
            read_top(r, r->kid[k]);
        r->nkid = from;
        return;
    }
    if (!clang_isDeclaration(kind) || !read_is_ours(r, cursor))
        return;
    if (is_function_kind(kind)) {
        if (clang_isCursorDefinition(cursor) && has_body(r, cursor))
            read_function(r, cursor);
    } else if (is_class(kind)) {
        if (clang_isCursorDefinition(cursor)) {
            begin(r, cursor);
            read_class(r, cursor);
        }
    } else if (kind == CXCursor_EnumDecl) {
        if (clang_isCursorDefinition(cursor))
            read_data(r, cursor, "enum");
    } else if (kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl) {
        read_data(r, cursor, "typedef");
    } else if (kind == CXCursor_VarDecl) {
        if (clang_Cursor_getStorageClass(cursor) != CX_SC_Extern ||
            !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor)))
            read_data(r, cursor, "data");
    }
    read_print(r);
}

void read_instances(struct tree_reader *r)
{
    /* The queue grows while it is read. */
    for (uint32_t i = 0; i < r->nqueue; i++)
        if (has_body(r, r->queue[i]))
            read_function(r, r->queue[i]);
}
