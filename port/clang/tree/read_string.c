#include "clang/tree/tree_reader.h"

#include <string.h>

uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = length;

    for (; length >= 8; length -= 8, text += 8) {
        uint64_t word;

        memcpy(&word, text, 8);
        hash = trod_mix(hash, word);
    }
    for (size_t i = 0; i < length; i++)
        hash = trod_mix(hash, (unsigned char)text[i]);
    return hash;
}

uint64_t hash_taken(CXString text)
{
    const char *bytes = clang_getCString(text);
    uint64_t hash = bytes ? hash_text(bytes, strlen(bytes)) : 0;

    clang_disposeString(text);
    return hash;
}

char *copy_taken(CXString text, struct trod_arena *mem)
{
    const char *bytes = clang_getCString(text);
    char *copy = trod_copy_text(mem, bytes ? bytes : "", bytes ? strlen(bytes) : 0);

    clang_disposeString(text);
    return copy;
}

/* --- children ------------------------------------------------------------------------------ */

static enum CXChildVisitResult push(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct tree_reader *r = data;

    (void)parent;
    trod_push(r->mem, r->kid, r->nkid, r->room_kid, cursor);
    return CXChildVisit_Continue;
}

uint32_t read_kids(struct tree_reader *r, CXCursor of)
{
    uint32_t from = r->nkid;

    clang_visitChildren(of, push, r);
    return from;
}
