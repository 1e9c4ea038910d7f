#include "compare/migrate_in.h"
#include "version/carried.h"

#include <string.h>

/* Call sequences: entries decide what is recorded again; spans are merged. */

bool cli_is_sequences(const char *type)
{
    return strcmp(type, "sequences") == 0;
}

bool cli_sequence_input(struct cli *cli, struct cli_input *input)
{
    struct cli_sequence in;

    if (input->file.count != 1)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "input '%s' has %u recordings; sequences cannot be added; name one",
            input->name, input->file.count);
    if (!cli_sequence_read(&in, cli, input->file.item[0], false))
        return false;
    trod_call_sequence_entries(&input->entries, &in.sequence, NULL, &cli->mem);
    input->entries.type = "sequences";
    input->entries.input = input->name;
    trod_entries_order(&input->entries);
    trod_string_init(&input->sequence, &cli->mem);
    trod_call_sequence_print(&input->sequence.sink, &in.sequence);
    return true;
}

/* Merge the planned spans with those recorded again, if any. */
bool cli_sequence_finish(struct cli *cli, struct trod_string *out, const char *name,
    const char *planned, const struct cli_input *input)
{
    struct trod_call_sequence_merged merged;
    struct cli_sequence old;

    trod_string_init(out, &cli->mem);
    if (!input) {
        if (!cli_sequence_read(&old, cli, planned, false))
            return false;
        old.sequence.name = name;
        trod_call_sequence_print(&out->sink, &old.sequence);
        return true;
    }
    if (!cli_sequence_merge(&merged, cli, planned, input->file.item[0]))
        return false;
    for (uint32_t i = 0; i < merged.nundecided; i++)
        cli_note(cli, "%s: record '%s' again: %s", input->name,
            merged.undecided[i].function,
            trod_call_sequence_why_name(merged.undecided[i].why));
    if (merged.npointer)
        cli_note(cli,
            "%s: %llu spans have indirect calls of functions that were not recorded; they are "
            "treated as calls outside the program",
            input->name, (unsigned long long)merged.npointer);
    merged.sequence.name = name;
    trod_call_sequence_print(&out->sink, &merged.sequence);
    return true;
}
