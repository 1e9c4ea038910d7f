#include "build/compiler.h"
#include "calls/recordings.h"
#include "commands.h"
#include "output/output.h"
#include "test/verdict.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/section.h"

/* trod calls residual: three builds that find untested paths across calls.
 *
 *    build --subpaths -> tests -> subpaths.trod
 *    build --segments -> tests -> tests.trod
 *    build --segments --tested --untested-only -> production -> untested paths
 *
 * paper:  Vaswani, "Path Profiling", section 3.5.2: the alternative scheme; with --with-wpp the
 *        scheme described before it
 */

enum { NSTAGE = 3 };

struct work {
    struct cli *cli;
    struct cli_residual found;
    char *self;                 /* path of this program */
    char *folder;               /* absolute; contains all files */
    bool ours;                  /* it is temporary: remove it at the end */
    int stage;                  /* 1 to 3 */
    const char *options_before; /* original value of TROD_CC_OPTIONS, or NULL */
    const char *first, *tested; /* files that the stages write */
    struct cli_list files;      /* profiles of this stage */
    struct trod_profile sum;    /* of these profiles */
    struct trod_profile tests;  /* the sum of stage 2 */
};

static const char *const folder_of_stage[] = {NULL, "subpaths", "tests", "field"};

static const char *text(struct work *w, const char *format, ...) TROD_FORMAT(2, 3);
static const char *text(struct work *w, const char *format, ...)
{
    va_list args, again;
    int length;
    char *out;

    va_start(args, format);
    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, args);
    out = trod_new(&w->cli->mem, char, (size_t)length + 1);
    vsnprintf(out, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return out;
}

static bool fail_stage(struct work *w, enum trod_err_code code, const char *format, ...)
    TROD_FORMAT(3, 4);
static bool fail_stage(struct work *w, enum trod_err_code code, const char *format, ...)
{
    struct trod_err why;
    va_list args;

    va_start(args, format);
    trod_err_set_at(&why, code, NULL, 0, format, args);
    va_end(args);
    return trod_fail(
        &w->cli->err, code, "stage %d of %d, %s", w->stage, NSTAGE, why.text);
}

/* --- the folder ----------------------------------------------------------------------------- */

static bool fail_at(struct work *w, const char *path)
{
    return trod_fail(&w->cli->err, TROD_E_SYSTEM, "%s: %s", path, strerror(errno));
}

static bool list_profiles(struct work *w, const char *folder, struct cli_list *out)
{
    struct trod_arena *mem = &w->cli->mem;
    glob_t found;

    if (glob(text(w, "%s/%s/*.trod", w->folder, folder), 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        trod_push(
            mem, out->item, out->count, out->room, trod_copy(mem, found.gl_pathv[i]));
    }
    globfree(&found);
    return true;
}

static void remove_profiles(struct work *w, const char *folder)
{
    struct cli_list files = {0};

    if (list_profiles(w, folder, &files))
        for (uint32_t i = 0; i < files.count; i++)
            unlink(files.item[i]);
}

/* Create folders for profiles; profiles of an earlier run are removed. */
static bool make_folders(struct work *w)
{
    static const char *const name[] = {"subpaths", "tests", "field", "build"};

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *path = text(w, "%s/%s", w->folder, name[i]);

        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return fail_at(w, path);
        remove_profiles(w, name[i]);
    }
    return true;
}

static bool make_folder(struct work *w)
{
    const char *keep = w->cli->options.keep, *place = getenv("TMPDIR");
    char own[PATH_MAX], absolute[PATH_MAX];

    if (keep && mkdir(keep, 0777) != 0 && errno != EEXIST)
        return fail_at(w, keep);
    if (!keep) {
        snprintf(own, sizeof own, "%s/trod-residual-XXXXXX",
            place && *place ? place : "/tmp");
        if (!mkdtemp(own))
            return fail_at(w, own);
        keep = own;
        w->ours = true;
    }
    if (!realpath(keep, absolute))
        return fail_at(w, keep);
    w->folder = trod_copy(&w->cli->mem, absolute);
    return make_folders(w);
}

