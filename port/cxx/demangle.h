/* cxx: names of C++ functions as their authors wrote them.
 *
 *     linkage name -> name with namespaces and parameters
 */
#ifndef TROD_DEMANGLE_H
#define TROD_DEMANGLE_H

#include "base/base.h"

/* The same in memory of malloc; NULL where it is none of C++. */
char *trod_cxx_demangle(const char *linkage);

/* Does the name match a pattern of the shell? Not where it is none of C++. */
bool trod_cxx_matches(const char *linkage, const char *glob);

/* The name as C++ writes it, or the linkage name itself where it is none of C++. */
const char *trod_cxx_name(const char *linkage, struct trod_arena *mem);

#endif
