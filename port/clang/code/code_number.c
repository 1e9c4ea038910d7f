#include "clang/code/code.h"

void trod_code_numbers_init(struct trod_code_numbers *out, struct trod_arena *mem)
{
    *out = (struct trod_code_numbers){.mem = mem};
}

uint64_t *trod_code_numbers_find(
    const struct trod_code_numbers *numbers, const void *key)
{
    return trod_keys_find(&numbers->keys, (uintptr_t)key);
}

uint64_t *trod_code_numbers_add(
    struct trod_code_numbers *numbers, const void *key, bool *is_new)
{
    return trod_keys_add(&numbers->keys, (uintptr_t)key, is_new, numbers->mem);
}
