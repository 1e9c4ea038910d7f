#include "clang/tree/tree_reader.h"

#include <string.h>

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction;
}

static bool is_type(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_ClassDecl || kind == CXCursor_EnumDecl ||
           kind == CXCursor_TypedefDecl || kind == CXCursor_TypeAliasDecl;
}

static void put_scopes(struct tree_reader *r, struct trod_string *out, CXCursor cursor)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    enum CXCursorKind kind = clang_getCursorKind(parent);
    const char *name;

    if (clang_Cursor_isNull(parent) || clang_isTranslationUnit(kind))
        return;
    put_scopes(r, out, parent);
    if (kind == CXCursor_LinkageSpec)
        return;
    name = copy_taken(clang_getCursorDisplayName(parent), r->mem);
    trod_put(&out->sink, "%s::", *name ? name : "(anonymous)");
}

const char *read_shown(struct tree_reader *r, CXCursor cursor)
{
    struct trod_string out;

    trod_string_init(&out, r->mem);
    put_scopes(r, &out, cursor);
    trod_put(&out.sink, "%s", copy_taken(clang_getCursorDisplayName(cursor), r->mem));
    return out.text;
}

/* The name of a declaration. A template has no linkage name, and all its specialisations share one name. */
static const char *name_of(
    struct tree_reader *r, CXCursor cursor, enum CXCursorKind kind)
{
    const char *name = "";
    CXCursor of;

    if (is_function(kind) || kind == CXCursor_VarDecl)
        name = copy_taken(clang_Cursor_getMangling(cursor), r->mem);
    if (*name || kind == CXCursor_FieldDecl || kind == CXCursor_EnumConstantDecl)
        return *name ? name : read_cursor_name(r, cursor);
    if (r->unit->cxx && is_type(kind)) {
        of = clang_getSpecializedCursorTemplate(cursor);
        if (!clang_Cursor_isNull(of))
            return read_shown(r, of);
    }
    if (is_type(kind) && kind != CXCursor_TypedefDecl && kind != CXCursor_TypeAliasDecl)
        return read_type_name(r, clang_getCanonicalType(clang_getCursorType(cursor)));
    return r->unit->cxx ? read_shown(r, cursor) : read_cursor_name(r, cursor);
}

/* The hash of a reference: of a field, its class, offset and width; of an enumerator, its value. */
static uint64_t reference_of(
    struct tree_reader *r, CXCursor cursor, const struct read_decl *decl)
{
    uint64_t hash = trod_mix(decl->named, (uint64_t)decl->kind);
    CXCursor parent;

    switch (decl->kind) {
    case CXCursor_FieldDecl:
        parent = clang_getCursorSemanticParent(cursor);
        hash = trod_mix(hash, read_type(r, clang_getCursorType(parent)).flat);
        hash = trod_mix(hash, (uint64_t)clang_Cursor_getOffsetOfField(cursor));
        return trod_mix(hash, (uint64_t)clang_getFieldDeclBitWidth(cursor));
    case CXCursor_EnumConstantDecl:
        return trod_mix(hash, (uint64_t)clang_getEnumConstantDeclValue(cursor));
    default:
        return hash;
    }
}

static void fill(struct tree_reader *r, struct read_decl *decl, CXCursor cursor)
{
    enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
    CXCursor defined;
    unsigned line;

    decl->kind = clang_getCursorKind(cursor);
    decl->local = decl->kind == CXCursor_ParmDecl ||
                  (linkage == CXLinkage_NoLinkage && !is_type(decl->kind) &&
                      !is_function(decl->kind) && decl->kind != CXCursor_FieldDecl &&
                      decl->kind != CXCursor_EnumConstantDecl);
    decl->internal =
        (linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal) &&
        !is_type(decl->kind);
    if (decl->local) {
        decl->named = hash_taken(clang_getCursorSpelling(cursor));
        return;
    }
    decl->name = name_of(r, cursor, decl->kind);
    decl->named = hash_text(decl->name, strlen(decl->name));
    decl->ours = read_is_ours(r, cursor);
    defined = clang_getCursorDefinition(cursor);
    if (decl->internal && decl->ours) {
        const struct read_file *file = read_place(r,
            clang_getCursorLocation(clang_Cursor_isNull(defined) ? cursor : defined),
            &line);

        decl->file = file ? file->name : NULL;
    }
    decl->hash = reference_of(r, cursor, decl);
}

