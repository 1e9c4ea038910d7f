#define _GNU_SOURCE 1

#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <unistd.h>

_Static_assert(TROD_OS_NO_FOLDER == -ENOENT && TROD_OS_TAKEN == -EEXIST &&
                   TROD_OS_NO_FD == -EBADF && TROD_OS_NO_MEMORY == -ENOMEM &&
                   TROD_OS_NO_NAME == -ENAMETOOLONG && TROD_OS_NO_SPACE == -ENOSPC &&
                   TROD_OS_DENIED == -EPERM && TROD_OS_FORBIDDEN == -EACCES &&
                   TROD_OS_NO_DEVICE == -ENODEV && TROD_OS_UNSUPPORTED == -EOPNOTSUPP &&
                   TROD_OS_LIMIT == -EINVAL && TROD_OS_FULL == -EMFILE,
    "errors are as os.h says");

/* --- start-up --------------------------------------------------------------------- */

/* The value, if this is the variable of that name. */
static const char *value_of(const char *variable, const char *name)
{
    for (; *name; name++, variable++) {
        if (*variable != *name)
            return NULL;
    }
    return *variable == '=' ? variable + 1 : NULL;
}

/* libc has not set up the environment while .preinit_array runs, so it is read from the kernel.
 * Variables that begin with TROD_ are kept, as far as there is room.
 */
static const char *early_environment(const char *name)
{
    static const char ours[] = "TROD_";
    static char kept[8192];
    static size_t used;
    size_t length = 0, at;
    const char *value;
    char part[256];
    int64_t got, i;
    int fd;

    if (!used) {
        fd = __trod_os_open("/proc/self/environ", TROD_OS_READ);
        while (fd >= 0 && (got = __trod_os_read(fd, part, sizeof part)) > 0) {
            for (i = 0; i < got; i++) {
                /* The kernel filled it, by an instruction that analyzers do not know. */
                /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
                bool wanted = length >= sizeof ours - 1 || part[i] == ours[length];

                /* SIZE_MAX / 2: the rest of another variable. */
                if (length < SIZE_MAX / 2 && wanted && used + length + 2 < sizeof kept)
                    kept[used + length++] = part[i];
                else
                    length = SIZE_MAX / 2;
                if (!part[i]) {
                    used += length < SIZE_MAX / 2 ? length : 0;
                    length = 0;
                }
            }
        }
        if (fd >= 0)
            __trod_os_close(fd);
        used += !used; /* marks that it was read */
    }
    for (at = 0; at < used; at++) {
        value = value_of(kept + at, name);
        if (value)
            return value;
        while (at < used && kept[at])
            at++;
    }
    return NULL;
}

const char *__trod_os_environment(const char *name)
{
    char **at;

    if (__trod_os_is_secure())
        return NULL;
    if (!environ)
        return early_environment(name);
    for (at = environ; *at; at++) {
        const char *value = value_of(*at, name);

        if (value)
            return value;
    }
    return NULL;
}

bool __trod_os_is_secure(void)
{
    return getauxval(AT_SECURE) != 0;
}

/* glibc identifies images by this. crtbegin.o defines it; an image that is linked with -nostartfiles has none but
 * ours, and only the runtime unregisters its handlers when it is unloaded.
 */
static void *own_handle = &own_handle;
extern void *__dso_handle
    __attribute__((weak, alias("own_handle"), visibility("hidden")));
extern void __cxa_finalize(void *);

void __trod_os_forget_image(void)
{
    if (&__dso_handle == &own_handle)
        __cxa_finalize(&__dso_handle);
}

void __trod_os_on_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    /* The order of calls: "before" handlers run last registered first, the others first registered
     * first. glibc removes ours when the image it is linked into is unloaded.
     */
    pthread_atfork(before, parent, child);
}

uint64_t __trod_os_secret(void)
{
    const uint8_t *random = (const uint8_t *)getauxval(AT_RANDOM);
    uint64_t secret = UINT64_C(0x9e3779b97f4a7c15);
    int i;

    for (i = 0; random && i < 16; i++)
        secret = (secret ^ random[i]) * UINT64_C(0xd1342543de82ef95);
    return secret ^ secret >> 32;
}

const char *__trod_os_started_as(void)
{
    const char *name = (const char *)getauxval(AT_EXECFN);

    return name ? name : "";
}

/* --- code --------------------------------------------------------------------------- */

#ifdef DLFO_STRUCT_HAS_EH_DBASE
/* Weak: older libcs lack it. NOLINTNEXTLINE(readability-redundant-declaration) */
extern __typeof(_dl_find_object) _dl_find_object __attribute__((weak));

/* It does not block or allocate. */
const uint8_t *__trod_os_unwind_table(uintptr_t address)
{
    struct dl_find_object found;

    if (!_dl_find_object || _dl_find_object((void *)address, &found) != 0)
        return NULL;
    return found.dlfo_eh_frame;
}
#else
const uint8_t *__trod_os_unwind_table(uintptr_t address)
{
    (void)address;
    return NULL;
}
#endif
