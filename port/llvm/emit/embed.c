#include "llvm/emit/embed.h"
#include "llvm/emit/counters.h"
#include "llvm/source/location.h"
#include "meaning/meaning.h"
#include "base/order.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 64 }; /* of one block; more do not help a reader */

/* The debug location of an instruction; of one that was inlined from another file, that of the call; NULL: none. If
 * `inlined` is false, instructions that were inlined have none.
 */
static LLVMMetadataRef place_of(LLVMValueRef i, LLVMMetadataRef file, bool inlined)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), outer;

    if (!at || (!inlined && LLVMDILocationGetInlinedAt(at)))
        return NULL;
    while ((outer = LLVMDILocationGetInlinedAt(at)) &&
           !trod_location_is_same_file(trod_location_file(at), file))
        at = outer;
    return at;
}

/* The same; NULL if it is not in the function's own file. */
static LLVMMetadataRef place_in(LLVMValueRef i, LLVMMetadataRef file, bool inlined)
{
    LLVMMetadataRef at = place_of(i, file, inlined);

    return at && trod_location_is_same_file(trod_location_file(at), file) ? at : NULL;
}

unsigned trod_embed_line_of(LLVMValueRef i, LLVMMetadataRef file, bool inlined)
{
    LLVMMetadataRef at = place_in(i, file, inlined);

    return at ? LLVMDILocationGetLine(at) : 0;
}

/* The line in the function's own text; of inlined code, that of the call. */
static unsigned own_line(LLVMMetadataRef at)
{
    LLVMMetadataRef outer;

    while ((outer = LLVMDILocationGetInlinedAt(at)))
        at = outer;
    return LLVMDILocationGetLine(at);
}

static LLVMValueRef next_of_block(LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    LLVMBasicBlockRef rest =
        next ? NULL : trod_bridge_rest_of_pad(LLVMGetInstructionParent(i));

    return rest ? LLVMGetFirstInstruction(rest) : next;
}

/* The source line of the condition that a branch decides; 0: unknown, or in another file. The branch itself has the
 * location of an operator or of `if`, and the optimiser may have removed the rest of the condition.
 */
unsigned trod_embed_condition_line(
    const struct trod_conditions *of, LLVMValueRef i, LLVMMetadataRef file)
{
    uint32_t number = of && LLVMIsABranchInst(i) && LLVMIsConditional(i)
                          ? trod_llvm_number_of(i)
                          : TROD_NO_BLOCK;

    if (trod_llvm_is_catch(i))
        return trod_bridge_handler_line(i);
    return number != TROD_NO_BLOCK && number < of->nleaf &&
                   trod_location_is_same_file(of->leaf[number].file, file)
               ? of->leaf[number].line
               : 0;
}

/* The lines of a block that were written so far. */
struct lines {
    unsigned line[MOST_LINES], n;
};

static bool has_line(const struct lines *of, unsigned line)
{
    for (unsigned k = 0; k < of->n; k++)
        if (of->line[k] == line)
            return true;
    return false;
}

static void put_line(struct trod_sink *sink, struct lines *of, unsigned line)
{
    if (!line || of->n == MOST_LINES || (of->n && of->line[of->n - 1] == line))
        return;
    trod_put(sink, " %u", line);
    of->line[of->n++] = line;
}

/* Writes the lines of a block in one file, in order, without adjacent duplicates. A landing pad that was split off
 * also gets the lines of its block: in the program they are one block, and control that passes from a line through
 * the pad to the same line did not leave the line.
 */
static void put_lines(struct trod_sink *sink, const struct trod_body *body,
    LLVMBasicBlockRef block, LLVMMetadataRef file, bool inlined)
{
    const struct trod_conditions *of = trod_llvm_conditions_of(body->function);
    LLVMMetadataRef own = trod_location_own_file(body->function);
    struct lines lines = {.n = 0};

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next_of_block(i)) {
        LLVMMetadataRef at = trod_llvm_is_no_code(i) ? NULL : place_of(i, own, inlined);
        unsigned condition =
            of && !of->taken ? trod_embed_condition_line(of, i, file) : 0;

        if (!has_line(&lines, condition))
            put_line(sink, &lines, condition);
        if (at && trod_location_is_same_file(trod_location_file(at), file))
            put_line(sink, &lines, LLVMDILocationGetLine(at));
    }
}

