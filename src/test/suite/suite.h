/* suite: profiles of the tests of a suite: selection, order, fault localisation.
 *
 *     profiles, one per test -> suite -> worth, order, redundant tests, suspects
 *
 * Counts do not matter here: a test takes a path or it does not. Functions are matched by
 * name, graph and cuts, in any module: tests may be separate
 * programs that share a library.
 *
 * Glossary
 *   test      one group of runs of one profile. Profiles and groups that are given the
 *             same name are one test.
 *   failed    as declared by the caller; all other tests passed
 *   taken     a test takes a path that ended in it
 *   entered   a test enters a function if it takes a path of it, or began and
 *             abandoned it
 *   only      of a test: the paths that no other takes
 *   first     of a test: the paths that none before it takes, in the order they were added
 *   new       of a test in an order: the paths that none before it in that order takes
 *   redundant said of tests all of whose paths are taken by tests that are not redundant
 *   suspect   a path that failing tests take, with its statistics
 *   foreign   said of tests that do not belong together: of another build of a program, or
 *             of one that shares no function with the others
 *
 * Memory: the builder has a separate arena, which may be freed when the suite is built;
 * it does not refer to the profiles. Everything else is in the given arena.
 *
 * Invariants are listed at trod_suite_check().
 */
#ifndef TROD_SUITE_H
#define TROD_SUITE_H

#include "base/base.h"
#include "base/table.h"
#include "profile/profile.h"

struct trod_suite_test {
    const char *name; /* unique */
    bool failed;
    bool timed;    /* its time is known */
    uint64_t time; /* nanoseconds; if not timed, those of the longest test */
    uint32_t nrun; /* runs that were not forked; several are added */
};

struct trod_suite_path {
    uint32_t function;
    uint64_t id;
};

struct trod_suite {
    uint32_t ntest;
    const struct trod_suite_test *test; /* in the order they were added */
    uint32_t nmodule;
    const struct trod_profile_module *module; /* unique */
    uint32_t nfunction;
    const struct trod_profile_function *function; /* of all modules, sorted */
    uint32_t npath;
    const struct trod_suite_path *path; /* taken by some test; by function and id */

    /* Which test takes which path, in both directions. */
    const size_t *first_path_of_test; /* [ntest + 1] into path_of_test */
    const uint32_t *path_of_test;     /* ascending */
    const size_t *first_test_of_path; /* [npath + 1] into test_of_path */
    const uint32_t *test_of_path;     /* ascending: the first is the first to take it */
    const size_t *first_test_of_function; /* [nfunction + 1] into test_of_function */
    const uint32_t *test_of_function;     /* tests that enter it, ascending */
};

/* --- gather.c, assemble.c: from profiles to a suite -------------------------------------- */

struct trod_suite_builder {
    struct trod_arena *mem;
    struct trod_names name; /* of tests */
    struct trod_suite_test_builder *test;
    uint32_t room_test;
    struct trod_suite_module *module;
    uint32_t nmodule, room_module;
    enum trod_format_mode mode; /* of all modules */
    const char *mode_file;      /* file with this mode; NULL: none yet */
    struct trod_profile_function *function;
    uint32_t nfunction, room_function;
    uint32_t *root; /* [room_function]: one of the functions it belongs together with */
    uint32_t room_root;
    struct trod_table functions;
    struct trod_suite_path *path;
    uint32_t npath, room_path;
    struct trod_table paths;
    uint32_t ngroup;   /* groups added */
    uint32_t nunnamed; /* groups without the naming field */
};

struct trod_suite_source {
    const char
        *file; /* name of the first group; @ and a number are appended for later ones */
    const char *field; /* of the run: its value, if any, is the name; NULL: none.
                          Repeated fields are concatenated. */
    bool failed;
};

void trod_suite_builder_init(
    struct trod_suite_builder *builder, struct trod_arena *mem);

/* Add the tests of the profiles of one file: one for each group. A profile without
 * groups is a test that takes no path.
 *
 * fails:  TROD_E_MISMATCH when modes differ from those before, when steps were recorded, or when a
 *         test is declared both failed and passed; TROD_E_LIMIT for 2^29 paths or more
 * cost:   O(paths), expected; functions of a module once for each build of it
 */
bool trod_suite_add(struct trod_suite_builder *builder,
    const struct trod_profile *profile, uint32_t nprofile,
    const struct trod_suite_source *naming, struct trod_err *err) TROD_MUST_CHECK;

struct trod_suite_options {
    bool foreign; /* tests need not belong together */
};

/* Build the suite.
 *
 * fills:  *out; the builder is used up
 * fails:  TROD_E_MISMATCH when tests are foreign to each other
 * cost:   O(paths of all tests), and a sort of the different ones
 */
