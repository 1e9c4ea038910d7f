/* tree_reader: turns a unit into constructs. Shared by the files of `trod-clang constructs`.
 *
 *     types, declarations -> expressions -> statements -> functions, classes, data -> text
 *
 * Everything has two hashes, which differ in how locals of a function are identified. One uses
 * their number in order of declaration, so that renaming is not a change. The other uses their
 * name, so that an added declaration does not change all statements after it. Functions are
 * identified by the first, constructs inside of them by the second.
 *
 * Glossary
 *   kid      a child of a cursor; the children of all cursors being read are on one stack
 *   pair     both hashes
 *   item     a construct of the top-level declaration being read
 *   own      of an item: without the items below it. Those are in `below`, and both are in its tree
 */
#ifndef TROD_TREE_READER_H
#define TROD_TREE_READER_H

#include <clang-c/Index.h>

#include "clang/clang_port.h"

/* --- read_string.c: clang's strings -------------------------------------------------------------- */

uint64_t hash_text(const char *text, size_t length);
/* The hash of a CXString, which is freed. */
uint64_t hash_taken(CXString text);
char *copy_taken(CXString text, struct trod_arena *mem);

struct pair {
    uint64_t order, name;
};

static inline void pair_mix(struct pair *pair, uint64_t value)
{
    pair->order = trod_mix(pair->order, value);
    pair->name = trod_mix(pair->name, value);
}

static inline void pair_join(struct pair *pair, struct pair other)
{
    pair->order = trod_mix(pair->order, other.order);
    pair->name = trod_mix(pair->name, other.name);
}

/* --- state --------------------------------------------------------------------------------------- */

struct read_file {
    CXFile file;
    const char *name; /* relative to the root; NULL: outside of the program */
    const char *base; /* the part after the last slash */
    const char *bytes;
    size_t length;
};

/* A declaration that is referred to. */
struct read_decl {
    enum CXCursorKind kind;
    bool local;            /* a local of a function: it has no linkage */
    bool internal;         /* it has internal linkage */
    bool ours;             /* in a file of the program */
    bool queued;           /* an instance of a template that is in the queue */
    bool listed;           /* a method of a local class that is in the queue */
    uint32_t epoch, order; /* of a local: its function, and its number there */
    uint64_t hash;         /* hash of a reference to it, unless it is local */
    uint64_t named;        /* hash of its name */
    const char *name;      /* linkage name; of types, the name in the source */
    const char *file;      /* of its definition, if it is internal */
};

struct read_type {
    uint64_t deep; /* includes the layout of its parts */
    uint64_t flat; /* classes by name only */
};

enum use_kind { USE_CALLS, USE_MAY_CALL, USE_NAMES, USE_TAKEN };

struct read_use {
    enum use_kind kind;
    const struct read_decl *decl;
    uint64_t type;
    uint32_t next; /* next use of the item, + 1 */
};

enum { READ_STATEMENT, READ_LOOP, READ_FUNCTION, READ_CLASS };

struct read_item {
    uint32_t depth;
    int level;
    const char *kind; /* of statements and loops */
    const char *file;
    uint32_t line, last;
    struct pair own, below;
    bool has_below;
    const char *name, *shown;
    bool internal;
    uint32_t first_use, last_use; /* index + 1 */
};

struct tree_reader {
    const struct trod_clang_unit *unit;
    struct trod_arena *mem;
    struct trod_sink *out;
    CXTranslationUnit tu;

    struct trod_keys file_of, decl_of, type_of;
    struct read_file *file;
    uint32_t nfile, room_file;
    struct read_decl **decl;
    uint32_t ndecl, room_decl;
    struct read_type *type;
    uint32_t ntype, room_type;

    CXCursor *kid;
    uint32_t nkid, room_kid;

    struct read_item *item;
    uint32_t nitem, room_item;
    struct read_use *use;
    uint32_t nuse, room_use;
    uint32_t now;                   /* the current item */
    uint32_t epoch, norder;         /* for numbering locals */
    uint32_t first, last;           /* lines of the current top-level declaration */
    const char *base;               /* name of its file without directories */
    bool callee;                    /* the next expression read is a callee */
    const struct read_decl *called; /* callee of the current call of an operator */

    CXCursor *queue; /* instances of templates, and methods of local classes */
    uint32_t nqueue, room_queue;
    const char *in; /* the file printed last */
};

/* Push the children of a cursor. To pop them, set nkid to the returned value. */
uint32_t read_kids(struct tree_reader *r, CXCursor of);

/* --- read_place.c: files and lines ------------------------------------------------------------------ */

/* The file and line where a location was expanded; NULL: not in a file. */
const struct read_file *read_place(
    struct tree_reader *r, CXSourceLocation at, unsigned *line);
/* Is it in a file of the program? */
bool read_is_ours(struct tree_reader *r, CXCursor cursor);
/* The last line of the macro use that begins here. */
unsigned read_last_line(struct tree_reader *r, CXSourceLocation at);
/* The first character of the source text here; 0: unknown. */
char read_first_char(struct tree_reader *r, CXSourceLocation at);

/* --- read_type.c: types ------------------------------------------------------------------------------ */

struct read_type read_type(struct tree_reader *r, CXType type);
/* The name as in the source, without locations. */
const char *read_type_name(struct tree_reader *r, CXType type);
const char *read_cursor_name(struct tree_reader *r, CXCursor cursor);
uint64_t read_cursor_hash(struct tree_reader *r, CXCursor cursor);
/* The size of what a pointer points to, or -1. */
long long read_stride(CXType pointer);

/* --- read_decl.c: declarations ------------------------------------------------------------------------- */

struct read_decl *read_decl(struct tree_reader *r, CXCursor decl);
/* The name as in the source, with its scopes. */
const char *read_shown(struct tree_reader *r, CXCursor cursor);
/* The hashes of a reference to it in the current function. */
struct pair read_reference(struct tree_reader *r, struct read_decl *decl);
/* The number and name of a label. */
struct pair read_label(struct tree_reader *r, const char *name);
void read_use(struct tree_reader *r, enum use_kind kind, const struct read_decl *decl,
    uint64_t type);
/* Of a virtual method: the method it overrides that was declared first. */
uint64_t read_slot(struct tree_reader *r, CXCursor method);

/* --- read_expr.c: expressions, and declarations in functions ---------------------------------------------- */

struct pair read_expr(struct tree_reader *r, CXCursor cursor);

/* --- read_statement.c: statements ------------------------------------------------------------------------- */

/* Begin an item. What is read until read_close belongs to it. */
uint32_t read_open(struct tree_reader *r, CXCursor cursor, int level, const char *kind);
/* End an item, and return to the one before, below which its tree is hashed. */
void read_close(struct tree_reader *r, uint32_t item, uint32_t before);
struct pair read_tree(const struct read_item *item);

void read_statement(struct tree_reader *r, CXCursor cursor);
/* The statements of a compound statement, or a single statement. */
void read_statements(struct tree_reader *r, CXCursor cursor);

/* --- read_top.c: functions, classes and data ---------------------------------------------------------------- */

void read_top(struct tree_reader *r, CXCursor cursor);
/* Read the queue. */
void read_instances(struct tree_reader *r);

/* --- read_print.c: text ----------------------------------------------------------------------------------- */

/* Print the items of a top-level declaration, and drop them. */
void read_print(struct tree_reader *r);

#endif
