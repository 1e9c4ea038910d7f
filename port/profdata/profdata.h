/* profdata: profiles that clang reads, by the program `llvm-profdata`.
 *
 *     proftext -> llvm-profdata merge -> indexed profile
 *
 * The library prints LLVM's text form; what clang reads is indexed, in a form that changes from one LLVM to the next. So
 * the one that belongs to the clang makes it. It is run as a child, between two files that have no name.
 */
#ifndef TROD_PROFDATA_H
#define TROD_PROFDATA_H

#include "export/export.h"

/* Of counters and of samples; ends with an entry without a name.
 *
 * fails:  as the text forms do; TROD_E_SYSTEM when there is no llvm-profdata-19, or it fails. TROD_PROFDATA in the
 *         environment names another.
 */
extern const struct trod_export_format trod_profdata_formats[];

#endif