/* --- included text ----------------------------------------------------------------------------------------------- */

enum { MOST_FILES = 64 }; /* of one function; lines of others are omitted */

/* Finds the files whose text the function's body includes, or that #line names there. */
static unsigned find_files(
    LLVMMetadataRef *out, const struct trod_body *body, bool inlined)
{
    LLVMMetadataRef own = trod_location_own_file(body->function), last = own;
    unsigned n = 0, k;

    for (trod_node v = 0; v < body->graph.nnode; v++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i;
            i = LLVMGetNextInstruction(i)) {
            LLVMMetadataRef at =
                trod_llvm_is_no_code(i) ? NULL : place_of(i, own, inlined);
            LLVMMetadataRef file = at ? trod_location_file(at) : NULL;

            if (!file || file == last || !LLVMDILocationGetLine(at))
                continue;
            last = file;
            for (k = 0; k < n && !trod_location_is_same_file(out[k], file); k++)
                ;
            if (k == n && n < MOST_FILES && !trod_location_is_same_file(own, file))
                out[n++] = file;
        }
    return n;
}

static void put_lines_of_blocks(struct trod_sink *sink, const struct trod_body *body,
    LLVMMetadataRef file, bool inlined)
{
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        trod_put(sink, "%u:", v);
        put_lines(sink, body, body->block[v], file, inlined);
        trod_put(sink, "\n");
    }
}

static void put_included(struct trod_sink *sink, const struct trod_body *body,
    bool inlined, struct trod_arena *mem)
{
    LLVMMetadataRef file[MOST_FILES];
    unsigned n = find_files(file, body, inlined);

    for (unsigned i = 0; i < n; i++) {
        trod_put(sink, "included ");
        trod_put_name(sink, body->name);
        trod_put(sink, " ");
        trod_put_name(sink, trod_location_file_name(file[i], mem));
        trod_put(sink, "\n");
        put_lines_of_blocks(sink, body, file[i], inlined);
    }
}

/* --- inlined functions ------------------------------------------------------------------------------------------- */

/* For a block whose first or last line is in a function of the same file that was inlined: writes both lines in the
 * function's own text, and the name of the inlined function if the last line is in one.
 */
static void put_inlined_block(
    struct trod_sink *sink, const struct trod_body *body, trod_node v, bool *some)
{
    LLVMMetadataRef file = trod_location_own_file(body->function);
    LLVMMetadataRef first = NULL, last = NULL;
    unsigned n = 0, line = 0;
    size_t length = 0;
    const char *name = NULL;

    for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i && n < MOST_LINES;
        i = next_of_block(i)) {
        LLVMMetadataRef at = place_in(i, file, true);

        if (!at || !LLVMDILocationGetLine(at) || LLVMDILocationGetLine(at) == line)
            continue;
        line = LLVMDILocationGetLine(at);
        first = first ? first : at;
        last = at;
        n++;
    }
    if (!last ||
        (!LLVMDILocationGetInlinedAt(first) && !LLVMDILocationGetInlinedAt(last)))
        return;
    if (!*some) {
        trod_put(sink, "inlined ");
        trod_put_name(sink, body->name);
        trod_put(sink, "\n");
        *some = true;
    }
    trod_put(sink, "%u: %u %u", v, own_line(first), own_line(last));
    if (LLVMDILocationGetInlinedAt(last))
        name = trod_bridge_function_at(last, &length);
    if (name) {
        trod_put(sink, " ");
        trod_put_name(sink, name);
    }
    trod_put(sink, "\n");
}

static void put_inlined(struct trod_sink *sink, const struct trod_body *body)
{
    bool some = false;

    for (trod_node v = 0; v < body->graph.nnode; v++)
        put_inlined_block(sink, body, v, &some);
}

/* --- branches of optimised code ---------------------------------------------------------------------------------- */

