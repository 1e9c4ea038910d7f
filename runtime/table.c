#define TROD_OWN_TABLE 1
#include "runtime.h"

/* A thread's own in shared libraries (decision 19).
 *
 *     word of a thread -> its table -> two words of each image -> the thread's own
 *
 * All images of a process share the word and the tables, and each image has a number. A registry at
 * an agreed address says where these are. There is no visible symbol, so that version scripts
 * cannot hide it, and nothing of it is unloaded with an image. Its layout is the same in all
 * versions of trod with the same MAGIC.
 *
 * Linked only into images with code for shared libraries, which refers to __trod_entry.
 */
enum {
    IMAGES = 4096, /* at the same time; number 0 is unused */
    ENTRY = 2 * sizeof(uintptr_t),
    OWN = 256, /* bytes */
    HEAD = 4096,
    WORDS = IMAGES * ENTRY,
    TABLE = HEAD + WORDS + IMAGES * OWN,
    PROBES = 8 /* tables examined before a new one is made */
};
_Static_assert(sizeof(struct trod_own) <= OWN, "owns are side by side");

#define MAGIC UINT64_C(0x0130646f72740a1b)

/* Belongs to one thread, and later perhaps to another. Never freed. HEAD bytes, words of images,
 * owns of images. */
struct table {
    uint64_t older;         /* encoded like newest */
    _Atomic uint64_t owner; /* as in struct trod_area */
    _Atomic uintptr_t
        pointer; /* the thread pointer of its thread; different for each table */
};

enum { FREE, USED, RETIRED };

struct registry {
    _Atomic uint64_t magic; /* written last: the registry is ready */
    uint32_t key;
    int64_t slot; /* 0: threads have no word */
    _Atomic uint64_t
        newest; /* the table's address, combined with a secret, because the registry is at a known address */
    _Atomic uint32_t pid;
    _Atomic uint32_t next; /* the number to try next */
    _Atomic uint8_t image[IMAGES];
};

enum {
    REGISTRY = 8192
}; /* in bytes; the words of threads without a table follow, all zeros */
_Static_assert(sizeof(struct registry) <= REGISTRY, "words follow");

uint64_t __trod_slot, __trod_entry;

static struct registry *registry;
static uint32_t number;
static _Atomic uint32_t state; /* 0; 1: being prepared; 2: done */

/* Shared by all threads without memory for a table: their counts are not kept apart by thread. */
static struct trod_own shared_own = {.shared = true};

/* --- the registry ------------------------------------------------------------------------- */

/* Addresses that systems do not use and sanitizers leave to programs. The last ones are for
 * machines and tools with smaller address spaces.
 */
static const uint64_t places[] = {
    UINT64_C(0x7c74726f6000), UINT64_C(0x0c74726f6000), UINT64_C(0x5f74726000)};

static bool is_registry(struct registry *r)
{
    int i;

    for (i = 0; i < 1000 && __trod_os_is_readable(r); i++) {
        uint64_t magic = atomic_load(&r->magic);

        if (magic)
            return magic == MAGIC;
        __trod_os_wait_for(&i, (uint32_t)i, 1000000); /* being prepared */
    }
    return false;
}

static void open_registry(struct registry *r)
{
    if (__trod_os_make_key(&r->key, &r->slot))
        r->slot = 0;
    atomic_store(&r->pid, __trod_os_pid());
    atomic_store(&r->magic, MAGIC);
}

static struct registry *find_registry(void)
{
    struct registry *r;
    size_t i;

    for (i = 0; i < sizeof places / sizeof *places; i++) {
        int error;

        r = (struct registry *)(uintptr_t)places[i];
        error = __trod_os_map_at(r, REGISTRY + WORDS);
        if (!error) {
            open_registry(r);
            return r;
        }
        if (error == TROD_OS_TAKEN && is_registry(r))
            return r;
    }
    /* A registry for this image alone. */
    r = __trod_os_map(REGISTRY + WORDS);
    if (r)
        open_registry(r);
    return r;
}

static uintptr_t blank(void)
{
    return (uintptr_t)registry + REGISTRY;
}

/* --- tables ----------------------------------------------------------------------------------- */

static struct table *seen(uint64_t hidden)
{
    return hidden ? (struct table *)(uintptr_t)(hidden ^ (__trod_os_secret() | 1))
                  : NULL;
}

static uint64_t hidden(struct table *t)
{
    return t ? (uintptr_t)t ^ (__trod_os_secret() | 1) : 0;
}

static struct table *newest(void)
{
    return seen(atomic_load(&registry->newest));
}

static uintptr_t *words_of(struct table *t)
{
    return (uintptr_t *)((char *)t + HEAD + (size_t)number * ENTRY);
}

static struct trod_own *own_in(struct table *t)
{
    return (struct trod_own *)((char *)t + HEAD + WORDS + (size_t)number * OWN);
}

static uintptr_t word_of(struct table *t)
{
    return (uintptr_t)t + HEAD - blank();
}

