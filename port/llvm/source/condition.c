#include "llvm/source/condition.h"
#include "llvm/source/location.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static const char number_kind[] = "trod.condition";

/* The conditions of the module's functions, kept until the graphs of these functions have been built. */
static struct {
    struct trod_arena mem;
    bool open;
    struct trod_conditions *first, *last; /* in module order */
    struct trod_conditions *at;           /* the last one looked up */
} found;

/* --- blocks by name ----------------------------------------------------------------------------- */

enum family { NONE, INNER, IF, CHOICE, AND, OR, LOOP };

/* Names that clang gives to blocks, without the number at the end. */
static const struct role {
    const char *name;
    enum family family;
    bool
        yes; /* the statement's condition is true there; of inner blocks: it begins the right side of && */
} roles[] = {
    {"land.lhs.true", INNER, true},
    {"lor.lhs.false", INNER, false},
    {"if.then", IF, true},
    {"if.else", IF, false},
    {"if.end", IF, false},
    {"cond.true", CHOICE, true},
    {"cond.false", CHOICE, false},
    {"land.rhs", AND, true},
    {"land.end", AND, false},
    {"lor.end", OR, true},
    {"lor.rhs", OR, false},
    {"while.body", LOOP, true},
    {"while.end", LOOP, false},
    {"while.exit", LOOP, false},
    {"for.body", LOOP, true},
    {"for.end", LOOP, false},
    {"for.cond.cleanup", LOOP, false},
    {"do.body", LOOP, true},
    {"do.end", LOOP, false},
};

static const struct role *role_of(LLVMBasicBlockRef block)
{
    const char *name = LLVMGetBasicBlockName(block);
    size_t n = name ? strlen(name) : 0;

    while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    for (size_t i = 0; n && i < sizeof roles / sizeof *roles; i++)
        if (strlen(roles[i].name) == n && memcmp(roles[i].name, name, n) == 0)
            return &roles[i];
    return NULL;
}

struct ends {
    uint32_t block[2]; /* where the statement is false, and where it is true */
    enum family family;
    bool odd;
};

struct finder {
    struct trod_conditions *out;
    struct trod_arena *mem;
    uint32_t nblock;
    LLVMBasicBlockRef *block;
    const struct role **role; /* of each block; NULL: none */
    uint32_t *set;            /* union-find: blocks of one statement */
    struct ends *end;         /* of each set, by its representative */
    uint32_t *statement;      /* of each set; TROD_NO_BLOCK: none */
    LLVMBasicBlockRef *key;   /* hash table from block to number */
    uint32_t *number;
    size_t nslot;
};

static size_t slot_of(const struct finder *f, LLVMBasicBlockRef block)
{
    size_t i = trod_mix(0, (uintptr_t)block) & (f->nslot - 1);

    while (f->key[i] && f->key[i] != block)
        i = (i + 1) & (f->nslot - 1);
    return i;
}

/* The number of a block. With -fprofile-instr-generate, clang puts a counter block before some
 * blocks; it is skipped. */
static uint32_t number_of(const struct finder *f, LLVMBasicBlockRef block)
{
    const char *name = LLVMGetBasicBlockName(block);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

    if (name && strncmp(name, "lop.rhscnt", 10) == 0 && last &&
        LLVMGetNumSuccessors(last) == 1)
        block = LLVMGetSuccessor(last, 0);
    return f->number[slot_of(f, block)];
}

static uint32_t set_of(struct finder *f, uint32_t b)
{
    while (f->set[b] != b)
        b = f->set[b] = f->set[f->set[b]];
    return b;
}

static void open_blocks(struct finder *f, LLVMValueRef function)
{
    f->nblock = LLVMCountBasicBlocks(function);
    f->nslot = 16;
    while (f->nslot < 2 * (size_t)f->nblock)
        f->nslot *= 2;
    f->block = trod_new(f->mem, LLVMBasicBlockRef, f->nblock);
    f->role = trod_new(f->mem, const struct role *, f->nblock);
    f->set = trod_new(f->mem, uint32_t, f->nblock);
    f->statement = trod_new(f->mem, uint32_t, f->nblock);
    f->key = trod_new(f->mem, LLVMBasicBlockRef, f->nslot);
    f->number = trod_new(f->mem, uint32_t, f->nslot);
    LLVMGetBasicBlocks(function, f->block);
    for (uint32_t b = 0; b < f->nblock; b++) {
        size_t i = slot_of(f, f->block[b]);

        f->key[i] = f->block[b];
        f->number[i] = b;
        f->set[b] = b;
        f->statement[b] = TROD_NO_BLOCK;
        f->role[b] = role_of(f->block[b]);
    }
}

