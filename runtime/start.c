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

/* NUL behind each argument, a missing one behind the last is forgiven. Arguments are recorded on request
 * only: they may be passwords.
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

static int64_t put_run(int fd, uint64_t offset, bool library, struct trod_os_time date)
{
    struct trod_stream stream;
    const char *mode =
        trod_format_mode_word(trod_is_there(&__trod_mode) ? __trod_mode : 0);
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

/* Where the hash table of paths is, if the module has one. */
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
    module.mode = trod_is_there(&__trod_mode) ? __trod_mode : 0;
    find_hashed(&module);
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

/* Of a thousand libraries, not each may have a descriptor of the thousand that a process may have: the others
 * open their file by its name, when they need it.
 */
enum { HIGH = 200, LIBRARIES = 16 };

/* Far from the numbers that programs count on: the lowest free one is what open must give,
 * and 0 to 2 mean something even when they are closed.
 */
static int move_high(int fd)
{
    static const int least[] = {HIGH, 100, 50, 20, 3};
    int high = -1;
    size_t i;

    for (i = 0; i < sizeof least / sizeof *least && high < 0; i++)
        high = __trod_os_copy_fd(fd, least[i]);
    __trod_os_close(fd);
    return high;
}

/* Names that are tried: the name as it is, with a small number, with a large one that hardly anybody has. A number
 * goes before the suffix, so that *.trod means all.
 */
enum { SMALL = 4, TRIES = 20 };

static const char suffix[] = ".trod";

static uint64_t number_of_try(unsigned try)
{
    struct trod_os_time now = __trod_os_date();
    uint64_t x = (now.seconds * 1000000000 + now.nanoseconds) ^
                 (uint64_t)__trod_profile.pid << 44 ^ (uint64_t)try << 40;

    if (try <= SMALL)
        return try;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return UINT64_C(1000000000) + (x ^ x >> 32) % UINT64_C(1000000000000);
}

/* The length of the name without its suffix. */
static size_t stem_of(const char *name)
{
    size_t length = 0, n = sizeof suffix - 1, i;

    while (name[length])
        length++;
    if (length < n)
        return length;
    for (i = 0; i < n; i++) {
        if (name[length - n + i] != suffix[i])
            return length;
    }
    return length - n;
}

/* Put a number behind the stem of a name. False if there is no room. */
static bool put_try(char *name, size_t room, size_t stem, bool suffixed, unsigned try)
{
    uint64_t number = number_of_try(try), left;
    size_t at = stem, digits = 1, i;

    for (left = number; left > 9; left /= 10)
        digits++;
    if (stem + 1 + digits + sizeof suffix > room)
        return false;
    if (try) {
        name[at] = '.';
        for (i = digits, left = number; i; left /= 10)
            name[at + i--] = (char)('0' + left % 10);
        at += 1 + digits;
    }
    for (i = 0; suffixed && suffix[i]; i++)
        name[at++] = suffix[i];
    name[at] = 0;
    return true;
}

