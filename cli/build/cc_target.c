#include "build/compiler.h"
#include "input/input.h"

#include <string.h>

/* The runtime for a target: libtrod-rt.a is for the machine that trod runs on, libtrod-rt-MACHINE.a
 * for another. All are for Linux, with any libc.
 */

#if defined __x86_64__
#define NATIVE "x86_64"
#elif defined __aarch64__
#define NATIVE "aarch64"
#else
#define NATIVE "riscv64"
#endif

/* Machines that the Makefile builds a runtime for, and the one that trod was built on. */
static const char *const machines[] = {"x86_64", "aarch64", NATIVE};

static const char *machine_of(const char *target)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        size_t n = strlen(machines[i]);

        if (strncmp(target, machines[i], n) == 0 && target[n] == '-' &&
            strstr(target, "-linux") && !strstr(target, "x32"))
            return machines[i];
    }
    return NULL;
}

static char *find(struct cli *cli, const char *machine)
{
    const char *name = strcmp(machine, NATIVE) == 0
                           ? "libtrod-rt.a"
                           : trod_format(&cli->mem, "libtrod-rt-%s.a", machine);

    return cli_find_own(cli, name);
}

/* The machine is supported, but its runtime is not installed. */
static bool refuse_missing(struct cli *cli, const char *target, const char *machine)
{
    return trod_fail(&cli->err, TROD_E_INPUT,
        "target %s: libtrod-rt-%s.a, the runtime for it, is not installed; install its "
        "package, or the cross compiler %s-linux-gnu-gcc and build trod again",
        target, machine, machine);
}

bool cli_driver_find_runtime(
    char **out, const struct cli_driver *driver, struct cli *cli)
{
    const char *machine = driver->target ? machine_of(driver->target) : NATIVE;

    if (machine && strcmp(machine, NATIVE) == 0)
        return cli_own_file(cli, out, "libtrod-rt.a");
    *out = machine ? find(cli, machine) : NULL;
    if (*out || !driver->links)
        return true;
    if (machine)
        return refuse_missing(cli, driver->target, machine);
    return trod_fail(&cli->err, TROD_E_INPUT,
        "target %s: trod has no runtime for it, only for x86-64 and aarch64, and Linux; "
        "link with clang itself, or leave out --target, -m32 and the like",
        driver->target);
}