static struct table *table_of_word(void)
{
    uintptr_t word;

    if (!registry->slot)
        return NULL;
    word = *(const uintptr_t *)(__trod_os_pointer() + (uintptr_t)registry->slot);
    return word ? (struct table *)(blank() + word - HEAD) : NULL;
}

/* A thread that ends loses its word, and may still run for a while. Without a word, each thread
 * finds its table this way. A stranger, a child that has not been recognised as one, is treated as
 * the thread that forked.
 */
static struct table *find_mine(uint32_t me, bool stranger)
{
    uintptr_t pointer = __trod_os_pointer();
    struct table *t;

    for (t = newest(); t; t = seen(t->older)) {
        uint32_t owner = (uint32_t)atomic_load(&t->owner);

        if (atomic_load(&t->pointer) == pointer &&
            (owner == me || (stranger && owner != TROD_NOBODY)))
            return t;
    }
    return NULL;
}

/* Other tables with this thread pointer belong to threads that have ended. */
static void mark_mine(struct table *mine)
{
    struct table *t;

    for (t = newest(); t; t = seen(t->older)) {
        uintptr_t pointer = __trod_os_pointer();

        if (t != mine)
            atomic_compare_exchange_strong(&t->pointer, &pointer, 0);
    }
    atomic_store(&mine->pointer, __trod_os_pointer());
}

static struct table *take_over(uint32_t me)
{
    struct table *t = newest();
    int i;

    for (i = 0; t && i < PROBES; i++, t = seen(t->older)) {
        if (!__trod_inherit(&t->owner, me, true))
            continue;
        __trod_os_map_zeros((char *)t + HEAD, TABLE - HEAD);
        return t;
    }
    return NULL;
}

static struct table *build(uint32_t owner)
{
    struct table *t = __trod_os_map(TABLE);
    uint64_t older;

    if (!t)
        return NULL;
    atomic_init(&t->owner, owner);
    atomic_init(&t->pointer, __trod_os_pointer());
    older = atomic_load(&registry->newest);
    do
        t->older = older;
    while (!atomic_compare_exchange_weak(&registry->newest, &older, hidden(t)));
    return t;
}

/* Returns the calling thread's table, which is created if necessary. needs: calm */
static struct table *find_table(void)
{
    uint32_t me = __trod_os_tid();
    bool stranger = __trod_os_pid() != atomic_load(&registry->pid);
    struct table *t = table_of_word();

    if (t)
        return t;
    t = find_mine(me, stranger);
    if (!t && !stranger)
        t = take_over(me);
    if (!t)
        t = build(stranger ? TROD_FOREVER : me);
    if (!t)
        return NULL;
    mark_mine(t);
    if (registry->slot)
        __trod_os_set_key(registry->key, word_of(t));
    return t;
}

/* --- the image's number ---------------------------------------------------------------------- */

/* The previous owner has ended; its state stayed in the tables. */
static void clear_number(void)
{
    struct table *t;
    size_t i;

    for (t = newest(); t; t = seen(t->older)) {
        volatile uint64_t *own = (volatile void *)own_in(t);

        ((volatile uintptr_t *)words_of(t))[0] = 0;
        ((volatile uintptr_t *)words_of(t))[1] = 0;
        for (i = 0; i < OWN / sizeof *own; i++)
            own[i] = 0;
    }
}

static void take_number(void)
{
    uint32_t i;

    for (i = 0; i < IMAGES; i++) {
        uint32_t n = atomic_fetch_add(&registry->next, 1) % IMAGES;
        uint8_t was = atomic_load(&registry->image[n]);

        if (!n || was == USED ||
            !atomic_compare_exchange_strong(&registry->image[n], &was, USED))
            continue;
        number = n;
        if (was == RETIRED)
            clear_number();
        return;
    }
}

void __trod_own_prepare(void)
{
    uint32_t none = 0;

    if (atomic_load(&state) == 2)
        return;
    if (!atomic_compare_exchange_strong(&state, &none, 1)) {
        while (atomic_load(&state) == 1 && __trod_os_wait(&state, 1))
            ;
        return;
    }
    __trod_prepare();
    registry = find_registry();
    if (registry)
        take_number();
    if (number && registry->slot) {
        __trod_slot = (uint64_t)registry->slot;
        __atomic_store_n(
            &__trod_entry, blank() + (uint64_t)number * ENTRY, __ATOMIC_RELEASE);
    }
    atomic_store(&state, 2);
    __trod_os_wake(&state);
}

/* --- a thread's own ------------------------------------------------------------------------- */

void __trod_own_publish(struct trod_own *own)
{
    struct table *t;
    uintptr_t *words;

    __trod_own_prepare();
    t = number ? find_table() : NULL;
    if (!t)
        return;
    words = words_of(t);
    words[1] = (uintptr_t)own;
    atomic_signal_fence(memory_order_seq_cst);
    words[0] = own->emitted.thread;
}