/* The debug location of a branch, or of its condition; NULL: it has none. */
static LLVMMetadataRef branch_place(LLVMValueRef last)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(last);
    LLVMValueRef condition = LLVMIsABranchInst(last) && LLVMIsConditional(last)
                                 ? LLVMGetCondition(last)
                                 : NULL;

    if ((!at || !LLVMDILocationGetLine(at)) && condition &&
        LLVMIsAInstruction(condition))
        at = LLVMInstructionGetDebugLoc(condition);
    return at && LLVMDILocationGetLine(at) ? at : NULL;
}

static void put_branch(struct trod_sink *sink, const struct trod_body *body,
    LLVMMetadataRef at, struct trod_arena *mem)
{
    LLVMMetadataRef file = trod_location_file(at);
    bool own = trod_location_is_same_file(file, trod_location_own_file(body->function));
    const char *name = own ? NULL : trod_location_file_name(file, mem);
    size_t length = 0;
    const char *function = trod_bridge_function_at(at, &length);

    trod_put(sink, " %u", LLVMDILocationGetLine(at));
    if ((!name && !LLVMDILocationGetInlinedAt(at)) || !function)
        return;
    trod_put(sink, " ");
    trod_put_name(sink, LLVMDILocationGetInlinedAt(at) ? function : "-");
    if (name) {
        trod_put(sink, " ");
        trod_put_name(sink, name);
    }
}

/* The last line of a block may not be that of its branch, because the optimiser moves other code there. */
static void put_branches(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    bool any = false;

    for (trod_node v = 0; v < body->graph.nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(body->block[v]);
        LLVMMetadataRef at;

        if (body->graph.first_out[v + 1] - body->graph.first_out[v] < 2)
            continue;
        if (!any) {
            trod_put(sink, "branches ");
            trod_put_name(sink, body->name);
            trod_put(sink, "\n");
        }
        any = true;
        at = branch_place(last);
        trod_put(sink, "%u:", v);
        if (at)
            put_branch(sink, body, at, mem);
        else
            trod_put(sink, " 0");
        trod_put(sink, "\n");
    }
}

static void put_file(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    LLVMMetadataRef at = LLVMGetSubprogram(body->function);
    const char *name =
        trod_location_file_name(trod_location_own_file(body->function), mem);

    if (!name)
        return;
    trod_put(sink, "file ");
    trod_put_name(sink, name);
    trod_put(sink, "\n");
    if (LLVMDISubprogramGetLine(at))
        trod_put(sink, "declared %u\n", LLVMDISubprogramGetLine(at));
}

static void put_choice(struct trod_sink *sink, const struct trod_choice *choice)
{
    const struct trod_candidate *own = &choice->candidate[choice->kind];

    if (choice->needless)
        trod_put(sink, "# nothing is counted: %s\n", choice->why);
    else
        trod_put(sink,
            "# %s by %s (%s): %zu of %" PRIu64 " paths known, %u operations, %" PRIu64
            " bytes\n",
            trod_want_name(choice->ending.want), trod_ending_name(choice->kind),
            choice->why, choice->interest.paths.count, choice->ballarus.npath,
            own->cost.nop, own->bytes);
}

