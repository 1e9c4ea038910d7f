#include "build/compiler.h"

#include <string.h>
#include <unistd.h>

/* Test programs that build systems compile and run to probe the compiler. They are not worth profiling,
 * and their profiles would be left in the source tree, so they are not instrumented. The runtime is still linked,
 * because libraries that they are linked with may be instrumented.
 */

/* Prefixes of the names of sources and objects, in any folder. */
static const char *const names[] = {
    "conftest", /* autoconf: conftest.c, conftest1.c, conftest.o */
    "conftst",
    "CMakeCCompilerId", /* CMake */
    "CMakeCXXCompilerId",
};

/* Folders that contain the sources or the working directory. */
static const char *const folders[] = {
    "/CMakeFiles/CMakeTmp", /* CMake's try_compile, up to 3.24 */
    "/CMakeFiles/CMakeScratch",
    "/meson-private/tmp", /* meson's checks, and its sanity checks */
    "/meson-private/sanitycheck",
    "/meson-private/__CMake_compiler_info__",
};

static bool is_in_folder(const char *path)
{
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(path, folders[i]))
            return true;
    return false;
}

static bool is_source(const char *arg)
{
    const char *slash = strrchr(arg, '/'), *name = slash ? slash + 1 : arg;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return is_in_folder(arg);
}

bool cli_cc_is_probe(char **args)
{
    char here[4096];

    for (; *args; args++) {
        if (strcmp(*args, "-o") == 0 && args[1])
            args++;
        else if (**args != '-' && is_source(*args))
            return true;
    }
    return getcwd(here, sizeof here) && is_in_folder(here);
}
