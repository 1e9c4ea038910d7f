#include "llvm/source/source_scan.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* --- files ---------------------------------------------------------------------------------------------- */

/* The file that was read last. It is cached. */
static struct {
    struct trod_arena mem;
    bool open;
    LLVMMetadataRef file;
    const char *path;
    const char *bytes;
    size_t length;
    size_t *line; /* offset of each line */
    uint32_t nline;
} text;

static void out_of_memory(void *ctx)
{
    (void)ctx;
    abort();
}

void trod_scan_close(void)
{
    if (text.open)
        trod_arena_free(&text.mem);
    text.open = false;
    text.file = NULL;
    trod_macros_close();
}

static bool read_file(LLVMMetadataRef file)
{
    unsigned length = 0, nfolder = 0;
    const char *name = LLVMDIFileGetFilename(file, &length);
    const char *folder = LLVMDIFileGetDirectory(file, &nfolder);
    struct trod_string path;
    struct trod_err err;
    uint32_t room = 0;
    char *bytes;

    trod_scan_close();
    trod_arena_init(&text.mem, out_of_memory, NULL);
    text.open = true;
    text.file = file;
    text.bytes = text.path = NULL;
    text.length = 0;
    text.line = NULL;
    text.nline = 0;
    trod_string_init(&path, &text.mem);
    if (length && *name != '/' && nfolder)
        trod_put(&path.sink, "%.*s/", (int)nfolder, folder);
    trod_put(&path.sink, "%.*s", (int)length, name);
    text.path = path.text;
    if (!length ||
        !trod_llvm_read_bytes(&bytes, &text.length, path.text, &text.mem, &err))
        return false;
    text.bytes = bytes;
    for (size_t i = 0; i < text.length; i++)
        if (!i || bytes[i - 1] == '\n') {
            trod_reserve(&text.mem, text.line, text.nline, room);
            text.line[text.nline++] = i;
        }
    return true;
}

const char *trod_scan_text_at(LLVMMetadataRef file, uint32_t line, uint32_t column)
{
    size_t at;

    if (!file || !line || !column)
        return NULL;
    if (file != text.file)
        read_file(file);
    if (!text.bytes || line > text.nline)
        return NULL;
    at = text.line[line - 1] + column - 1;
    return at < (line < text.nline ? text.line[line] : text.length) ? text.bytes + at
                                                                    : NULL;
}

uint32_t trod_scan_line_of(const char *at)
{
    size_t offset = (size_t)(at - text.bytes);
    uint32_t low = 0, high = text.nline;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (text.line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

struct trod_scan trod_scan_from(const char *at)
{
    return (struct trod_scan){
        .start = text.bytes, .at = at, .end = text.bytes + text.length};
}

const char *trod_scan_path(void)
{
    return text.path;
}

/* --- tokens ----------------------------------------------------------------------------------------------- */

static bool starts(const struct trod_scan *s, const char *word)
{
    size_t n = strlen(word);

    return (size_t)(s->end - s->at) >= n && memcmp(s->at, word, n) == 0;
}

static bool begins_line(const struct trod_scan *s)
{
    const char *p = s->at;

    while (p > s->start && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == s->start || p[-1] == '\n';
}

bool trod_scan_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

void trod_scan_blanks(struct trod_scan *s)
{
    while (s->at < s->end) {
        if (starts(s, "//")) {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
        } else if (starts(s, "/*")) {
            s->at += 2;
            while (s->at < s->end && !starts(s, "*/"))
                s->at++;
            s->at += s->at < s->end ? 2 : 0;
        } else if (isspace((unsigned char)*s->at) || starts(s, "\\\n")) {
            s->at++;
        } else {
            return;
        }
    }
}

bool trod_scan_at_directive(const struct trod_scan *s)
{
    return s->at < s->end && *s->at == '#' && begins_line(s);
}

void trod_scan_line(struct trod_scan *s, const char **from, const char **to)
{
    *from = s->at;
    while (s->at < s->end && *s->at != '\n') {
        size_t length = starts(s, "\\\n") ? 2 : 1;

        if (starts(s, "/*"))
            for (length = 4;
                s->at + length < s->end && memcmp(s->at + length - 2, "*/", 2) != 0;)
                length++;
        s->at += length;
    }
    *to = s->at;
}

bool trod_scan_next(struct trod_scan *s)
{
    char c;

    trod_scan_blanks(s);
    if (s->at >= s->end || trod_scan_at_directive(s) || starts(s, "R\""))
        return false;
    s->token = s->at;
    c = *s->at++;
    if (c == '"' || c == '\'') {
        while (s->at < s->end && *s->at != c && *s->at != '\n')
            s->at += *s->at == '\\' ? 2 : 1;
        if (s->at >= s->end || *s->at != c)
            return false;
        s->at++;
    } else if (trod_scan_is_word(c)) {
        bool number = isdigit((unsigned char)c);

        while (
            s->at < s->end && (trod_scan_is_word(*s->at) || (number && *s->at == '\'')))
            s->at++;
    } else if (c == '.' && starts(s, "..")) {
        s->at += 2;
    } else if (c == ':' && starts(s, ":")) {
        s->at++;
    }
    s->length = (size_t)(s->at - s->token);
    return true;
}

bool trod_scan_is(const struct trod_scan *s, const char *word)
{
    return s->length == strlen(word) && memcmp(s->token, word, s->length) == 0;
}

bool trod_scan_skip(struct trod_scan *s, char opens, char closes)
{
    unsigned depth = 1;

    while (depth && trod_scan_next(s)) {
        if (s->length == 1 && *s->token == opens)
            depth++;
        else if (s->length == 1 && *s->token == closes)
            depth--;
    }
    return !depth;
}

/* --- parentheses -------------------------------------------------------------------------------------------- */

static bool is_operator(const char *at, enum trod_operator is)
{
    const struct trod_scan s = trod_scan_from(at);

    return at && (is == TROD_JOINS_AND ? starts(&s, "&&") || starts(&s, "and")
                                       : starts(&s, "||") || starts(&s, "or"));
}

bool trod_scan_between(
    int *open, const struct trod_leaf *from, const struct trod_leaf *to)
{
    const char *first = trod_scan_text_at(from->file, from->own_line, from->own_column);
    const char *last = from->file == to->file
                           ? trod_scan_text_at(to->file, to->own_line, to->own_column)
                           : NULL;
    struct trod_scan s = {
        .start = text.bytes, .at = first ? first + 2 : NULL, .end = last};

    if (!is_operator(first, to->before) || !is_operator(last, to[1].before) ||
        last <= first)
        return false;
    *open = 0;
    while (trod_scan_next(&s)) {
        *open += trod_scan_is(&s, "(");
        *open -= trod_scan_is(&s, ")");
    }
    trod_scan_blanks(&s);
    return s.at >= s.end;
}