/* Writes what all functions of the map have, up to the numbering. */
static void put_function(struct trod_sink *sink, const struct trod_body *body,
    const struct trod_rt_function *record, bool begins, struct trod_arena *mem)
{
    trod_put(sink, "function ");
    trod_put_name(sink, body->name);
    trod_put(sink, " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", record->name,
        record->graph, record->cuts);
    put_file(sink, body, mem);
    if (!begins)
        return;
    trod_put(sink, "begun ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
}

static void put_numbering(struct trod_sink *sink, const struct trod_chain *chain,
    const struct trod_limit_report *report, const struct trod_choice *choice,
    const struct trod_numbering *ballarus)
{
    if (chain && chain->iterations > 1)
        trod_put(sink, "iterations %u\n", chain->iterations);
    if (report->ncut)
        trod_put(sink, "# 2^%.1f paths were too many: %u edges more are cut\n",
            report->log2_before, report->ncut);
    if (choice)
        put_choice(sink, choice);
    trod_number_print(sink, ballarus);
}

static void put_frames(struct trod_sink *sink, const struct trod_map_super *from)
{
    const struct trod_super_tree *tree = from->super->tree;

    trod_put(sink, "frames ");
    trod_put_name(sink, from->body->name);
    trod_put(sink, "\n");
    for (uint32_t f = 1; f < tree->nframe; f++) {
        const struct trod_super_frame *frame = &tree->frame[f];

        trod_put(sink, "%u: %u %u ", f, frame->parent, frame->node);
        trod_put_name(sink, from->name_of_function(from->ctx, frame->function));
        trod_put(sink, "%s\n", frame->guarded ? " *" : "");
    }
}

/* --- functions ------------------------------------------------------------------------------------------------- */

void trod_llvm_map_super(
    struct trod_sink *sink, const struct trod_map_super *from, struct trod_arena *mem)
{
    put_function(sink, from->body, from->record, false, mem);
    if (from->super->tree->nframe > 1)
        put_frames(sink, from);
    put_numbering(sink, NULL, from->report, from->choice, from->ballarus);
}

/* Writes the line of each call of each block, in order; 0: unknown. */
static void put_sites(
    struct trod_sink *sink, const struct trod_body *body, bool inlined)
{
    LLVMMetadataRef file = trod_location_own_file(body->function);
    const char *name;

    trod_put(sink, "sites ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        trod_put(sink, "%u:", v);
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i;
            i = LLVMGetNextInstruction(i))
            if (trod_meaning_is_call(&name, i))
                trod_put(sink, " %u", trod_embed_line_of(i, file, inlined));
        trod_put(sink, "\n");
    }
}

static bool has_calls(const struct trod_body *body)
{
    const char *name;

    for (trod_node v = 0; v < body->graph.nnode; v++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->block[v]); i;
            i = LLVMGetNextInstruction(i))
            if (trod_meaning_is_call(&name, i))
                return true;
    return false;
}

void trod_llvm_map_body(
    struct trod_sink *sink, const struct trod_map_body *from, struct trod_arena *mem)
{
    const struct trod_body *body = from->body;

    put_function(sink, body, from->record, from->begins, mem);
    put_numbering(sink, from->chain, from->report, from->choice, from->ballarus);
    if (body->calls.ncall)
        trod_calls_print(sink, &body->calls, &body->graph);
    trod_llvm_map_meaning(sink, body, mem);
    trod_llvm_map_counters(sink, body);
    if (!LLVMGetSubprogram(body->function))
        return;
    trod_put(sink, "lines ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
    put_lines_of_blocks(
        sink, body, trod_location_own_file(body->function), from->inlined);
    put_included(sink, body, from->inlined, mem);
    if (from->inlined) {
        put_inlined(sink, body);
        put_branches(sink, body, mem);
    }
    trod_embed_put_sets(sink, body, mem);
    trod_embed_put_gone(sink, body, mem);
    trod_embed_put_loops(sink, body, mem);
    trod_llvm_map_decisions(sink, body, mem);
    if (has_calls(body))
        put_sites(sink, body, from->inlined);
}

/* Written by the assembler, because data of the LLVM module is always loaded. */
void trod_llvm_map_embed(LLVMModuleRef module, const char *text, size_t length)
{
    static const char head[] = ".pushsection .trod.map,\"\",@progbits\n";
    static const char tail[] = ".popsection\n";
    enum { LINE = 64 };

    LLVMAppendModuleInlineAsm(module, head, sizeof head - 1);
    for (size_t at = 0; at < length; at += LINE) {
        char line[16 + 4 * LINE] = ".ascii \"";
        size_t n = strlen(line);

        for (size_t i = at; i < length && i < at + LINE; i++) {
            unsigned char c = (unsigned char)text[i];

            line[n++] = '\\';
            line[n++] = (char)('0' + (c >> 6));
            line[n++] = (char)('0' + (c >> 3 & 7));
            line[n++] = (char)('0' + (c & 7));
        }
        line[n++] = '"';
        line[n++] = '\n';
        LLVMAppendModuleInlineAsm(module, line, n);
    }
    LLVMAppendModuleInlineAsm(module, tail, sizeof tail - 1);
}