static void clear_folder(struct work *w)
{
    static const char *const inside[] = {"subpaths", "tests", "field", "build",
        "subpaths.trod", "tests.segments", "tests.trod", "compiled"};

    if (!w->folder)
        return;
    remove_profiles(w, "build");
    unlink(text(w, "%s/compiled", w->folder));
    if (!w->ours) {
        rmdir(text(w, "%s/build", w->folder));
        return;
    }
    for (int stage = 1; stage <= NSTAGE; stage++) {
        remove_profiles(w, folder_of_stage[stage]);
        unlink(text(w, "%s/%d-build.log", w->folder, stage));
        unlink(text(w, "%s/%d-run.log", w->folder, stage));
    }
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        const char *path = text(w, "%s/%s", w->folder, inside[i]);

        if (rmdir(path) != 0)
            unlink(path);
    }
    rmdir(w->folder);
}

/* --- commands ------------------------------------------------------------------------------- */

static bool export(struct work *w, const char *name, const char *value)
{
    return setenv(name, value, 1) == 0 || fail_at(w, name);
}

static void show_stage(struct work *w, const char *doing, const char *command)
{
    if (!w->cli->options.quiet && isatty(STDERR_FILENO))
        fprintf(
            stderr, "trod: stage %d of %d, %s: %s\n", w->stage, NSTAGE, doing, command);
}

static bool run_command(
    struct work *w, struct trod_child *child, const char *command, const char *log)
{
    struct trod_err why;

    if (cli_shell_run(w->cli, child, command, log))
        return true;
    why = w->cli->err;
    return fail_stage(w, why.code, "'%s': %s", command, why.text);
}

/* Run a command that must succeed; on failure the end of its output is shown. */
static bool carry_out(
    struct work *w, const char *doing, const char *command, const char *log)
{
    struct trod_child child;
    char ending[80];

    show_stage(w, doing, command);
    if (!run_command(w, &child, command, log))
        return false;
    if (!trod_child_failed(&child))
        return true;
    cli_shell_tail(log);
    return fail_stage(w, TROD_E_INPUT, "%s: '%s' %s", doing, command,
        trod_child_ending(ending, &child));
}

/* Build with the options of a stage, after those given for all stages. */
static bool build(struct work *w, const char *options)
{
    const char *before = w->options_before, *command = w->cli->options.build;
    const char *mark = text(w, "%s/compiled", w->folder);

    unlink(mark);
    if (!export(w, "CC", text(w, "%s cc", w->self)) ||
        !export(w, "CXX", text(w, "%s c++", w->self)) ||
        !export(w, "TROD_CC_MARK", mark) ||
        !export(w, "TROD_CC_OPTIONS",
            before && *before ? text(w, "%s\n%s", before, options) : options) ||
        /* Profiles of programs that the build itself runs. */
        !export(w, "TROD_OUT", text(w, "%s/build/%%e.%%p.%%t.%%m.trod", w->folder)) ||
        !carry_out(
            w, "building", command, text(w, "%s/%d-build.log", w->folder, w->stage)))
        return false;
    if (access(mark, F_OK) == 0)
        return true;
    return fail_stage(w, TROD_E_INPUT,
        "'%s' compiled nothing with $CC or $CXX; it must rebuild the program with these, as "
        "in 'make clean all CC=\"$CC\"'",
        command);
}

/* --- profiles ------------------------------------------------------------------------------- */

static const char *mode_word(int stage)
{
    return trod_profile_mode_name(stage == 1 ? TROD_MODE_STEPS : TROD_MODE_SEGMENTS);
}

/* Does a profile belong to the program that this stage built? If not, report what it is. */
static bool is_of_stage(struct work *w, const struct trod_profile *profile,
    const char **path, const char **what)
{
    for (uint32_t i = 0; i < profile->nmodule; i++) {
        const struct trod_profile_module *module = &profile->module[i];

        if (strcmp(trod_profile_mode_name(module->mode), mode_word(w->stage)) == 0)
            return true;
        *path = trod_copy(&w->cli->mem, module->path);
        *what = trod_profile_mode_name(module->mode);
    }
    return false;
}

