#include "runtime.h"

/* The positions of activations that never end, because a function they called called exit: return
 * addresses of the frames that are still on the stack when the image's destructor runs. Frames are
 * walked with the call frame information that every program has on x86-64 and aarch64 (.eh_frame,
 * found through .eh_frame_hdr). This loads no library, allocates no memory and takes no lock.
 * Anything unsupported ends the walk, and the frames above it are unknown; on other machines there
 * is no walk.
 *
 * Supported is the call frame information that compilers write for code: no expressions. Only
 * signal frames have these.
 */
#if defined(__x86_64__) || defined(__aarch64__)

/* Register numbers of this information: the stack pointer, the return address; their number. */
#ifdef __x86_64__
enum { RBX = 3, RBP = 6, SP = 7, R12 = 12, R15 = 15, RA = 16, NREG = 17 };
#else
enum { X19 = 19, RA = 30, SP = 31, NREG = 32 };
#endif

enum {
    NKEPT = 4, /* depth of remember_state */
    MOST_FRAMES = 4096,
    PCREL4 = 0x1b,    /* encodings of pointers: signed, 4 bytes, relative to itself; */
    UNSIGNED4 = 0x03, /* unsigned, 4 bytes; */
    TABLE4 = 0x3b     /* signed, 4 bytes, relative to the start of .eh_frame_hdr */
};

struct rules {
    uint64_t cfa_reg;
    int64_t cfa_offset;
    uint32_t saved;   /* set of registers */
    bool is_signed;   /* aarch64: the return address has an authentication code */
    int64_t at[NREG]; /* offsets of saved registers from the CFA */
};

struct bytes {
    const uint8_t *at, *end;
    bool bad;
};

/* The call frame information of the code around an address. */
struct code {
    struct bytes initial, program;
    uintptr_t start;
    uint64_t code_align;
    int64_t data_align;
};

struct frame {
    uintptr_t pc;
    uint64_t reg[NREG];
};

/* --- reading -------------------------------------------------------------------------------- */

static uint64_t take(struct bytes *b, unsigned n)
{
    uint64_t value = 0;

    if (b->bad || (size_t)(b->end - b->at) < n) {
        b->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)b->at[i] << (8 * i);
    b->at += n;
    return value;
}

static uint64_t take_leb(struct bytes *b, bool is_signed)
{
    uint64_t value = 0, byte = 0x80;
    unsigned shift = 0;

    while (byte & 0x80 && !b->bad && shift < 64) {
        byte = take(b, 1);
        value |= (byte & 0x7f) << shift;
        shift += 7;
    }
    if (is_signed && shift < 64 && byte & 0x40)
        value |= ~UINT64_C(0) << shift;
    return value;
}

static uint32_t word_at(const uint8_t *at)
{
    struct bytes b = {at, at + 4, false};

    return (uint32_t)take(&b, 4);
}

static uintptr_t from(const uint8_t *base, uint32_t offset)
{
    return (uintptr_t)base + (uintptr_t)(intptr_t)(int32_t)offset;
}

/* The length of an entry; entries with 64-bit lengths are not supported. */
static struct bytes entry_at(const uint8_t *at)
{
    uint32_t length = word_at(at);

    return (struct bytes){at + 4, at + 4 + length, length == UINT32_MAX || length < 4};
}

/* --- which code --------------------------------------------------------------------------------- */

/* The entry of the function with the highest start at or below pc. */
static const uint8_t *find_entry(const uint8_t *head, uintptr_t pc)
{
    uint32_t low = 0, high;

    if (head[0] != 1 || head[1] != PCREL4 || head[2] != UNSIGNED4 || head[3] != TABLE4)
        return NULL;
    high = word_at(head + 8);
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (from(head, word_at(head + 12 + 8 * (size_t)mid)) <= pc)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? (const uint8_t *)from(
                     head, word_at(head + 12 + 8 * (size_t)(low - 1) + 4))
               : NULL;
}

/* Read a CIE, which many functions share. Only relative encodings of pointers are supported. */
static bool read_common(struct code *out, bool *augmented, struct bytes b)
{
    struct bytes text;
    uint8_t encoding = 0;
    uint64_t length;

    if (take(&b, 4) != 0 || take(&b, 1) != 1)
        return false;
    text = b;
    while (take(&b, 1))
        ;
    out->code_align = take_leb(&b, false);
    out->data_align = (int64_t)take_leb(&b, true);
    if (take(&b, 1) != RA || b.bad)
        return false;
    *augmented = *text.at == 'z';
    if (!*augmented)
        return false;
    length = take_leb(&b, false);
    if (length > (size_t)(b.end - b.at))
        return false;
    out->initial = (struct bytes){b.at + length, b.end, b.bad};
    for (text.at++; *text.at; text.at++) {
        uint8_t byte;

        if (*text.at == 'B') /* aarch64: which key signs return addresses */
            continue;
        byte = (uint8_t)take(&b, 1);
        if (*text.at == 'R')
            encoding = byte;
        else if (*text.at == 'P') /* the personality: 4 or 8 bytes */
            take(&b, (byte & 7) == 4 || (byte & 7) == 0 ? 8 : 4);
        else if (*text.at != 'L')
            return false;
    }
    return encoding == PCREL4 && !b.bad;
}

