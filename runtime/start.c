#include "runtime.h"

/* Only the thread that starts a profile uses these. */
static uint8_t bytes[4096];
static char image_path[TROD_NAME_ROOM], program_path[TROD_NAME_ROOM];
static uint32_t ndropped;

/* --- start-up --------------------------------------------------------------------- */

void __trod_prepare(void)
{
    struct trod_image image;

    if (__trod_profile.pid)
        return;
    __trod_image_find(&image);
    __trod_name_prepare(image.library);
    __trod_profile.fd = -1;
    __trod_profile.clock = __trod_os_clock();
    __trod_profile.page = __trod_os_page();
    if (__trod_profile.page < TROD_FORMAT_PAGE)
        __trod_profile.page = TROD_FORMAT_PAGE;
    __trod_profile.pid = __trod_os_pid();
}

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

/* What programs are told may be secret: how many arguments there were, and which only if that is wanted. NUL behind each,
 * a missing one behind the last is forgiven.
 */
static void put_arguments(struct trod_stream *stream)
{
    int fd = __trod_os_open("/proc/self/cmdline", TROD_OS_READ);
    uint64_t narg = 0, kept = 0, seen = 0;
    bool inside = false, keep = false, wanted_too = __trod_name_arguments();
    char part[256];
    int64_t got, i;

    if (fd < 0)
        return;
    while ((got = __trod_os_read(fd, part, sizeof part)) > 0) {
        for (i = 0; i < got; i++) {
            if (!inside) {
                keep = wanted_too && seen < MOST_ARGUMENTS;
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

static int64_t put_run(int fd, uint64_t offset, bool library, struct trod_os_time date)
{
    struct trod_stream stream;
    const char *mode = trod_format_mode_word(&__trod_mode ? __trod_mode : 0);
    char text[65];

    __trod_stream_begin(&stream, fd, TROD_SECTION_RUN, offset, bytes, sizeof bytes);
    put_line(&stream, "program ", program_path);
    put_number(&stream, "pid ", __trod_profile.pid);
    put_number(&stream, "parent ", __trod_os_parent());
    put_line(&stream, "birth ", __trod_profile.forked ? "fork" : "start");
    put_line(&stream, "image ", library ? "library" : "program");
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

/* A function on its way into the file, and where it comes from. */
struct placed {
    struct trod_format_function function;
    const struct trod_rt_function *from;
};

static void swap(struct placed *a, struct placed *b)
{
    uint64_t *x = (uint64_t *)a, *y = (uint64_t *)b;
    size_t i;

    for (i = 0; i < sizeof *a / sizeof *x; i++) {
        uint64_t t = x[i];

        x[i] = y[i];
        y[i] = t;
    }
}

static void sift_down(struct placed *of, size_t at, size_t count)
{
    size_t child;

    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count &&
            of[child].function.counter < of[child + 1].function.counter)
            child++;
        if (of[child].function.counter <= of[at].function.counter)
            return;
        swap(of + child, of + at);
        at = child;
    }
}

/* Linkers mostly keep the order, and then this is one look. Heapsort: no recursion, no
 * memory.
 */
static void sort(struct placed *of, size_t count)
{
    size_t i;

    for (i = 1; i < count && of[i - 1].function.counter <= of[i].function.counter; i++)
        ;
    if (i >= count)
        return;
    for (i = count / 2; i--;)
        sift_down(of, i, count);
    for (i = count; --i;) {
        swap(of, of + i);
        sift_down(of, 0, i);
    }
}

/* False if its counters are not the module's, or of no kind we know. */
static bool place(struct placed *of, const struct trod_rt_function *from)
{
    uint64_t ncounter = trod_payload() / sizeof(uint64_t);
    uintptr_t table = (uintptr_t)&from->table + (uintptr_t)from->table;
    struct trod_format_function *function = &of->function;

    of->from = from;
    function->name = from->name;
    function->graph = from->graph;
    function->cuts = from->cuts;
    function->npath = from->npath;
    function->counter = (table - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t);
    function->nslot = trod_format_counts_each(from->counted) ? 0 : from->nslot;
    function->counted = from->counted;
    function->reserved = 0;
    return from->counted <= TROD_COUNTED_EVENTS && function->counter < ncounter &&
           trod_format_nbefore_begun(function) < ncounter - function->counter;
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

/* Where the table of met paths is, if the module has one. */
static void find_met(struct trod_format_module *module)
{
    uint64_t at =
        ((uintptr_t)__trod_met - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t);
    uint64_t nmet = &__trod_nmet ? __trod_nmet : TROD_RT_MET;

    if (__trod_met && at < module->ncounter && module->ncounter - at >= 3 * nmet) {
        module->met = at;
        module->nmet = nmet;
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

static int64_t put_module(int fd, uint64_t offset, const struct trod_image *image)
{
    size_t count = ((uintptr_t)__stop___trod_fn - (uintptr_t)__start___trod_fn) /
                   sizeof(struct trod_rt_function);
    size_t size = (count + 1) * sizeof(struct placed);
    struct placed *of = __trod_os_map(size);
    struct trod_format_module module = {0};
    struct trod_stream stream;
    uint32_t i;

    if (!of)
        return TROD_OS_NO_MEMORY;
    module.ncounter = trod_payload() / sizeof(uint64_t);
    module.nfunction = fill_functions(of, __start___trod_fn, count);
    module.mode = &__trod_mode ? __trod_mode : 0;
    find_met(&module);
    sort(of, module.nfunction);
    __trod_stream_begin(&stream, fd, TROD_SECTION_MODULE, offset, bytes, sizeof bytes);
    __trod_put(&stream, &module, sizeof module);
    for (i = 0; i < module.nfunction; i++)
        __trod_put(&stream, &of[i].function, sizeof of[i].function);
    for (i = 0; i < module.nfunction; i++)
        put_ids(&stream, of + i);
    __trod_os_unmap(of, size);
    __trod_put_text(&stream, image_path);
    __trod_put(&stream, "", 1);
    put_hex(&stream, image->id, image->nid);
    __trod_put(&stream, "", 1);
    return __trod_stream_end(&stream);
}

/* --- the file --------------------------------------------------------------------- */

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

static int put_fixed_parts(
    int fd, const struct trod_image *image, struct trod_os_time date)
{
    uint64_t end = __trod_profile.page;
    int64_t size = put_header(fd);

    if (size >= 0) {
        size = put_run(fd, end, image->library, date);
        end += (uint64_t)size;
    }
    if (size >= 0) {
        size = put_module(fd, end, image);
        end += (uint64_t)size;
    }
    if (size < 0)
        return (int)size;
    atomic_store(&__trod_profile.end, end);
    return 0;
}

/* Far from the numbers that programs count on: the lowest free one is what open must give,
 * and 0 to 2 mean something even when they are closed.
 */
static int move_high(int fd)
{
    static const int least[] = {200, 100, 50, 20, 3};
    int high = -1;
    size_t i;

    for (i = 0; i < sizeof least / sizeof *least && high < 0; i++)
        high = __trod_os_copy_fd(fd, least[i]);
    __trod_os_close(fd);
    return high;
}

/* --- the file --------------------------------------------------------------------- */

/* The name that was wanted, and one for a file that has not got its fixed parts yet. */
static char wanted[TROD_NAME_ROOM], part[TROD_NAME_ROOM];

static size_t length_of(const char *text)
{
    size_t length = 0;

    while (text[length])
        length++;
    return length;
}

/* Where a number goes: before the extension, or behind a name that has none. */
static size_t number_goes(const char *name)
{
    size_t i, at = 0, end = length_of(name);

    for (i = end; i > 1 && name[i - 1] != '/'; i--)
        if (name[i - 1] == '.' && name[i - 2] != '/' && !at)
            at = i - 1;
    return at ? at : end;
}

/* app.trod with 12 is app.12.trod. False if there is no room. */
static bool put_number_into(char *name, size_t room, uint64_t number, unsigned digits)
{
    size_t at = number_goes(wanted), length = length_of(wanted), i;

    if (length + digits + 2 > room)
        return false;
    for (i = 0; i < at; i++)
        name[i] = wanted[i];
    name[at] = '.';
    for (i = at; i <= length; i++)
        name[i + digits + 1] = wanted[i];
    for (i = digits; i; i--, number /= 10)
        name[at + i] = (char)('0' + number % 10);
    return true;
}

/* A number of so many digits; two processes, or two images of one, hardly ever draw the same. */
static uint64_t draw(unsigned digits, unsigned salt)
{
    struct trod_os_time now = __trod_os_clock();
    uint64_t x = now.nanoseconds + (now.seconds << 30) +
                 ((uint64_t)__trod_profile.pid << 40) + (uintptr_t)&wanted + salt;
    uint64_t least = digits > 1 ? 1 : 0;

    while (--digits)
        least *= 10;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return least ? least + x % (9 * least) : 1 + x % 9;
}

enum { MOST_DIGITS = 9, TRIES = 3 };

/* Give a name to a file that has none, or another name, or make a file of that name: 0 or a descriptor, or a negated
 * error.
 */
static int try_name(int fd, const char *from, const char *name)
{
    if (from)
        return __trod_os_rename(from, name);
    return fd < 0 ? __trod_os_open(name, TROD_OS_CREATE) : __trod_os_name(fd, name);
}

/* The name that is wanted, or with a number of one digit, of two, and so on. However many there are, and however many
 * processes look for one at the same time, a few tries are enough.
 */
static int publish(int fd, const char *from, char *name, size_t room)
{
    int got = try_name(fd, from, name);
    unsigned i;

    for (i = 0; got == TROD_OS_TAKEN && i < MOST_DIGITS * TRIES; i++) {
        unsigned digits = i / TRIES + 1;

        if (!put_number_into(name, room, i ? draw(digits, i) : 1, digits))
            break;
        got = try_name(fd, from, name);
    }
    return got;
}

/* All that a reader needs, on a descriptor of ours. */
static int fill(int fd, const struct trod_image *image, struct trod_os_time date)
{
    int high = move_high(fd);
    int error = high < 0 ? high : __trod_os_identify(&__trod_profile.file, high);

    if (!error)
        error = put_fixed_parts(high, image, date);
    if (!error)
        return high;
    if (high >= 0)
        __trod_os_close(high);
    return error;
}

/* Nobody sees a file before its fixed parts are in it: whoever ends the process before leaves none. */
static int create_unnamed(
    char *name, const struct trod_image *image, struct trod_os_time date, bool *cannot)
{
    size_t slash = length_of(name);
    int fd, error;

    while (slash > 1 && name[slash - 1] != '/')
        slash--;
    name[slash - 1] = 0;
    fd = __trod_os_open_unnamed(slash > 1 ? name : "/");
    name[slash - 1] = '/';
    *cannot = fd < 0 && fd != TROD_OS_NO_FOLDER;
    if (fd < 0)
        return fd;
    fd = fill(fd, image, date);
    if (fd < 0)
        return fd;
    error = publish(fd, NULL, name, sizeof __trod_profile.name);
    if (!error)
        return fd;
    __trod_os_close(fd);
    *cannot = true;
    return error;
}

/* The same where files cannot be without a name: under one that nobody takes for a profile's. */
static int create_named(
    char *name, const struct trod_image *image, struct trod_os_time date)
{
    static const char end[] = ".part";
    size_t length, i;
    int fd = TROD_OS_TAKEN, error;
    unsigned tries;

    for (tries = 0; fd == TROD_OS_TAKEN && tries < TRIES; tries++) {
        if (!put_number_into(
                part, sizeof part - sizeof end, draw(MOST_DIGITS, tries), MOST_DIGITS))
            return TROD_OS_NO_NAME;
        length = length_of(part);
        for (i = 0; i < sizeof end; i++)
            part[length + i] = end[i];
        fd = __trod_os_open(part, TROD_OS_CREATE);
    }
    if (fd < 0)
        return fd;
    fd = fill(fd, image, date);
    error = fd < 0 ? fd : publish(fd, part, name, sizeof __trod_profile.name);
    if (!error)
        return fd;
    __trod_os_unlink(part);
    if (fd >= 0)
        __trod_os_close(fd);
    return error;
}

/* The same where a file cannot even get another name: for a moment there is an empty one. */
static int create_in_place(
    char *name, const struct trod_image *image, struct trod_os_time date)
{
    int fd = publish(-1, NULL, name, sizeof __trod_profile.name);

    if (fd < 0)
        return fd;
    fd = fill(fd, image, date);
    if (fd < 0)
        __trod_os_unlink(name);
    return fd;
}

static void copy_name(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

static int create(char *name, const struct trod_image *image, struct trod_os_time date)
{
    bool cannot;
    int fd;

    copy_name(wanted, name);
    fd = create_unnamed(name, image, date, &cannot);
    if (!cannot)
        return fd;
    copy_name(name, wanted);
    fd = create_named(name, image, date);
    if (fd >= 0 || fd == TROD_OS_NO_FOLDER || fd == TROD_OS_NO_SPACE)
        return fd;
    copy_name(name, wanted);
    return create_in_place(name, image, date);
}

/* The folders that the pattern names, as far as they are missing. Where the program started is not made again if it is gone.
 * What cannot be made shows when the file is opened.
 */
static void make_folders(char *name, size_t own)
{
    size_t i;

    for (i = own ? own : 1; name[i]; i++) {
        if (name[i] != '/')
            continue;
        name[i] = 0;
        __trod_os_make_folder(name);
        name[i] = '/';
    }
}

static int open_profile(const struct trod_image *image)
{
    struct trod_os_time date = __trod_os_date();
    char *name = __trod_profile.name;
    size_t own;
    int fd;

    if (!__trod_name_build(name, sizeof __trod_profile.name, &own, image_path,
            image->library || !image_path[0] ? program_path : image_path,
            date.seconds)) {
        name[0] = 0;
        return TROD_OS_NO_NAME;
    }
    fd = create(name, image, date);
    if (fd == TROD_OS_NO_FOLDER) {
        make_folders(name, own);
        fd = create(name, image, date);
    }
    return fd;
}

/* Steps go on until there is no room for more; that must be said all the same. */
static void keep_room(int fd)
{
    uint64_t size = 2 * __trod_profile.page;

    __trod_profile.kept = 0;
    if (!&__trod_records)
        return;
    __trod_profile.kept = __trod_take(size);
    if (__trod_os_reserve(fd, __trod_profile.kept, size)) {
        __trod_give_back(__trod_profile.kept, size);
        __trod_profile.kept = 0;
    }
}

bool __trod_start(void)
{
    struct trod_image image;
    int fd;

    __trod_prepare();
    __trod_image_find(&image);
    __trod_image_path(image_path, sizeof image_path);
    __trod_program_path(program_path, sizeof program_path);
    fd = open_profile(&image);
    if (fd < 0) {
        __trod_note(TROD_NOTE_NONE, -1, fd);
        return false;
    }
    __trod_profile.fd = fd;
    keep_room(fd);
    if (ndropped)
        __trod_note(TROD_NOTE_DROPPED, fd, 0);
    return true;
}

/* --- the descriptor --------------------------------------------------------------- */

static bool is_ours(int fd)
{
    struct trod_os_file file;

    return !__trod_os_identify(&file, fd) &&
           file.device == __trod_profile.file.device &&
           file.inode == __trod_profile.file.inode;
}

/* A copy first, then the look: nobody closes or replaces a number that nobody knows. */
int __trod_borrow(void)
{
    int fd = __trod_os_copy_fd(__trod_profile.fd, 3);

    if (fd >= 0 && is_ours(fd))
        return fd;
    if (fd >= 0)
        __trod_os_close(fd);
    fd = __trod_os_open(__trod_profile.name, TROD_OS_UPDATE);
    if (fd >= 0 && fd < 3)
        fd = move_high(fd);
    if (fd < 0 || is_ours(fd))
        return fd;
    __trod_os_close(fd);
    return TROD_OS_NO_FD;
}

void __trod_drop_fd(void)
{
    if (__trod_profile.fd >= 0 && is_ours(__trod_profile.fd))
        __trod_os_close(__trod_profile.fd);
    __trod_profile.fd = -1;
}
