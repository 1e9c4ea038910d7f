/* profdata: profiles for clang, by the program `llvm-profdata`.
 *
 *     proftext -> llvm-profdata merge -> indexed profile
 *
 * The library prints LLVM's text format. clang reads only the indexed format, which changes between
 * versions of LLVM, so the llvm-profdata of that clang has to convert it. It runs as a child
 * process with two anonymous files.
 */
#ifndef TROD_PROFDATA_H
#define TROD_PROFDATA_H

#include "export/export.h"

/* Formats with counters and with samples; the last entry has no name.
 *
 * fails:  as the text formats do; TROD_E_SYSTEM if there is no llvm-profdata-19, or if it fails.
 *         TROD_PROFDATA in the environment names another program.
 */
extern const struct trod_export_format trod_profdata_formats[];

#endif
