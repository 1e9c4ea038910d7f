#include "branch/branch.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* --- keywords ------------------------------------------------------------------------------------- */

static const char *const kind_names[TROD_BRANCH_KINDS] = {
    "none", "if", "jump", "indirect", "call", "callindirect", "return"};

static const char *const class_names[TROD_INSN_CLASSES] = {"alu", "multiply", "divide",
    "float", "fmultiply", "fdivide", "branch", "nothing", "system"};

const char *trod_branch_kind_name(uint8_t kind)
{
    return kind < TROD_BRANCH_KINDS ? kind_names[kind] : NULL;
}

const char *trod_insn_class_name(uint8_t class)
{
    return class < TROD_INSN_CLASSES ? class_names[class] : NULL;
}

/* --- printing ------------------------------------------------------------------------------------- */

static void print_insn(struct trod_sink *out, const struct trod_insn *insn)
{
    trod_put(out, "insn 0x%" PRIx64 " %u %s %u %u:", insn->pc, insn->size,
        trod_insn_class_name(insn->insn_class), insn->nload, insn->nstore);
    for (int i = 0; i < TROD_INSN_SOURCES && insn->source[i]; i++)
        trod_put(out, " %u", insn->source[i]);
    trod_put(out, " >");
    for (int i = 0; i < TROD_INSN_TARGETS && insn->target[i]; i++)
        trod_put(out, " %u", insn->target[i]);
    trod_put(out, "\n");
}

void trod_branch_print_code(struct trod_sink *out, const struct trod_code *code)
{
    trod_put(out,
        "code %" PRIu32 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " %" PRIu32 " %s",
        code->number, code->pc, code->last, code->after, code->ninsn,
        trod_branch_kind_name(code->kind));
    if (trod_branch_is_direct(code->kind))
        trod_put(out, " 0x%" PRIx64, code->target);
    trod_put(out, "\n");
    for (uint32_t i = 0; code->insn && i < code->ninsn; i++)
        print_insn(out, &code->insn[i]);
}

void trod_branch_print_image(struct trod_sink *out, const struct trod_image *image)
{
    trod_put(out, "image 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64, image->start,
        image->end, image->offset);
    if (image->path) {
        trod_put(out, " ");
        trod_put_name(out, image->path);
        if (image->build_id)
            trod_put(out, " %s", image->build_id);
    }
    trod_put(out, "\n");
}

static void put_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    trod_branch_print_code(((struct trod_branch_printer *)to)->out, code);
}

static void put_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    trod_branch_print_image(((struct trod_branch_printer *)to)->out, image);
}

static void put_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_sink *out = ((struct trod_branch_printer *)to)->out;

    trod_put(out, "run %" PRIu32 " %" PRIu32 " 0x%" PRIx64, run->thread,
        run->code->number, run->next);
    if (run->stack)
        trod_put(out, " stack 0x%" PRIx64, run->stack);
    for (uint32_t i = 0; i < run->naccess; i++) {
        const struct trod_access *a = &run->access[i];

        trod_put(out, "%s %u %s %u 0x%" PRIx64, i ? "," : ":", a->insn,
            a->store ? "store" : "load", a->size, a->address);
    }
    trod_put(out, "\n");
}

static void put_end(struct trod_branch_sink *to, uint32_t thread)
{
    trod_put(((struct trod_branch_printer *)to)->out, "end %" PRIu32 "\n", thread);
}

void trod_branch_printer_init(
    struct trod_branch_printer *printer, struct trod_sink *out, const char *name)
{
    *printer =
        (struct trod_branch_printer){{put_code, put_image, put_run, put_end}, out};
    trod_put(out, "branches ");
    trod_put_name(out, name);
    trod_put(out, "\n");
}

/* --- tokens --------------------------------------------------------------------------------------- */

/* Most lines are runs, and the sink may allocate from the same arena. So the words of runs are not
 * copied into the arena. */
