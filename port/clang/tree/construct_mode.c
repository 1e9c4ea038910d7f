#include "clang/tree/tree_reader.h"

#include <string.h>

/* trod-clang constructs: the constructs of one unit, in the text form of that stage. */

/* Parses the unit as the compiler would, including function bodies. */
static CXTranslationUnit parse(struct trod_clang_refused *refused, CXIndex index,
    const struct trod_clang_unit *unit, struct trod_arena *mem, struct trod_err *err)
{
    CXTranslationUnit tu = NULL;
    enum CXErrorCode code;
    uint32_t narg;
    const char **meaning = trod_clang_unit_meaning(unit, &narg, refused, mem);
    const char **argv = trod_new(mem, const char *, narg + 4);
    uint32_t n = 0;

    argv[n++] = unit->cxx ? "clang++" : "clang";
    for (uint32_t i = 0; i < narg; i++)
        argv[n++] = meaning[i];
    argv[n++] = "-w";
    code = clang_parseTranslationUnit2FullArgv(
        index, unit->source, argv, (int)n, NULL, 0, CXTranslationUnit_KeepGoing, &tu);
    if (code != CXError_Success || !tu) {
        trod_err_set(err, TROD_E_INPUT, "%s: clang could not read it", unit->source);
        return NULL;
    }
    return tu;
}

/* The first error that clang reports, and the number of errors. */
static uint32_t first_error(CXTranslationUnit tu, struct trod_string *out)
{
    uint32_t nerror = 0;

    for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
        CXDiagnostic d = clang_getDiagnostic(tu, i);

        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error && !nerror++) {
            CXString text =
                clang_formatDiagnostic(d, CXDiagnostic_DisplaySourceLocation);

            trod_put(&out->sink, "%s", clang_getCString(text));
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(d);
    }
    return nerror;
}

static void read_unit(struct trod_sink *out, const struct trod_clang_unit *unit,
    CXTranslationUnit tu, struct trod_arena *mem)
{
    struct tree_reader r = {.unit = unit, .mem = mem, .out = out, .tu = tu};
    uint32_t from = read_kids(&r, clang_getTranslationUnitCursor(tu)), end = r.nkid;

    for (uint32_t k = from; k < end; k++)
        read_top(&r, r.kid[k]);
    r.nkid = from;
    read_instances(&r);
}

static void put_refused(
    struct trod_sink *out, const char *option, struct trod_arena *mem)
{
    char *text;

    text = trod_format(mem,
        "option '%s' is ignored when sources are read, because it is not on the list of safe options",
        option);
    trod_put(out, "note ");
    trod_put_name(out, text);
    trod_put(out, "\n");
}

bool trod_clang_constructs(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err)
{
    CXIndex index = clang_createIndex(0, 0);
    struct trod_clang_refused refused = {0};
    CXTranslationUnit tu = parse(&refused, index, unit, mem, err);
    const char *file = trod_clang_unit_file(unit, unit->source, mem);
    struct trod_string error;

    if (!tu) {
        clang_disposeIndex(index);
        return false;
    }
    trod_string_init(&error, mem);
    trod_put(out, "constructs ");
    trod_put_name(out, file ? file : unit->source);
    trod_put(out, "\nunit ");
    trod_put_name(out, file ? file : unit->source);
    trod_put(out, "\n");
    if (first_error(tu, &error)) {
        trod_put(out, "note ");
        trod_put_name(out, error.text);
        trod_put(out, "\n");
    }
    for (uint32_t i = 0; i < refused.count; i++)
        put_refused(out, refused.option[i], mem);
    read_unit(out, unit, tu, mem);
    clang_disposeTranslationUnit(tu);
    clang_disposeIndex(index);
    return true;
}