static bool find_code(struct code *out, uintptr_t pc)
{
    const uint8_t *head = __trod_os_unwind_table(pc), *entry, *at;
    struct bytes b;
    uint64_t distance, length;
    bool augmented;

    entry = head ? find_entry(head, pc) : NULL;
    if (!entry)
        return false;
    b = entry_at(entry);
    at = b.at;
    distance = take(&b, 4);
    if (!distance || !read_common(out, &augmented, entry_at(at - distance)))
        return false;
    at = b.at;
    out->start = from(at, (uint32_t)take(&b, 4));
    length = take(&b, 4);
    if (b.bad || pc < out->start || pc - out->start >= length)
        return false;
    length = take_leb(&b, false);
    if (length > (size_t)(b.end - b.at))
        return false;
    out->program = (struct bytes){b.at + length, b.end, b.bad};
    return true;
}

/* --- instructions --------------------------------------------------------------------------------- */

static bool save(struct rules *r, uint64_t reg, int64_t offset)
{
    if (reg < NREG) {
        r->saved |= UINT32_C(1) << reg;
        r->at[reg] = offset;
    }
    return true;
}

/* A register has the value that it had at the start of the function. */
static bool restore(struct rules *r, const struct rules *initial, uint64_t reg)
{
    if (reg < NREG) {
        r->saved &= ~(UINT32_C(1) << reg);
        r->saved |= initial->saved & UINT32_C(1) << reg;
        r->at[reg] = initial->at[reg];
    }
    return true;
}

static void copy(struct rules *to, const struct rules *from)
{
    to->cfa_reg = from->cfa_reg;
    to->cfa_offset = from->cfa_offset;
    to->saved = from->saved;
    to->is_signed = from->is_signed;
    for (int i = 0; i < NREG; i++) {
        to->at[i] = from->at[i];
        __asm__ volatile("" ::: "memory"); /* avoids a call of memcpy */
    }
}

static bool forget(struct rules *r, uint64_t reg)
{
    if (reg < NREG)
        r->saved &= ~(UINT32_C(1) << reg);
    return true;
}

/* DW_CFA_*: those that do not advance the location. */
static bool execute_cfa(struct rules *r, const struct rules *initial, struct bytes *b,
    const struct code *code, uint8_t op)
{
    uint64_t reg;

    switch (op) {
    case 0x00: /* nop */
        return true;
    case 0x05: /* offset_extended */
        reg = take_leb(b, false);
        return save(r, reg, (int64_t)take_leb(b, false) * code->data_align);
    case 0x11: /* offset_extended_sf */
        reg = take_leb(b, false);
        return save(r, reg, (int64_t)take_leb(b, true) * code->data_align);
    case 0x06: /* restore_extended */
        return restore(r, initial, take_leb(b, false));
    case 0x07: /* undefined */
    case 0x08: /* same_value */
        return forget(r, take_leb(b, false));
    case 0x0c: /* def_cfa */
        r->cfa_reg = take_leb(b, false);
        r->cfa_offset = (int64_t)take_leb(b, false);
        return true;
    case 0x0d: /* def_cfa_register */
        r->cfa_reg = take_leb(b, false);
        return true;
    case 0x0e: /* def_cfa_offset */
        r->cfa_offset = (int64_t)take_leb(b, false);
        return true;
    case 0x2d: /* AARCH64_negate_ra_state */
        r->is_signed = !r->is_signed;
        return true;
    case 0x2e: /* GNU_args_size */
        take_leb(b, false);
        return true;
    default:
        return false;
    }
}

/* Execute the instructions up to an address. */
static bool run_program(struct rules *r, const struct rules *initial, struct bytes b,
    const struct code *code, uintptr_t pc)
{
    struct rules kept[NKEPT];
    uintptr_t at = code->start;
    unsigned nkept = 0;

    while (b.at < b.end && !b.bad) {
        uint8_t op = (uint8_t)take(&b, 1), low = op & 0x3f;

        if (op >> 6 == 1) {
            at += low * code->code_align;
        } else if (op >= 0x02 && op <= 0x04) {
            at += take(&b, 1U << (op - 2)) * code->code_align;
        } else if (op >> 6 == 2) {
            save(r, low, (int64_t)take_leb(&b, false) * code->data_align);
        } else if (op >> 6 == 3) {
            restore(r, initial, low);
        } else if (op == 0x0a && nkept < NKEPT) {
            copy(&kept[nkept++], r);
        } else if (op == 0x0b && nkept) {
            copy(r, &kept[--nkept]);
        } else if (!execute_cfa(r, initial, &b, code, op)) {
            return false;
        }
        if (at > pc)
            return true;
    }
    return !b.bad;
}

