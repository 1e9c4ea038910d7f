/* base/table: hash tables.
 *
 * A trod_table maps items to their indices 0, 1, 2 ... in an array that its owner keeps. The table stores hashes and
 * indices only: the owner says how an item is hashed and when two are equal.
 *
 *     uint64_t hash = trod_mix(trod_mix(0, from), to);
 *     uint32_t n = TROD_TABLE_FIND(&table, hash, i, edge[i].from == from && edge[i].to == to);
 *
 *     if (n == TROD_TABLE_NONE) {
 *         n = trod_table_add(&table, hash, mem);
 *         trod_reserve(mem, edge, n, room);
 *         edge[n] = (struct edge){from, to};
 *     }
 *
 * Open addressing, linear probing, load factor at most 1/2. A slot keeps 32 bits of the hash: growing reads no item,
 * and a lookup seldom reads one that is not equal. A zeroed table is empty.
 *
 * A trod_keys maps 64-bit keys, or addresses, to 64-bit values, and needs no array beside it.
 */
#ifndef TROD_BASE_TABLE_H
#define TROD_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trod_arena;

struct trod_table {
    struct trod_table_slot {
        uint32_t hash;
        uint32_t after; /* index + 1, or 0 */
    } *slot;
    uint64_t nslot; /* a power of two, or 0 */
    uint32_t count;
};

enum { TROD_TABLE_NONE = UINT32_MAX };

/* --- table.c: finding and adding ----------------------------------------- */

/* The index of the first item added with this hash for which `same`, an expression in its index i, is true; else
 * TROD_TABLE_NONE. The low 32 bits of the hash must be well mixed, as trod_mix leaves them.
 *
 * cost:   O(1), expected; `same` is seldom evaluated for more than one item
 */
#define TROD_TABLE_FIND(table, of, i, same)                        \
    __extension__({                                                \
        const struct trod_table *table_ = (table);                 \
        uint32_t hash_ = (uint32_t)(of), found_ = TROD_TABLE_NONE; \
                                                                   \
        for (uint64_t at_ = hash_; table_->nslot; at_++) {         \
            const struct trod_table_slot *slot_ =                  \
                &table_->slot[at_ & (table_->nslot - 1)];          \
            const uint32_t i = slot_->after - 1;                   \
                                                                   \
            if (!slot_->after)                                     \
                break;                                             \
            if (slot_->hash == hash_ && (same)) {                  \
                found_ = i;                                        \
                break;                                             \
            }                                                      \
        }                                                          \
        found_;                                                    \
    })

/* The next index, for an item with this hash; duplicates are not detected.
 *
 * needs:  fewer than 2^31 items
 * cost:   O(1), amortized
 */
uint32_t trod_table_add(
    struct trod_table *table, uint64_t hash, struct trod_arena *mem);

/* --- keys.c: from 64-bit key to 64-bit value ----------------------------------------- */

struct trod_keys {
    struct trod_key {
        uint64_t key; /* 0: free */
        uint64_t value;
    } *slot;
    size_t nslot; /* a power of two, or 0 */
    size_t count;
};

/* The address of the value of a key; NULL: it has none. The key is not 0, and may be an address. A value stays where it is until
 * another key is added.
 *
 * cost:   O(1), expected
 */
uint64_t *trod_keys_find(const struct trod_keys *keys, uint64_t key);

/* The same; a missing key is added with the value 0, and *is_new set.
 *
 * cost:   O(1), amortized
 */
uint64_t *trod_keys_add(
    struct trod_keys *keys, uint64_t key, bool *is_new, struct trod_arena *mem);

#endif
