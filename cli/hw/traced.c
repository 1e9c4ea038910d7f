#include "build/emulated.h"
#include "commands.h"
#include "hw/processor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *trace_name(struct cli *cli, const char *first, unsigned i)
{
    char number[16] = "";

    if (i)
        snprintf(number, sizeof number, ".%u", i);
    return cli_joined(cli, first, number, "");
}

static bool begin(struct cli *cli, struct cli_emulated *e)
{
    struct cli_list *file = &cli->options.file;
    size_t first = cli->options.program;
    char folder[] = "/tmp/trod-trace-XXXXXX";
    struct stat of;
    char *name;

    e->argv.item = file->item + first - 1;
    e->argv.count = file->count - (uint32_t)(first - 1);
    if (!mkdtemp(folder))
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", folder, strerror(errno));
    e->trace = cli_joined(cli, folder, "/", "trace");
    if (!cli_emulated_run(cli, e))
        return false;
    file->count = (uint32_t)(first - 1);
    for (unsigned i = 0; name = trace_name(cli, e->trace, i), stat(name, &of) == 0;
        i++) {
        cli_list_add(cli, file, name);
    }
    return file->count > first - 1 ||
           trod_fail(&cli->err, TROD_E_SYSTEM,
               "%s wrote no trace: it was killed before it could", e->program);
}

static void end(struct cli *cli, const struct cli_emulated *e)
{
    char *name;

    cli_emulated_remove(cli, e);
    if (!e->trace)
        return;
    for (unsigned i = 0; name = trace_name(cli, e->trace, i), unlink(name) == 0; i++)
        ;
    name = trace_name(cli, e->trace, 0);
    *strrchr(name, '/') = '\0';
    rmdir(name);
}

static bool reads_streams(const struct cli_command *command)
{
    static bool (*const of[])(struct cli *) = {
        cli_branches, cli_core, cli_edit, cli_explore, cli_html, cli_model_stream};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (command->run == of[i])
            return true;
    return false;
}

bool cli_run_command(struct cli *cli)
{
    struct cli_emulated e = {.accesses = true, .aside = true};
    bool ok;

    if (!cli->options.program || !reads_streams(cli->command))
        return cli->command->run(cli);
    ok = begin(cli, &e) && cli->command->run(cli);
    end(cli, &e);
    return ok;
}
