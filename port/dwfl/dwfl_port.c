#include "dwfl/dwfl_port.h"
#include "base/order.h"

#include "capstone/code_decode.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbol {
    uint64_t start, end; /* addresses as in the file */
    const char *name;
    uint8_t rank; /* preference among names of one address; lower is better */
    bool local, part;
};

/* A row of the line table extends to the next one. A row without a source file ends a sequence. */
struct row {
    uint64_t address;
    const char *source;
    uint32_t line, order;
};

struct file {
    const char *path, *build_id;
    const char *why; /* why it cannot be used; NULL: it can */
    Dwfl *dwfl;
    Dwfl_Module *module;
    Elf *elf;
    GElf_Addr bias; /* address in the module minus address in the file */
    struct symbol *symbol;
    size_t nsymbol, room_symbol;
    struct row *row; /* read on the first request */
    size_t nrow, room_row;
    bool has_rows;
    struct trod_code_decoder *decoder; /* NULL: unsupported machine */
    const uint8_t *bytes;              /* the whole file */
    size_t nbyte;
};

struct trod_dwfl {
    struct trod_arena *mem;
    struct file **file;
    uint32_t nfile, room_file;
    uint32_t last;
};

/* --- symbols ------------------------------------------------------------------------------------- */

static void add_symbol(
    struct file *f, const struct symbol *symbol, struct trod_arena *mem)
{
    trod_push(mem, f->symbol, f->nsymbol, f->room_symbol, *symbol);
}

static uint8_t rank_of(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
        return 0;
    case STB_WEAK:
        return 1;
    default:
        return 2;
    }
}

/* Without the default symbol version. */
static const char *plain_name(const char *name, struct trod_arena *mem)
{
    const char *version = strstr(name, "@@");

    return version && version != name
               ? trod_copy_text(mem, name, (size_t)(version - name))
               : name;
}

static void read_symbols(struct file *f, struct trod_arena *mem)
{
    int n = dwfl_module_getsymtab(f->module);

    for (int i = 1; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        Elf *elf;
        Dwarf_Addr bias;
        const char *name = dwfl_module_getsym_info(
            f->module, i, &symbol, &address, &section, &elf, &bias);
        int type = GELF_ST_TYPE(symbol.st_info);

        if (!name || !*name || (type != STT_FUNC && type != STT_GNU_IFUNC) ||
            section == SHN_UNDEF)
            continue;
        add_symbol(f,
            &(struct symbol){.start = address - f->bias,
                .end = address - f->bias + symbol.st_size,
                .name = plain_name(name, mem),
                .rank = rank_of(&symbol),
                .local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL,
                .part = strstr(name, ".cold") != NULL},
            mem);
    }
}

static void read_stubs(struct file *f, struct trod_arena *mem)
{
    struct trod_dwfl_stub *stub;
    size_t n;

    trod_dwfl_stubs(&stub, &n, f->elf, mem);
    for (size_t i = 0; i < n; i++)
        add_symbol(f,
            &(struct symbol){.start = stub[i].address,
                .end = stub[i].address + stub[i].size,
                .name = stub[i].name,
                .rank = 3,
                .local = true},
            mem);
}

TROD_ORDER(by_address, struct symbol, TROD_UP(start), TROD_UP(rank),
    trod_compare(strlen(a->name), strlen(b->name)), TROD_ALPHABETIC(name))

static int by_name(const void *x, const void *y)
{
    const struct symbol *const *a = x, *const *b = y;
    int by = strcmp((*a)->name, (*b)->name);

    return by ? by : (*a > *b) - (*a < *b);
}

/* Makes addresses and names unique: functions that share a name get their address appended. A
 * function without a size ends where the next begins.
 */
