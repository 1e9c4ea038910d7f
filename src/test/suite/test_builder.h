/* Parts of a suite that is being built: for gather.c, assemble.c and foreign.c. */
#ifndef TROD_TEST_BUILDER_H
#define TROD_TEST_BUILDER_H

#include "suite/suite.h"

/* A test so far; lists in the order they came, things may be there several times. */
struct trod_suite_test_builder {
    bool failed, is_untimed;
    uint64_t time;
    uint32_t nrun;
    uint32_t anchor; /* the first function it entered, or UINT32_MAX */
    uint32_t *path, *function;
    size_t npath, room_path, need_path;
    size_t nfunction, room_function, need_function;
};

/* A build of a module. */
struct trod_suite_module {
    struct trod_profile_module module;
    const char *file;             /* that it was first seen in */
    uint32_t *number_of_function; /* [module.nfunction], with the builder */
};

/* A module that refers to nothing outside the arena. */
struct trod_profile_module trod_suite_copy_module(
    const struct trod_profile_module *module, struct trod_arena *mem);

/* The order of functions in a suite. */
int trod_suite_compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g);

#endif
