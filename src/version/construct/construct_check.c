#include "construct/construct.h"

#include <inttypes.h>
#include <string.h>

static bool wrong(const struct trod_constructs *of, uint32_t construct,
    const char *fault, struct trod_err *err)
{
    return trod_fail(err, TROD_E_INTERNAL, "constructs '%s', number %" PRIu32 ": %s",
        of->name, construct, fault);
}

static const char *fault_of_words(
    const struct trod_constructs *of, const struct trod_construct *c)
{
    if (!trod_level_name(&of->levels, c->level))
        return "its level does not exist";
    if (c->file >= of->files.count || c->kind >= of->kinds.count)
        return "its file or kind does not exist";
    if (c->symbol == TROD_NO_CONSTRUCT)
        return c->name ? "it has a name, but no symbol" : NULL;
    if (c->symbol >= of->symbols.count || !c->name ||
        strcmp(of->symbols.name[c->symbol], c->name) != 0)
        return "its name is not that of its symbol";
    return NULL;
}

static const char *fault_of_place(const struct trod_constructs *of, uint32_t number)
{
    const struct trod_construct *c = &of->construct[number], *above;
    uint32_t before;

    if (c->level >= TROD_LEVEL_PROGRAM)
        return "its level is that of a program, or above it";
    if (c->parent >= number)
        return "its parent is not before it";
    above = &of->construct[c->parent];
    if (c->next <= number || c->next > above->next)
        return "it ends before it begins, or after its parent ends";
    if (c->last < c->line)
        return "its last line is before its first";
    if (c->parent && c->file == above->file &&
        (c->line < above->line || c->last > above->last))
        return "its lines are not within those of its parent";
    /* The construct before is the parent, or the last descendant of a sibling. */
    for (before = number - 1; before != c->parent;
        before = of->construct[before].parent)
        if (before < c->parent || of->construct[before].next != number)
            return "there is a gap before it, or it is in two constructs";
    return NULL;
}

static const char *fault_of_program(const struct trod_constructs *of)
{
    const struct trod_construct *c = of->construct;

    if (!of->nconstruct || c->level != TROD_LEVEL_PROGRAM)
        return "it is not the program";
    if (c->parent != TROD_NO_CONSTRUCT || c->next != of->nconstruct)
        return "it does not contain all constructs";
    return c->file || c->line || c->last ? "it has a file or lines" : NULL;
}

static bool is_before(const struct trod_construct *a, const struct trod_construct *b)
{
    if (a->level != b->level)
        return a->level < b->level;
    if (a->file != b->file)
        return a->file < b->file;
    if (a->line != b->line)
        return a->line < b->line;
    return a->ordinal < b->ordinal;
}

/* Strictly ascending places are distinct; as many as there are constructs, so none is missing. */
static bool check_places(const struct trod_constructs *of, struct trod_err *err)
{
    for (uint32_t i = 0; i < of->nconstruct; i++) {
        if (of->by_place[i] >= of->nconstruct)
            return wrong(of, of->by_place[i], "no construct has this number", err);
        if (i && !is_before(&of->construct[of->by_place[i - 1]],
                     &of->construct[of->by_place[i]]))
            return wrong(of, of->by_place[i],
                "another has its level, file, line and ordinal", err);
    }
    return true;
}

static bool check_names(const struct trod_constructs *of, struct trod_err *err)
{
    uint32_t nnamed = 0;

    for (uint32_t s = 0; s < of->symbols.count; s++)
        for (uint32_t i = of->first_of_symbol[s]; i < of->first_of_symbol[s + 1]; i++) {
            if (of->named[i] >= of->nconstruct ||
                of->construct[of->named[i]].symbol != s ||
                (i > of->first_of_symbol[s] && of->named[i] <= of->named[i - 1]))
                return wrong(of, of->named[i], "it is listed by a wrong name", err);
            nnamed++;
        }
    for (uint32_t c = 0; c < of->nconstruct; c++)
        nnamed -= of->construct[c].symbol != TROD_NO_CONSTRUCT;
    return nnamed == 0 || wrong(of, 0, "some named constructs are not listed", err);
}

static bool is_use_before(
    const struct trod_construct_use *a, const struct trod_construct_use *b)
{
    if (a->from != b->from)
        return a->from < b->from;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->to < b->to;
}

static bool check_uses(const struct trod_constructs *of, struct trod_err *err)
{
    for (uint32_t u = 0; u < of->nuse; u++) {
        const struct trod_construct_use *use = &of->use[u];

        if (use->kind > TROD_USE_NAMES || use->from >= of->nconstruct || !use->from)
            return wrong(of, use->from, "a use belongs to no construct", err);
        if (use->to >= of->nconstruct || !of->construct[use->to].name ||
            (of->construct[use->to].level < TROD_LEVEL_FUNCTION &&
                of->construct[use->to].parent))
            return wrong(of, use->from,
                "it uses a construct without a global "
                "name",
                err);
        if (use->kind != TROD_USE_NAMES &&
            of->construct[use->to].level != TROD_LEVEL_FUNCTION)
            return wrong(
                of, use->from, "it calls something that is not a function", err);
        if (u && !is_use_before(use - 1, use))
            return wrong(of, use->from, "its uses are not in order", err);
    }
    return true;
}

bool trod_constructs_check(const struct trod_constructs *of, struct trod_err *err)
{
    const char *fault = fault_of_program(of);

    if (fault)
        return wrong(of, 0, fault, err);
    for (uint32_t c = 1; c < of->nconstruct; c++) {
        fault = fault_of_words(of, &of->construct[c]);
        if (!fault)
            fault = fault_of_place(of, c);
        if (fault)
            return wrong(of, c, fault, err);
    }
    return check_places(of, err) && check_names(of, err) && check_uses(of, err);
}