static void settle_symbols(struct file *f, struct trod_arena *mem)
{
    struct symbol **sorted;
    size_t kept = 0;

    trod_sort(f->symbol, f->nsymbol, by_address);
    for (size_t i = 0; i < f->nsymbol; i++) {
        struct symbol *last = kept ? &f->symbol[kept - 1] : NULL;

        if (last && last->start == f->symbol[i].start) {
            if (last->end < f->symbol[i].end)
                last->end = f->symbol[i].end;
            continue;
        }
        if (last && last->end == last->start)
            last->end = f->symbol[i].start;
        f->symbol[kept++] = f->symbol[i];
    }
    f->nsymbol = kept;
    sorted = trod_new(mem, struct symbol *, kept);
    for (size_t i = 0; i < kept; i++)
        sorted[i] = &f->symbol[i];
    trod_sort(sorted, kept, by_name);
    for (size_t i = 0, end; i < kept; i = end) {
        for (end = i + 1; end < kept; end++)
            if (strcmp(sorted[i]->name, sorted[end]->name) != 0)
                break;
        for (size_t k = i; end - i > 1 && k < end; k++) {
            struct trod_string name;

            trod_string_init(&name, mem);
            trod_put(&name.sink, "%s@0x%" PRIx64, sorted[k]->name, sorted[k]->start);
            sorted[k]->name = name.text;
        }
    }
}

/* --- files --------------------------------------------------------------------------------------- */

static bool has_build_id(const struct file *f, struct trod_arena *mem)
{
    const unsigned char *bits;
    struct trod_string own;
    GElf_Addr at;
    int n = dwfl_module_build_id(f->module, &bits, &at);

    if (!f->build_id || !*f->build_id)
        return true;
    trod_string_init(&own, mem);
    for (int i = 0; i < n; i++)
        trod_put(&own.sink, "%02x", bits[i]);
    return n > 0 && strcmp(own.text, f->build_id) == 0;
}

static void open_file(struct file *f, struct trod_arena *mem)
{
    /* The default search path: next to the file, in .debug, in /usr/lib/debug. */
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address};
    struct stat status;
    GElf_Ehdr head;

    if (access(f->path, R_OK) != 0 || stat(f->path, &status) != 0 ||
        !S_ISREG(status.st_mode)) {
        f->why = "it cannot be read";
        return;
    }
    f->dwfl = dwfl_begin(&callbacks);
    f->module = f->dwfl ? dwfl_report_offline(f->dwfl, f->path, f->path, -1) : NULL;
    if (f->dwfl)
        dwfl_report_end(f->dwfl, NULL, NULL);
    if (f->module)
        f->elf = dwfl_module_getelf(f->module, &f->bias);
    if (!f->elf)
        f->why = "it is not an ELF file";
    else if (!has_build_id(f, mem))
        f->why = "it is not the build that ran";
    if (f->why)
        return;
    if (gelf_getehdr(f->elf, &head))
        f->decoder = trod_code_decoder_open(head.e_machine, mem);
    f->bytes = (const uint8_t *)elf_rawfile(f->elf, &f->nbyte);
    read_symbols(f, mem);
    read_stubs(f, mem);
    settle_symbols(f, mem);
}

static bool is_of(const struct file *f, const struct trod_image *image)
{
    const char *a = f->build_id ? f->build_id : "";
    const char *b = image->build_id ? image->build_id : "";

    return strcmp(f->path, image->path) == 0 && strcmp(a, b) == 0;
}

/* NULL: it cannot be used. */
static struct file *file_of(struct trod_dwfl *d, const struct trod_image *image)
{
    struct file *f = NULL;

    if (!image->path)
        return NULL;
    if (d->nfile && is_of(d->file[d->last], image)) {
        f = d->file[d->last];
        return f->why ? NULL : f;
    }
    for (uint32_t i = 0; i < d->nfile; i++)
        if (is_of(d->file[i], image)) {
            d->last = i;
            return d->file[i]->why ? NULL : d->file[i];
        }
    trod_reserve(d->mem, d->file, d->nfile, d->room_file);
    f = d->file[d->nfile] = trod_new(d->mem, struct file, 1);
    d->last = d->nfile++;
    f->path = image->path;
    f->build_id = image->build_id;
    open_file(f, d->mem);
    return f->why ? NULL : f;
}

