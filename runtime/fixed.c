#include "runtime.h"

/* Only the thread that starts a profile uses these. What it needs once is not left in the program's memory. */
struct scratch {
    struct trod_crc_table crc;
    uint8_t bytes[32 * 1024];
};
static struct scratch *scratch;
static uint32_t ndropped;

/* --- RUN -------------------------------------------------------------------------- */

/* Of a longer command line only the beginning is kept. */
enum { MOST_ARGUMENTS = 64 * 1024 };

static void put_line(struct trod_stream *stream, const char *key, const char *value)
{
    size_t length = 0;

    while (value[length])
        length++;
    __trod_put_text(stream, key);
    __trod_put_escaped(stream, value, length);
    __trod_put_text(stream, "\n");
}

static void put_number(struct trod_stream *stream, const char *key, uint64_t value)
{
    __trod_put_text(stream, key);
    __trod_put_uint(stream, value, 1);
    __trod_put_text(stream, "\n");
}

/* A NUL follows each argument; the last one may lack it. Arguments are recorded on request only:
 * they may be passwords.
 */
static void put_arguments(struct trod_stream *stream)
{
    int fd = __trod_os_open("/proc/self/cmdline", TROD_OS_READ);
    uint64_t narg = 0, kept = 0, seen = 0;
    uint64_t most = __trod_name_arguments() ? MOST_ARGUMENTS : 0;
    bool inside = false, keep = false;
    char part[256];
    int64_t got, i;

    if (fd < 0)
        return;
    while ((got = __trod_os_read(fd, part, sizeof part)) > 0) {
        for (i = 0; i < got; i++) {
            if (!inside) {
                keep = seen < most;
                if (keep)
                    __trod_put_text(stream, "argument ");
            }
            seen++;
            if (keep && part[i])
                __trod_put_escaped(stream, part + i, 1);
            inside = part[i] != 0;
            if (inside)
                continue;
            narg++;
            if (keep) {
                __trod_put_text(stream, "\n");
                kept++;
            }
        }
    }
    if (inside && keep) {
        __trod_put_text(stream, "\n");
        kept++;
    }
    narg += inside;
    if (kept != narg)
        put_number(stream, "arguments ", narg);
    __trod_os_close(fd);
}

static int64_t put_run(int fd, uint64_t offset, const struct trod_image *image,
    const struct trod_paths *paths, struct trod_os_time date)
{
    struct trod_stream stream;
    const char *mode =
        trod_format_mode_word(trod_is_there(&__trod_mode) ? __trod_mode : 0);
    char text[65];

    __trod_stream_begin(
        &stream, fd, TROD_SECTION_RUN, offset, scratch->bytes, sizeof scratch->bytes);
    put_line(&stream, "program ", paths->program);
    put_number(&stream, "pid ", __trod_profile.pid);
    put_number(&stream, "parent ", __trod_os_parent());
    put_line(&stream, "birth ", __trod_profile.forked ? "fork" : "start");
    put_line(&stream, "image ", image->library ? "library" : "program");
    if (mode)
        put_line(&stream, "mode ", mode);
    if (!__trod_os_host(text, sizeof text))
        put_line(&stream, "host ", text);
    put_line(&stream, "directory ", __trod_name_directory());
    __trod_put_text(&stream, "start ");
    __trod_put_time(&stream, date);
    __trod_put_text(&stream, "\n");
    put_arguments(&stream);
    return __trod_stream_end(&stream);
}

/* --- MODULE ----------------------------------------------------------------------- */

/* A function to be written to the file, and its source. */
struct placed {
    struct trod_format_function function;
    const struct trod_rt_function *from;
};

/* Indices of functions by ascending counter, in order[0]; order[1] is scratch. Radix sort, lowest
 * byte first: no recursion, and as many passes as counters have bytes. Linkers mostly keep the
 * order; then one pass checks it.
 */
static void sort(uint32_t *order[2], const struct placed *of, uint32_t count)
{
    uint32_t *from = order[0], *to = order[1], i;
    unsigned shift = 0;

    for (i = 0; i < count; i++)
        from[i] = i;
    for (i = 1; i < count && of[i - 1].function.counter <= of[i].function.counter; i++)
        ;
    for (; i < count && trod_payload() / sizeof(uint64_t) >> shift; shift += 8) {
        uint32_t first[257], *was = from, k;

        for (k = 0; k < 257; k++) {
            first[k] = 0;
            __asm__ volatile("" ::: "memory"); /* avoids a call of memset */
        }
        for (k = 0; k < count; k++)
            first[(of[k].function.counter >> shift & 255) + 1]++;
        for (k = 0; k < 256; k++)
            first[k + 1] += first[k];
        for (k = 0; k < count; k++)
            to[first[of[from[k]].function.counter >> shift & 255]++] = from[k];
        from = to;
        to = was;
    }
    order[0] = from;
}

