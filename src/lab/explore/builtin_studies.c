#include "explore/explore.h"

/* After Vaswani's thesis, section 5.5. Table 5.4 has the values of the first study. The thesis does
 * not state its experimental design or its number of runs.
 */
const struct trod_explore_known trod_explore_known[] = {
    {"parameters", "which parameters matter, of table 5.4: Plackett-Burman",
        "study parameters\n"
        "design burman 12 foldover\n"
        "measure frequency misses mispredictions\n"
        "entries 128 2048\n"
        "ways 2 32\n"
        "index address xor\n"
        "l2.size 256k 2048k\n"
        "l2.ways 1 8\n"
        "predictor two_level hybrid\n"},
    {"tables", "sizes, ways and indexes of the hot path table: full factorial",
        "study tables\n"
        "design factorial\n"
        "measure frequency\n"
        "entries 128 256 512 1024 2048\n"
        "ways 2 4 8 32\n"
        "index address xor multiply\n"},
    {"policies", "what is replaced in the hot path table, and by which index",
        "study policies\n"
        "design factorial\n"
        "measure frequency\n"
        "index address xor multiply\n"
        "policy lru lfu inherit\n"
        "entries 512\n"
        "ways 4\n"},
    {"queue", "how long the branch queue is: a sweep",
        "study queue\n"
        "design sweep\n"
        "measure overhead\n"
        "queue 1 2 *4 8 16\n"
        "entries 512\n"
        "ways 4\n"},
    {"bursts",
        "how right sampling in bursts is and what it costs, by rate and length: full factorial",
        "study bursts\n"
        "design factorial\n"
        "measure accuracy hps dise\n"
        "profile methods calls streams\n"
        "rate 100 500 1000 5000 10000\n"
        "burst 1 10 50 100\n"},
    {0},
};