/* Queues an instance of a function template. Instances are not in the tree, and are only found by
 * their uses. */
static void queue_instance(
    struct tree_reader *r, struct read_decl *decl, CXCursor cursor)
{
    CXCursor defined;

    if (!r->unit->cxx || !decl->ours || decl->queued || !is_function(decl->kind))
        return;
    decl->queued = true;
    if (clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor)))
        return;
    defined = clang_getCursorDefinition(cursor);
    if (clang_Cursor_isNull(defined))
        return;
    if (!clang_equalCursors(defined, cursor)) {
        read_decl(r, defined);
        return;
    }
    trod_push(r->mem, r->queue, r->nqueue, r->room_queue, cursor);
}

/* Declarations are identified by their address in clang. */
struct read_decl *read_decl(struct tree_reader *r, CXCursor cursor)
{
    uint64_t key = (uint64_t)(uintptr_t)cursor.data[0];
    struct read_decl *decl;
    uint64_t *at;
    bool is_new;

    if (!key || clang_isInvalid(clang_getCursorKind(cursor)))
        return NULL;
    at = trod_keys_add(&r->decl_of, key, &is_new, r->mem);
    if (!is_new)
        return r->decl[*at];
    decl = trod_new(r->mem, struct read_decl, 1);
    trod_reserve(r->mem, r->decl, r->ndecl, r->room_decl);
    *at = r->ndecl;
    r->decl[r->ndecl++] = decl;
    fill(r, decl, cursor);
    queue_instance(r, decl, cursor);
    return decl;
}

static void number(struct tree_reader *r, struct read_decl *decl)
{
    if (decl->epoch == r->epoch)
        return;
    decl->epoch = r->epoch;
    decl->order = r->norder++;
}

struct pair read_reference(struct tree_reader *r, struct read_decl *decl)
{
    struct pair out = {2, 2};

    if (!decl) {
        pair_mix(&out, 0);
        return out;
    }
    if (!decl->local) {
        pair_mix(&out, decl->hash);
        return out;
    }
    number(r, decl);
    out.order = trod_mix(out.order, decl->order);
    out.name = trod_mix(out.name, decl->named);
    return out;
}

/* The goto and the label do not lead to a common declaration, so labels are identified by name. */
struct pair read_label(struct tree_reader *r, const char *name)
{
    uint64_t named = hash_text(name, strlen(name));
    uint64_t key = trod_mix(named, 0x1abe1) | 1;
    struct read_decl *decl;
    bool is_new;
    uint64_t *at = trod_keys_add(&r->decl_of, key, &is_new, r->mem);

    if (is_new) {
        decl = trod_new(r->mem, struct read_decl, 1);
        *decl = (struct read_decl){.local = true, .named = named};
        trod_reserve(r->mem, r->decl, r->ndecl, r->room_decl);
        *at = r->ndecl;
        r->decl[r->ndecl++] = decl;
    }
    return read_reference(r, r->decl[*at]);
}

uint64_t read_slot(struct tree_reader *r, CXCursor method)
{
    CXCursor *over, first = method;
    const struct read_decl *decl;
    unsigned n;

    for (;;) {
        clang_getOverriddenCursors(first, &over, &n);
        if (!n)
            break;
        first = over[0];
        clang_disposeOverriddenCursors(over);
    }
    decl = read_decl(r, first);
    return trod_mix(0x51, decl ? decl->named : 0);
}

void read_use(struct tree_reader *r, enum use_kind kind, const struct read_decl *decl,
    uint64_t type)
{
    struct read_item *item;

    if (decl && (!decl->ours || decl->local || !decl->name || !*decl->name))
        return;
    item = &r->item[r->now];
    for (uint32_t u = item->first_use; u; u = r->use[u - 1].next)
        if (r->use[u - 1].kind == kind && r->use[u - 1].decl == decl &&
            r->use[u - 1].type == type)
            return;
    trod_push(r->mem, r->use, r->nuse, r->room_use,
        (struct read_use){.kind = kind, .decl = decl, .type = type});
    if (item->last_use)
        r->use[item->last_use - 1].next = r->nuse;
    else
        item->first_use = r->nuse;
    item->last_use = r->nuse;
}
