#include "edit/edit.h"

static uint32_t bit(enum trod_edit_class class)
{
    return UINT32_C(1) << class;
}

static uint32_t classes_of_kind(uint8_t kind)
{
    switch (kind) {
    case TROD_BRANCH_IF:
        return bit(TROD_EDIT_BRANCH) | bit(TROD_EDIT_COND_BRANCH);
    case TROD_BRANCH_JUMP:
        return bit(TROD_EDIT_BRANCH) | bit(TROD_EDIT_JUMP);
    case TROD_BRANCH_INDIRECT:
        return bit(TROD_EDIT_BRANCH) | bit(TROD_EDIT_JUMP) | bit(TROD_EDIT_INDIRECT);
    case TROD_BRANCH_CALL:
        return bit(TROD_EDIT_PROC_CALL);
    case TROD_BRANCH_CALL_INDIRECT:
        return bit(TROD_EDIT_PROC_CALL) | bit(TROD_EDIT_INDIRECT);
    case TROD_BRANCH_RETURN:
        return bit(TROD_EDIT_RETURN);
    default:
        return 0;
    }
}

static uint32_t classes_of_insn(const struct trod_insn *insn)
{
    static const uint8_t class[TROD_INSN_CLASSES] = {[TROD_INSN_ALU] = TROD_EDIT_ALU,
        [TROD_INSN_MULTIPLY] = TROD_EDIT_MULTIPLY,
        [TROD_INSN_DIVIDE] = TROD_EDIT_DIVIDE,
        [TROD_INSN_FLOAT] = TROD_EDIT_FLOAT,
        [TROD_INSN_FLOAT_MULTIPLY] = TROD_EDIT_FLOAT_MULTIPLY,
        [TROD_INSN_FLOAT_DIVIDE] = TROD_EDIT_FLOAT_DIVIDE,
        [TROD_INSN_BRANCH] = TROD_EDIT_ANY, /* the kind of its code is more precise */
        [TROD_INSN_NOTHING] = TROD_EDIT_NOTHING,
        [TROD_INSN_SYSTEM] = TROD_EDIT_SYSTEM};
    uint32_t classes = 0;

    if (insn->insn_class < TROD_INSN_CLASSES)
        classes |= bit((enum trod_edit_class) class[insn->insn_class]);
    if (insn->nload)
        classes |= bit(TROD_EDIT_MEM_OP) | bit(TROD_EDIT_LOAD);
    if (insn->nstore)
        classes |= bit(TROD_EDIT_MEM_OP) | bit(TROD_EDIT_STORE);
    return classes;
}

bool trod_edit_insn(
    struct trod_edit_insn *out, const struct trod_code *code, uint32_t i)
{
    bool last = i + 1 == code->ninsn;

    if (i >= code->ninsn || (!code->insn && !(last && code->kind != TROD_BRANCH_NONE)))
        return false;
    *out = (struct trod_edit_insn){.pc = code->insn ? code->insn[i].pc : code->last,
        .classes = bit(TROD_EDIT_ANY)};
    if (code->insn)
        out->classes |= classes_of_insn(&code->insn[i]);
    if (last) {
        out->classes |= classes_of_kind(code->kind);
        out->has_target = trod_branch_is_direct(code->kind);
        out->target = out->has_target ? code->target : 0;
    }
    return true;
}

/* --- terms ----------------------------------------------------------------------------------------- */

static bool compare(uint64_t left, uint64_t right, uint8_t relation)
{
    switch (relation) {
    case TROD_EDIT_EQ:
        return left == right;
    case TROD_EDIT_NE:
        return left != right;
    case TROD_EDIT_LT:
        return left < right;
    case TROD_EDIT_LE:
        return left <= right;
    case TROD_EDIT_GT:
        return left > right;
    default:
        return left >= right;
    }
}

static bool side(
    uint64_t *out, uint8_t which, uint64_t number, const struct trod_edit_insn *insn)
{
    *out = which == TROD_EDIT_PC       ? insn->pc
           : which == TROD_EDIT_TARGET ? insn->target
                                       : number;
    return which != TROD_EDIT_TARGET || insn->has_target;
}

