/* cxx: names of functions as the source has them.
 *
 *     linkage name -> name with namespaces and parameters
 *     name with a linker's number, as of the second local function of that name -> name
 */
#ifndef TROD_DEMANGLE_H
#define TROD_DEMANGLE_H

#include "base/base.h"

/* The name in the source, allocated by malloc; NULL: it is the linkage name. */
char *trod_cxx_demangle(const char *linkage);

/* Does the name in the source match a shell pattern? False if it is the linkage name. */
bool trod_cxx_matches(const char *linkage, const char *glob);

/* The name in the source. */
const char *trod_cxx_name(const char *linkage, struct trod_arena *mem);

#endif
