#include "runtime.h"

/* Used only by the thread that starts a profile. */
static struct trod_paths paths;

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

/* --- the file --------------------------------------------------------------------- */

/* A process may have a thousand libraries, and as many descriptors. So only the first libraries
 * keep one; the others open their file by name when they need it.
 */
enum { HIGH = 200, LIBRARIES = 16 };

/* Far above the numbers that programs rely on: open must return the lowest free one, and 0 to 2
 * have a meaning even when they are closed.
 */
static int copy_high(int fd)
{
    static const int least[] = {HIGH, 100, 50, 20, 3};
    int high = -1;
    size_t i;

    for (i = 0; i < sizeof least / sizeof *least && high < 0; i++)
        high = __trod_os_copy_fd(fd, least[i]);
    return high;
}

static int move_high(int fd)
{
    int high = copy_high(fd);

    __trod_os_close(fd);
    return high;
}

/* Names to try: the name itself, the name with a small number, then with a large random one. The
 * number precedes the suffix, so that *.trod matches all.
 */
enum { SMALL = 4, TRIES = 20 };

static const char suffix[] = ".trod";

static uint64_t number_of_try(unsigned try)
{
    struct trod_os_time now;
    uint64_t x;

    if (try <= SMALL)
        return try;
    now = __trod_os_date();
    x = (now.seconds * 1000000000 + now.nanoseconds) ^
        (uint64_t)__trod_profile.pid << 44 ^ (uint64_t)try << 40;
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

/* Put a number after the stem of a name. False if there is no room. */
static bool append_try_number(
    char *name, size_t room, size_t stem, bool suffixed, unsigned try)
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

/* Applied to each name in turn until one is free: links a file there, or creates one. */
static int try_names(
    char *name, size_t room, int (*attempt)(void *with, const char *name), void *with)
{
    size_t stem = stem_of(name);
    bool suffixed = name[stem] != 0;
    int result = TROD_OS_NO_NAME;
    unsigned try;

    for (try = 0; try < TRIES; try++) {
        if (!append_try_number(name, room, stem, suffixed, try))
            return TROD_OS_NO_NAME;
        result = attempt(with, name);
        if (result != TROD_OS_TAKEN)
            break;
    }
    if (result == TROD_OS_TAKEN)
        append_try_number(name, room, stem, suffixed, 0);
    return result;
}

/* Create the missing directories of the pattern. The directory in which the program started is not
 * created again if it was removed. Errors show when the file is opened.
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

/* Reserve space for notes that must be written when nothing else can be. */
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

/* A file that has no name yet. */
struct new_file {
    const struct trod_image *image;
    struct trod_os_time date;
    int fd;
    const char *temporary; /* its temporary name, or NULL */
};

/* The descriptor has a high number, and the file is the one with the profile. */
static int join(struct new_file *m, const char *name)
{
    int first = __trod_shared_join(name, m->image), fd;

    if (first < 0)
        return first;
    fd = copy_high(first);
    if (fd >= 0 && first >= 3) {
        atomic_store(&__trod_profile.fresh, first + 1);
        return fd;
    }
    __trod_os_close(first);
    if (fd < 0)
        __trod_shared_leave();
    return fd;
}

/* Tried until a file is joined or a name is free. */
static int join_name(void *with, const char *name)
{
    struct new_file *m = with;
    int fd = join(m, name);

    if (fd >= 0)
        m->fd = fd;
    return fd < 0 ? fd : 0;
}

/* Returns a high descriptor of a file with all fixed sections; or an error, with the file closed. */
static int fill_file(struct new_file *m, int fd)
{
    int error;

    m->fd = fd < 0 ? fd : move_high(fd);
    if (m->fd < 0)
        return m->fd;
    error = __trod_os_identify(&__trod_profile.file, m->fd);
    if (!error)
        error = __trod_put_fixed(m->fd, m->image, &paths, m->date);
    if (!error)
        return 0;
    __trod_shared_close();
    __trod_os_close(m->fd);
    m->fd = error;
    return error;
}

/* An existing file may belong to another process of this image that was first. Then ours is not
 * needed.
 */
static int give_name(void *with, const char *name)
{
    struct new_file *m = with;
    int error = __trod_os_name(m->fd, m->temporary, name), fd;

    if (error != TROD_OS_TAKEN || !__trod_profile.shared)
        return error;
    __trod_shared_close();
    fd = join(m, name);
    if (fd < 0)
        return __trod_shared_open(m->fd, m->image, __trod_profile.end)
                   ? TROD_OS_NO_MEMORY
                   : error;
    __trod_os_close(m->fd);
    m->fd = fd;
    return 0;
}

/* Calls a function with the directory of a name; the name is cut temporarily. */
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

/* A name that does not look like a profile. */
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
    if (!append_try_number(temporary, sizeof temporary, length + i, false, SMALL + 1))
        return TROD_OS_NO_NAME;
    m->temporary = temporary;
    return __trod_os_open(temporary, TROD_OS_CREATE);
}

