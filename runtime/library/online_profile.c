/* A profile in memory that the caller has mapped from a file.
 *
 *     header | RUN | SAMPLE | MODULE | NOTE | END
 *
 * Functions are added to MODULE, which has the flag LIVE. It comes after SAMPLE: who reads one after the other knows all
 * functions of the samples.
 */
#include "online_instance.h"

enum {
    PAGE = TROD_FORMAT_PAGE,
    HEAD = sizeof(struct trod_format_head),
    MODULE = sizeof(struct trod_format_module),
    FUNCTION = sizeof(struct trod_format_function)
};

#define MOST_BLOCKS (UINT32_C(1) << 31)

/* --- bytes ---------------------------------------------------------------------------------------- */

/* Text that may not fit: its length is that of all of it. */
struct text {
    char *out;
    size_t room, length;
};

static void put(struct text *text, char c)
{
    if (text->length < text->room)
        text->out[text->length] = c;
    text->length++;
}

static void put_text(struct text *text, const char *from)
{
    while (*from)
        put(text, *from++);
}

/* With at least so many digits. */
static void put_digits(struct text *text, uint64_t value, unsigned base, int least)
{
    char digit[24];
    int n = 0;

    do {
        digit[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value || n < least);
    while (n)
        put(text, digit[--n]);
}

static void put_uint(struct text *text, uint64_t value)
{
    put_digits(text, value, 10, 1);
}

static uint32_t crc(const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    uint32_t value = UINT32_MAX;
    int k;

    while (size--) {
        value ^= *at++;
        for (k = 0; k < 8; k++)
            value = value >> 1 ^ (value & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~value;
}

/* The head of a section whose payload is there already. Its magic is what makes it one, so that comes last. */
static void put_head(
    uint8_t *at, uint32_t type, uint32_t flags, uint64_t size, uint64_t payload)
{
    struct trod_format_head *head = (struct trod_format_head *)at;

    head->type = type;
    head->size = size;
    head->payload = payload;
    head->flags = flags;
    if (!(flags & TROD_SECTION_LIVE))
        head->payload_checksum = crc(at + HEAD, payload);
    head->magic = TROD_SECTION_MAGIC;
    head->checksum = crc(head, HEAD - 4);
}

/* --- lines of RUN --------------------------------------------------------------------------------- */

static void put_line(struct text *text, const char *key, const char *value)
{
    put_text(text, key);
    put(text, ' ');
    for (; *value; value++) {
        uint8_t c = (uint8_t)*value;

        if (c < 32 || c == 127) {
            put_text(text, "\\x");
            put_digits(text, c, 16, 2);
        } else if (c == '\\') {
            put_text(text, "\\\\");
        } else {
            put(text, *value);
        }
    }
    put(text, '\n');
}

static void put_number(struct text *text, const char *key, uint64_t value)
{
    put_text(text, key);
    put(text, ' ');
    put_uint(text, value);
    put(text, '\n');
}

static void put_time(
    struct text *text, const char *key, uint64_t seconds, uint32_t nanoseconds)
{
    put_text(text, key);
    put(text, ' ');
    put_uint(text, seconds);
    put(text, '.');
    put_digits(text, nanoseconds, 10, 9);
    put(text, '\n');
}

static size_t put_run(char *out, size_t room, const struct trod_online_profile *profile)
{
    struct text text = {out, room, 0};

    put_line(&text, "program", profile->program);
    put_number(&text, "pid", profile->pid);
    put_number(&text, "parent", profile->parent);
    put_line(&text, "birth", "start");
    put_line(&text, "image", "program");
    put_line(&text, "mode", trod_format_mode_word(TROD_MODE_BLOCKS));
    put_line(&text, "map", profile->map);
    if (profile->directory)
        put_line(&text, "directory", profile->directory);
    put_time(&text, "start", profile->seconds, profile->nanoseconds);
    return text.length;
}

/* --- the file --------------------------------------------------------------------------------------- */

/* A place in the file, which may not be mapped yet. */
static uint8_t *place(const struct trod_online_profile *profile, size_t at)
{
    return (uint8_t *)((uintptr_t)profile->file + at);
}

bool __trod_online_lay_out(struct trod_online_parts *out,
    const struct trod_online_profile *profile, size_t shared, const char **why)
{
    size_t at = PAGE, run;

    if (!profile->program || !profile->map) {
        *why = "a profile needs the path of the program, and of its map";
        return false;
    }
    run = put_run(NULL, 0, profile);
    out->run_size = trod_format_live_size(run, PAGE);
    out->sample_size = HEAD + shared;
    out->module_size =
        trod_format_live_size(MODULE + (uint64_t)profile->room * FUNCTION + 2, PAGE);
    out->run = place(profile, at);
    at += out->run_size;
    out->sample = place(profile, at);
    at += out->sample_size;
    out->module = place(profile, at);
    at += out->module_size;
    out->note = place(profile, at);
    out->end = place(profile, at + PAGE);
    out->file_size = at + 2 * (size_t)PAGE;
    out->room = profile->room;
    out->nblock = 0;
    return true;
}

static struct trod_format_module *module_of(const struct trod_online_parts *parts)
{
    return (struct trod_format_module *)(parts->module + HEAD);
}

static struct trod_format_function *functions_of(const struct trod_online_parts *parts)
{
    return (struct trod_format_function *)(parts->module + HEAD + MODULE);
}

void __trod_online_publish(
    const struct trod_online_parts *parts, const struct trod_online_profile *profile)
{
    static const char magic[] = TROD_FORMAT_MAGIC;
    struct trod_format_header *header = profile->file;
    struct trod_format_module *module = module_of(parts);
    size_t run = put_run((char *)parts->run + HEAD, parts->run_size - HEAD, profile);
    int i;

    module->ncounter = MOST_BLOCKS;
    module->mode = TROD_MODE_BLOCKS;
    put_head(parts->run, TROD_SECTION_RUN, 0, parts->run_size, run);
    put_head(parts->sample, TROD_SECTION_SAMPLE, TROD_SECTION_LIVE, parts->sample_size,
        parts->sample_size - HEAD);
    put_head(parts->module, TROD_SECTION_MODULE, TROD_SECTION_LIVE, parts->module_size,
        parts->module_size - HEAD);
    header->version = TROD_FORMAT_VERSION;
    header->kind = TROD_FORMAT_LIVE;
    header->first = PAGE;
    for (i = 0; i < 8; i++)
        header->magic[i] = (uint8_t)magic[i];
    header->checksum = crc(header, sizeof *header - 4);
}

void __trod_online_note_budget(const struct trod_online_parts *parts)
{
    struct text text;

    if (!parts->note)
        return;
    text = (struct text){(char *)parts->note + HEAD, PAGE - HEAD, 0};
    put_line(&text, "budget",
        "the checks alone take more than the budget: as few samples are taken as can be");
    put_head(parts->note, TROD_SECTION_NOTE, 0, PAGE, text.length);
}

void trod_online_profile_end(
    struct trod_online *online, uint64_t seconds, uint32_t nanoseconds)
{
    const struct trod_online_parts *parts = &instance_of(online)->parts;
    struct text text;

    if (!parts->end)
        return;
    text = (struct text){(char *)parts->end + HEAD, PAGE - HEAD, 0};
    put_line(&text, "exit", "order");
    put_time(&text, "duration", seconds, nanoseconds);
    put_number(&text, "threads", 0);
    put_number(&text, "private", 0);
    put_number(&text, "lost", 0);
    put_number(&text, "sampled", 1);
    put_head(parts->end, TROD_SECTION_END, 0, PAGE, text.length);
}

/* --- functions ---------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_number(uint64_t hash, uint32_t value)
{
    int i;

    for (i = 0; i < 4; i++, value >>= 8)
        hash = (hash ^ (value & 255)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_rows(
    uint64_t hash, const uint32_t *first, const uint32_t *row, uint32_t n)
{
    uint32_t i;

    for (i = 0; i <= n; i++)
        hash = mix_number(hash, first[i] - first[0]);
    for (i = first[0]; i < first[n]; i++)
        hash = mix_number(hash, row[i]);
    return hash;
}

#define FNV UINT64_C(0xcbf29ce484222325)

/* As for functions that are local to a file. */
static uint64_t name_of(const struct trod_online_function *f)
{
    return mix(mix(mix(FNV, f->file), ":"), f->name);
}

/* Functions are equal only if their lines are, too: readers tell them apart by this. */
static uint64_t graph_of(const struct trod_online_function *f)
{
    uint64_t hash = mix_number(mix_number(FNV, f->line), f->nblock);

    hash = mix_rows(hash, f->first_way, f->way, f->nblock);
    return mix_rows(hash, f->first_line, f->line_of, f->nblock);
}

static void put_quoted(struct text *text, const char *from)
{
    put(text, '"');
    for (; *from; from++) {
        if (*from == '"' || *from == '\\')
            put(text, '\\');
        put(text, (uint8_t)*from < 32 || *from == 127 ? '?' : *from);
    }
    put(text, '"');
}

static void put_section(
    struct text *text, const char *word, const struct trod_online_function *f)
{
    put_text(text, word);
    put(text, ' ');
    put_quoted(text, f->name);
}

static void put_rows(
    struct text *text, const uint32_t *first, const uint32_t *row, uint32_t n)
{
    uint32_t i, k;

    put(text, '\n');
    for (i = 0; i < n; i++) {
        put_uint(text, i);
        put(text, ':');
        for (k = first[i]; k < first[i + 1]; k++) {
            put(text, ' ');
            put_uint(text, row[k]);
        }
        put(text, '\n');
    }
}

/* It ends with an empty line: what comes after the last of these is not complete. */
size_t trod_online_function_text(
    char *out, size_t room, const struct trod_online_function *f)
{
    struct text text = {out, room, 0};

    put_text(&text, "unit ");
    put_quoted(&text, f->file);
    put_text(&text, " blocks\n");
    put_section(&text, "function", f);
    put(&text, ' ');
    put_digits(&text, name_of(f), 16, 16);
    put(&text, ' ');
    put_digits(&text, graph_of(f), 16, 16);
    put_text(&text, " 0\nfile ");
    put_quoted(&text, f->file);
    put(&text, '\n');
    if (f->line)
        put_number(&text, "declared", f->line);
    put_section(&text, "graph", f);
    put_rows(&text, f->first_way, f->way, f->nblock);
    put_section(&text, "lines", f);
    put_rows(&text, f->first_line, f->line_of, f->nblock);
    put(&text, '\n');
    return text.length;
}

uint32_t trod_online_function_find(
    const struct trod_online *online, const struct trod_online_function *f)
{
    const struct trod_online_parts *parts = &((const struct instance *)online)->parts;
    uint64_t name = name_of(f), graph = graph_of(f);
    uint32_t i, n = parts->module ? module_of(parts)->nfunction : 0;

    for (i = 0; i < n && i < parts->room; i++) {
        const struct trod_format_function *one = functions_of(parts) + i;

        if (one->name == name && one->graph == graph && one->npath == f->nblock)
            return (uint32_t)one->counter;
    }
    return TROD_ONLINE_NONE;
}

uint32_t trod_online_function_add(
    struct trod_online *online, const struct trod_online_function *f)
{
    struct trod_online_parts *parts = &instance_of(online)->parts;
    struct trod_format_module *module;
    struct trod_format_function *to;
    uint32_t n, first;

    if (!parts->module || !f->nblock)
        return TROD_ONLINE_NONE;
    module = module_of(parts);
    n = module->nfunction;
    if (n >= parts->room || parts->nblock + f->nblock + 1 > MOST_BLOCKS)
        return TROD_ONLINE_NONE;
    first = (uint32_t)parts->nblock;
    parts->nblock += (uint64_t)f->nblock + 1;
    to = functions_of(parts) + n;
    to->name = name_of(f);
    to->graph = graph_of(f);
    to->npath = f->nblock;
    to->counter = first;
    __atomic_store_n(&module->nfunction, n + 1, __ATOMIC_RELEASE);
    return first;
}
