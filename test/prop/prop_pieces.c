/* Profiles read in pieces, through windows of any size, from files with holes anywhere: the result is that of the same bytes
 * in memory, damaged or not.
 */
#include "mutant_make.h"

#include <inttypes.h>

#include "kit/pieces.h"

enum fault {
    NONE,
    HOLE_TOO_LARGE, /* some bytes of a hole are not 0 */
    BYTE_GONE,      /* the last byte of each read is lost */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* A file, its holes, and how it is read. */
struct setting {
    struct file file;
    struct kit_pieces pieces;
    struct trod_profile_read_options options;
};

/* A section that is being added when the reader asks for the file's length. */
static size_t draw_length(struct kit_prop *p, const struct file *f, struct sample *s)
{
    struct kit_section *section;
    uint32_t n = kit_sections(&section, f->bytes, f->length, &s->mem);
    const struct kit_section *c;

    if (!n)
        return 0;
    c = &section[kit_draw(p, n)];
    return c->size > HEAD ? c->at + HEAD + kit_draw(p, c->size - HEAD) : 0;
}

static void draw_setting(
    struct setting *out, enum fault fault, struct kit_prop *p, struct sample *s)
{
    struct mutant m = {0};
    bool whole = kit_draw(p, 3) == 0;

    draw_original(&m.original, p, s);
    take_original(&m, s);
    if (!whole)
        mutate(&m, p, s);
    out->file = m.file;
    out->options = (struct trod_profile_read_options){.name = "a file",
        .codec = &trod_zstd_codec,
        .window = (size_t)1 << kit_draw(p, 14)};
    out->pieces = (struct kit_pieces){.bytes = m.file.bytes, .length = m.file.length};
    if (whole && kit_draw(p, 2))
        out->pieces.at_first = draw_length(p, &m.file, s);
    kit_pieces_fill(&out->pieces, draw, p, (size_t)32 << kit_draw(p, 10), &s->mem);
    out->pieces.forgets = fault == BYTE_GONE;
    if (fault == HOLE_TOO_LARGE && out->pieces.ndata)
        out->pieces.ndata -= 1 + (uint32_t)kit_draw(p, out->pieces.ndata);
}

static const char *text_of(const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

static bool are_same(struct kit_prop *p, const struct trod_profile_health *a,
    const struct trod_profile_health *b)
{
    bool same = a->kind == b->kind && a->nsection == b->nsection &&
                a->nloss == b->nloss && a->ended == b->ended &&
                a->control_at == b->control_at && a->nrefs == b->nrefs &&
                a->nimage == b->nimage;

    for (uint32_t i = 0; same && i < a->nrefs; i++)
        same = a->refs[i].at == b->refs[i].at && a->refs[i].nbyte == b->refs[i].nbyte;
    if (!same)
        kit_note(p, "losses: %" PRIu64 " and %" PRIu64, a->nloss, b->nloss);
    return same;
}

static bool pieces_are_the_whole(struct kit_prop *p, void *ctx)
{
    struct trod_profile one, other;
    struct trod_profile_health whole, health;
    struct trod_source source;
    struct setting t = {0};
    struct trod_err err = {0};
    const char *x, *y;
    struct sample s;
    bool read;

    begin(&s);
    draw_setting(&t, fault_in(ctx), p, &s);
    source = kit_source(&t.pieces);
    read = trod_profile_read(
        &one, &whole, t.file.bytes, t.file.length, &t.options, &s.mem, &s.err);
    if (trod_profile_read_from(&other, &health, &source, &t.options, &s.mem, &err) !=
        read)
        return end(&s, false);
    if (!read)
        return end(&s, s.err.code == err.code && strcmp(s.err.text, err.text) == 0);
    x = text_of(&one, &s.mem);
    y = text_of(&other, &s.mem);
    if (strcmp(x, y) == 0)
        return end(&s, are_same(p, &whole, &health));
    kit_note(p, "whole:\n%sin pieces:\n%s", x, y);
    return end(&s, false);
}

static void test_pieces(void **state)
{
    (void)state;
    kit_check("pieces are read as the whole", pieces_are_the_whole, NULL);
}

static void test_planted(void **state)
{
    (void)state;
    for (enum fault f = HOLE_TOO_LARGE; f <= BYTE_GONE; f++)
        kit_check_planted("pieces are read as the whole", pieces_are_the_whole, &f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_planted),
    };

    return cmocka_run_group_tests_name("pieces", tests, fill_shelf, clear_shelf);
}