/* What do to with each name in turn, until it is free: give it to a file, or create one. */
static int try_names(
    char *name, size_t room, int (*attempt)(void *with, const char *name), void *with)
{
    size_t stem = stem_of(name);
    bool suffixed = name[stem] != 0;
    int result = TROD_OS_NO_NAME;
    unsigned try;

    for (try = 0; try < TRIES; try++) {
        if (!put_try(name, room, stem, suffixed, try))
            return TROD_OS_NO_NAME;
        result = attempt(with, name);
        if (result != TROD_OS_TAKEN)
            break;
    }
    if (result == TROD_OS_TAKEN)
        put_try(name, room, stem, suffixed, 0);
    return result;
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

/* For what must be said when nothing else can be done. */
static void keep_room(int fd)
{
    uint64_t size = 2 * __trod_profile.page, offset = __trod_take(size);
    int error = __trod_os_reserve(fd, offset, size);
    void *kept = error ? NULL : __trod_os_map(size);

    if (kept && __trod_os_map_file(kept, size, fd, offset)) {
        __trod_os_unmap(kept, size);
        kept = NULL;
    }
    if (!kept)
        __trod_give_back(offset, size);
    __trod_profile.kept = kept;
    __trod_profile.nkept = 0;
}

void __trod_drop_kept(void)
{
    if (__trod_profile.kept)
        __trod_os_unmap(__trod_profile.kept, 2 * __trod_profile.page);
    __trod_profile.kept = NULL;
}

/* A file on its way into its directory. */
struct new_file {
    const struct trod_image *image;
    struct trod_os_time date;
    int fd;
    const char *temporary; /* its name until it has its own, or NULL */
};

/* A descriptor that is high, of a file with all that is fixed; or an error, and then it is closed. */
static int fill_file(struct new_file *m, int fd)
{
    int error;

    m->fd = fd < 0 ? fd : move_high(fd);
    if (m->fd < 0)
        return m->fd;
    error = __trod_os_identify(&__trod_profile.file, m->fd);
    if (!error)
        error = put_fixed_parts(m->fd, m->image, m->date);
    if (!error)
        return 0;
    __trod_os_close(m->fd);
    m->fd = error;
    return error;
}

static int give_name(void *with, const char *name)
{
    struct new_file *m = with;

    return __trod_os_name(m->fd, m->temporary, name);
}

/* The directory of a name, made a name of its own for as long as it is asked for something. */
static int in_folder(
    char *name, int (*what)(struct new_file *m, const char *folder), struct new_file *m)
{
    size_t slash = 0, i;
    char was;
    int result;

    for (i = 0; name[i]; i++)
        slash = name[i] == '/' ? i : slash;
    was = name[slash + 1];
    name[slash + 1] = 0;
    result = what(m, name);
    name[slash + 1] = was;
    return result;
}

static int open_unnamed(struct new_file *m, const char *folder)
{
    (void)m;
    return __trod_os_open(folder, TROD_OS_UNNAMED);
}

static char temporary[TROD_NAME_ROOM];

/* Not a name that anybody looks for. */
static int open_temporary(struct new_file *m, const char *folder)
{
    static const char own[] = ".trod-new";
    size_t length = 0, i;

    for (; folder[length] && length + sizeof own + 24 < sizeof temporary; length++)
        ((volatile char *)temporary)[length] = folder[length];
    if (folder[length])
        return TROD_OS_NO_NAME;
    for (i = 0; own[i]; i++)
        temporary[length + i] = own[i];
    if (!put_try(temporary, sizeof temporary, length + i, false, SMALL + 1))
        return TROD_OS_NO_NAME;
    m->temporary = temporary;
    return __trod_os_open(temporary, TROD_OS_CREATE);
}

/* Whoever is killed in the middle of it leaves no file that has not all that is fixed: it is made without a name, or,
 * where file systems have no such files, with a temporary one.
 */
static int make_whole(struct new_file *m, char *name, size_t room)
{
    int error;

    m->temporary = NULL;
    error = fill_file(m, in_folder(name, open_unnamed, m));
    if (m->fd < 0 && error != TROD_OS_NO_FOLDER && error != TROD_OS_NO_SPACE)
        error = fill_file(m, in_folder(name, open_temporary, m));
    if (!error)
        error = try_names(name, room, give_name, m);
    if (m->temporary)
        __trod_os_unlink(m->temporary);
    if (error && m->fd >= 0) {
        __trod_os_close(m->fd);
        m->fd = error;
    }
    return error;
}

static int create(void *with, const char *name)
{
    (void)with;
    return __trod_os_open(name, TROD_OS_CREATE);
}

/* Where files cannot be given names. One that has not got its fixed parts is of no use to anybody. */
static int make_in_place(struct new_file *m, char *name, size_t room)
{
    int fd = try_names(name, room, create, NULL);

    if (fd < 0)
        return fd;
    if (fill_file(m, fd))
        __trod_os_unlink(name);
    return m->fd < 0 ? m->fd : 0;
}

static int open_profile(const struct trod_image *image)
{
    struct new_file m = {.image = image, .date = __trod_os_date(), .fd = -1};
    size_t room = sizeof __trod_profile.name, own;
    char *name = __trod_profile.name;
    int error;

    if (!__trod_name_build(name, room, &own, image_path,
            image->library || !image_path[0] ? program_path : image_path,
            m.date.seconds)) {
        name[0] = 0;
        return TROD_OS_NO_NAME;
    }
    error = make_whole(&m, name, room);
    if (error == TROD_OS_NO_FOLDER) {
        make_folders(name, own);
        error = make_whole(&m, name, room);
    }
    if (error && error != TROD_OS_NO_FOLDER)
        error = make_in_place(&m, name, room);
    return error ? error : m.fd;
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
    if (image.library && (fd < HIGH || fd >= HIGH + LIBRARIES))
        __trod_drop_fd();
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

/* Duplicate first, then check: the program cannot close or replace a descriptor that it does not know. Where the
 * limit of descriptors is reached, no other thread gets that number either.
 */
int __trod_borrow(void)
{
    int fd = __trod_os_copy_fd(__trod_profile.fd, 3);

    if ((fd == TROD_OS_FULL || fd == TROD_OS_LIMIT) && is_ours(__trod_profile.fd))
        return __trod_profile.fd;
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

void __trod_give_fd(int fd)
{
    if (fd != __trod_profile.fd)
        __trod_os_close(fd);
}

void __trod_drop_fd(void)
{
    if (__trod_profile.fd >= 0 && is_ours(__trod_profile.fd))
        __trod_os_close(__trod_profile.fd);
    __trod_profile.fd = -1;
}
