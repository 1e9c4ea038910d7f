#include "lift/lift.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

enum { VERSION = 1 };

static const char *const kind_name[TROD_BRANCH_KINDS] = {
    [TROD_BRANCH_NONE] = "none",
    [TROD_BRANCH_IF] = "if",
    [TROD_BRANCH_JUMP] = "jump",
    [TROD_BRANCH_INDIRECT] = "indirect",
    [TROD_BRANCH_CALL] = "call",
    [TROD_BRANCH_CALL_INDIRECT] = "call-indirect",
    [TROD_BRANCH_RETURN] = "return",
};

const char *trod_seen_kind_name(uint8_t kind)
{
    return kind < TROD_BRANCH_KINDS ? kind_name[kind] : "?";
}

/* --- printing ----------------------------------------------------------------------------------- */

static void put_name_or_none(struct trod_sink *sink, const char *name)
{
    trod_put(sink, " ");
    if (name && *name)
        trod_put_name(sink, name);
    else
        trod_put(sink, "-");
}

void trod_seen_print_head(struct trod_sink *sink, const struct trod_seen *seen)
{
    trod_put(sink, "seen %d", VERSION);
    put_name_or_none(sink, seen->program);
    trod_put(sink, " %" PRIu32 " %" PRIu64 " %s\n", seen->pid, seen->start,
        seen->whole ? "whole" : "part");
}

void trod_seen_print_image(
    struct trod_sink *sink, uint32_t number, const struct trod_image *image)
{
    trod_put(sink, "image %" PRIu32, number);
    put_name_or_none(sink, image->path);
    put_name_or_none(sink, image->build_id);
    trod_put(sink, " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 "\n", image->start,
        image->end, image->offset);
}

void trod_seen_print_code(struct trod_sink *sink, const struct trod_code *code)
{
    trod_put(sink,
        "code 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " %s 0x%" PRIx64 " %" PRIu32 "\n",
        code->pc, code->last, code->after, trod_seen_kind_name(code->kind),
        code->target, code->ninsn);
}

static void put_outcomes(struct trod_sink *sink, const struct trod_descriptor *path)
{
    char piece[256];
    size_t n = 0;

    for (uint32_t i = 0; i < path->length; i++) {
        piece[n++] = trod_has(path->outcome, i) ? '1' : '0';
        if (n == sizeof piece) {
            sink->put(sink, piece, n);
            n = 0;
        }
    }
    sink->put(sink, path->length ? piece : "-", path->length ? n : 1);
}

void trod_seen_print_path(struct trod_sink *sink, const struct trod_seen_path *path)
{
    trod_put(sink, "%s 0x%" PRIx64 " 0x%" PRIx64 " ", path->cut ? "cut" : "path",
        path->path.function, path->path.start);
    put_outcomes(sink, &path->path);
    trod_put(sink, " %" PRIu64 " %" PRIu64 "\n", path->count, path->ninsn);
}

void trod_seen_print_total(struct trod_sink *sink, const struct trod_seen *seen)
{
    trod_put(sink, "total %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", seen->nrun,
        seen->ninsn, seen->nodd);
}

void trod_seen_print(struct trod_sink *sink, const struct trod_seen *seen)
{
    trod_seen_print_head(sink, seen);
    for (uint32_t i = 0; i < seen->nimage; i++)
        trod_seen_print_image(sink, i, &seen->image[i]);
    for (uint32_t i = 0; i < seen->ncode; i++)
        trod_seen_print_code(sink, &seen->code[i]);
    for (uint64_t i = 0; i < seen->npath; i++)
        trod_seen_print_path(sink, &seen->path[i]);
    trod_seen_print_total(sink, seen);
}

/* --- parsing ------------------------------------------------------------------------------------ */

/* A file has hundreds of thousands of lines, most of them numbers. They are parsed in place,
 * without a copy of each word in the arena.
 */
struct parser {
    struct trod_seen *out;
    struct trod_parse in;
    struct trod_image *image;
    uint32_t room_image;
    struct trod_code *code;
    uint32_t room_code;
    struct trod_seen_path *path;
    uint64_t room_path;
    bool ended;
};

static void skip_blanks(struct trod_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
}

/* Returns the length of the next word and sets *out to its start; 0 at the end of a line. */
static size_t take_word(const char **out, struct trod_text *text)
{
    skip_blanks(text);
    *out = text->at;
    while (text->at < text->end && *text->at != ' ' && *text->at != '\t' &&
           *text->at != '\r' && *text->at != '\n' && *text->at != '#')
        text->at++;
    return (size_t)(text->at - *out);
}