/* --- leaves -------------------------------------------------------------------------------------- */

static bool is_condition(const struct finder *f, LLVMValueRef last)
{
    if (!last || !LLVMIsABranchInst(last) || !LLVMIsConditional(last) ||
        LLVMIsConstant(LLVMGetCondition(last)))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (!f->role[number_of(f, LLVMGetSuccessor(last, k))])
            return false;
    return LLVMGetSuccessor(last, 0) != LLVMGetSuccessor(last, 1);
}

static void fill_place(struct trod_leaf *out, LLVMValueRef value, LLVMValueRef branch)
{
    LLVMMetadataRef own = branch ? LLVMInstructionGetDebugLoc(branch) : NULL;
    LLVMMetadataRef at =
        LLVMIsAInstruction(value) ? LLVMInstructionGetDebugLoc(value) : NULL;

    if (own) {
        out->own_line = LLVMDILocationGetLine(own);
        out->own_column = LLVMDILocationGetColumn(own);
    }
    if (!at || !LLVMDILocationGetLine(at))
        at = own;
    if (at) {
        out->file = trod_location_file(at);
        out->line = LLVMDILocationGetLine(at);
        out->column = LLVMDILocationGetColumn(at);
    }
}

static struct trod_leaf *add_leaf(
    struct finder *f, LLVMValueRef value, LLVMValueRef branch)
{
    struct trod_conditions *out = f->out;
    struct trod_leaf *leaf;

    trod_reserve(f->mem, out->leaf, out->nleaf, out->room_leaf);
    leaf = &out->leaf[out->nleaf];
    *leaf = (struct trod_leaf){.value = value,
        .to = {TROD_NO_BLOCK, TROD_NO_BLOCK},
        .enter = TROD_NO_BLOCK,
        .yes = -1,
        .scalar = TROD_NO_BLOCK};
    if (LLVMIsAICmpInst(value))
        leaf->predicate = LLVMGetICmpPredicate(value);
    leaf->real = LLVMIsAFCmpInst(value) != NULL;
    if (leaf->real)
        leaf->predicate = (LLVMIntPredicate)LLVMGetFCmpPredicate(value);
    fill_place(leaf, value, branch);
    out->nleaf++;
    return leaf;
}

static unsigned kind_of(LLVMValueRef terminator)
{
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(terminator)),
        number_kind, sizeof number_kind - 1);
}

static void set_number(LLVMValueRef terminator, uint32_t number)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(terminator));
    LLVMMetadataRef value = LLVMValueAsMetadata(
        LLVMConstInt(LLVMInt32TypeInContext(context), number, false));
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, &value, 1);

    LLVMSetMetadata(
        terminator, kind_of(terminator), LLVMMetadataAsValue(context, node));
}

uint32_t trod_llvm_number_of(LLVMValueRef terminator)
{
    LLVMValueRef node = LLVMGetMetadata(terminator, kind_of(terminator)), value;

    if (!node || LLVMGetMDNodeNumOperands(node) != 1)
        return TROD_NO_BLOCK;
    LLVMGetMDNodeOperands(node, &value);
    return (uint32_t)LLVMConstIntGetZExtValue(value);
}

/* The successors of a statement's branches belong to that statement alone. So union-find over the
 * successors of each branch groups the blocks by statement. */
static void join_statements(struct finder *f)
{
    for (uint32_t b = 0; b < f->nblock; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->block[b]);
        uint32_t x, y;

        if (!is_condition(f, last))
            continue;
        x = set_of(f, number_of(f, LLVMGetSuccessor(last, 0)));
        y = set_of(f, number_of(f, LLVMGetSuccessor(last, 1)));
        f->set[x > y ? x : y] = x > y ? y : x;
    }
}

