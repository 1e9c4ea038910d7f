#include "llvm/counters.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { MOST_LINES = 64 }; /* of one block; more is no help to a reader */

static LLVMMetadataRef file_of(LLVMMetadataRef scope)
{
    return scope ? LLVMDIScopeGetFile(scope) : NULL;
}

/* The line of an instruction in the function's file: its own, or, of one that was inlined from
 * elsewhere, that of the call; 0: none. Where nothing is inlined yet, only its own.
 */
static unsigned line_of(LLVMValueRef i, LLVMMetadataRef file, bool inlined)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), outer;

    if (!at || (!inlined && LLVMDILocationGetInlinedAt(at)))
        return 0;
    while ((outer = LLVMDILocationGetInlinedAt(at)) &&
           file_of(LLVMDILocationGetScope(at)) != file)
        at = outer;
    return LLVMDILocationGetLine(at);
}

/* Lines of a block in its own function, in order, without repeats side by side. */
static void put_lines(struct trod_sink *sink, const struct trod_body *body,
    LLVMBasicBlockRef block, bool inlined)
{
    LLVMMetadataRef file = file_of(LLVMGetSubprogram(body->function));
    unsigned last = 0, n = 0;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && n < MOST_LINES;
        i = LLVMGetNextInstruction(i)) {
        unsigned line = line_of(i, file, inlined);

        if (!line || line == last)
            continue;
        trod_put(sink, " %u", line);
        last = line;
        n++;
    }
}

static void put_file(struct trod_sink *sink, const struct trod_body *body)
{
    LLVMMetadataRef at = LLVMGetSubprogram(body->function), file;
    unsigned length = 0;
    const char *name = NULL;

    if (at && (file = LLVMDIScopeGetFile(at)))
        name = LLVMDIFileGetFilename(file, &length);
    if (!name || !length)
        return;
    trod_put(sink, "file ");
    trod_put_name(sink, name);
    trod_put(sink, "\n");
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

/* What all functions of the map have, up to their numbering. */
static void put_function(struct trod_sink *sink, const struct trod_body *body,
    const struct trod_rt_function *record, bool begins)
{
    trod_put(sink, "function ");
    trod_put_name(sink, body->name);
    trod_put(sink, " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", record->name,
        record->graph, record->cuts);
    put_file(sink, body);
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
    if (chain && chain->rounds > 1)
        trod_put(sink, "rounds %u\n", chain->rounds);
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

void trod_llvm_map_super(struct trod_sink *sink, const struct trod_map_super *from)
{
    put_function(sink, from->body, from->record, false);
    if (from->super->tree->nframe > 1)
        put_frames(sink, from);
    put_numbering(sink, NULL, from->report, from->choice, from->ballarus);
}

void trod_llvm_map_body(
    struct trod_sink *sink, const struct trod_map_body *from, struct trod_arena *mem)
{
    const struct trod_body *body = from->body;

    put_function(sink, body, from->record, from->begins);
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
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        trod_put(sink, "%u:", v);
        put_lines(sink, body, body->block[v], from->inlined);
        trod_put(sink, "\n");
    }
}

/* Through the assembler: data of the module itself is always loaded. */
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