static bool number_fault(
    struct parser *p, const char *what, const char *word, size_t length)
{
    if (!length)
        return trod_parse_fail(&p->in, "%s is missing", what);
    return trod_parse_fail(&p->in, "expected %s, not '%.*s'", what,
        (int)(length < 40 ? length : 40), word);
}

static bool take_uint(struct parser *p, uint64_t *out, const char *what)
{
    const char *word;
    size_t length = take_word(&word, p->in.text);
    uint64_t value = 0;

    if (!length)
        return number_fault(p, what, word, length);
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(word[i] - '0'), &value))
            return number_fault(p, what, word, length);
    }
    *out = value;
    return true;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_address(struct parser *p, uint64_t *out, const char *what)
{
    const char *word;
    size_t length = take_word(&word, p->in.text);
    uint64_t value = 0;

    if (length < 3 || length > 18 || word[0] != '0' || word[1] != 'x')
        return number_fault(p, what, word, length);
    for (size_t i = 2; i < length; i++) {
        int digit = digit_of(word[i]);

        if (digit < 0)
            return number_fault(p, what, word, length);
        value = value << 4 | (uint64_t)digit;
    }
    *out = value;
    return true;
}

/* A name, or `-`, which is read as NULL. */
static bool take_name_or_none(struct parser *p, const char **out, const char *what)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &p->in))
        return false;
    *out = token.name;
    return token.kind == TROD_T_NAME || trod_token_is_mark(&token, '-') ||
           trod_parse_fail(&p->in, "expected %s, or '-' for none", what);
}

static bool take_u32(struct parser *p, uint32_t *out, const char *what)
{
    uint64_t value;

    if (!take_uint(p, &value, what))
        return false;
    *out = (uint32_t)value;
    return value <= UINT32_MAX ||
           trod_parse_fail(&p->in, "%s is below 2^32, not %" PRIu64, what, value);
}

static bool parse_image(struct parser *p)
{
    struct trod_image *image;
    const char *fault;
    uint64_t number;

    trod_reserve(p->in.mem, p->image, p->out->nimage, p->room_image);
    image = &p->image[p->out->nimage];
    if (!take_uint(p, &number, "the number of an image"))
        return false;
    if (number != p->out->nimage)
        return trod_parse_fail(&p->in, "image %" PRIu32 " comes next, not %" PRIu64,
            p->out->nimage, number);
    if (!take_name_or_none(p, &image->path, "the file of an image") ||
        !take_name_or_none(p, &image->build_id, "a build id") ||
        !take_address(p, &image->start, "an address like 0x401000") ||
        !take_address(p, &image->end, "the address behind an image") ||
        !take_address(p, &image->offset, "an offset like 0x1000") ||
        !trod_parse_end(&p->in, "that"))
        return false;
    fault = trod_seen_image_fault(image);
    if (fault)
        return trod_parse_fail(&p->in, "%s", fault);
    p->out->nimage++;
    return true;
}

static bool take_kind(struct parser *p, uint8_t *out)
{
    const char *word;
    size_t length = take_word(&word, p->in.text);

    for (unsigned k = 0; k < TROD_BRANCH_KINDS; k++) {
        if (length == strlen(kind_name[k]) && memcmp(word, kind_name[k], length) == 0) {
            *out = (uint8_t)k;
            return true;
        }
    }
    return number_fault(
        p, "none, if, jump, indirect, call, call-indirect or return", word, length);
}

static bool parse_code(struct parser *p)
{
    struct trod_code *code;
    const char *fault;

    trod_reserve(p->in.mem, p->code, p->out->ncode, p->room_code);
    code = &p->code[p->out->ncode];
    if (!take_address(p, &code->pc, "the address of a code, like 0x401000") ||
        !take_address(p, &code->last, "the address of its last instruction") ||
        !take_address(p, &code->after, "the address behind it") ||
        !take_kind(p, &code->kind) ||
        !take_address(p, &code->target, "its target, 0x0 for none") ||
        !take_u32(p, &code->ninsn, "a number of instructions") ||
        !trod_parse_end(&p->in, "that"))
        return false;
    fault = trod_seen_code_fault(code);
    if (fault)
        return trod_parse_fail(&p->in, "%s", fault);
    code->number = p->out->ncode++;
    return true;
}

