#include "clang/reading.h"

#include <string.h>

static struct read_file *file_at(struct reading *r, CXFile file)
{
    bool is_new;
    uint32_t *at = memo_at(&r->file_of, (uint64_t)(uintptr_t)file, &is_new, r->mem);
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
    struct reading *r, CXSourceLocation at, unsigned *line)
{
    CXFile file;

    clang_getExpansionLocation(at, &file, line, NULL, NULL);
    return file ? file_at(r, file) : NULL;
}

bool read_is_ours(struct reading *r, CXCursor cursor)
{
    CXSourceLocation at = clang_getCursorLocation(cursor);
    const struct read_file *file;
    unsigned line;

    if (clang_Location_isInSystemHeader(at))
        return false;
    file = read_place(r, at, &line);
    return file && file->name;
}

/* What is not in a file, such as what ## made, is said to be where it was expanded. */
char read_first_char(struct reading *r, CXSourceLocation at)
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