/* A process that is killed here leaves no file with an incomplete fixed part: the file is created without a name or,
 * on file systems without unnamed files, with a temporary one.
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

/* For file systems on which files cannot be linked. A file without its fixed sections is useless,
 * so it is removed. */
static int make_in_place(struct new_file *m, char *name, size_t room)
{
    int fd = try_names(name, room, create, NULL);

    if (fd < 0)
        return fd;
    if (fill_file(m, fd))
        __trod_os_unlink(name);
    return m->fd < 0 ? m->fd : 0;
}

static bool build_name(size_t *own, const struct trod_image *image, uint64_t seconds)
{
    if (__trod_name_build(__trod_profile.name, sizeof __trod_profile.name, own,
            paths.image,
            image->library || !paths.image[0] ? paths.program : paths.image, seconds))
        return true;
    __trod_profile.name[0] = 0;
    return false;
}

static void find_paths(void)
{
    __trod_image_path(paths.image, sizeof paths.image);
    __trod_program_path(paths.program, sizeof paths.program);
}

/* Most processes of a server find the file already there, and need only its name. */
static bool join_profile(struct new_file *m)
{
    size_t own;

    if (!__trod_shared_is_wanted())
        return false;
    if (__trod_name_has_paths())
        find_paths();
    return build_name(&own, m->image, 0) &&
           !try_names(__trod_profile.name, sizeof __trod_profile.name, join_name, m);
}

static int make_profile(struct new_file *m)
{
    size_t room = sizeof __trod_profile.name, own;
    char *name = __trod_profile.name;
    int error;

    m->date = __trod_os_date();
    find_paths();
    if (!build_name(&own, m->image, m->date.seconds))
        return TROD_OS_NO_NAME;
    error = make_whole(m, name, room);
    if (error == TROD_OS_NO_FOLDER) {
        make_folders(name, own);
        error = make_whole(m, name, room);
    }
    if (error && error != TROD_OS_NO_FOLDER)
        error = make_in_place(m, name, room);
    return error;
}

bool __trod_start(void)
{
    struct trod_image image;
    struct new_file m = {.image = &image, .fd = -1};
    int error = 0;

    __trod_prepare();
    __trod_image_find(&image);
    if (!join_profile(&m))
        error = make_profile(&m);
    if (error) {
        __trod_note(TROD_NOTE_NONE, -1, error);
        return false;
    }
    __trod_profile.fd = m.fd;
    if (trod_is_there((const void *)(uintptr_t)__trod_control_open))
        __trod_control_open(m.fd);
    if (!__trod_profile.shared)
        keep_room(m.fd);
    if (__trod_has_dropped())
        __trod_note(TROD_NOTE_DROPPED, m.fd, 0);
    if (image.library && (m.fd < HIGH || m.fd >= HIGH + LIBRARIES))
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

/* Duplicate first, then check: the program cannot close or replace a descriptor that it does not
 * know. If the limit of descriptors is reached, no other thread gets that number either.
 */
int __trod_borrow(void)
{
    int fd = atomic_exchange(&__trod_profile.fresh, 0) - 1;

    if (fd >= 0)
        return fd;
    fd = __trod_os_copy_fd(__trod_profile.fd, 3);
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