/* Evaluate a term that depends on the instruction alone. */
static bool holds(const struct trod_edit_term *t, const struct trod_edit_insn *insn)
{
    uint64_t left, right;

    switch (t->kind) {
    case TROD_EDIT_IS:
        return insn->classes >> t->number & 1;
    case TROD_EDIT_COMPARE:
        return side(&left, t->left, 0, insn) && side(&right, t->right, t->low, insn) &&
               compare(left, right, t->relation);
    default:
        return side(&left, t->left, 0, insn) && left >= t->low && left < t->high;
    }
}

static unsigned flag_of(const struct trod_edit_term *t)
{
    return 2u * t->number + (t->kind == TROD_EDIT_ZERO);
}

bool trod_edit_fires(const struct trod_edit *edit, uint32_t production,
    const struct trod_edit_insn *insn, trod_edit_flags flags)
{
    const struct trod_edit_production *p = &edit->production[production];
    uint64_t stack = 0; /* the top is the lowest bit */

    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct trod_edit_term *t = &edit->term[p->first_term + i];

        switch (t->kind) {
        case TROD_EDIT_AND:
            stack = (stack >> 1 & ~UINT64_C(1)) | (stack >> 1 & stack & 1);
            break;
        case TROD_EDIT_OR:
            stack = stack >> 1 | (stack & 1);
            break;
        case TROD_EDIT_NOT:
            stack ^= 1;
            break;
        case TROD_EDIT_OVERFLOW:
        case TROD_EDIT_ZERO:
            stack = stack << 1 | (flags >> flag_of(t) & 1);
            break;
        default:
            stack = stack << 1 | holds(t, insn);
            break;
        }
    }
    return stack & 1;
}

/* --- arbitrary flags ------------------------------------------------------------------------------- */

enum { TRIED = 12 };

/* Whether the pattern can be true if each test of a flag may have either result. This is exact
 * unless a flag is tested twice; then it may be true too often.
 */
static bool may_hold(const struct trod_edit *edit, const struct trod_edit_production *p,
    const struct trod_edit_insn *insn)
{
    uint64_t yes = 0, no = 0; /* stacks: may be true, may be false; top is bit 0 */

    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct trod_edit_term *t = &edit->term[p->first_term + i];
        uint64_t a = yes >> 1 & 1, b = yes & 1, not_a = no >> 1 & 1, not_b = no & 1;

        switch (t->kind) {
        case TROD_EDIT_AND:
            yes = (yes >> 2 << 1) | (a & b);
            no = (no >> 2 << 1) | (not_a | not_b);
            break;
        case TROD_EDIT_OR:
            yes = (yes >> 2 << 1) | (a | b);
            no = (no >> 2 << 1) | (not_a & not_b);
            break;
        case TROD_EDIT_NOT:
            yes = (yes & ~UINT64_C(1)) | not_b;
            no = (no & ~UINT64_C(1)) | b;
            break;
        case TROD_EDIT_OVERFLOW:
        case TROD_EDIT_ZERO:
            yes = yes << 1 | 1;
            no = no << 1 | 1;
            break;
        default:
            b = holds(t, insn);
            yes = yes << 1 | b;
            no = no << 1 | !b;
            break;
        }
    }
    return yes & 1;
}

bool trod_edit_may_fire(const struct trod_edit *edit, uint32_t production,
    const struct trod_edit_insn *insn)
{
    const struct trod_edit_production *p = &edit->production[production];
    unsigned flag[TRIED], nflag = 0;
    trod_edit_flags seen = 0;
    bool again = false;

    if (!may_hold(edit, p, insn))
        return false;
    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct trod_edit_term *t = &edit->term[p->first_term + i];

        if (t->kind != TROD_EDIT_OVERFLOW && t->kind != TROD_EDIT_ZERO)
            continue;
        if (seen >> flag_of(t) & 1) {
            again = true;
            continue;
        }
        if (nflag == TRIED)
            return true;
        seen |= UINT32_C(1) << flag_of(t);
        flag[nflag++] = flag_of(t);
    }
    for (uint32_t state = 0; again && state < UINT32_C(1) << nflag; state++) {
        trod_edit_flags flags = 0;

        for (unsigned k = 0; k < nflag; k++)
            flags |= (state >> k & 1) << flag[k];
        if (trod_edit_fires(edit, production, insn, flags))
            return true;
    }
    return !again;
}
