/* port/cc: the options of `trod cc`, one table for all who know of them.
 *
 *     command line -> values -> environment -> values -> settings of the plugin
 *
 * `trod cc` parses its command line by the table, prints help, man page and completion from it, and passes each value on in
 * the option's environment variable. The plugin in the compiler reads the variables by the same table, with the same checks:
 * it may be used without `trod cc`.
 *
 * Glossary
 *   value     text of an option; of a flag "yes"; of files their names, one per line
 */
#ifndef TROD_CC_H
#define TROD_CC_H

#include "base/base.h"

enum trod_cc {
    TROD_CC_AT,
    TROD_CC_LIMIT,
    TROD_CC_ITERATIONS,
    TROD_CC_RECORD,
    TROD_CC_LEFT,
    TROD_CC_COUNTERS,
    TROD_CC_ONLY,
    TROD_CC_SKIP,
    TROD_CC_PATHS,
    TROD_CC_TESTED,
    TROD_CC_UNTESTED_ONLY,
    TROD_CC_PARTIAL,
    TROD_CC_PLAN,
    TROD_CC_EXPLAIN,
    TROD_CC_WPP,
    TROD_CC_SUBPATHS,
    TROD_CC_SEGMENTS,
    TROD_CC_DEPTH,
    TROD_CC_OTHERS,
    TROD_CC_CODE_LIMIT,
    TROD_CC_WHOLE_PROGRAM,
    TROD_CC_ONLINE,
    TROD_CC_BURST,
    TROD_CC_BUDGET,
    TROD_CC_OUT,
    TROD_CC_NOPTION
};

enum trod_cc_kind {
    TROD_CC_FLAG,   /* in the environment, yes or no */
    TROD_CC_WORD,   /* one of word[] */
    TROD_CC_NUMBER, /* whole, from least to most */
    TROD_CC_FILES,  /* a file; the option may be repeated */
    TROD_CC_GLOB,   /* of functions; with a '/', a file, if means says what is in it */
    TROD_CC_TEXT    /* free, or as refuse() says */
};

enum { TROD_CC_WORDS = 5, TROD_CC_DEEPEST = 8 };

struct trod_cc_option {
    const char *name;     /* --name */
    const char *variable; /* NULL: the plugin does not receive it */
    enum trod_cc_kind kind;
    bool optional;        /* the argument may be missing: the value is "" */
    const char *argument; /* in help; NULL: none */
    const char *help;
    const char *word[TROD_CC_WORDS];
    uint64_t least, most, otherwise; /* of a number; most 0: no limit */
    const char *means;               /* what a number is, or what is in a file */
    const char *(*refuse)(const char *text); /* NULL, or why it is not valid */
};

/* --- cc_options.c: the table -------------------------------------------------------------- */

extern const struct trod_cc_option trod_cc_option[TROD_CC_NOPTION];

/* --- cc_values.c -------------------------------------------------------------------------- */

struct trod_cc_values {
    const char *of[TROD_CC_NOPTION]; /* NULL: not given */
};

/* Check one value; of files, one file. name: how the user calls the option, in messages
 *
 * fails:  TROD_E_INPUT; TROD_E_SYSTEM if a file cannot be read
 */
bool trod_cc_check_value(enum trod_cc option, const char *name, const char *value,
    struct trod_err *err) TROD_MUST_CHECK;

/* Check that the options given go together.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_cc_check(
    const struct trod_cc_values *values, struct trod_err *err) TROD_MUST_CHECK;

/* Set the variables of the options given, and unset all others.
 *
 * fails:  TROD_E_SYSTEM
 */
bool trod_cc_store(
    const struct trod_cc_values *values, struct trod_err *err) TROD_MUST_CHECK;

/* Read the variables, and check their values. The texts are the environment's.
 *
 * fails:  as both checks; the message names the variable
 */
bool trod_cc_load(struct trod_cc_values *out, struct trod_err *err) TROD_MUST_CHECK;

/* Is this the word given? */
bool trod_cc_is(
    const struct trod_cc_values *values, enum trod_cc option, const char *word);

/* The number given, or the default. */
uint64_t trod_cc_number(const struct trod_cc_values *values, enum trod_cc option);

#endif