/* If every path of every function was tested, the production build counts nothing and writes no profile. */
static bool has_nothing_to_find(struct work *w)
{
    struct cli *cli = w->cli;

    for (uint32_t i = 0; i < w->tests.nmodule; i++) {
        const struct trod_profile_module *module = &w->tests.module[i];
        char *id, *bytes;
        size_t length;

        if (!trod_elf_build_id(&id, module->path, &cli->mem, &cli->err) ||
            strcmp(id, module->build_id) == 0 ||
            !trod_elf_section(
                &bytes, &length, module->path, "__trod_fn", &cli->mem, &cli->err) ||
            length)
            return false;
    }
    return w->stage == NSTAGE;
}

/* Select the profiles of this stage, in the order of files. Others belong to programs that were not
 * rebuilt, or are unrelated.
 */
static bool sort_out(struct work *w, const struct cli_list *all, const char *command)
{
    const char *path = NULL, *what = NULL;
    struct cli_skips skips = {.of = all->count};
    struct trod_arena mem;
    bool ok = true;

    trod_arena_init(&mem, w->cli->mem.exhausted, w->cli->mem.ctx);
    w->files = (struct cli_list){0};
    for (uint32_t i = 0; ok && i < all->count; i++) {
        struct cli_profiles in;

        if (!cli_profiles_read(&in, w->cli, all->item[i], &mem)) {
            ok = cli_skips_take(&skips, w->cli);
            continue;
        }
        if (is_of_stage(w, in.profile, &path, &what)) {
            trod_push(&w->cli->mem, w->files.item, w->files.count, w->files.room,
                all->item[i]);
        }
        trod_arena_free(&mem);
    }
    if (!ok || !cli_skips_end(&skips, w->cli))
        return false;
    if (!w->files.count && !path && has_nothing_to_find(w))
        return true;
    if (!w->files.count && !path)
        return fail_stage(w, TROD_E_INPUT,
            "'%s' wrote no profile; it must run what '%s' built, and keep TROD_OUT as set",
            command, w->cli->options.build);
    if (!w->files.count)
        return fail_stage(w, TROD_E_MISMATCH,
            "%s counts paths in mode %s, not %s: '%s' did not rebuild it; use a command that "
            "does, such as 'make clean all'",
            path, what, mode_word(w->stage), w->cli->options.build);
    if (path)
        cli_note(w->cli,
            "%s does not belong to this build (its mode is %s) and is skipped", path,
            what);
    return true;
}

/* Was this module already built in the previous stage? */
static bool is_old(const struct work *w, const struct trod_profile_module *module)
{
    for (uint32_t i = 0; i < w->tests.nmodule; i++)
        if (*module->build_id &&
            strcmp(w->tests.module[i].build_id, module->build_id) == 0)
            return true;
    return false;
}

static bool check_anew(struct work *w)
{
    for (uint32_t i = 0; w->stage == NSTAGE && i < w->sum.nmodule; i++)
        if (is_old(w, &w->sum.module[i]))
            return fail_stage(w, TROD_E_MISMATCH,
                "%s is still the build of stage 2: '%s' must rebuild it, as 'make clean all' does",
                w->sum.module[i].path, w->cli->options.build);
    return true;
}

/* Run a command that writes profiles, and collect them. */
static bool run_programs(struct work *w, const char *doing, const char *command)
{
    const char *folder = folder_of_stage[w->stage];
    const char *log = text(w, "%s/%d-run.log", w->folder, w->stage);
    struct cli_list all = {0};
    struct trod_child child = {0};
    char ending[80];

    if (!export(
            w, "TROD_OUT", text(w, "%s/%s/%%e.%%p.%%t.%%m.trod", w->folder, folder)))
        return false;
    if (w->stage < NSTAGE && !carry_out(w, doing, command, log))
        return false;
    if (w->stage == NSTAGE) {
        show_stage(w, doing, command);
        if (!run_command(w, &child, command, log))
            return false;
    }
    /* The production run may fail; its profile is reported anyway. */
    if (trod_child_failed(&child))
        cli_note(w->cli, "'%s' %s", command, trod_child_ending(ending, &child));
    list_profiles(w, folder, &all);
    return sort_out(w, &all, command);
}

