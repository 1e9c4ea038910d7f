/* tree_reader: how a unit becomes constructs; what the files of `trod-clang constructs` share.
 *
 *     types, declarations -> expressions -> statements -> functions, classes, data -> text
 *
 * Everything has two hashes, which differ in what a local of a function is: in one its number, in the order of
 * declarations, so that another name is not a change; in the other its name, so that a declaration that was added does not
 * change all statements after it. Functions are identified by the first, what is in them by the second.
 *
 * Glossary
 *   kid      a cursor below another; those of all that is being read are on one stack
 *   pair     both hashes
 *   item     a construct of the top-level declaration that is being read
 *   own      of an item: without the items below it; they go into `below`, and both into its tree
 */
#ifndef TROD_TREE_READER_H
#define TROD_TREE_READER_H

#include <clang-c/Index.h>

#include "clang/clang_port.h"

/* --- read_string.c: strings of clang's ----------------------------------------------------------- */

uint64_t hash_text(const char *text, size_t length);
/* Of a string of clang's, which is freed. */
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

/* --- the state of all of it ---------------------------------------------------------------------- */

struct read_file {
    CXFile file;
    const char *name; /* relative to the root; NULL: not of the program */
    const char *base; /* what is after the last slash */
    const char *bytes;
    size_t length;
};

/* A declaration that something refers to. */
struct read_decl {
    enum CXCursorKind kind;
    bool local;            /* of a function: it has no linkage */
    bool internal;         /* static */
    bool ours;             /* in the program's own files */
    bool queued;           /* an instance of a template: it is read, or will be */
    bool listed;           /* a method of a class in a function: the same */
    uint32_t epoch, order; /* of a local: the function, and its number there */
    uint64_t hash;         /* what a reference to it is, if it is not a local */
    uint64_t named;        /* hash of its name */
    const char *name;      /* linkage name; of types how people write them */
    const char *file;      /* of its definition, if internal */
};

struct read_type {
    uint64_t deep; /* with the layout of what it holds */
    uint64_t flat; /* with names of classes and no more */
};

enum use_kind { USE_CALLS, USE_MAY_CALL, USE_NAMES, USE_TAKEN };

struct read_use {
    enum use_kind kind;
    const struct read_decl *decl;
    uint64_t type;
    uint32_t next; /* of the item, + 1 */
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
    uint32_t first_use, last_use; /* + 1 */
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
    uint32_t now;           /* the item that is being read */
    uint32_t epoch, norder; /* of locals */
    uint32_t first, last; /* lines of the function or declaration that is being read */
    const char *base;     /* name of its file without folders */
    bool callee;          /* what is read next is called */
    const struct read_decl *called; /* by the call that is being read, an operator */

    CXCursor *queue; /* instances of templates, and methods of classes in functions */
    uint32_t nqueue, room_queue;
    const char *in; /* the file that was printed last */
};

/* Push what is below a cursor; pop it by setting nkid back to what this returns. */
uint32_t read_kids(struct tree_reader *r, CXCursor of);

/* --- read_place.c: files and lines ------------------------------------------------------------------ */

/* The file and line that a place in the unit was expanded at; NULL: in none. */
const struct read_file *read_place(
    struct tree_reader *r, CXSourceLocation at, unsigned *line);
/* Is it of the program's own files? */
bool read_is_ours(struct tree_reader *r, CXCursor cursor);
/* The last line of the use of a macro that begins here. */
unsigned read_last_line(struct tree_reader *r, CXSourceLocation at);
/* The first character that was written for what begins here; 0: unknown. */
char read_first_char(struct tree_reader *r, CXSourceLocation at);

/* --- read_type.c: types ------------------------------------------------------------------------------ */

struct read_type read_type(struct tree_reader *r, CXType type);
/* As people write it, without places. */
const char *read_type_name(struct tree_reader *r, CXType type);
const char *read_cursor_name(struct tree_reader *r, CXCursor cursor);
uint64_t read_cursor_hash(struct tree_reader *r, CXCursor cursor);
/* Bytes of what a pointer points to, or -1. */
long long read_stride(CXType pointer);

/* --- read_decl.c: what is referred to ------------------------------------------------------------------ */

struct read_decl *read_decl(struct tree_reader *r, CXCursor decl);
/* As people write it, with the scopes it is in. */
const char *read_shown(struct tree_reader *r, CXCursor cursor);
/* What a reference to it is, in the function that is being read. */
struct pair read_reference(struct tree_reader *r, struct read_decl *decl);
/* The number and name of a label. */
struct pair read_label(struct tree_reader *r, const char *name);
void read_use(struct tree_reader *r, enum use_kind kind, const struct read_decl *decl,
    uint64_t type);
/* Of a virtual method, the one that was declared first; others override it. */
uint64_t read_slot(struct tree_reader *r, CXCursor method);

/* --- read_expr.c: expressions, and declarations in functions ---------------------------------------------- */

struct pair read_expr(struct tree_reader *r, CXCursor cursor);

/* --- read_statement.c: statements ------------------------------------------------------------------------- */

/* A new item; what is between is read into it. */
uint32_t read_open(struct tree_reader *r, CXCursor cursor, int level, const char *kind);
/* Back to what was being read: the tree of the item goes into what is below that. */
void read_close(struct tree_reader *r, uint32_t item, uint32_t before);
struct pair read_tree(const struct read_item *item);

void read_statement(struct tree_reader *r, CXCursor cursor);
/* The statements of a compound one, or the one that it is. */
void read_statements(struct tree_reader *r, CXCursor cursor);

/* --- read_top.c: functions, classes and data ---------------------------------------------------------------- */

void read_top(struct tree_reader *r, CXCursor cursor);
/* Those in the queue. */
void read_instances(struct tree_reader *r);

/* --- read_print.c: text ----------------------------------------------------------------------------------- */

/* Print what was read of a declaration at file scope, and forget it. */
void read_print(struct tree_reader *r);

#endif