struct line {
    struct trod_parse in;
    char word[24]; /* a number is the longest word */
};

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Read the next token. The name of a short word is valid until the next call. */
static bool next(struct trod_token *out, struct line *l)
{
    struct trod_text *text = l->in.text;
    const char *at = text->at, *from;
    size_t length;

    while (at < text->end && *at == ' ')
        at++;
    for (from = at; at < text->end && is_plain(*at);)
        at++;
    length = (size_t)(at - from);
    if (!length || length >= sizeof l->word ||
        (at < text->end && *at != ' ' && *at != '\n' && *at != ':' && *at != ','))
        return trod_text_next(out, text, l->in.mem, l->in.err);
    memcpy(l->word, from, length);
    l->word[length] = '\0';
    text->at = at;
    text->line += text->breaks;
    text->breaks = 0;
    *out = (struct trod_token){.kind = TROD_T_NAME, .name = l->word, .length = length};
    return true;
}

static bool take_name(struct line *l, const char **out, const char *what)
{
    struct trod_token token;

    if (!next(&token, l))
        return false;
    *out = token.name;
    return token.kind == TROD_T_NAME || trod_parse_fail(&l->in, "expected %s", what);
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number with 0x, or a decimal number. */
static bool read_address(uint64_t *out, const char *name)
{
    uint64_t value = 0;

    if (strncmp(name, "0x", 2) != 0)
        return trod_text_uint(out, name);
    if (!name[2] || strlen(name) > 18)
        return false;
    for (name += 2; *name; name++) {
        int digit = digit_of(*name);

        if (digit < 0)
            return false;
        value = value << 4 | (uint64_t)digit;
    }
    *out = value;
    return true;
}

static bool take_address(struct line *l, uint64_t *out, const char *what)
{
    const char *name;

    return take_name(l, &name, what) &&
           (read_address(out, name) ||
               trod_parse_fail(&l->in,
                   "expected %s, an address like 0x401000, not '%s'", what, name));
}

static bool take_upto(struct line *l, uint32_t *out, uint64_t most, const char *what)
{
    const char *digits;
    uint64_t value;

    if (!take_name(l, &digits, what))
        return false;
    if (!trod_text_uint(&value, digits))
        return trod_parse_fail(
            &l->in, "expected %s, a whole number, not '%s'", what, digits);
    *out = (uint32_t)value;
    return value <= most ||
           trod_parse_fail(&l->in, "%" PRIu64 " is too large for %s; at most %" PRIu64,
               value, what, most);
}

static bool take_byte(struct line *l, uint8_t *out, const char *what)
{
    uint32_t value;

    if (!take_upto(l, &value, UINT8_MAX, what))
        return false;
    *out = (uint8_t)value;
    return true;
}

static bool take_word(struct line *l, uint8_t *out, const char *const *words,
    uint8_t nword, const char *what)
{
    const char *name;

    if (!take_name(l, &name, what))
        return false;
    for (*out = 0; *out < nword; ++*out)
        if (strcmp(name, words[*out]) == 0)
            return true;
    return trod_parse_fail(&l->in, "'%s' is not %s", name, what);
}

/* --- codes and images ----------------------------------------------------------------------------- */

/* Read registers up to the stop character, or to the end of the line. */
static bool take_registers(struct line *l, uint8_t *out, int most, char stop)
{
    struct trod_token token;
    uint64_t value;
    int n = 0;

    for (;;) {
        if (!next(&token, l))
            return false;
        if (stop ? trod_token_is_mark(&token, stop) : trod_token_is_over(&token))
            return true;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
            !value || value > TROD_INSN_REGISTERS)
            return trod_parse_fail(&l->in,
                "expected registers, numbers from 1 to 255, that are read, '>', and "
                "those that are written");
        if (n == most)
            return trod_parse_fail(&l->in,
                "at most %d registers are read, and %d written; leave the others out",
                TROD_INSN_SOURCES, TROD_INSN_TARGETS);
        out[n++] = (uint8_t)value;
    }
}

static bool parse_insn(struct line *l, struct trod_insn *out)
{
    struct trod_token token;

    return take_address(l, &out->pc, "its address") &&
           take_byte(l, &out->size, "its size") &&
           take_word(l, &out->insn_class, class_names, TROD_INSN_CLASSES,
               "a class of instructions") &&
           take_byte(l, &out->nload, "how many loads") &&
           take_byte(l, &out->nstore, "how many stores") && next(&token, l) &&
           (trod_token_is_mark(&token, ':') ||
               trod_parse_fail(&l->in, "expected ':' and registers")) &&
           take_registers(l, out->source, TROD_INSN_SOURCES, '>') &&
           take_registers(l, out->target, TROD_INSN_TARGETS, 0);
}