static uint64_t make(void *unused)
{
    struct trod_own *own = &shared_own;
    struct trod_os_calm calm;
    struct table *t;

    (void)unused;
    __trod_os_calm(&calm);
    __trod_own_prepare();
    t = number ? find_table() : NULL;
    if (t) {
        own = own_in(t);
        words_of(t)[1] = (uintptr_t)own;
    }
    __trod_os_resume(&calm);
    return (uintptr_t)own;
}

/* The caller keeps values in vector registers. */
struct trod_own *__trod_own_table(void)
{
    uint64_t entry = __atomic_load_n(&__trod_entry, __ATOMIC_ACQUIRE);

    if (entry) {
        uintptr_t word = *(const uintptr_t *)(__trod_os_pointer() + __trod_slot);
        struct trod_own *own = ((struct trod_own *const *)(word + entry))[1];

        if (own)
            return own;
    }
    return (struct trod_own *)(uintptr_t)__trod_keep_vectors(make, NULL);
}

static uint64_t publish(void *own)
{
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    __trod_own_publish(own);
    __trod_os_resume(&calm);
    return 0;
}

struct trod_rt_own *__trod_own_enter(void)
{
    struct trod_own *own = __trod_own_tls();

    if (own)
        __trod_keep_vectors(publish, own);
    else
        own = __trod_own_table();
    return &own->emitted;
}

void __trod_own_fork(void)
{
    struct table *mine, *t;

    if (!registry || atomic_load(&registry->pid) == __trod_os_pid())
        return;
    mine = table_of_word();
    atomic_store(&registry->pid, __trod_os_pid());
    for (t = newest(); t; t = seen(t->older)) {
        if (!mine && atomic_load(&t->pointer) == __trod_os_pointer() &&
            (uint32_t)atomic_load(&t->owner) != TROD_NOBODY)
            mine = t;
        atomic_store(&t->owner, TROD_NOBODY);
    }
    if (mine)
        atomic_store(&mine->owner, __trod_os_tid());
}

/* If this is the end of the program, other threads may still be running. Their state is cleared
 * when the number is assigned again, which happens only after all other numbers were used.
 */
void __trod_own_release(void)
{
    struct table *t;

    if (!number)
        return;
    t = table_of_word();
    if (t)
        words_of(t)[0] = words_of(t)[1] = 0;
    atomic_store(&registry->image[number], RETIRED);
}

#ifdef __x86_64__
#define PUSH(reg) "push %" reg "\n\t.cfi_adjust_cfa_offset 8\n\t"
#define POP(reg) "pop %" reg "\n\t.cfi_adjust_cfa_offset -8\n\t"

/* Fast if the thread has one. */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_own_enter_all\n\t"
        ".hidden __trod_own_enter_all\n\t"
        ".type __trod_own_enter_all, @function\n"
        "__trod_own_enter_all:\n\t"
        ".cfi_startproc\n\t"
        "mov __trod_entry(%rip), %r11\n\t"
        "test %r11, %r11\n\t"
        "je 1f\n\t"
        "mov __trod_slot(%rip), %rax\n\t"
        "mov %fs:(%rax), %rax\n\t"
        "mov 8(%rax, %r11), %rax\n\t"
        "test %rax, %rax\n\t"
        "je 1f\n\t"
        "ret\n"
        "1:\n\t" PUSH("rcx") PUSH("rdx") PUSH("rsi") PUSH("rdi") PUSH("r8") PUSH("r9")
            PUSH("r10") "call __trod_own_enter\n\t" POP("r10") POP("r9") POP("r8")
                POP("rdi") POP("rsi") POP("rdx") POP(
                    "rcx") "ret\n\t"
                           ".cfi_endproc\n\t"
                           ".size __trod_own_enter_all, . - __trod_own_enter_all\n\t"
                           ".popsection");

/* Like __trod_count_rare; preserves all registers except r11. */
__asm__(
    ".pushsection .text\n\t"
    ".p2align 4\n\t"
    ".globl __trod_count_rare_shared_most\n\t"
    ".hidden __trod_count_rare_shared_most\n\t"
    ".type __trod_count_rare_shared_most, @function\n"
    "__trod_count_rare_shared_most:\n\t"
    ".cfi_startproc\n\t" PUSH(
        "rax") "mov __trod_entry(%rip), %r11\n\t"
               "test %r11, %r11\n\t"
               "je 1f\n\t"
               "mov __trod_slot(%rip), %rax\n\t"
               "mov %fs:(%rax), %rax\n\t"
               "mov (%rax, %r11), %rax\n\t"
               "test %rax, %rax\n\t"
               "jne 2f\n"
               "1:\n\t"
               "call __trod_enter_most\n"
               "2:\n\t"
               "incq -1(%rdi, %rax)\n\t" POP(
                   "rax") "ret\n\t"
                          ".cfi_endproc\n\t"
                          ".size __trod_count_rare_shared_most, . - __trod_count_rare_shared_most\n\t"
                          ".popsection");
#else
void __trod_count_rare_shared(uint64_t *counter)
{
    __trod_count_rare(counter);
}
#endif
