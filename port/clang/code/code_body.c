#include "clang/code/dependence.h"
#include "meaning/meaning.h"

#include <llvm-c/DebugInfo.h>

bool trod_code_is_nothing(LLVMValueRef instruction)
{
    return trod_meaning_calls(instruction, "llvm.dbg.") ||
           trod_meaning_calls(instruction, "llvm.instrprof.") ||
           trod_meaning_calls(instruction, "llvm.lifetime.");
}

/* --- instructions ------------------------------------------------------------------------------------------ */

static uint32_t count(LLVMValueRef function)
{
    uint32_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            n++;
    return n;
}

static bool is_call(LLVMValueRef code)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(code);

    return opcode == LLVMCall || opcode == LLVMInvoke || opcode == LLVMCallBr;
}

static void add_code(struct trod_code_body *body, uint32_t block, LLVMValueRef code,
    struct trod_code_places *places)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(code);
    uint32_t i = body->n++;
    bool is_new;

    body->code[i] = code;
    body->block[i] = block;
    body->line[i] = at ? LLVMDILocationGetLine(at) : 0;
    body->file[i] = at ? trod_code_file_of(places, LLVMDILocationGetScope(at)) : 0;
    body->is_call[i] = is_call(code) && !trod_code_library_of(code);
    *trod_code_numbers_add(&body->index, code, &is_new) = i;
}

static void collect(struct trod_code_body *body, struct trod_code_places *places)
{
    for (uint32_t b = 0; b < body->control.nblock; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(body->control.block[b]); i;
            i = LLVMGetNextInstruction(i))
            if (!trod_code_is_nothing(i))
                add_code(body, b, i, places);
}

static void find_arguments(struct trod_code_body *body)
{
    for (uint32_t i = 0; i < body->n; i++) {
        unsigned narg = body->is_call[i] ? LLVMGetNumArgOperands(body->code[i]) : 0;

        for (unsigned k = 0; k < narg; k++) {
            const uint64_t *at =
                trod_code_numbers_find(&body->index, LLVMGetOperand(body->code[i], k));

            if (at)
                body->is_argument[*at] = 1;
        }
    }
}

/* --- nodes -------------------------------------------------------------------------------------------------- */

/* The address of a local is a constant, unless its size is computed. */
static bool is_local(LLVMValueRef code)
{
    return LLVMGetInstructionOpcode(code) == LLVMAlloca &&
           LLVMIsConstant(LLVMGetOperand(code, 0));
}

static uint32_t head_of(uint32_t *head, uint32_t i)
{
    while (head[i] != i)
        i = head[i] = head[head[i]];
    return i;
}

static bool is_one(const struct trod_code_body *body, uint32_t user, uint32_t used)
{
    return body->line[user] && body->line[user] == body->line[used] &&
           body->file[user] == body->file[used] &&
           body->block[user] == body->block[used] && !body->is_call[used] &&
           !body->is_argument[used] && !is_local(body->code[used]);
}

static void merge(struct trod_code_body *body, uint32_t *head)
{
    for (uint32_t i = 0; i < body->n; i++)
        head[i] = i;
    for (uint32_t i = 0; i < body->n; i++) {
        unsigned n = (unsigned)LLVMGetNumOperands(body->code[i]);

        for (unsigned k = 0; k < n && !body->is_call[i]; k++) {
            const uint64_t *used =
                trod_code_numbers_find(&body->index, LLVMGetOperand(body->code[i], k));

            if (used && is_one(body, i, (uint32_t)*used)) {
                uint32_t a = head_of(head, i), b = head_of(head, (uint32_t)*used);

                head[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
}

/* clang stores the return value in a local that the last block loads and returns: is this such a
 * store, right before the jump? */
static bool is_return(LLVMValueRef store, LLVMValueRef jump)
{
    LLVMBasicBlockRef last = LLVMGetSuccessor(jump, 0);
    LLVMValueRef kept = LLVMGetFirstInstruction(last);

    return LLVMGetInstructionOpcode(store) == LLVMStore &&
           LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(last)) == LLVMRet &&
           LLVMGetInstructionOpcode(kept) == LLVMLoad &&
           LLVMGetOperand(kept, 0) == LLVMGetOperand(store, 1);
}

/* break, continue, goto, return, and calls that do not return. Other jumps, at the end of a branch
 * or a loop body, only continue after it, and have the line of a statement there.
 */
static bool is_jump(const struct trod_code_body *body, uint32_t end)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(body->code[end]);
    const uint32_t *line = body->line;

    if (opcode == LLVMUnreachable)
        return true;
    if (!line[end] || opcode != LLVMBr || LLVMGetNumOperands(body->code[end]) != 1)
        return false;
    for (uint32_t i = end; i > 0 && body->block[i - 1] == body->block[end]; i--)
        if (line[i - 1] == line[end])
            return is_return(body->code[i - 1], body->code[end]);
    return true;
}

static void number(struct trod_code_body *body, uint32_t *head, uint32_t *next)
{
    bool more = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(body->function));

    body->begin = (*next)++;
    body->first_param = *next;
    body->nparam = LLVMCountParams(body->function) + (more ? TROD_CODE_MORE : 0);
    *next += body->nparam;
    for (uint32_t i = 0; i < body->n; i++) {
        LLVMValueRef code = body->code[i];

        if (is_local(code))
            continue;
        body->node[i] =
            head_of(head, i) == i ? (*next)++ : body->node[head_of(head, i)];
        if (body->is_call[i] && LLVMGetTypeKind(LLVMTypeOf(code)) != LLVMVoidTypeKind)
            body->result[i] = (*next)++;
        if (body->is_call[i] && LLVMGetInstructionOpcode(code) == LLVMInvoke)
            body->branch[i] = (*next)++;
        if (is_jump(body, i))
            body->jump[i] = (*next)++;
    }
}

void trod_code_body_build(struct trod_code_body *out, LLVMValueRef function,
    struct trod_code_places *places, uint32_t *next, struct trod_arena *mem)
{
    uint32_t n = count(function), *head = trod_new(mem, uint32_t, n);

    *out = (struct trod_code_body){.function = function};
    out->code = trod_new(mem, LLVMValueRef, n);
    out->line = trod_new(mem, uint32_t, n);
    out->file = trod_new(mem, uint32_t, n);
    out->block = trod_new(mem, uint32_t, n);
    out->node = trod_new(mem, uint32_t, n);
    out->result = trod_new(mem, uint32_t, n);
    out->branch = trod_new(mem, uint32_t, n);
    out->jump = trod_new(mem, uint32_t, n);
    out->is_call = trod_new(mem, uint8_t, n);
    out->is_argument = trod_new(mem, uint8_t, n);
    trod_code_numbers_init(&out->index, mem);
    trod_code_control_build(&out->control, function, mem);
    collect(out, places);
    find_arguments(out);
    merge(out, head);
    number(out, head, next);
}

uint32_t trod_code_body_source(const struct trod_code_body *body, LLVMValueRef value)
{
    const uint64_t *at;
    uint32_t n = 0;

    if (LLVMGetValueKind(value) == LLVMArgumentValueKind) {
        for (LLVMValueRef a = LLVMGetFirstParam(body->function); a != value;
            a = LLVMGetNextParam(a))
            n++;
        return body->first_param + n;
    }
    if (LLVMGetValueKind(value) != LLVMInstructionValueKind)
        return 0;
    at = trod_code_numbers_find(&body->index, value);
    if (!at)
        return 0;
    return body->result[*at] ? body->result[*at] : body->node[*at];
}