/* False if its counters are not the module's, or of an unknown kind. */
static bool place(struct placed *of, const struct trod_rt_function *from)
{
    uint64_t ncounter = trod_payload() / sizeof(uint64_t);
    uintptr_t table = (uintptr_t)&from->table + (uintptr_t)from->table;
    struct trod_format_function *function = &of->function;
    uint32_t counted = from->counted & ~TROD_RT_STOPS;

    of->from = from;
    function->name = from->name;
    function->graph = from->graph;
    function->cuts = from->cuts;
    function->npath = from->npath;
    function->counter = (table - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t);
    function->nslot = trod_format_counts_each(counted) ? 0 : from->nslot;
    function->counted = counted;
    function->stops = (from->counted & TROD_RT_STOPS) != 0;
    return counted <= TROD_COUNTED_EVENTS && function->counter < ncounter &&
           trod_format_nbefore_begun(function) + function->stops <
               ncounter - function->counter;
}

/* The number of functions whose counters are the module's. */
static uint32_t fill_functions(
    struct placed *of, const struct trod_rt_function *from, size_t count)
{
    uint32_t filled = 0;
    size_t i;

    for (i = 0; i < count; i++)
        filled += place(of + filled, from + i);
    ndropped = (uint32_t)(count - filled);
    return filled;
}

static void put_ids(struct trod_stream *stream, const struct placed *of)
{
    const void *ids = (const char *)&of->from->ids + of->from->ids;
    const uint32_t *narrow = ids;
    const uint64_t *wide = ids;
    uint64_t i, id;

    for (i = 0; i < of->function.nslot; i++) {
        if (of->from->npath >= UINT32_MAX)
            id = wide[i];
        else
            id = narrow[i] == UINT32_MAX ? UINT64_MAX : narrow[i];
        __trod_put(stream, &id, sizeof id);
    }
}

/* Find the module's hash table of paths, if it has one. */
static void find_hashed(struct trod_format_module *module)
{
    uint64_t at =
        ((uintptr_t)__trod_hashed - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t);
    uint64_t nhashed = trod_is_there(&__trod_nhashed) ? __trod_nhashed : TROD_RT_HASHED;

    if (trod_is_there(__trod_hashed) && at < module->ncounter &&
        module->ncounter - at >= 3 * nhashed) {
        module->hashed = at;
        module->nhashed = nhashed;
    }
}

static void put_hex(struct trod_stream *stream, const uint8_t *from, size_t count)
{
    static const char hex[] = "0123456789abcdef";

    for (; count--; from++) {
        __trod_put(stream, hex + (*from >> 4), 1);
        __trod_put(stream, hex + (*from & 15), 1);
    }
}

static bool has_bundles(void)
{
    return trod_is_there(__start___trod_bnd) &&
           &__start___trod_bnd[0] != &__stop___trod_bnd[0];
}

static int64_t put_module(int fd, uint64_t offset, const struct trod_image *image,
    const struct trod_paths *paths)
{
    size_t count = ((uintptr_t)__stop___trod_fn - (uintptr_t)__start___trod_fn) /
                   sizeof(struct trod_rt_function);
    size_t size = (count + 1) * (sizeof(struct placed) + 2 * sizeof(uint32_t));
    struct placed *of = __trod_os_map(size);
    uint32_t *order[2];
    void *behind;
    struct trod_format_module module = {0};
    struct trod_stream stream;
    uint32_t i;

    if (!of)
        return TROD_OS_NO_MEMORY;
    module.ncounter = trod_payload() / sizeof(uint64_t);
    module.nfunction = fill_functions(of, __start___trod_fn, count);
    module.mode = (uint16_t)(trod_is_there(&__trod_mode) ? __trod_mode : 0);
    module.flags = has_bundles() ? TROD_MODULE_BUNDLES : 0;
    find_hashed(&module);
    behind = of + count + 1;
    order[0] = behind;
    order[1] = order[0] + count + 1;
    sort(order, of, module.nfunction);
    __trod_stream_begin(&stream, fd, TROD_SECTION_MODULE, offset, scratch->bytes,
        sizeof scratch->bytes);
    stream.crc = &scratch->crc;
    __trod_crc_fill(&scratch->crc);
    __trod_put(&stream, &module, sizeof module);
    for (i = 0; i < module.nfunction; i++)
        __trod_put(&stream, &of[order[0][i]].function, sizeof of[order[0][i]].function);
    for (i = 0; i < module.nfunction; i++)
        put_ids(&stream, of + order[0][i]);
    __trod_os_unmap(of, size);
    __trod_put_text(&stream, paths->image);
    __trod_put(&stream, "", 1);
    put_hex(&stream, image->id, image->nid);
    __trod_put(&stream, "", 1);
    return __trod_stream_end(&stream);
}

