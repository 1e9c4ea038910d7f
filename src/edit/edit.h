/* edit: instructions replaced as they are decoded, on conditions that counters are.
 *
 *     text -> productions -> for each code which may match -> at each run: counters, replacements
 */
#ifndef TROD_EDIT_H
#define TROD_EDIT_H

#include "branch/branch.h"

#endif
