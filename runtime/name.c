#include "runtime.h"

enum { PATTERN_ROOM = 1024, HOST_ROOM = 65 };

static char pattern[PATTERN_ROOM];
static char log_name[TROD_NAME_ROOM];
static char directory[TROD_NAME_ROOM];
static bool prepared, sparse, reserves, arguments;
static uint32_t symbols;
static uint64_t most;

/* --- text ------------------------------------------------------------------------- */

struct text {
    char *bytes;
    size_t used, room;
    bool full;
};

static void put(struct text *text, char c)
{
    if (text->used + 1 < text->room)
        text->bytes[text->used++] = c;
    else
        text->full = true;
    text->bytes[text->used] = 0;
}

static void put_text(struct text *text, const char *from)
{
    for (; *from; from++)
        put(text, *from);
}

static void put_uint(struct text *text, uint64_t value)
{
    char digits[21];
    unsigned at = sizeof digits - 1;

    digits[at] = 0;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    put_text(text, digits + at);
}

/* --- start-up --------------------------------------------------------------------- */

/* A path, relative to the directory in which the program started. */
static void put_path(struct text *text, const char *path)
{
    if (path[0] != '/') {
        put_text(text, directory);
        put(text, '/');
        text->full |= !directory[0]; /* the directory is unknown */
    }
    put_text(text, path);
}

/* The number of a descriptor is kept as it is. */
static void prepare_log(const char *log)
{
    struct text text = {log_name, 0, sizeof log_name, false};

    if (log[0] >= '0' && log[0] <= '9' && !log[1])
        put(&text, log[0]);
    else if (log[0])
        put_path(&text, log);
    if (text.full)
        log_name[0] = 0;
}

/* A number from the environment; otherwise if it is invalid or 0. */
static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *text = __trod_os_environment(name);
    uint64_t value = 0;

    for (; text && *text >= '0' && *text <= '9' && value < UINT64_MAX / 20; text++)
        value = value * 10 + (uint64_t)(*text - '0');
    return text && !*text && value ? value : otherwise;
}

static bool says(const char *name, char digit)
{
    const char *value = __trod_os_environment(name);

    return value && value[0] == digit && !value[1];
}

/* Does the pattern have one of these letters after a percent sign? */
static bool has_any(const char *letters)
{
    const char *at, *letter;

    for (at = pattern; *at; at++) {
        if (at[0] != '%' || !at[1])
            continue;
        at++;
        for (letter = letters; *letter; letter++) {
            if (*at == *letter)
                return true;
        }
    }
    return false;
}

enum { FEWEST_SYMBOLS = 16, SYMBOLS = 1 << 20, MOST_SYMBOLS = 1 << 28 };

static void prepare_steps(void)
{
    uint64_t wanted = number_of("TROD_SYMBOLS", SYMBOLS);

    if (wanted < FEWEST_SYMBOLS)
        wanted = FEWEST_SYMBOLS;
    symbols = wanted > MOST_SYMBOLS ? MOST_SYMBOLS : (uint32_t)wanted;
    most = number_of("TROD_WPP_MOST", UINT64_MAX);
}

void __trod_name_prepare(bool library)
{
    struct text text = {pattern, 0, sizeof pattern, false};
    const char *log, *out;

    if (prepared)
        return;
    prepared = true;
    __trod_os_directory(directory, sizeof directory);
    log = __trod_os_environment("TROD_LOG");
    prepare_log(log ? log : "");
    sparse = says("TROD_SPARSE", '1');
    reserves = says("TROD_SPARSE", '0');
    arguments = says("TROD_ARGV", '1');
    prepare_steps();
    out = __trod_os_environment("TROD_OUT");
    if (!out || !*out)
        out = trod_is_there(__trod_out) ? __trod_out : NULL;
    if (!out || !*out)
        out = library ? "%e.%p.%m.trod" : "%e.%p.trod";
    put_text(&text, out);
    if (text.full)
        pattern[0] = 0; /* a truncated name would be that of another file */
    /* The caller chooses the directory, and may lack the right to write there that we have. */
    if (__trod_os_is_secure() && pattern[0] != '/')
        pattern[0] = 0;
}

const char *__trod_name_log(void)
{
    return log_name;
}

bool __trod_name_sparse(void)
{
    return sparse;
}

bool __trod_name_reserves(void)
{
    return reserves;
}

bool __trod_name_shared(void)
{
    return !has_any("pt");
}

bool __trod_name_has_paths(void)
{
    return has_any("em");
}

bool __trod_name_arguments(void)
{
    return arguments;
}

uint32_t __trod_name_symbols(void)
{
    return symbols;
}

uint64_t __trod_name_most(void)
{
    return most;
}

const char *__trod_name_directory(void)
{
    return directory;
}

/* --- expansion -------------------------------------------------------------------- */

bool __trod_name_build(char *out, size_t room, size_t *own, const char *image,
    const char *program, uint64_t seconds)
{
    struct text text = {out, 0, room, false};
    char host[HOST_ROOM];
    const char *at;

    if (!pattern[0])
        return false;
    if (pattern[0] != '/')
        put_path(&text, "");
    *own = text.used;
    for (at = pattern; *at; at++) {
        char c = *at == '%' ? at[1] : 0;

        if (c == 'p') {
            put_uint(&text, __trod_profile.pid);
        } else if (c == 't') {
            put_uint(&text, seconds);
        } else if (c == 'e') {
            put_text(&text, __trod_base_name(program));
        } else if (c == 'm') {
            put_text(&text, __trod_base_name(image));
        } else if (c == 'h') {
            __trod_os_host(host, sizeof host);
            put_text(&text, host);
        } else if (c == '%') {
            put(&text, '%');
        } else {
            put(&text, *at);
            continue;
        }
        at++;
    }
    return !text.full;
}