/* --- commands of trod itself ------------------------------------------------------------------ */

/* Run a trod command on files, with its output in a file. */
static bool write_by(
    struct work *w, bool (*command)(struct cli *cli), const char *output)
{
    struct cli *cli = w->cli;
    struct cli_options before = cli->options;
    bool ok;

    cli->options.file = w->files;
    cli->options.output = output;
    cli->options.form = CLI_TEXT;
    cli->options.most = 0;
    ok = command(cli) && cli_out_write(cli);
    cli->options = before;
    trod_arena_free(&cli->out_mem);
    trod_string_init(&cli->out, &cli->out_mem);
    trod_json_init(&cli->json, &cli->out.sink);
    return ok;
}

static bool merge_to(struct work *w, const char *output)
{
    struct cli_profiles in;

    if (!write_by(w, cli_merge, output) ||
        !cli_profiles_read(&in, w->cli, output, &w->cli->mem))
        return false;
    w->sum = in.profile[0];
    w->found.nrun[w->stage - 1] = w->sum.nrun;
    return true;
}

static bool build_ran(struct work *w, struct trod_ran *out)
{
    const struct trod_profile *one = &w->sum;

    return trod_ran_build(out, &one, 1, &w->cli->mem, &w->cli->err);
}

/* --- stage 1: find calls ------------------------------------------------------------------------ */

static bool count_subpaths(struct work *w)
{
    struct trod_ran ran;

    if (!build_ran(w, &ran))
        return false;
    for (size_t i = 0; i < ran.nfunction; i++) {
        w->found.nsubpath += ran.function[i].npath;
        w->found.nfunction_ran += ran.function[i].npath > 0;
    }
    return true;
}

static bool count_segments(struct work *w)
{
    struct cli *cli = w->cli;
    struct trod_segments segments;
    struct trod_token head, name;
    struct trod_text in;

    if (!cli_in_read(cli, &in, w->first) ||
        !trod_text_next(&head, &in, &cli->mem, &cli->err) ||
        !trod_text_next(&name, &in, &cli->mem, &cli->err) ||
        !trod_segments_parse(&segments, name.name, &in, &cli->mem, &cli->err))
        return false;
    w->found.nsubpath = segments.nsegment;
    w->found.nfunction_ran = segments.function.count;
    w->found.nrun[0] = w->files.count;
    return true;
}

static bool find_calls(struct work *w)
{
    bool wpp = w->cli->options.with_wpp;

    w->stage = 1;
    w->first = text(w, wpp ? "%s/tests.segments" : "%s/subpaths.trod", w->folder);
    if (!build(w, wpp ? "--wpp" : "--subpaths") ||
        !run_programs(w, "testing", w->cli->options.test))
        return false;
    if (wpp)
        return write_by(w, cli_segments, w->first) && count_segments(w);
    return merge_to(w, w->first) && count_subpaths(w);
}

/* --- stage 2: tested segments ------------------------------------------------------------------- */

/* Options that stages 2 and 3 share. */
static const char *segment_options(struct work *w)
{
    return w->cli->options.with_wpp
               ? text(w, "--segments=%s", w->first)
               : text(w, "--segments=%s\n--depth=%d", w->first, (int)w->found.depth);
}

static bool count_tested(struct work *w)
{
    struct cli *cli = w->cli;
    struct trod_string maps;
    struct trod_ran ran;
    struct trod_map map;

    if (!cli_maps_text(cli, &maps, &w->sum) || !cli_maps_parse(cli, &map, &maps) ||
        !build_ran(w, &ran))
        return false;
    cli_residual_sites(&w->found, &map, &maps, &cli->mem);
    for (size_t i = 0; i < ran.nfunction; i++) {
        const struct trod_ran_function *function = &ran.function[i];
        trod_path *id = trod_new(&cli->mem, trod_path, function->npath);

        for (size_t k = 0; k < function->npath; k++)
            id[k] = function->path[k].id;
        w->found.ntested += function->npath;
        w->found.ntested_across +=
            cli_residual_across(&map, &function->function, id, function->npath);
    }
    return true;
}

