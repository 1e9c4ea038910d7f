/* Block sequences: exactly the rotations of a sequence are identical to it; estimates do not
 * depend on how samples are spread over threads, runs and modules; the text form parses back.
 */
#include "kit/kit.h"
#include "kit/random_profile.h"
#include "prop/scratch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <trod/online.h>

#include "online/online.h"

enum fault {
    NONE,
    NOT_LEAST,      /* the first rotation that begins with the least block is taken */
    NO_LEVELS,      /* all samples count as those of level 0 */
    CHARACTER_GONE, /* a character of the text is dropped */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool failed(struct kit_prop *p, const struct sample *s)
{
    kit_note(p, "%s", s->err.text);
    return false;
}

/* --- rotations ------------------------------------------------------------------------------------ */

enum { MOST = 9 };

static bool are_rotations(const trod_block *a, const trod_block *b, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++) {
        uint32_t i = 0;

        while (i < n && a[i] == b[(r + i) % n])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* Plant: what one might take for the least rotation. */
static void canonize(trod_block *out, const trod_block *block, uint32_t n, bool fault)
{
    uint32_t from = trod_online_rotation(block, n);

    if (fault)
        for (uint32_t i = from = 0; i < n; i++)
            from = block[i] < block[from] ? i : from;
    for (uint32_t i = 0; i < n; i++)
        out[i] = block[(from + i) % n];
}

static bool rotations_are_one(struct kit_prop *p, void *ctx)
{
    uint32_t n = 1 + (uint32_t)kit_draw(p, MOST), turn = (uint32_t)kit_draw(p, n);
    uint64_t letters = 1 + kit_draw(p, 4);
    trod_block a[MOST], b[MOST], x[MOST], y[MOST];
    bool one;

    for (uint32_t i = 0; i < n; i++)
        a[i] = (trod_block)kit_draw(p, letters);
    for (uint32_t i = 0; i < n; i++)
        b[i] = a[(i + turn) % n];
    if (kit_draw(p, 2))
        b[kit_draw(p, n)] = (trod_block)kit_draw(p, letters);
    canonize(x, a, n, fault_in(ctx) == NOT_LEAST);
    canonize(y, b, n, fault_in(ctx) == NOT_LEAST);
    one = memcmp(x, y, n * sizeof *x) == 0;
    if (one == are_rotations(a, b, n))
        return true;
    kit_note(p, "%" PRIu32 " blocks, %s one", n, one ? "are" : "are not");
    return false;
}

/* --- estimates -------------------------------------------------------------------------------------- */

/* Of a subpath, by brute force: every sample looked at. */
static double estimate_of(const struct trod_profile *profile,
    const struct trod_subpaths *subpaths, const struct trod_online_subpath *one)
{
    double sum = 0;

    for (uint32_t i = 0; i < profile->nsamples; i++) {
        const struct trod_profile_samples *s = &profile->samples[i];
        struct trod_profile_terminals terminals;
        double chances = 0;
        struct trod_arena mem;

        trod_arena_init(&mem, exhausted, NULL);
        trod_profile_terminals(&terminals, &profile->module[s->module], &mem);
        for (uint32_t n = s->how.shortest; n <= s->how.longest; n++)
            chances += trod_online_weight(&s->how, n);
        for (size_t k = 0; k < s->nsampled; k++) {
            const struct trod_profile_sampled *sampled = &s->sampled[k];
            trod_block block[64] = {0};

            for (uint32_t b = 0; b < sampled->length; b++) {
                const struct trod_profile_function *function;
                uint32_t f = 0, number;
                uint64_t node;

                if (!trod_profile_step(&f, &node, &terminals, sampled->block[b]))
                    abort();
                function = &profile->module[s->module].function[f];
                for (number = 0; number < subpaths->blocks->nfunction; number++) {
                    const struct trod_profile_function *other =
                        &subpaths->blocks->function[number];

                    if (function->name == other->name &&
                        function->graph == other->graph &&
                        function->cuts == other->cuts &&
                        function->npath == other->npath)
                        break;
                }
                block[b] = subpaths->blocks->first[number] + (trod_block)node;
            }
            if (sampled->length == one->length &&
                (subpaths->identity == TROD_SAMPLE_SEQUENCE
                        ? memcmp(block, one->block, one->length * sizeof *block) == 0
                        : are_rotations(block, one->block, one->length)))
                sum += (double)sampled->count * s->how.frequency[sampled->level] /
                       (trod_online_weight(&s->how, sampled->length) / chances);
        }
        trod_arena_free(&mem);
    }
    return sum;
}

/* Plant: a reader that takes what is in force for what was. */
static void forget_levels(struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_profile_samples *samples =
        trod_new(mem, struct trod_profile_samples, profile->nsamples);

    for (uint32_t i = 0; i < profile->nsamples; i++) {
        struct trod_profile_sampled *sampled =
            trod_new(mem, struct trod_profile_sampled, profile->samples[i].nsampled);

        samples[i] = profile->samples[i];
        for (size_t k = 0; k < samples[i].nsampled; k++) {
            sampled[k] = samples[i].sampled[k];
            sampled[k].level = (uint32_t)samples[i].how.level;
        }
        samples[i].sampled = sampled;
    }
    profile->samples = samples;
}

static bool estimates_add_up(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = {.blocks = true};
    struct trod_profile a, b, both;
    struct trod_subpaths subpaths;
    struct sample s;

    begin(&s);
    kit_profile(&a, &opt, draw, p, &s.mem);
    kit_profile(&b, &opt, draw, p, &s.mem);
    if (!trod_profile_merge(
            &both, (const struct trod_profile *[]){&a, &b}, 2, NULL, &s.mem, &s.err))
        return end(&s, failed(p, &s));
    if (!trod_profile_has_samples(&both))
        return end(&s, true);
    if (fault_in(ctx) == NO_LEVELS)
        forget_levels(&both, &s.mem);
    if (!trod_online_estimate(&subpaths, &both, &s.mem, &s.err))
        return end(&s, s.err.code == TROD_E_MISMATCH);
    if (!trod_subpaths_check(&subpaths, &s.mem, &s.err))
        return end(&s, failed(p, &s));
    for (size_t i = 0; subpaths.identity != TROD_SAMPLE_XOR && i < subpaths.nsubpath;
        i++) {
        const struct trod_online_subpath *one = &subpaths.subpath[i];
        double wanted =
            estimate_of(&a, &subpaths, one) + estimate_of(&b, &subpaths, one);

        if (fabs(one->estimate - wanted) > 1e-9 * wanted) {
            kit_note(p, "estimate %g, not %g", one->estimate, wanted);
            return end(&s, false);
        }
    }
    return end(&s, true);
}

/* --- text --------------------------------------------------------------------------------------------- */

static const char *text_of(const struct trod_subpaths *subpaths, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_subpaths_print(&text.sink, subpaths);
    return text.text;
}

static bool text_comes_back(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = {.blocks = true};
    struct trod_subpaths subpaths, back;
    struct trod_profile profile;
    struct trod_text cursor;
    struct trod_token name;
    struct sample s;
    char *text;

    begin(&s);
    kit_profile(&profile, &opt, draw, p, &s.mem);
    if (!trod_profile_has_samples(&profile) ||
        !trod_online_estimate(&subpaths, &profile, &s.mem, &s.err))
        return end(&s, true);
    text = trod_copy_text(
        &s.mem, text_of(&subpaths, &s.mem), strlen(text_of(&subpaths, &s.mem)));
    if (fault_in(ctx) == CHARACTER_GONE) {
        size_t at = kit_draw(p, strlen(text));

        memmove(text + at, text + at + 1, strlen(text + at));
    }
    trod_text_init(&cursor, "text", text, strlen(text));
    if (!trod_text_next(&name, &cursor, &s.mem, &s.err) ||
        !trod_text_next(&name, &cursor, &s.mem, &s.err) || name.kind != TROD_T_NAME ||
        !trod_subpaths_parse(&back, name.name, &cursor, &s.mem, &s.err) ||
        !trod_subpaths_check(&back, &s.mem, &s.err))
        return end(&s, failed(p, &s));
    return end(&s, strcmp(text_of(&subpaths, &s.mem), text_of(&back, &s.mem)) == 0);
}

static void test_rotations(void **state)
{
    static enum fault fault = NOT_LEAST;

    (void)state;
    kit_check("rotations and nothing else are one", rotations_are_one, NULL);
    kit_check_planted("rotations and nothing else are one", rotations_are_one, &fault);
}

static void test_estimates(void **state)
{
    static enum fault fault = NO_LEVELS;

    (void)state;
    kit_check("estimates add up, sample by sample", estimates_add_up, NULL);
    kit_check_planted("estimates add up, sample by sample", estimates_add_up, &fault);
}

static void test_text(void **state)
{
    static enum fault fault = CHARACTER_GONE;

    (void)state;
    kit_check("the text of subpaths comes back", text_comes_back, NULL);
    kit_check_planted("the text of subpaths comes back", text_comes_back, &fault);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_text),
    };

    return cmocka_run_group_tests_name("online", tests, NULL, NULL);
}
