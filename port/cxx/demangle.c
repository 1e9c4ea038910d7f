#include "cxx/demangle.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ library, whose header is not valid C. */
extern char *__cxa_demangle(
    const char *mangled, char *buffer, size_t *length, int *status);

char *trod_cxx_demangle(const char *linkage)
{
    int status = 0;

    if (strncmp(linkage, "_Z", 2) != 0)
        return NULL;
    return __cxa_demangle(linkage, NULL, NULL, &status);
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