static bool find_tested(struct work *w)
{
    w->stage = 2;
    w->tested = text(w, "%s/tests.trod", w->folder);
    if (!build(w, text(w, "%s\n--plan=all", segment_options(w))) ||
        !run_programs(w, "testing", w->cli->options.test) || !merge_to(w, w->tested) ||
        !count_tested(w))
        return false;
    w->tests = w->sum;
    return true;
}

/* --- stage 3: untested segments ------------------------------------------------------------------ */

static bool build_field(struct work *w)
{
    w->stage = 3;
    return build(
        w, text(w, "%s\n--tested=%s\n--untested-only", segment_options(w), w->tested));
}

static bool find_untested(struct work *w, struct cli_found *found)
{
    struct cli *cli = w->cli;
    struct cli_list *tested = &cli->options.tested;
    const struct trod_untested *u = &found->untested;

    *found = (struct cli_found){.untested = {.part = true}};
    if (!run_programs(w, "running as in production", cli->options.field))
        return false;
    if (!w->files.count) {
        cli_note(cli, "every path is tested: nothing is left to record in production");
        return true;
    }
    trod_push(&cli->mem, tested->item, tested->count, tested->room, w->tested);
    if (!cli_untested_find(found, cli, &w->files))
        return false;
    w->sum = found->chosen.sum;
    w->found.nrun[2] = w->files.count;
    w->found.nuntested = u->npath;
    for (size_t i = 0; i < u->npath; i++)
        w->found.nuntested_across += cli_residual_across(&found->map,
            &found->field.function[u->path[i].function].function, &u->path[i].id, 1);
    return check_anew(w);
}

static void put(struct work *w, const struct cli_found *found)
{
    struct cli *cli = w->cli;

    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
    }
    if (found)
        cli_untested_put(cli, found);
    cli_residual_put(cli, &w->found);
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, '}');
}

static bool carry_out_stages(struct work *w)
{
    struct cli_found found;
    bool field = w->cli->options.field != NULL;

    if (!make_folder(w) || !find_calls(w) || !find_tested(w) || !build_field(w) ||
        (field && !find_untested(w, &found)))
        return false;
    put(w, field ? &found : NULL);
    return !w->found.nuntested ||
           cli_no(w->cli, "%zu paths ran in production and in no test",
               (size_t)w->found.nuntested);
}

static bool check_options(struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    if (o->file.count)
        return cli_misused(cli,
            "'%s': unexpected argument; give commands with --build, --test and --field",
            o->file.item[0]);
    if (!o->build || !o->test)
        return cli_misused(cli, "the program must be %s; name a command with --%s",
            o->build ? "tested" : "built", o->build ? "test" : "build");
    if (!o->field && !o->keep)
        return cli_misused(cli,
            "without --field=COMMAND or --keep=FOLDER there is no result; add one of them");
    return o->depth <= TROD_CC_DEEPEST ||
           cli_misused(cli, "--depth is at most %d", TROD_CC_DEEPEST);
}

bool cli_residual(struct cli *cli)
{
    struct work w = {.cli = cli, .options_before = getenv("TROD_CC_OPTIONS")};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self);
    bool ok;

    if (!check_options(cli))
        return false;
    if (n < 0 || n == sizeof self)
        return trod_fail(
            &cli->err, TROD_E_SYSTEM, "/proc/self/exe: %s", strerror(errno));
    w.self = trod_copy_text(&cli->mem, self, (size_t)n);
    if (w.options_before)
        w.options_before = trod_copy(&cli->mem, w.options_before);
    w.found.depth = cli->options.depth ? cli->options.depth : 1;
    w.found.wpp = cli->options.with_wpp;
    w.found.field = cli->options.field != NULL;
    ok = carry_out_stages(&w);
    clear_folder(&w);
    return ok;
}
