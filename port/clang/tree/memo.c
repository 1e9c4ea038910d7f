#include "clang/tree/reading.h"

#include <string.h>

static uint32_t slot_of(const struct memo *memo, uint64_t key)
{
    uint32_t i = (uint32_t)trod_mix(0, key) & (memo->nslot - 1);

    while (memo->key[i] && memo->key[i] != key)
        i = (i + 1) & (memo->nslot - 1);
    return i;
}

static void enlarge(struct memo *memo, struct trod_arena *mem)
{
    struct memo old = *memo;

    memo->nslot = old.nslot ? 2 * old.nslot : 1024;
    memo->key = trod_new(mem, uint64_t, memo->nslot);
    memo->value = trod_new(mem, uint32_t, memo->nslot);
    for (uint32_t i = 0; i < old.nslot; i++) {
        uint32_t to;

        if (!old.key[i])
            continue;
        to = slot_of(memo, old.key[i]);
        memo->key[to] = old.key[i];
        memo->value[to] = old.value[i];
    }
}

uint32_t *memo_at(struct memo *memo, uint64_t key, bool *is_new, struct trod_arena *mem)
{
    uint32_t i;

    assert(key);
    if (2 * (memo->count + 1) > memo->nslot)
        enlarge(memo, mem);
    i = slot_of(memo, key);
    *is_new = !memo->key[i];
    if (*is_new) {
        memo->key[i] = key;
        memo->count++;
    }
    return &memo->value[i];
}

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

/* --- kids ---------------------------------------------------------------------------------- */

static enum CXChildVisitResult push(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct reading *r = data;

    (void)parent;
    trod_reserve(r->mem, r->kid, r->nkid, r->room_kid);
    r->kid[r->nkid++] = cursor;
    return CXChildVisit_Continue;
}

uint32_t read_kids(struct reading *r, CXCursor of)
{
    uint32_t from = r->nkid;

    clang_visitChildren(of, push, r);
    return from;
}
