#include "dwfl/dwfl_port.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trod_dwfl_frames {
    struct trod_arena *mem;
    Dwfl *dwfl;
    Dwfl_Module *module;
    Dwarf_Addr start; /* of the image, in libdwfl's address space */
};

/* Debug information in the file itself, or found by .gnu_debuglink or build id. */
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static bool is_build(Dwfl_Module *module, const char *build_id)
{
    const unsigned char *bits;
    GElf_Addr address;
    int n = dwfl_module_build_id(module, &bits, &address);

    if (n <= 0 || strlen(build_id) != 2 * (size_t)n)
        return !*build_id && n <= 0;
    for (int i = 0; i < n; i++) {
        char hex[3];

        snprintf(hex, sizeof hex, "%02x", bits[i]);
        if (memcmp(hex, build_id + 2 * (size_t)i, 2) != 0)
            return false;
    }
    return true;
}

struct trod_dwfl_frames *trod_dwfl_frames_open(
    const char *path, const char *build_id, struct trod_arena *mem)
{
    struct trod_dwfl_frames *out = trod_new(mem, struct trod_dwfl_frames, 1);
    GElf_Addr bias;

    out->mem = mem;
    out->dwfl = dwfl_begin(&callbacks);
    if (!out->dwfl)
        return NULL;
    out->module = dwfl_report_offline(out->dwfl, "", path, -1);
    dwfl_report_end(out->dwfl, NULL, NULL);
    if (!out->module || !dwfl_module_getelf(out->module, &bias) ||
        !is_build(out->module, build_id)) {
        dwfl_end(out->dwfl);
        return NULL;
    }
    dwfl_module_info(out->module, NULL, &out->start, NULL, NULL, NULL, NULL, NULL);
    return out;
}

void trod_dwfl_frames_close(struct trod_dwfl_frames *frames)
{
    dwfl_end(frames->dwfl);
}

static const char *name_of(Dwarf_Die *die)
{
    static const unsigned attribute[] = {
        DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    Dwarf_Attribute found;

    for (int i = 0; i < 3; i++)
        if (dwarf_attr_integrate(die, attribute[i], &found))
            return dwarf_formstring(&found);
    return NULL;
}

static uint32_t line_of_call(Dwarf_Die *die)
{
    Dwarf_Attribute found;
    Dwarf_Word line;

    return dwarf_attr(die, DW_AT_call_line, &found) &&
                   dwarf_formudata(&found, &line) == 0
               ? (uint32_t)line
               : 0;
}

static uint32_t line_at(Dwarf_Die *cu, Dwarf_Addr pc)
{
    Dwarf_Line *line = dwarf_getsrc_die(cu, pc);
    int number = 0;

    return line && dwarf_lineno(line, &number) == 0 && number > 0 ? (uint32_t)number
                                                                  : 0;
}

/* clang does not write .debug_aranges, so the ranges of each unit are searched. */
static Dwarf_Die *find_unit(Dwfl_Module *module, Dwarf_Addr pc, Dwarf_Addr *bias)
{
    Dwarf_Die *cu = NULL;

    while ((cu = dwfl_module_nextcu(module, cu, bias)))
        if (dwarf_haspc(cu, pc - *bias) > 0)
            return cu;
    return NULL;
}

static const char *copy(struct trod_arena *mem, const char *text)
{
    return text ? trod_copy(mem, text) : NULL;
}

/* Lists the functions among the scopes, innermost first, with the line where each calls the one inside. */
static size_t list_calls(struct trod_dwfl_call *out, struct trod_dwfl_frames *frames,
    Dwarf_Die *scope, int nscope, const char *unit, uint32_t line)
{
    size_t n = 0;

    for (int i = 0; i < nscope; i++) {
        int tag = dwarf_tag(&scope[i]);
        const char *name;

        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        name = name_of(&scope[i]);
        if (name)
            out[n++] = (struct trod_dwfl_call){copy(frames->mem, name), unit, line};
        line = line_of_call(&scope[i]);
    }
    return n;
}

size_t trod_dwfl_calls(
    struct trod_dwfl_call **out, struct trod_dwfl_frames *frames, uint64_t offset)
{
    Dwarf_Addr pc = frames->start + offset - 1, bias;
    Dwarf_Die *cu = find_unit(frames->module, pc, &bias);
    Dwarf_Die *scope = NULL, *around = NULL;
    size_t n = 0;
    int nscope, naround;

    *out = NULL;
    if (!cu)
        return 0;
    nscope = dwarf_getscopes(cu, pc - bias, &scope);
    naround = nscope > 0 ? dwarf_getscopes_die(&scope[0], &around) : 0;
    if (naround > 0) {
        *out = trod_new(frames->mem, struct trod_dwfl_call, (size_t)naround);
        n = list_calls(*out, frames, around, naround,
            copy(frames->mem, dwarf_diename(cu)), line_at(cu, pc - bias));
    }
    free(around);
    free(scope);
    return n;
}
