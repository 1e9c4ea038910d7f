#include "cxx/demangle.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ library, whose header is not valid C. */
extern char *__cxa_demangle(
    const char *mangled, char *buffer, size_t *length, int *status);

/* The length without the number that a linker appends to a local name that is taken: "leaf.3". Compilers
 * append words to the names of clones, and perhaps a number: "leaf.part.0" stays whole.
 */
static size_t own_length(const char *linkage)
{
    const char *dot = strchr(linkage, '.');

    return dot && dot > linkage && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")]
               ? (size_t)(dot - linkage)
               : strlen(linkage);
}

char *trod_cxx_demangle(const char *linkage)
{
    size_t length = own_length(linkage);
    char *own = linkage[length] ? strndup(linkage, length) : NULL, *demangled;
    int status = 0;

    if (strncmp(linkage, "_Z", 2) != 0)
        return own;
    demangled = __cxa_demangle(own ? own : linkage, NULL, NULL, &status);
    if (demangled)
        free(own);
    return demangled ? demangled : own;
}

bool trod_cxx_matches(const char *linkage, const char *glob)
{
    char *demangled = trod_cxx_demangle(linkage);
    bool matches = demangled && fnmatch(glob, demangled, 0) == 0;

    free(demangled);
    return matches;
}

const char *trod_cxx_name(const char *linkage, struct trod_arena *mem)
{
    char *name = trod_cxx_demangle(linkage);
    const char *copy;

    if (!name)
        return linkage;
    copy = trod_copy(mem, name);
    free(name);
    return copy;
}
