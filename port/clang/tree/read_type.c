#include "clang/tree/tree_reader.h"

#include <string.h>

/* The hash of a type includes its parts, up to pointers: the target of a pointer is identified by
 * name. So a class with a changed layout changes everything that contains it, and an access to a
 * member hashes its offset (read_expr.c).
 */

/* Removes the location from "(unnamed struct at a.c:3:9)", so that it is the same elsewhere. */
static const char *without_place(char *name)
{
    char *at;

    while ((at = strstr(name, " at "))) {
        char *end = strchr(at, ')');

        if (!end)
            break;
        memmove(at, end, strlen(end) + 1);
    }
    return name;
}

const char *read_type_name(struct tree_reader *r, CXType type)
{
    return without_place(copy_taken(clang_getTypeSpelling(type), r->mem));
}

const char *read_cursor_name(struct tree_reader *r, CXCursor cursor)
{
    return without_place(copy_taken(clang_getCursorSpelling(cursor), r->mem));
}

uint64_t read_cursor_hash(struct tree_reader *r, CXCursor cursor)
{
    struct trod_mark mark = trod_arena_mark(r->mem);
    const char *name = read_cursor_name(r, cursor);
    uint64_t hash = hash_text(name, strlen(name));

    trod_arena_rewind(r->mem, mark);
    return hash;
}

long long read_stride(CXType pointer)
{
    CXType to = clang_getPointeeType(clang_getCanonicalType(pointer));

    return to.kind == CXType_Invalid ? -1 : clang_Type_getSizeOf(to);
}

struct fields {
    struct tree_reader *r;
    uint64_t hash;
};

static enum CXVisitorResult add_field(CXCursor field, CXClientData data)
{
    struct fields *f = data;
    uint64_t hash = hash_taken(clang_getCursorSpelling(field));

    hash = trod_mix(hash, (uint64_t)clang_Cursor_getOffsetOfField(field));
    hash = trod_mix(hash, (uint64_t)clang_getFieldDeclBitWidth(field));
    hash = trod_mix(hash, read_type(f->r, clang_getCursorType(field)).deep);
    f->hash = trod_mix(f->hash, hash);
    return CXVisit_Continue;
}

static enum CXChildVisitResult add_base(
    CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct fields *f = data;

    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier)
        f->hash = trod_mix(f->hash, read_type(f->r, clang_getCursorType(cursor)).deep);
    return CXChildVisit_Continue;
}

static struct read_type hash_record(struct tree_reader *r, CXType type, uint64_t hash)
{
    CXCursor decl = clang_getTypeDeclaration(type);
    const char *name = read_type_name(r, type);
    struct fields f = {.r = r, .hash = hash};
    struct read_type out;

    out.flat = out.deep = trod_mix(hash, hash_text(name, strlen(name)));
    /* System types are identified by name. */
    if (!clang_Cursor_isAnonymous(decl) && !read_is_ours(r, decl))
        return out;
    if (r->unit->cxx)
        clang_visitChildren(decl, add_base, &f);
    clang_Type_visitFields(type, add_field, &f);
    out.deep = trod_mix(out.deep, f.hash);
    out.deep = trod_mix(out.deep, (uint64_t)clang_Type_getSizeOf(type));
    out.deep = trod_mix(out.deep, (uint64_t)clang_Type_getAlignOf(type));
    if (clang_Cursor_isAnonymous(decl))
        out.flat = out.deep;
    return out;
}

static struct read_type hash_function(struct tree_reader *r, CXType type, uint64_t hash)
{
    int narg = clang_getNumArgTypes(type);

    hash = trod_mix(hash, read_type(r, clang_getResultType(type)).flat);
    hash = trod_mix(hash, (uint64_t)clang_isFunctionTypeVariadic(type));
    for (int i = 0; i < narg; i++)
        hash = trod_mix(hash, read_type(r, clang_getArgType(type, (unsigned)i)).flat);
    hash = trod_mix(hash, (uint64_t)narg);
    return (struct read_type){hash, hash};
}

static struct read_type hash_array(struct tree_reader *r, CXType type, uint64_t hash)
{
    struct read_type element = read_type(r, clang_getElementType(type));

    hash = trod_mix(hash, (uint64_t)clang_getNumElements(type));
    return (struct read_type){
        trod_mix(hash, element.deep), trod_mix(hash, element.flat)};
}

static struct read_type hash_pointer(struct tree_reader *r, CXType type, uint64_t hash)
{
    hash = trod_mix(hash, read_type(r, clang_getPointeeType(type)).flat);
    if (type.kind == CXType_MemberPointer)
        hash = trod_mix(hash, read_type(r, clang_Type_getClassType(type)).flat);
    return (struct read_type){hash, hash};
}

static struct read_type hash_type(struct tree_reader *r, CXType type)
{
    uint64_t hash = trod_mix(1, (uint64_t)type.kind);
    const char *name;

    if (clang_isConstQualifiedType(type))
        hash = trod_mix(hash, 1);
    if (clang_isVolatileQualifiedType(type))
        hash = trod_mix(hash, 2);
    if (clang_isRestrictQualifiedType(type))
        hash = trod_mix(hash, 3);
    if (type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
        type.kind != CXType_Dependent)
        return (struct read_type){hash, hash};
    switch (type.kind) {
    case CXType_Pointer:
    case CXType_BlockPointer:
    case CXType_LValueReference:
    case CXType_RValueReference:
    case CXType_MemberPointer:
        return hash_pointer(r, type, hash);
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return hash_function(r, type, hash);
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
    case CXType_Vector:
    case CXType_ExtVector:
    case CXType_Complex:
        return hash_array(r, type, hash);
    case CXType_Record:
        return hash_record(r, type, hash);
    case CXType_Enum:
        hash = trod_mix(hash, (uint64_t)clang_Type_getSizeOf(type));
        break;
    default:
        break;
    }
    name = read_type_name(r, type);
    hash = trod_mix(hash, hash_text(name, strlen(name)));
    return (struct read_type){hash, hash};
}

/* Types are identified by their address in clang, which includes qualifiers, as clang_equalTypes() does. */
struct read_type read_type(struct tree_reader *r, CXType type)
{
    static const struct read_type none = {1, 1};
    CXType canonical = clang_getCanonicalType(type);
    struct read_type found;
    uint64_t key = (uint64_t)(uintptr_t)canonical.data[0];
    uint64_t *at;
    bool is_new;

    if (canonical.kind == CXType_Invalid || !key)
        return none;
    at = trod_keys_add(&r->type_of, key, &is_new, r->mem);
    /* A class without a name may contain itself through its parts; the recursion ends here. */
    if (!is_new)
        return *at ? r->type[*at - 1] : none;
    found = hash_type(r, canonical);
    trod_push(r->mem, r->type, r->ntype, r->room_type, found);
    *trod_keys_add(&r->type_of, key, &is_new, r->mem) = r->ntype;
    return found;
}
