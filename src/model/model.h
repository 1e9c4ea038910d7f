/* model: paths, as hardware would see them.
 *
 *     runs (branch.h) -> path stack -> descriptors -> exact table, hot path table, windows, phases
 *
 * After Vaswani, "Efficient Online Path Profiling", chapter 5. A path is where it begins, and the outcomes of
 * its branches. Which branches begin and end paths, and which are outcomes, is a table: the control register.
 *
 * Glossary
 *   descriptor   a path: start, length, outcomes
 *   length       branches with an outcome
 *   outcome      of a branch on the path: 1 taken, 0 not
 *   stack        of a thread: a descriptor for each function that it is in
 *   count        what is added to the path in a table: 1, or events that happened on it
 */
#ifndef TROD_MODEL_H
#define TROD_MODEL_H

#include "branch/branch.h"

/* A path that came to its end. */
struct trod_descriptor {
    uint64_t start; /* address */
    uint64_t
        function; /* where the activation it is of was entered; or, behind a jump to another function, that */
    uint32_t length;
    const uint64_t
        *outcome; /* bit i of word i / 64: of its branch i; bits behind length are 0 */
};

#endif