/* Finds the two ends of each statement. A set with more ends, or ends of different families, is
 * marked odd. */
static void find_ends(struct finder *f)
{
    f->end = trod_new(f->mem, struct ends, f->nblock);
    for (uint32_t b = 0; b < f->nblock; b++)
        f->end[b] = (struct ends){{TROD_NO_BLOCK, TROD_NO_BLOCK}, NONE, false};
    for (uint32_t b = 0; b < f->nblock; b++) {
        const struct role *role = f->role[b];
        struct ends *end = &f->end[set_of(f, b)];

        if (!role || role->family == INNER)
            continue;
        end->odd |= end->block[role->yes] != TROD_NO_BLOCK ||
                    (end->family != NONE && end->family != role->family);
        end->block[role->yes] = b;
        end->family = role->family;
    }
}

static uint32_t statement_of(struct finder *f, uint32_t set)
{
    struct trod_conditions *out = f->out;
    const struct ends *end = &f->end[set];

    if (f->statement[set] != TROD_NO_BLOCK)
        return f->statement[set];
    if (end->odd || end->block[0] == TROD_NO_BLOCK || end->block[1] == TROD_NO_BLOCK)
        return TROD_NO_BLOCK;
    trod_reserve(f->mem, out->statement, out->nstatement, out->room_statement);
    out->statement[out->nstatement] = (struct trod_statement){.yes = end->block[1],
        .no = end->block[0],
        .scalar = end->family == AND  ? TROD_JOINS_AND
                  : end->family == OR ? TROD_JOINS_OR
                                      : TROD_JOINS_NONE,
        .linear = true,
        .right = TROD_NO_BLOCK,
        .consumer = TROD_NO_BLOCK};
    return f->statement[set] = out->nstatement++;
}

struct placed {
    uint32_t statement, block;
};

/* Stores the leaves of each statement adjacently, in source order, which is clang's block order. */
static void add_leaves(struct finder *f)
{
    struct placed *at = trod_new(f->mem, struct placed, f->nblock);
    uint32_t n = 0;

    for (uint32_t b = 0; b < f->nblock; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->block[b]);
        uint32_t s;

        if (!is_condition(f, last))
            continue;
        s = statement_of(f, set_of(f, number_of(f, LLVMGetSuccessor(last, 0))));
        if (s != TROD_NO_BLOCK) {
            f->out->statement[s].nleaf++;
            at[n++] = (struct placed){s, b};
        }
    }
    for (uint32_t s = 0, first = 0; s < f->out->nstatement; s++) {
        f->out->statement[s].first = first;
        first += f->out->statement[s].nleaf;
    }
    f->out->leaf = trod_new(f->mem, struct trod_leaf, n);
    f->out->nleaf = f->out->room_leaf = 0;
    if (!n)
        return;
    f->out->room_leaf = n;
    for (uint32_t s = 0; s < f->out->nstatement; s++)
        f->out->statement[s].nleaf = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct trod_statement *s = &f->out->statement[at[i].statement];
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->block[at[i].block]);
        uint32_t number = s->first + s->nleaf++;
        struct trod_leaf *leaf;

        f->out->nleaf = number;
        leaf = add_leaf(f, LLVMGetCondition(last), last);
        leaf->statement = at[i].statement;
        leaf->to[0] = number_of(f, LLVMGetSuccessor(last, 0));
        leaf->to[1] = number_of(f, LLVMGetSuccessor(last, 1));
        leaf->enter =
            at[i].block; /* the block that evaluates it; link_leaves changes that */
        set_number(last, number);
    }
    f->out->nleaf = n;
}

/* In `if (a ? b : 1)` the outcome of the statement is not that of b alone. */
static void find_settled(struct finder *f)
{
    for (uint32_t b = 0; b < f->nblock; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->block[b]);
        uint32_t set;

        if (!f->role[b] || f->role[b]->family != CHOICE || !last ||
            !LLVMIsABranchInst(last) || !LLVMIsConditional(last) ||
            !LLVMIsConstant(LLVMGetCondition(last)))
            continue;
        set = set_of(f, number_of(f, LLVMGetSuccessor(last, 0)));
        if (f->statement[set] != TROD_NO_BLOCK)
            f->out->statement[f->statement[set]].settled = true;
    }
}