/* Reads one line per instruction of the code, or none. Memory grows line by line, so that a code
 * that claims billions of instructions costs nothing.
 */
static bool parse_insns(struct line *l, struct trod_code *code)
{
    struct trod_insn *insn = NULL;
    uint32_t n = 0, room = 0;

    for (;; n++) {
        struct trod_text before = *l->in.text;
        struct trod_token token;

        if (!next(&token, l))
            return false;
        if (!trod_token_is_word(&token, "insn")) {
            *l->in.text = before;
            break;
        }
        trod_reserve(l->in.mem, insn, n, room);
        if (!parse_insn(l, &insn[n]))
            return false;
    }
    code->insn = insn;
    return !n || n == code->ninsn ||
           trod_parse_fail(&l->in,
               "code %" PRIu32 " has %" PRIu32 " instructions, and lines for %" PRIu32
               "; give all or none",
               code->number, code->ninsn, n);
}

bool trod_branch_parse_code(struct trod_code *out, uint32_t number,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct line l = {{text, mem, err}, ""};
    struct trod_err fault;

    *out = (struct trod_code){0};
    if (!take_upto(&l, &out->number, UINT32_MAX, "the number of the code") ||
        !take_address(&l, &out->pc, "where it begins") ||
        !take_address(&l, &out->last, "its last instruction") ||
        !take_address(&l, &out->after, "where it ends") ||
        !take_upto(&l, &out->ninsn, UINT16_MAX + 1, "how many instructions") ||
        !take_word(&l, &out->kind, kind_names, TROD_BRANCH_KINDS,
            "a kind: none, if, jump, indirect, call, callindirect or return") ||
        (trod_branch_is_direct(out->kind) &&
            !take_address(&l, &out->target, "where it goes")) ||
        !trod_parse_end(&l.in, "that"))
        return false;
    if (out->number != number)
        return trod_text_fail(text, err, "code %" PRIu32 " comes next, not %" PRIu32,
            number, out->number);
    return parse_insns(&l, out) && (trod_branch_check_code(out, &fault) ||
                                       trod_text_fail(text, err, "%s", fault.text));
}

/* Up to two names: a file and its build id. */
bool trod_branch_parse_image(struct trod_image *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct line l = {{text, mem, err}, ""};
    struct trod_token token = {0};

    *out = (struct trod_image){0};
    if (!take_address(&l, &out->start, "where it begins") ||
        !take_address(&l, &out->end, "where it ends") ||
        !take_address(&l, &out->offset, "its offset in the file"))
        return false;
    for (int i = 0; i < 2; i++) {
        if (!trod_text_peek(&token, text, mem, err))
            return false;
        if (token.kind != TROD_T_NAME)
            break;
        if (!trod_text_next(&token, text, mem, err))
            return false;
        *(i ? &out->build_id : &out->path) = token.name;
    }
    if (out->build_id &&
        (!*out->build_id ||
            strspn(out->build_id, "0123456789abcdef") != strlen(out->build_id)))
        return trod_text_fail(text, err,
            "a build id is hexadecimal digits, not '%s'; leave it out if there is none",
            out->build_id);
    return trod_parse_end(&l.in, "that") &&
           (out->start < out->end ||
               trod_text_fail(text, err, "an image must end after it begins"));
}

/* --- runs ------------------------------------------------------------------------------------------- */

struct parser {
    struct line line;
    struct trod_branch_sink *to;
    const struct trod_code **code;
    uint32_t ncode, room;
    struct trod_access *access; /* accesses of the current run */
    uint32_t room_access;
};

static const char *const access_names[] = {"load", "store"};

static bool parse_access(
    struct line *l, const struct trod_code *code, struct trod_access *out)
{
    uint32_t insn;
    uint8_t store;