/* --- frames ----------------------------------------------------------------------------------------- */

static uint64_t read_stack(uint64_t address)
{
    return *(const volatile uint64_t *)(uintptr_t)address;
}

/* Strips the pointer authentication code from a return address. */
static uintptr_t plain_address(uint64_t address, bool is_signed)
{
#ifdef __aarch64__
    register uint64_t x30 __asm__("x30") = address;

    if (is_signed)
        __asm__("hint 7" : "+r"(x30)); /* xpaclri; a no-op on older machines */
    return x30;
#else
    (void)is_signed;
    return address;
#endif
}

/* Step from a frame to its caller's. Only memory between the two is read. `called`: pc is a return
 * address. `last`: the frame is known to have no caller.
 */
static bool step_to_caller(struct frame *f, bool called, bool *last)
{
    uintptr_t pc = f->pc - called;
    struct rules initial = {0}, r;
    struct code code;
    uint64_t cfa, reg[NREG];

    if (!find_code(&code, pc) ||
        !run_program(&initial, &initial, code.initial, &code, pc))
        return false;
    copy(&r, &initial);
    if (!run_program(&r, &initial, code.program, &code, pc) || r.cfa_reg >= NREG ||
        r.cfa_reg == RA)
        return false;
    *last = !(r.saved >> RA & 1);
    cfa = f->reg[r.cfa_reg] + (uint64_t)r.cfa_offset;
    if (cfa <= f->reg[SP] || cfa & 7 || *last)
        return false;
    for (int i = 0; i < NREG; i++) {
        uint64_t at = cfa + (uint64_t)r.at[i];

        reg[i] = f->reg[i];
        if (!(r.saved >> i & 1))
            continue;
        if (at < f->reg[SP] || at > cfa - 8 || at & 7)
            return false;
        reg[i] = read_stack(at);
    }
    for (int i = 0; i < NREG; i++)
        f->reg[i] = reg[i];
    f->reg[SP] = cfa;
    f->pc = plain_address(reg[RA], r.is_signed);
    return f->pc != 0;
}

static void add(struct trod_stops *out, uint64_t offset)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (out->stop[i].offset == offset) {
            out->stop[i].times++;
            return;
        }
    if (out->count < TROD_MOST_STOPS)
        out->stop[out->count++] = (struct trod_stop){offset, 1};
}

/* The callee-saved registers, in the function that this is inlined into. */
static inline __attribute__((always_inline)) void take_registers(struct frame *f)
{
#ifdef __x86_64__
    __asm__ volatile("leaq 0(%%rip), %0\n\t"
                     "movq %%rsp, %1\n\t"
                     "movq %%rbp, %2\n\t"
                     "movq %%rbx, %3\n\t"
                     "movq %%r12, %4\n\t"
                     "movq %%r13, %5\n\t"
                     "movq %%r14, %6\n\t"
                     "movq %%r15, %7"
        : "=&r"(f->pc), "=m"(f->reg[SP]), "=m"(f->reg[RBP]), "=m"(f->reg[RBX]),
        "=m"(f->reg[R12]), "=m"(f->reg[R12 + 1]), "=m"(f->reg[R12 + 2]),
        "=m"(f->reg[R15]));
#else
    __asm__ volatile("stp x19, x20, [%2]\n\t"
                     "stp x21, x22, [%2, 16]\n\t"
                     "stp x23, x24, [%2, 32]\n\t"
                     "stp x25, x26, [%2, 48]\n\t"
                     "stp x27, x28, [%2, 64]\n\t"
                     "str x29, [%2, 80]\n\t"
                     "mov %0, sp\n\t"
                     "adr %1, ."
        : "=&r"(f->reg[SP]), "=&r"(f->pc)
        : "r"(&f->reg[X19])
        : "memory");
#endif
}

/* The runtime's own frames come first. Unfinished frames begin with the caller of the destructor. */
__attribute__((noinline)) void __trod_unwind(struct trod_stops *out, uintptr_t caller)
{
    uintptr_t start = __trod_image_start(), end = __trod_image_end();
    struct frame f = {0};
    bool behind = false;

    out->count = 0;
    out->whole = false;
    if (!start || !end)
        return;
    take_registers(&f);
    for (int i = 0; i < MOST_FRAMES; i++) {
        uintptr_t pc = f.pc;
        bool inside = pc >= start && pc < end;

        if (!step_to_caller(&f, i > 0, &out->whole))
            return;
        behind |= pc == caller;
        if (inside && behind)
            add(out, pc - start);
    }
}

#else

void __trod_unwind(struct trod_stops *out, uintptr_t caller)
{
    (void)caller;
    out->count = 0;
    out->whole = false;
}

#endif