/* --- which successor means true ------------------------------------------------------------------- */

/* The inner block right after a leaf's block, if it is a successor of the leaf; otherwise TROD_NO_BLOCK. */
static uint32_t next_inner(const struct finder *f, const struct trod_leaf *leaf)
{
    uint32_t next = leaf->enter + 1;

    if (next < f->nblock)
        next = number_of(f, f->block[next]);
    return next < f->nblock && f->role[next] && f->role[next]->family == INNER &&
                   (leaf->to[0] == next || leaf->to[1] == next)
               ? next
               : TROD_NO_BLOCK;
}

static void link_leaves(struct finder *f, struct trod_statement *s)
{
    struct trod_leaf *leaf = f->out->leaf + s->first;
    uint32_t *next = trod_new(f->mem, uint32_t, s->nleaf);

    for (uint32_t i = 0; i < s->nleaf; i++) {
        next[i] = next_inner(f, &leaf[i]);
        s->linear &= (next[i] == TROD_NO_BLOCK) == (i + 1 == s->nleaf);
        s->linear &= !i || next[i - 1] <= leaf[i].enter;
    }
    for (uint32_t i = 0; i < s->nleaf; i++) {
        leaf[i].enter = i && s->linear ? next[i - 1] : TROD_NO_BLOCK;
        if (leaf[i].enter != TROD_NO_BLOCK)
            leaf[i].before =
                f->role[leaf[i].enter]->yes ? TROD_JOINS_AND : TROD_JOINS_OR;
    }
}

static int index_of(const struct trod_leaf *leaf, uint32_t block)
{
    return leaf->to[0] == block ? 0 : leaf->to[1] == block ? 1 : -1;
}

/* Leaf i is the right operand of the operator before it, or the left operand of the operator after
 * it. If both are possible, the results differ only if one operator is && and the other ||. For
 * example, !(a && b) || c and !(a && !(!b || c)) are the same code; only the parentheses in the
 * source distinguish them.
 */
static void set_outcomes(struct finder *f, const struct trod_statement *s, uint32_t i)
{
    struct trod_leaf *leaf = &f->out->leaf[s->first + i];
    bool more = i + 1 < s->nleaf;
    int right = more ? index_of(leaf, leaf[1].enter) : -1, left = -1, open;

    if (s->nleaf == 1) {
        leaf->yes = index_of(leaf, s->yes);
        return;
    }
    if (more && leaf[1].before == TROD_JOINS_OR)
        right = 1 - right;
    if (i) {
        int far = index_of(&leaf[-1], leaf->enter) == 0 ? 1 : 0;

        left = index_of(leaf, leaf[-1].to[far]);
        if (left >= 0 && more && leaf[-1].to[far] == leaf[1].enter)
            right = -1;
        if (left >= 0 && leaf->before == TROD_JOINS_AND)
            left = 1 - left;
    }
    if (left < 0 || right < 0 || left == right)
        leaf->yes = left < 0 ? right : left;
    else if (trod_scan_between(&open, &leaf[-1], leaf))
        /* Without parentheses, && binds more tightly. */
        leaf->yes = open > 0                         ? right
                    : open < 0                       ? left
                    : leaf->before == TROD_JOINS_AND ? left
                                                     : right;
}

/* --- scalars --------------------------------------------------------------------------------------- */

static LLVMValueRef without_not(LLVMValueRef value, bool *negated)
{
    while (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMXor &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
        *negated = !*negated;
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

/* If a value is that of && or ||: the statement of its left side, and the value of its right side. */
static uint32_t scalar_of(
    struct finder *f, LLVMValueRef value, bool *negated, LLVMValueRef *right)
{
    LLVMValueRef phi = without_not(value, negated);
    const struct trod_statement *s;
    uint32_t end, n;
    bool one = false;

    if (!LLVMIsAPHINode(phi))
        return TROD_NO_BLOCK;
    end = number_of(f, LLVMGetInstructionParent(phi));
    n = f->role[end] ? f->statement[set_of(f, end)] : TROD_NO_BLOCK;
    if (n == TROD_NO_BLOCK)
        return TROD_NO_BLOCK;
    s = &f->out->statement[n];
    if (s->scalar == TROD_JOINS_NONE ||
        end != (s->scalar == TROD_JOINS_AND ? s->no : s->yes))
        return TROD_NO_BLOCK;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));

        if (LLVMGetNumSuccessors(last) > 1) {
            if (!LLVMIsAConstantInt(in) ||
                (LLVMConstIntGetZExtValue(in) == 1) != (s->scalar == TROD_JOINS_OR))
                return TROD_NO_BLOCK;
            continue;
        }
        if (one)
            return TROD_NO_BLOCK;
        one = true;
        *right = in;
    }
    return one ? n : TROD_NO_BLOCK;
}

