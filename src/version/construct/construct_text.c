#include "construct/construct.h"

#include <inttypes.h>

/* --- printing -------------------------------------------------------------------------------------------- */

/* How many words are needed to make the name unique: none, the file, the line, the level. */
static unsigned words_of(const struct trod_constructs *of, uint32_t target,
    enum trod_construct_use_kind kind)
{
    const struct trod_construct *t = &of->construct[target];
    uint32_t nfree = 0, nfile = 0, nline = 0;

    for (uint32_t i = of->first_of_symbol[t->symbol];
        i < of->first_of_symbol[t->symbol + 1]; i++) {
        const struct trod_construct *c = &of->construct[of->named[i]];

        if ((c->level < TROD_LEVEL_FUNCTION && c->parent != 0) ||
            (kind != TROD_USE_NAMES && c->level != TROD_LEVEL_FUNCTION))
            continue;
        nfree += !c->is_static;
        nfile += c->file == t->file;
        nline += c->file == t->file && c->line == t->line;
    }
    if (!t->is_static && nfree == 1)
        return 0;
    return nfile == 1 ? 1 : nline == 1 ? 2 : 3;
}

static void put_where(struct trod_sink *sink, const struct trod_constructs *of,
    uint32_t target, enum trod_construct_use_kind kind)
{
    const struct trod_construct *t = &of->construct[target];
    unsigned words = words_of(of, target, kind);

    if (words > 0) {
        trod_put(sink, " ");
        trod_put_name(sink, of->files.name[t->file]);
    }
    if (words > 1)
        trod_put(sink, " %" PRIu32, t->line);
    if (words > 2)
        trod_put(sink, " %s", trod_level_name(&of->levels, t->level));
    trod_put(sink, "\n");
}

static void put_use(struct trod_sink *sink, const struct trod_constructs *of,
    const struct trod_construct_use *use)
{
    trod_put(sink, use->kind == TROD_USE_CALLS ? "calls " : "names ");
    trod_put_name(sink, of->construct[use->to].name);
    put_where(sink, of, use->to, use->kind);
}

/* Skip the uses of one pointer, and hash them. Returns the use after them. */
static uint32_t pointer_end(
    uint64_t *type, const struct trod_constructs *of, uint32_t use)
{
    uint32_t from = of->use[use].from;

    for (*type = 0; use < of->nuse && of->use[use].from == from &&
                    of->use[use].kind == TROD_USE_MAY_CALL;
        use++)
        *type = trod_mix(*type, of->use[use].to);
    return use;
}

/* Print the uses of a construct. Returns the first use of the next one. */
static uint32_t put_uses(struct trod_sink *sink, const struct trod_constructs *of,
    uint32_t construct, uint32_t use)
{
    uint64_t type;

    while (use < of->nuse && of->use[use].from == construct) {
        if (of->use[use].kind == TROD_USE_MAY_CALL) {
            use = pointer_end(&type, of, use);
            trod_put(sink, "may-call %016" PRIx64 "\n", type);
        } else {
            put_use(sink, of, &of->use[use++]);
        }
    }
    return use;
}

static void put_taken(struct trod_sink *sink, const struct trod_constructs *of)
{
    uint32_t use = 0, end;
    uint64_t type;

    for (uint32_t i = 0; i < of->npointed; i++) {
        while (of->use[use].from != of->pointed[i] ||
               of->use[use].kind != TROD_USE_MAY_CALL)
            use++;
        end = pointer_end(&type, of, use);
        for (; use < end; use++) {
            trod_put(sink, "taken ");
            trod_put_name(sink, of->construct[of->use[use].to].name);
            trod_put(sink, " %016" PRIx64, type);
            put_where(sink, of, of->use[use].to, TROD_USE_MAY_CALL);
        }
    }
}

static void put_hash(struct trod_sink *sink, const char *what, uint64_t hash)
{
    if (hash)
        trod_put(sink, " %s %016" PRIx64, what, hash);
}

static void put_construct(struct trod_sink *sink, const struct trod_constructs *of,
    const struct trod_construct *c, uint32_t depth)
{
    trod_put(sink, "%" PRIu32 " %s", depth, trod_level_name(&of->levels, c->level));
    if (c->level != TROD_LEVEL_FUNCTION && c->level != TROD_LEVEL_CLASS) {
        trod_put(sink, " ");
        trod_put_name(sink, of->kinds.name[c->kind]);
    }
    trod_put(sink, " %" PRIu32 " %" PRIu32 " %016" PRIx64 " %016" PRIx64, c->line,
        c->last, c->tree, c->own);
    if (c->name) {
        trod_put(sink, " ");
        trod_put_name(sink, c->name);
        put_hash(sink, "meaning", c->meaning);
        put_hash(sink, "shape", c->shape);
        if (c->shown) {
            trod_put(sink, " shown ");
            trod_put_name(sink, c->shown);
        }
        if (c->is_static)
            trod_put(sink, " static");
    }
    trod_put(sink, "\n");
}

static bool is_built_in(uint32_t level)
{
    return level == TROD_LEVEL_STATEMENT || level == TROD_LEVEL_LOOP ||
           level == TROD_LEVEL_FUNCTION || level == TROD_LEVEL_CLASS ||
           level == TROD_LEVEL_PROGRAM;
}

static void put_head(struct trod_sink *sink, const struct trod_constructs *of)
{
    trod_put(sink, "constructs ");
    trod_put_name(sink, of->name);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < of->ncall; i++) {
        trod_put(sink, "unit ");
        trod_put_name(sink, of->unit[i]);
        trod_put(sink, "\n");
    }
    for (uint32_t i = 0; i < of->levels.nlevel; i++)
        if (!is_built_in(of->levels.level[i].level))
            trod_put(sink, "level %" PRIu32 " %s\n", of->levels.level[i].level,
                of->levels.level[i].name);
    for (uint32_t i = 0; i < of->nnote; i++) {
        trod_put(sink, "note ");
        trod_put_name(sink, of->note[i]);
        trod_put(sink, "\n");
    }
}

/* The depth of a construct, given that of the construct before it. */
static uint32_t depth_at(
    const struct trod_constructs *of, uint32_t construct, uint32_t before)
{
    for (uint32_t c = construct - 1; c != of->construct[construct].parent;
        c = of->construct[c].parent)
        before--;
    return before + 1;
}

void trod_constructs_print(struct trod_sink *sink, const struct trod_constructs *of)
{
    uint32_t file = 0, depth = 0, use = 0;

    put_head(sink, of);
    for (uint32_t c = 1; c < of->nconstruct; c++) {
        if (of->construct[c].file != file) {
            file = of->construct[c].file;
            trod_put(sink, "in ");
            trod_put_name(sink, of->files.name[file]);
            trod_put(sink, "\n");
        }
        depth = depth_at(of, c, depth);
        put_construct(sink, of, &of->construct[c], depth - 1);
        use = put_uses(sink, of, c, use);
    }
    put_taken(sink, of);
}

/* --- parsing --------------------------------------------------------------------------------------------- */

bool trod_constructs_parse(struct trod_constructs *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_constructs_builder *builder;
    struct trod_text ahead = *text;
    struct trod_token head, name;

    if (!trod_text_next(&head, &ahead, mem, err) ||
        !trod_text_next(&name, &ahead, mem, err))
        return false;
    builder = trod_constructs_begin(name.kind == TROD_T_NAME ? name.name : "", mem);
    if (!trod_constructs_add(builder, text, err))
        return false;
    trod_constructs_build(out, builder);
    return true;
}