/* --- queries --------------------------------------------------------------------------------------- */

static bool load_of(GElf_Phdr *out, const struct file *f, uint64_t offset)
{
    size_t n;

    if (elf_getphdrnum(f->elf, &n) != 0)
        return false;
    for (int i = 0; i < (int)n; i++)
        if (gelf_getphdr(f->elf, i, out) && out->p_type == PT_LOAD &&
            offset >= out->p_offset && offset - out->p_offset < out->p_filesz)
            return true;
    return false;
}

static bool address_of(uint64_t *out, const struct file *f, uint64_t offset)
{
    GElf_Phdr load;

    if (!load_of(&load, f, offset))
        return false;
    *out = offset - load.p_offset + load.p_vaddr;
    return true;
}

static uint64_t get_address(void *ctx, const struct trod_image *image, uint64_t offset)
{
    struct file *f = file_of(ctx, image);
    uint64_t address;

    return f && address_of(&address, f, offset) ? address : offset;
}

static bool get_symbol(void *ctx, struct trod_lift_symbol *out,
    const struct trod_image *image, uint64_t offset)
{
    enum { LOOK_BACK = 8 }; /* maximum nesting of functions */
    struct file *f = file_of(ctx, image);
    size_t low = 0, high;
    uint64_t address;

    if (!f || !address_of(&address, f, offset))
        return false;
    high = f->nsymbol;
    low = TROD_LOWER_BOUND(middle, low, high, f->symbol[middle].start <= address);
    for (int i = 0; low-- > 0 && i < LOOK_BACK; i++) {
        const struct symbol *s = &f->symbol[low];

        if (address >= s->end)
            continue;
        /* In the same segment as its first byte, so the same offset is subtracted. */
        *out = (struct trod_lift_symbol){.name = s->name,
            .start = s->start - address + offset,
            .end = s->end - address + offset,
            .local = s->local,
            .part = s->part};
        return true;
    }
    return false;
}

/* Only bytes in executable segments are code. The offset between file and address is that of the
 * segment.
 */
static bool get_code(
    void *ctx, struct trod_code *out, const struct trod_image *image, uint64_t offset)
{
    struct file *f = file_of(ctx, image);
    GElf_Phdr load;
    uint64_t end;

    if (!f || !f->decoder || !f->bytes || !load_of(&load, f, offset) ||
        !(load.p_flags & PF_X))
        return false;
    end = load.p_offset + load.p_filesz;
    if (end > f->nbyte)
        end = f->nbyte;
    return offset < end &&
           trod_code_decode(out, f->decoder, offset, f->bytes + offset, end - offset);
}

/* --- lines ------------------------------------------------------------------------------------------ */