/* Expands leaves that are the value of && or ||: their right sides become leaves of their own. */
static void link_scalars(struct finder *f)
{
    for (uint32_t i = 0; i < f->out->nleaf; i++) { /* nleaf grows */
        LLVMValueRef right = NULL;
        bool negated = false;
        uint32_t n = scalar_of(f, f->out->leaf[i].value, &negated, &right);
        struct trod_leaf *leaf;

        if (n == TROD_NO_BLOCK || f->out->statement[n].consumer != TROD_NO_BLOCK)
            continue;
        f->out->leaf[i].scalar = n;
        f->out->leaf[i].negated = negated;
        f->out->statement[n].consumer = f->out->leaf[i].statement;
        f->out->statement[n].right = f->out->nleaf;
        leaf = add_leaf(f, right, NULL);
        leaf->statement = f->out->leaf[i].statement;
        leaf->yes = 0; /* true means true: no branch is inverted */
        leaf->before = f->out->statement[n].scalar;
        leaf->enter = leaf->before == TROD_JOINS_AND ? f->out->statement[n].yes
                                                     : f->out->statement[n].no;
    }
}

/* --- switches --------------------------------------------------------------------------------------- */

static bool is_own(LLVMValueRef instruction)
{
    LLVMValueRef value = LLVMGetOperand(instruction, 0);
    size_t length;

    return LLVMIsALoadInst(value) &&
           strncmp(LLVMGetValueName2(LLVMGetOperand(value, 0), &length),
               "cleanup.dest.slot", 17) == 0;
}

/* Records the values that have a case now, because the optimiser removes cases that lead to the
 * same block as the default. */
static void find_values(
    struct trod_cases *out, LLVMValueRef instruction, struct trod_arena *mem)
{
    uint32_t n = LLVMGetNumSuccessors(instruction) - 1;

    if (LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(instruction, 0))) > 64)
        return;
    out->value = trod_new(mem, int64_t, n);
    for (; out->nvalue < n; out->nvalue++)
        out->value[out->nvalue] = LLVMConstIntGetSExtValue(
            LLVMGetOperand(instruction, 2 * (out->nvalue + 1)));
}

/* The name of a switch's default successor. Clang tests large ranges one by one after the switch. */
static const char *otherwise_of(const char *name)
{
    if (strncmp(name, "sw.default", 10) == 0)
        return "default";
    return strncmp(name, "sw.caserange", 12) == 0 ? "no other case" : "no case";
}

static void find_switches(struct finder *f)
{
    for (uint32_t b = 0; b < f->nblock; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(f->block[b]);
        struct trod_conditions *out = f->out;
        const char *name;

        if (!last || !LLVMIsASwitchInst(last))
            continue;
        name = LLVMGetBasicBlockName(LLVMGetSwitchDefaultDest(last));
        if (!is_own(last) && (!name || strncmp(name, "sw.", 3) != 0))
            continue;
        trod_reserve(f->mem, out->cases, out->ncases, out->room_cases);
        out->cases[out->ncases] = (struct trod_cases){.own = is_own(last)};
        if (is_own(last)) {
            set_number(last, out->ncases++);
            continue;
        }
        find_values(&out->cases[out->ncases], last, f->mem);
        trod_scan_cases(&out->cases[out->ncases], last, f->mem);
        out->cases[out->ncases].otherwise = otherwise_of(name);
        set_number(last, out->ncases++);
    }
}

/* --- lines ------------------------------------------------------------------------------------------- */

static bool is_jump(LLVMValueRef i)
{
    return LLVMIsAReturnInst(i) || (LLVMIsABranchInst(i) && !LLVMIsConditional(i));
}

