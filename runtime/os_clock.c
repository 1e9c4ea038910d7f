#define _GNU_SOURCE 1

#include "os.h"

#include <elf.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <time.h>

/* The kernel's code that reads a clock without a system call (vdso(7)). libc has a function for it, but a program may
 * replace that by its own.
 */
typedef int reader(clockid_t clock, struct timespec *out);

#ifdef __x86_64__
static const char name[] = "__vdso_clock_gettime";
#else
static const char name[] = "__kernel_clock_gettime";
#endif

struct image {
    const char *bias; /* plus an address of its tables: where that is */
    const Elf64_Sym *symbol;
    const char *string;
    const uint32_t *hash, *gnu_hash; /* NULL: it has none */
};

static bool find_tables(struct image *out, const Elf64_Ehdr *elf)
{
    const char *start = (const char *)elf;
    const Elf64_Phdr *segment = (const void *)(start + elf->e_phoff);
    const Elf64_Dyn *dynamic = NULL;
    bool loaded = false;
    unsigned i;

    for (i = 0; i < elf->e_phnum; i++) {
        if (segment[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)(start + segment[i].p_offset);
        if (segment[i].p_type == PT_LOAD && !loaded) {
            out->bias = start + segment[i].p_offset - segment[i].p_vaddr;
            loaded = true;
        }
    }
    if (!dynamic || !loaded)
        return false;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const void *at = out->bias + dynamic->d_un.d_ptr;

        if (dynamic->d_tag == DT_SYMTAB)
            out->symbol = at;
        else if (dynamic->d_tag == DT_STRTAB)
            out->string = at;
        else if (dynamic->d_tag == DT_HASH)
            out->hash = at;
        else if (dynamic->d_tag == DT_GNU_HASH)
            out->gnu_hash = at;
    }
    return out->symbol && out->string;
}

/* A GNU hash table: number of buckets, first symbol, words of the filter (64 bits each), shift; the filter; the buckets;
 * then a word for each symbol from the first on, odd for the last of its bucket.
 */
static uint32_t number_of_symbols(const struct image *image)
{
    const uint32_t *bucket, *chain, *gnu = image->gnu_hash;
    uint32_t last = 0, i;

    if (image->hash)
        return image->hash[1];
    if (!gnu)
        return 0;
    bucket = gnu + 4 + 2 * (size_t)gnu[2];
    chain = bucket + gnu[0];
    for (i = 0; i < gnu[0]; i++)
        last = bucket[i] > last ? bucket[i] : last;
    if (last < gnu[1])
        return 0;
    while (!(chain[last - gnu[1]] & 1))
        last++;
    return last + 1;
}

static bool is_name(const char *text)
{
    unsigned i;

    for (i = 0; i < sizeof name; i++) {
        if (text[i] != name[i])
            return false;
    }
    return true;
}

static reader *find(void)
{
    const Elf64_Ehdr *elf = (const void *)getauxval(
        AT_SYSINFO_EHDR); /* NOLINT(performance-no-int-to-ptr) */
    struct image image = {0};
    uint32_t count, i;

    if (!elf || !find_tables(&image, elf))
        return NULL;
    count = number_of_symbols(&image);
    for (i = 0; i < count; i++) {
        const Elf64_Sym *symbol = &image.symbol[i];

        if (symbol->st_shndx != SHN_UNDEF && is_name(image.string + symbol->st_name))
            return (reader *)(uintptr_t)(image.bias + symbol->st_value);
    }
    return NULL;
}

/* Threads that find it at the same time find the same. */
static _Atomic(reader *) found;
static atomic_bool looked;

bool __trod_os_read_clock(struct timespec *out, int clock)
{
    reader *read;

    if (!atomic_load(&looked)) {
        atomic_store(&found, find());
        atomic_store(&looked, true);
    }
    read = atomic_load(&found);
    return read && !read(clock, out);
}