    if (!take_upto(l, &insn, code->ninsn - 1, "an instruction of the code") ||
        !take_word(l, &store, access_names, 2, "load or store") ||
        !take_byte(l, &out->size, "how many bytes") ||
        !take_address(l, &out->address, "an address"))
        return false;
    out->insn = (uint16_t)insn;
    out->store = store;
    return true;
}

/* Parse what follows the ':' of a run. */
static bool parse_accesses(struct parser *p, struct trod_run *run)
{
    struct line *l = &p->line;
    struct trod_token token;

    do {
        if (run->naccess == TROD_BRANCH_ACCESSES)
            return trod_parse_fail(
                &l->in, "a run has at most 65536 accesses; cut its code in two");
        trod_reserve(l->in.mem, p->access, run->naccess, p->room_access);
        if (!parse_access(l, run->code, &p->access[run->naccess++]) || !next(&token, l))
            return false;
    } while (trod_token_is_mark(&token, ','));
    run->access = p->access;
    return trod_token_is_over(&token) ||
           trod_parse_fail(&l->in, "expected ',' and another access, or no more");
}

static bool parse_run(struct parser *p)
{
    struct line *l = &p->line;
    struct trod_run run = {0};
    struct trod_token token;
    uint32_t code;

    if (!take_upto(l, &run.thread, TROD_BRANCH_THREADS - 1, "a thread") ||
        !take_upto(l, &code, UINT32_MAX, "a code"))
        return false;
    if (code >= p->ncode)
        return trod_parse_fail(
            &l->in, "code %" PRIu32 " has no line above; give it one", code);
    run.code = p->code[code];
    if (!take_address(l, &run.next, "where it went") || !next(&token, l))
        return false;
    if (trod_token_is_word(&token, "stack") &&
        (!take_address(l, &run.stack, "where the return address lies") ||
            !next(&token, l)))
        return false;
    if (trod_token_is_mark(&token, ':')) {
        if (!parse_accesses(p, &run))
            return false;
    } else if (!trod_token_is_over(&token)) {
        return trod_parse_fail(
            &l->in, "expected 'stack' and an address, ':' and accesses, or no more");
    }
    run.taken = trod_branch_is_taken(run.code, run.next);
    run.odd = !trod_branch_may_go(run.code, run.next);
    trod_branch_put_run(p->to, &run);
    return true;
}

static bool parse_end(struct parser *p)
{
    uint32_t thread;

    if (!take_upto(&p->line, &thread, TROD_BRANCH_THREADS - 1, "a thread") ||
        !trod_parse_end(&p->line.in, "that"))
        return false;
    trod_branch_put_end(p->to, thread);
    return true;
}

static bool parse_code(struct parser *p)
{
    struct trod_code *code = trod_new(p->line.in.mem, struct trod_code, 1);

    if (!trod_branch_parse_code(
            code, p->ncode, p->line.in.text, p->line.in.mem, p->line.in.err))
        return false;
    trod_push(p->line.in.mem, p->code, p->ncode, p->room, code);
    trod_branch_put_code(p->to, code);
    return true;
}

static bool parse_image(struct parser *p)
{
    struct trod_image *image = trod_new(p->line.in.mem, struct trod_image, 1);

    if (!trod_branch_parse_image(
            image, p->line.in.text, p->line.in.mem, p->line.in.err))
        return false;
    trod_branch_put_image(p->to, image);
    return true;
}

static bool parse_line(struct parser *p, const struct trod_token *head)
{
    if (trod_token_is_word(head, "code"))
        return parse_code(p);
    if (trod_token_is_word(head, "image"))
        return parse_image(p);
    if (trod_token_is_word(head, "run"))
        return parse_run(p);
    if (trod_token_is_word(head, "end"))
        return parse_end(p);
    return trod_parse_fail(
        &p->line.in, "expected a line of branches: image, code, run or end");
}

bool trod_branch_parse(struct trod_branch_sink *to, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.line = {{text, mem, err}, ""}, .to = to};

    if (!trod_parse_end(&p.line.in, "that"))
        return false;
    for (;;) {
        struct trod_token head;

        if (!next(&head, &p.line))
            return false;
        if (head.kind == TROD_T_END)
            return true;
        if (head.kind != TROD_T_LINE && !parse_line(&p, &head))
            return false;
    }
}