bool trod_suite_build(struct trod_suite *out, struct trod_suite_builder *builder,
    const struct trod_suite_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The same tests, restricted to these functions.
 *
 * needs:  is_wanted[suite->nfunction]
 * cost:   O(paths of all tests)
 */
void trod_suite_choose(struct trod_suite *out, const struct trod_suite *suite,
    const bool *is_wanted, struct trod_arena *mem);

/* --- foreign.c: do the tests belong together? -------------------------------------------- */

/* Put two functions into one program. */
void trod_suite_join(struct trod_suite_builder *builder, uint32_t f, uint32_t g);

/* Called by trod_suite_build().
 *
 * fails:  TROD_E_MISMATCH when modules of one path have a function of one name with
 *         different graphs or cuts; when tests fall into two sets that share no function
 */
bool trod_suite_belong(
    struct trod_suite_builder *builder, struct trod_err *err) TROD_MUST_CHECK;

/* --- worth.c: the tests one by one ---------------------------------------------------------- */

struct trod_suite_worth {
    uint32_t npath, nonly, nfirst;
};

/* needs:  out[suite->ntest]
 * cost:   O(paths of all tests)
 */
void trod_suite_worth(struct trod_suite_worth *out, const struct trod_suite *suite);

/* --- greedy.c: which test to run next, and which not at all -------------------------------------------------------- */

enum trod_suite_by {
    TROD_BY_PATHS, /* most new paths first */
    TROD_BY_TIME   /* most new paths a second first */
};

struct trod_suite_step {
    uint32_t test;
    uint32_t nnew; /* paths */
    uint32_t nall; /* with those of all tests before it */
    uint64_t time; /* with that of all tests before it */
};

/* An order in which each next test is one that adds most; among equals by name. Tests that
 * add nothing come last.
 *
 * needs:  step[suite->ntest]
 * cost:   O(paths of all tests), and a heap of the tests
 * paper:  Rothermel, Untch, Chu, Harrold, "Test case prioritization", ICSM 1999, with
 *         paths for branches
 */
void trod_suite_order(struct trod_suite_step *step, const struct trod_suite *suite,
    enum trod_suite_by by, struct trod_arena *mem);

/* After how many steps at least this share of all paths, above 0 and up to 1, is taken. */
uint32_t trod_suite_reach(
    const struct trod_suite *suite, const struct trod_suite_step *step, double share);

/* Tests without which all paths are still taken: one after the other, in the reverse of an
 * order, each that adds nothing to those still there. What is left takes every path, and
 * none of it can go; a smaller set may yet exist, and finding the smallest is out of reach.
 *
 * needs:  an order of trod_suite_order(); is_redundant[suite->ntest]
 * fills:  is_redundant
 * cost:   O(paths of all tests)
 */
void trod_suite_redundant(bool *is_redundant, const struct trod_suite *suite,
    const struct trod_suite_step *step, struct trod_arena *mem);

/* --- suspect.c: paths that predict failure ----------------------------------------------------- */

struct trod_suspect {
    uint32_t path;
    uint32_t nfailed, npassed;       /* tests that take it: F and S */
    uint32_t nfailed_in, npassed_in; /* tests that enter its function */
    double increase; /* F/(F+S), less the same of its function's entrants */
    double low;      /* lower end of the 95% confidence interval of increase */
    double
        importance; /* harmonic mean of increase and log F / log of all failing tests;
                          0 where one of them is not above 0 */
    double ochiai;  /* F / sqrt(failing tests x (F+S)) */
    bool sure;      /* low is above 0, and there were enough tests */
};

struct trod_suspects {
    uint32_t nfailed, npassed; /* tests */
    bool too_few;              /* of them, for a verdict on any path */
    uint32_t nsure;
    double
        nchance; /* as many would be sure, at most, if no path had to do with failure */
    uint32_t nsuspect;
    const struct trod_suspect *suspect; /* the sure ones first; by importance, increase,
                                           ochiai, path */
};

/* All paths that failing tests take, ranked by how well they predict failure. The interval
 * is Newcombe's, made of two of Wilson's, of the tests that took the path and those that
 * entered its function and did not; both counts may be small. There are too few tests if
 * only one failed, or if a path that has nothing to do with the failure would, by chance
 * alone, have been taken by just the failing ones in one case out of twenty or more.
 *
 * cost:   O(paths of all tests), and a sort of the suspects
 * paper:  Liblit, Naik, Zheng, Aiken, Jordan, "Scalable Statistical Bug Isolation", PLDI
 *         2005, with paths for predicates; Newcombe, "Interval estimation for the
 *         difference between independent proportions", 1998, method 10
 */
void trod_suite_suspects(
    struct trod_suspects *out, const struct trod_suite *suite, struct trod_arena *mem);

/* --- suite_check.c: everything that must hold --------------------------------------------------- */

/* Invariants: names of tests are there once; functions are in order and there once, so
 * are paths; numbers are in range and lists ascending; who takes what is the same both
 * ways round; every path is taken; who takes a path enters its function.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_suite_check(const struct trod_suite *suite, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Invariants: every test is there once; new paths are as many as are new, and they never
 * become more from step to step (by paths); sums are sums; all paths are taken in the end.
 */
bool trod_suite_order_check(const struct trod_suite *suite,
    const struct trod_suite_step *step, enum trod_suite_by by, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Invariants: tests that are not redundant take all paths, each of them one that no other
 * of them takes.
 */
bool trod_suite_redundant_check(const struct trod_suite *suite,
    const bool *is_redundant, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Invariants: every path that a failing test takes is there once, in order; counts are
 * those of the suite; nothing is sure if there are too few.
 */
bool trod_suspects_check(const struct trod_suspects *suspects,
    const struct trod_suite *suite, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