static bool take_outcomes(struct parser *p, struct trod_descriptor *path)
{
    const char *word;
    size_t length = take_word(&word, p->in.text);
    uint64_t *set;

    if (length == 1 && *word == '-')
        return true;
    if (!length || length >= UINT32_MAX)
        return number_fault(p, "outcomes", word, length);
    set = trod_new(p->in.mem, uint64_t, TROD_WORDS(length));
    for (size_t i = 0; i < length; i++) {
        if (word[i] == '1')
            trod_add(set, (uint32_t)i);
        else if (word[i] != '0')
            return number_fault(p, "outcomes, 0 and 1 or '-' for none", word, length);
    }
    path->outcome = set;
    path->length = (uint32_t)length;
    return true;
}

static bool parse_path(struct parser *p)
{
    struct trod_seen_path *path;
    const char *fault;

    trod_reserve(p->in.mem, p->path, p->out->npath, p->room_path);
    path = &p->path[p->out->npath];
    if (!take_address(p, &path->path.function, "a function's address") ||
        !take_address(p, &path->path.start, "the address where a path starts") ||
        !take_outcomes(p, &path->path) || !take_uint(p, &path->count, "a count") ||
        !take_uint(p, &path->ninsn, "a number of instructions") ||
        !trod_parse_end(&p->in, "that"))
        return false;
    fault = trod_seen_path_fault(path);
    if (fault)
        return trod_parse_fail(&p->in, "%s", fault);
    p->out->npath++;
    return true;
}

static bool parse_cut(struct parser *p)
{
    if (!parse_path(p))
        return false;
    p->path[p->out->npath - 1].cut = true;
    return true;
}

static bool parse_total(struct parser *p)
{
    p->ended = true;
    return take_uint(p, &p->out->nrun, "a number of runs") &&
           take_uint(p, &p->out->ninsn, "a number of instructions") &&
           take_uint(p, &p->out->nodd, "a number of odd runs") &&
           trod_parse_end(&p->in, "that");
}

static bool parse_head(struct parser *p)
{
    struct trod_token word;
    uint64_t version;

    do {
        if (!trod_parse_next(&word, &p->in))
            return false;
    } while (word.kind == TROD_T_LINE);
    if (!trod_token_is_word(&word, "seen"))
        return trod_parse_fail(&p->in,
            "not a recording of the emulator: expected 'seen %d PROGRAM PID START whole'",
            VERSION);
    if (!take_uint(p, &version, "a version"))
        return false;
    if (version != VERSION)
        return trod_parse_fail(&p->in,
            "version %" PRIu64 " is unknown; use the version of trod that wrote it",
            version);
    if (!take_name_or_none(p, &p->out->program, "a program") ||
        !take_u32(p, &p->out->pid, "the number of a process") ||
        !take_uint(p, &p->out->start, "seconds since 1970") ||
        !trod_parse_next(&word, &p->in))
        return false;
    p->out->whole = trod_token_is_word(&word, "whole");
    if (!p->out->whole && !trod_token_is_word(&word, "part"))
        return trod_parse_fail(&p->in, "expected 'whole' or 'part'");
    return trod_parse_end(&p->in, "that");
}

static const struct section {
    const char *word;
    bool (*parse)(struct parser *p);
} sections[] = {
    {"path", parse_path},
    {"code", parse_code},
    {"cut", parse_cut},
    {"image", parse_image},
    {"total", parse_total},
};

static bool parse_line(struct parser *p, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (length == strlen(sections[i].word) &&
            memcmp(word, sections[i].word, length) == 0)
            return sections[i].parse(p);
    return number_fault(p, "image, code, path, cut or total", word, length);
}

/* The next line that is not empty, by the rules of trod_text_next. */
static bool next_line(const char **word, size_t *length, struct trod_text *text)
{
    text->line += text->breaks;
    text->breaks = 0;
    *length = take_word(word, text);
    return *length != 0;
}

bool trod_seen_parse(struct trod_seen *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .out = out};
    const char *word;
    size_t length;

    *out = (struct trod_seen){0};
    if (!parse_head(&p))
        return false;
    while (!p.ended && next_line(&word, &length, text))
        if (!parse_line(&p, word, length))
            return false;
    if (!p.ended)
        return trod_text_fail(text, err,
            "the line 'total' is missing: the file was truncated, or is still being written");
    if (text->at < text->end)
        return trod_text_fail(
            text, err, "unexpected text after the line 'total'; remove it");
    out->image = p.image;
    out->code = p.code;
    out->path = p.path;
    return true;
}
