#include "clang/tree/tree_reader.h"

#include <string.h>

static struct read_file *file_at(struct tree_reader *r, CXFile file)
{
    bool is_new;
    uint64_t *at =
        trod_keys_add(&r->file_of, (uint64_t)(uintptr_t)file, &is_new, r->mem);
    struct read_file *f;
    const char *name;

    if (!is_new)
        return &r->file[*at];
    *at = r->nfile;
    trod_reserve(r->mem, r->file, r->nfile, r->room_file);
    f = &r->file[r->nfile++];
    name = copy_taken(clang_getFileName(file), r->mem);
    *f = (struct read_file){.file = file,
        .name = trod_clang_unit_file(r->unit, name, r->mem),
        .base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name};
    f->bytes = clang_getFileContents(r->tu, file, &f->length);
    return f;
}

const struct read_file *read_place(
    struct tree_reader *r, CXSourceLocation at, unsigned *line)
{
    CXFile file;

    clang_getExpansionLocation(at, &file, line, NULL, NULL);
    return file ? file_at(r, file) : NULL;
}

bool read_is_ours(struct tree_reader *r, CXCursor cursor)
{
    CXSourceLocation at = clang_getCursorLocation(cursor);
    const struct read_file *file;
    unsigned line;

    if (clang_Location_isInSystemHeader(at))
        return false;
    file = read_place(r, at, &line);
    return file && file->name;
}

/* The end of a comment or a literal. */
static const char *behind(const char *p, const char *end)
{
    char quote = *p;

    if (quote == '/' && p + 1 < end && (p[1] == '*' || p[1] == '/')) {
        bool block = p[1] == '*';

        for (p += 2; p < end; p++)
            if (block ? *p == '*' && p + 1 < end && p[1] == '/' : *p == '\n')
                return block ? p + 2 : p;
        return end;
    }
    if (quote != '"' && quote != '\'')
        return p + 1;
    for (p++; p < end && *p != quote && *p != '\n'; p++)
        if (*p == '\\' && p + 1 < end)
            p++;
    return p < end ? p + 1 : end;
}

static bool is_in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_';
}

/* A use of a macro is its name and, for function-like macros, the arguments in parentheses. */
unsigned read_last_line(struct tree_reader *r, CXSourceLocation at)
{
    const struct read_file *f;
    const char *p, *end;
    unsigned line, offset;
    int depth = 0;
    CXFile file;

    clang_getExpansionLocation(at, &file, &line, NULL, &offset);
    f = file ? file_at(r, file) : NULL;
    if (!f || !f->bytes || offset >= f->length)
        return line;
    end = f->bytes + f->length;
    for (p = f->bytes + offset; p < end && is_in_name(*p);)
        p++;
    do {
        const char *next = p < end ? behind(p, end) : p;

        depth += p < end && *p == '(' ? 1 : p < end && *p == ')' ? -1 : 0;
        if (!depth && p < end && *p != ' ' && *p != '\t' && *p != '\n' && *p != '\\' &&
            *p != ')')
            break;
        for (; p < next; p++)
            line += *p == '\n';
    } while (p < end && (depth || p[-1] != ')'));
    return line;
}

/* For text that is not in a file, such as the result of ##, clang gives the location of the expansion. */
char read_first_char(struct tree_reader *r, CXSourceLocation at)
{
    const struct read_file *f;
    unsigned offset;
    CXFile file;

    clang_getSpellingLocation(at, &file, NULL, NULL, &offset);
    if (!file)
        return 0;
    f = file_at(r, file);
    return f->bytes && offset < f->length ? f->bytes[offset] : 0;
}