static void add_rows(struct file *f, Dwarf_Die *unit, struct trod_arena *mem)
{
    size_t n;

    if (dwfl_getsrclines(unit, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        Dwfl_Line *line = dwfl_onesrcline(unit, i);
        Dwarf_Addr address, bias;
        Dwarf_Line *plain = line ? dwfl_dwarf_line(line, &bias) : NULL;
        bool over = true;
        int number;
        const char *source =
            line ? dwfl_lineinfo(line, &address, &number, NULL, NULL, NULL) : NULL;

        if (!source || !plain || dwarf_lineendsequence(plain, &over) != 0)
            continue;
        trod_push(mem, f->row, f->nrow, f->room_row,
            (struct row){.address = address - f->bias,
                .source = over ? NULL : source,
                .line = number > 0 ? (uint32_t)number : 0,
                .order = (uint32_t)f->nrow});
    }
}

/* At the same address, the end of a sequence comes before the start of the next. */
static int by_row(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (!a->source != !b->source)
        return !a->source ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static void read_rows(struct file *f, struct trod_arena *mem)
{
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;

    if (f->has_rows)
        return;
    f->has_rows = true;
    while ((unit = dwfl_module_nextcu(f->module, unit, &bias)))
        add_rows(f, unit, mem);
    trod_sort(f->row, f->nrow, by_row);
}

/* The last row at or before an address; nrow: none. */
static size_t row_at(const struct file *f, uint64_t address)
{
    size_t low =
        TROD_LOWER_BOUND(middle, 0, f->nrow, f->row[middle].address <= address);

    return low ? low - 1 : f->nrow;
}

static const char *get_source(
    void *ctx, const struct trod_image *image, uint64_t offset)
{
    struct trod_dwfl *d = ctx;
    struct file *f = file_of(d, image);
    uint64_t address;
    size_t row;

    if (!f || !address_of(&address, f, offset))
        return NULL;
    read_rows(f, d->mem);
    row = row_at(f, address);
    return row < f->nrow ? f->row[row].source : NULL;
}

static uint32_t get_declared(void *ctx, const struct trod_image *image, uint64_t offset)
{
    struct trod_dwfl *d = ctx;
    struct file *f = file_of(d, image);
    Dwarf_Die *unit, *scope = NULL;
    Dwarf_Addr bias;
    uint64_t address;
    int n, line = 0;

    if (!f || !address_of(&address, f, offset) ||
        !(unit = dwfl_module_addrdie(f->module, address + f->bias, &bias)))
        return 0;
    n = dwarf_getscopes(unit, address + f->bias - bias, &scope);
    for (int i = 0; i < n && line <= 0; i++)
        if (dwarf_tag(&scope[i]) == DW_TAG_subprogram &&
            dwarf_decl_line(&scope[i], &line) != 0)
            line = 0;
    free(scope);
    return line > 0 ? (uint32_t)line : 0;
}

/* Lines of code that was inlined from other files are omitted, because they would be ambiguous. */
static uint32_t get_lines(void *ctx, uint32_t *line, uint32_t most,
    const struct trod_image *image, uint64_t from, uint64_t to, const char *source)
{
    struct trod_dwfl *d = ctx;
    struct file *f = file_of(d, image);
    uint64_t address;
    uint32_t n = 0;

    if (!f || !address_of(&address, f, from))
        return 0;
    read_rows(f, d->mem);
    for (size_t i = row_at(f, address);
        i < f->nrow && f->row[i].address < address + (to - from) && n < most; i++) {
        const struct row *row = &f->row[i];

        if (row->source && row->line && strcmp(row->source, source) == 0 &&
            (!n || line[n - 1] != row->line))
            line[n++] = row->line;
    }
    return n;
}

/* --- open and close ----------------------------------------------------------------------------------- */

struct trod_dwfl *trod_dwfl_open(struct trod_arena *mem)
{
    struct trod_dwfl *d = trod_new(mem, struct trod_dwfl, 1);

    d->mem = mem;
    return d;
}

void trod_dwfl_close(struct trod_dwfl *d)
{
    for (uint32_t i = 0; i < d->nfile; i++) {
        if (d->file[i]->decoder)
            trod_code_decoder_close(d->file[i]->decoder);
        if (d->file[i]->dwfl)
            dwfl_end(d->file[i]->dwfl);
    }
    d->nfile = 0;
}

void trod_dwfl_files(struct trod_lift_files *out, struct trod_dwfl *dwfl)
{
    *out = (struct trod_lift_files){.ctx = dwfl,
        .symbol = get_symbol,
        .address = get_address,
        .source = get_source,
        .declared = get_declared,
        .lines = get_lines,
        .decode = get_code};
}

void trod_dwfl_each_missing(const struct trod_dwfl *d,
    void (*fn)(void *ctx, const char *path, const char *why), void *ctx)
{
    for (uint32_t i = 0; i < d->nfile; i++)
        if (d->file[i]->why)
            fn(ctx, d->file[i]->path, d->file[i]->why);
}
