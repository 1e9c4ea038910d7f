#include "cxx/demangle.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ library; its header is none of C. */
extern char *__cxa_demangle(
    const char *mangled, char *buffer, size_t *length, int *status);

const char *trod_cxx_name(const char *linkage, struct trod_arena *mem)
{
    char *name;
    const char *copy;
    int status = 0;

    if (strncmp(linkage, "_Z", 2) != 0)
        return linkage;
    name = __cxa_demangle(linkage, NULL, NULL, &status);
    if (!name)
        return linkage;
    copy = trod_copy_text(mem, name, strlen(name));
    free(name);
    return copy;
}
