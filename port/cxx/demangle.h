/* cxx: names of C++ functions as their authors wrote them.
 *
 *     linkage name -> name with namespaces and parameters
 */
#ifndef TROD_DEMANGLE_H
#define TROD_DEMANGLE_H

#include "base/base.h"

/* The name as C++ writes it, or the linkage name itself where it is none of C++. */
const char *trod_cxx_name(const char *linkage, struct trod_arena *mem);

#endif
