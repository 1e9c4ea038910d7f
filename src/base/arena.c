#include "base/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TROD_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TROD_ASAN 1
#endif
#ifdef TROD_ASAN
#include <sanitizer/asan_interface.h>
#define poison(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define unpoison(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#else
#define poison(p, n) ((void)(p), (void)(n))
#define unpoison(p, n) ((void)(p), (void)(n))
#endif

/* A function needs only a few chunks, and a command that reads ten lines wastes little. */
enum { CHUNK_BYTES = 64 * 1024, ALIGN = 16 };

struct trod_chunk {
    struct trod_chunk *older;
    size_t size; /* of bytes */
    size_t used;
    size_t last; /* offset of the latest allocation */
    _Alignas(ALIGN) unsigned char bytes[];
};

static atomic_size_t chunks_alive;

void trod_arena_init(struct trod_arena *mem, void (*exhausted)(void *ctx), void *ctx)
{
    memset(mem, 0, sizeof *mem);
    mem->exhausted = exhausted;
    mem->ctx = ctx;
}

static void drop_newest(struct trod_arena *mem)
{
    struct trod_chunk *chunk = mem->head;

    mem->head = chunk->older;
    mem->live -= chunk->size;
    unpoison(chunk->bytes, chunk->size);
    free(chunk);
    atomic_fetch_sub(&chunks_alive, 1);
}

void trod_arena_free(struct trod_arena *mem)
{
    while (mem->head)
        drop_newest(mem);
}

size_t trod_arena_chunks(void)
{
    return atomic_load(&chunks_alive);
}

void trod_arena_fail_at(struct trod_arena *mem, uint64_t nth)
{
    mem->fail_at = nth;
}

static _Noreturn void exhausted(struct trod_arena *mem)
{
    mem->exhausted(mem->ctx);
    /* The handler must not return. */
    __builtin_trap();
}

static void add_chunk(struct trod_arena *mem, size_t need)
{
    size_t size = need > CHUNK_BYTES / 4 ? need : CHUNK_BYTES;
    struct trod_chunk *chunk;

    if (size > SIZE_MAX - sizeof *chunk)
        exhausted(mem);
    /* calloc() does not clear pages that the kernel has just zeroed. */
    chunk = calloc(1, sizeof *chunk + size);
    if (!chunk)
        exhausted(mem);
    chunk->older = mem->head;
    chunk->size = size;
    mem->head = chunk;
    mem->live += size;
    if (mem->live > mem->peak)
        mem->peak = mem->live;
    atomic_fetch_add(&chunks_alive, 1);
    poison(chunk->bytes, chunk->size);
}

static size_t bytes_for(struct trod_arena *mem, size_t count, size_t size)
{
    size_t bytes;

    mem->ntake++;
    if (mem->fail_at && mem->ntake == mem->fail_at)
        exhausted(mem);
    if (__builtin_mul_overflow(count, size, &bytes) ||
        bytes > SIZE_MAX - (size_t)2 * ALIGN)
        exhausted(mem);
    return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static void *take_bytes(struct trod_arena *mem, size_t bytes)
{
    struct trod_chunk *chunk = mem->head;
    unsigned char *out;

    if (!chunk || chunk->size - chunk->used < bytes) {
        add_chunk(mem, bytes);
        chunk = mem->head;
    }
    out = chunk->bytes + chunk->used;
    chunk->last = chunk->used;
    chunk->used += bytes;
    unpoison(out, bytes);
    return out;
}

void *trod_arena_take(struct trod_arena *mem, size_t count, size_t size)
{
    return take_bytes(mem, bytes_for(mem, count, size));
}

void *trod_arena_grow(
    struct trod_arena *mem, void *old, size_t old_count, size_t new_count, size_t size)
{
    size_t bytes = bytes_for(mem, new_count, size);
    struct trod_chunk *chunk = mem->head;
    void *out;

    /* An empty allocation may have the same address as the one after it. */
    if (old_count && chunk && old == chunk->bytes + chunk->last &&
        chunk->size - chunk->last >= bytes) {
        chunk->used = chunk->last + bytes;
        unpoison(old, bytes);
        return old;
    }
    out = take_bytes(mem, bytes);
    assert(old || !old_count);
    if (old_count)
        memcpy(out, old, old_count * size);
    return out;
}

struct trod_mark trod_arena_mark(const struct trod_arena *mem)
{
    return (struct trod_mark){mem->head, mem->head ? mem->head->used : 0};
}

void trod_arena_rewind(struct trod_arena *mem, struct trod_mark mark)
{
    struct trod_chunk *chunk;

    while (mem->head != mark.chunk)
        drop_newest(mem);
    chunk = mem->head;
    if (!chunk)
        return;
    /* Allocations are zeroed, so clear the memory for reuse. */
    memset(chunk->bytes + mark.used, 0, chunk->used - mark.used);
    poison(chunk->bytes + mark.used, chunk->used - mark.used);
    chunk->used = mark.used;
    chunk->last = mark.used;
}

char *trod_copy(struct trod_arena *mem, const char *from)
{
    return trod_copy_text(mem, from, strlen(from));
}

char *trod_copy_text(struct trod_arena *mem, const char *from, size_t length)
{
    char *to = trod_arena_take(mem, length + 1, 1);

    memcpy(to, from, length);
    return to;
}
