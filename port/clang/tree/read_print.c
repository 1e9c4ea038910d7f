#include "clang/tree/tree_reader.h"

#include <inttypes.h>
#include <string.h>

static void put_use(struct tree_reader *r, const struct read_use *use)
{
    static const char *const word[] = {[USE_CALLS] = "calls",
        [USE_MAY_CALL] = "may-call",
        [USE_NAMES] = "names",
        [USE_TAKEN] = "taken"};

    trod_put(r->out, "%s", word[use->kind]);
    if (use->decl) {
        trod_put(r->out, " ");
        trod_put_name(r->out, use->decl->name);
    }
    if (use->kind == USE_MAY_CALL || use->kind == USE_TAKEN)
        trod_put(r->out, " %016" PRIx64, use->type);
    if (use->decl && use->decl->file) {
        trod_put(r->out, " ");
        trod_put_name(r->out, use->decl->file);
    }
    trod_put(r->out, "\n");
}

static void put_item(struct tree_reader *r, const struct read_item *item)
{
    static const char *const level[] = {[READ_STATEMENT] = "statement",
        [READ_LOOP] = "loop",
        [READ_FUNCTION] = "function",
        [READ_CLASS] = "class"};
    struct pair tree = read_tree(item);
    bool whole = item->level >= READ_FUNCTION;

    trod_put(r->out, "%" PRIu32 " %s ", item->depth, level[item->level]);
    if (!whole)
        trod_put(r->out, "%s ", item->kind);
    trod_put(r->out, "%" PRIu32 " %" PRIu32 " %016" PRIx64 " %016" PRIx64, item->line,
        item->last, whole ? tree.order : tree.name,
        whole ? item->own.order : item->own.name);
    if (item->name) {
        trod_put(r->out, " ");
        trod_put_name(r->out, item->name);
    }
    if (item->name && item->shown && strcmp(item->shown, item->name) != 0) {
        trod_put(r->out, " shown ");
        trod_put_name(r->out, item->shown);
    }
    trod_put(r->out, item->name && item->internal ? " static\n" : "\n");
}

void read_print(struct tree_reader *r)
{
    for (uint32_t i = 0; i < r->nitem; i++) {
        const struct read_item *item = &r->item[i];

        if (!r->in || strcmp(r->in, item->file) != 0) {
            trod_put(r->out, "in ");
            trod_put_name(r->out, item->file);
            trod_put(r->out, "\n");
            r->in = item->file;
        }
        put_item(r, item);
        for (uint32_t u = item->first_use; u; u = r->use[u - 1].next)
            put_use(r, &r->use[u - 1]);
    }
    r->nitem = r->nuse = r->now = 0;
}