/* --- BUNDLES ---------------------------------------------------------------------- */

/* The index of the counter that a relative word of a record refers to; UINT32_MAX if it is not the
 * module's. */
static uint32_t counter_at(const int32_t *word)
{
    uintptr_t counter = (uintptr_t)word + (uintptr_t)(intptr_t)*word;
    uint64_t number = (counter - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t);

    return counter >= (uintptr_t)__start___trod_cnt &&
                   number < trod_payload() / sizeof(uint64_t)
               ? (uint32_t)number
               : UINT32_MAX;
}

/* Without bundles there is no section. Returns its size. */
static int64_t put_bundles(int fd, uint64_t offset)
{
    const int32_t *word = __start___trod_bnd;
    size_t nword = ((uintptr_t)__stop___trod_bnd - (uintptr_t)word) / sizeof *word;
    struct trod_stream stream;
    uint32_t i, n, number;

    if (!has_bundles())
        return 0;
    __trod_stream_begin(&stream, fd, TROD_SECTION_BUNDLES, offset, scratch->bytes,
        sizeof scratch->bytes);
    stream.crc = &scratch->crc;
    for (; nword > 2; word += 2 + n, nword -= 2 + n) {
        n = (uint32_t)word[1];
        if (n > nword - 2)
            break;
        number = counter_at(word);
        __trod_put(&stream, &number, sizeof number);
        __trod_put(&stream, &n, sizeof n);
        for (i = 0; i < n; i++) {
            number = counter_at(word + 2 + i);
            __trod_put(&stream, &number, sizeof number);
        }
    }
    return __trod_stream_end(&stream);
}

/* --- all sections ----------------------------------------------------------------- */

static int put_header(int fd)
{
    struct trod_format_header header = {0};
    static const char magic[] = TROD_FORMAT_MAGIC;
    unsigned i;

    for (i = 0; i < sizeof header.magic; i++)
        ((volatile uint8_t *)header.magic)[i] = (uint8_t)magic[i];
    header.version = TROD_FORMAT_VERSION;
    header.kind = TROD_FORMAT_LIVE;
    header.first = __trod_profile.page;
    header.checksum =
        __trod_crc(0, &header, offsetof(struct trod_format_header, checksum));
    return __trod_os_write_at(fd, &header, sizeof header, 0);
}

static int put_all(int fd, const struct trod_image *image,
    const struct trod_paths *paths, struct trod_os_time date)
{
    uint64_t end = __trod_profile.page;
    int64_t size = put_header(fd);
    bool shared = false;

    if (size >= 0 && __trod_shared_is_wanted()) {
        size = __trod_shared_put(fd, end);
        shared = size > 0;
        end += (uint64_t)size;
    }
    if (size >= 0) {
        size = put_run(fd, end, image, paths, date);
        end += (uint64_t)size;
    }
    if (size >= 0) {
        size = put_module(fd, end, image, paths);
        end += (uint64_t)size;
    }
    if (size >= 0) {
        size = put_bundles(fd, end);
        end += (uint64_t)size;
    }
    if (size < 0)
        return (int)size;
    __atomic_store_n(&__trod_profile.end, end, __ATOMIC_SEQ_CST);
    return shared ? __trod_shared_open(fd, image, end) : 0;
}

int __trod_put_fixed(int fd, const struct trod_image *image,
    const struct trod_paths *paths, struct trod_os_time date)
{
    int error;

    scratch = __trod_os_map(sizeof *scratch);
    if (!scratch)
        return TROD_OS_NO_MEMORY;
    error = put_all(fd, image, paths, date);
    __trod_os_unmap(scratch, sizeof *scratch);
    return error;
}

bool __trod_has_dropped(void)
{
    return ndropped;
}
