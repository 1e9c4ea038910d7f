/* score: how good a migrated profile is.
 *
 *     merged entries + full profile of the new version -> accuracy, precision, recall, time saved
 *
 * It shares no code with src/migrate: entries of the full profile are found here again, by walking every path that ran
 * block by block, and the text of merged entries is read by a reader of its own. What both get wrong in the same way
 * would not be seen otherwise.
 *
 * Glossary
 *   correct    an entry of the merged profile that the full one has, with the same count
 *   Acc        correct entries by those of the full profile
 *   reusable   an entry that the old profile has, mapped, with the count of the full profile
 *   precision  reused entries that were reusable, by reused ones
 *   recall     the same by reusable ones
 *   F          2 P R / (P + R)
 *   hot        what both have in common of all counts: sum of the lesser by sum of the full, as shares
 *   TS_total   (time of full profiling - time of migration and of profiling the rest) / time of full profiling, over all
 *              inputs
 *   TS_overhead  the same of the time beyond that of the plain program
 *
 * paper:  ProfMig, section 5
 */
#ifndef TROD_SCORE_H
#define TROD_SCORE_H

#include "report/report.h"

struct trod_score {
    uint64_t nentry, ncorrect, nreused, ntrue,
        nreusable; /* of one input, or of all added up */
    uint64_t nmissing,
        nextra; /* entries of the full profile that the merged has not, and the other way round */
    double acc, precision, recall, f, hot;
};

#endif
