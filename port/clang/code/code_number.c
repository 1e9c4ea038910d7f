#include "clang/code/code.h"

static size_t slot_of(const struct trod_code_numbers *numbers, const void *key)
{
    size_t i = trod_mix(0, (uintptr_t)key) & (numbers->nslot - 1);

    while (numbers->key[i] && numbers->key[i] != key)
        i = (i + 1) & (numbers->nslot - 1);
    return i;
}

void trod_code_numbers_init(
    struct trod_code_numbers *out, size_t expected, struct trod_arena *mem)
{
    *out = (struct trod_code_numbers){.mem = mem, .nslot = 16};
    while (out->nslot < 2 * expected)
        out->nslot *= 2;
    out->key = trod_new(mem, const void *, out->nslot);
    out->value = trod_new(mem, uint64_t, out->nslot);
}

uint64_t *trod_code_numbers_find(
    const struct trod_code_numbers *numbers, const void *key)
{
    size_t i = slot_of(numbers, key);

    return numbers->key[i] ? &numbers->value[i] : NULL;
}

uint64_t *trod_code_numbers_add(
    struct trod_code_numbers *numbers, const void *key, bool *is_new)
{
    size_t i;

    if (2 * (numbers->count + 1) > numbers->nslot) {
        struct trod_code_numbers more;

        trod_code_numbers_init(&more, numbers->nslot, numbers->mem);
        for (size_t s = 0; s < numbers->nslot; s++)
            if (numbers->key[s]) {
                size_t to = slot_of(&more, numbers->key[s]);

                more.key[to] = numbers->key[s];
                more.value[to] = numbers->value[s];
            }
        more.count = numbers->count;
        *numbers = more;
    }
    i = slot_of(numbers, key);
    *is_new = !numbers->key[i];
    numbers->count += *is_new;
    numbers->key[i] = key;
    return &numbers->value[i];
}
