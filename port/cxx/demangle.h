/* cxx: demangled names of C++ functions.
 *
 *     linkage name -> name with namespaces and parameters
 */
#ifndef TROD_DEMANGLE_H
#define TROD_DEMANGLE_H

#include "base/base.h"

/* The demangled name, allocated by malloc; NULL: not a C++ name. */
char *trod_cxx_demangle(const char *linkage);

/* Does the demangled name match a shell pattern? False if it is not a C++ name. */
bool trod_cxx_matches(const char *linkage, const char *glob);

/* The demangled name; the linkage name itself if it is not a C++ name. */
const char *trod_cxx_name(const char *linkage, struct trod_arena *mem);

#endif