static int by_number(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* Lists the lines with code. Jumps and returns are skipped: their lines are those of braces, or of
 * code that is listed anyway. */
static void find_lines(struct finder *f)
{
    struct trod_conditions *out = f->out;
    LLVMMetadataRef own = trod_location_own_file(out->function);
    uint32_t n = 0;

    for (uint32_t b = 0; own && b < f->nblock; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->block[b]); i;
            i = LLVMGetNextInstruction(i)) {
            LLVMMetadataRef at = trod_llvm_is_no_code(i) || is_jump(i)
                                     ? NULL
                                     : LLVMInstructionGetDebugLoc(i);
            uint32_t line = at ? LLVMDILocationGetLine(at) : 0;

            if (!line || (out->nline && out->line[out->nline - 1] == line) ||
                !trod_location_is_same_file(trod_location_file(at), own))
                continue;
            trod_reserve(f->mem, out->line, out->nline, out->room_line);
            out->line[out->nline++] = line;
        }
    if (out->nline)
        qsort(out->line, out->nline, sizeof *out->line, by_number);
    for (uint32_t i = 0; i < out->nline; i++)
        if (!n || out->line[n - 1] != out->line[i])
            out->line[n++] = out->line[i];
    out->nline = n;
}

/* --- entry points ------------------------------------------------------------------------------------- */

static void find_conditions(LLVMValueRef function, struct trod_arena *mem)
{
    struct finder f = {.mem = mem};

    f.out = trod_new(mem, struct trod_conditions, 1);
    f.out->function = function;
    open_blocks(&f, function);
    join_statements(&f);
    find_ends(&f);
    add_leaves(&f);
    find_settled(&f);
    for (uint32_t i = 0; i < f.out->nstatement; i++)
        link_leaves(&f, &f.out->statement[i]);
    for (uint32_t i = 0; i < f.out->nstatement; i++)
        for (uint32_t k = 0;
            f.out->statement[i].linear && k < f.out->statement[i].nleaf; k++)
            set_outcomes(&f, &f.out->statement[i], k);
    link_scalars(&f);
    find_switches(&f);
    find_lines(&f);
    for (uint32_t i = 0; i < f.out->nleaf; i++)
        trod_bridge_track(function, f.out->leaf[i].value, i);
    if (found.last)
        found.last->next = f.out;
    else
        found.first = f.out;
    found.last = f.out;
}

void trod_llvm_find_conditions(LLVMModuleRef module, void (*exhausted)(void *ctx))
{
    trod_llvm_drop_conditions(module);
    trod_arena_init(&found.mem, exhausted, NULL);
    found.open = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!trod_bridge_leave_alone(f) && LLVMGetSubprogram(f))
            find_conditions(f, &found.mem);
    trod_scan_close();
}

static struct trod_conditions *search(
    struct trod_conditions *from, LLVMValueRef function)
{
    while (from && from->function != function)
        from = from->next;
    return from;
}

/* Callers ask in module order, so the search starts at the last one found. */
struct trod_conditions *trod_llvm_conditions_of(LLVMValueRef function)
{
    struct trod_conditions *c = search(found.at, function);

    if (!c)
        c = search(found.first, function);
    if (c)
        found.at = c;
    return c;
}

/* Removes the metadata from the terminators once it is not needed any more. */
static void clear(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);

        if (last && trod_llvm_number_of(last) != TROD_NO_BLOCK)
            LLVMSetMetadata(last, kind_of(last), NULL);
    }
}

void trod_llvm_take_values(struct trod_conditions *of,
    void (*take)(void *ctx, const struct trod_bridge_tracked *tracked), void *ctx)
{
    trod_bridge_take_tracked(of->function, take, ctx);
    of->taken = true;
}

void trod_llvm_drop_conditions(LLVMModuleRef module)
{
    if (!found.open)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct trod_conditions *c = trod_llvm_conditions_of(f);

        if (c && !c->taken)
            trod_llvm_take_values(c, NULL, NULL);
        if (c)
            clear(f);
    }
    trod_arena_free(&found.mem);
    found.open = false;
    found.first = found.last = found.at = NULL;
}
