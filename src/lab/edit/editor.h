/* editor: state of an editor. */
#ifndef TROD_EDITOR_H
#define TROD_EDITOR_H

#include "edit/edit.h"

/* An instruction for which some production may fire. */
struct trod_edit_point {
    uint32_t insn;
    struct trod_edit_insn what;
    uint64_t may;      /* productions */
    uint64_t interest; /* their replacements */
    bool is_event;
    bool depends; /* on flags */
    bool known;   /* the cached result for these flags is valid */
    trod_edit_flags flags;
    uint64_t fired;
    uint32_t code_of_access[2]; /* for streams: load, store; from 1 */
};

struct trod_edit_points {
    bool seen;
    uint32_t count;
    struct trod_edit_point *point;
};

/* References, and runs of them. */
struct trod_edit_refs {
    struct trod_stream_ref *ref;
    size_t nref, room;
    struct trod_stream_run *run;
    size_t nrun, room_run;
    bool begins; /* the next reference begins a run */
};

struct trod_edit_thread {
    bool begun;
    uint32_t number;
    uint64_t value[TROD_EDIT_COUNTERS];
    trod_edit_flags flags;
    uint64_t on; /* replacements: those that fired at their last opportunity */
    struct trod_rng rng;
    struct trod_edit_refs *sampled; /* by handler */
    struct trod_edit_refs *all; /* by handler; empty, if another editor records them */
};

/* Editors that share it number codes alike, and find streams of all references once. */
struct trod_edit_reference {
    struct trod_arena *mem;
    const struct trod_editor *writer; /* has all references; NULL: none yet */
    struct trod_stream_names names;
    struct trod_stream_table code_of_pc;
    struct trod_edit_all {
        bool found;
        uint64_t nref; /* of the writer, when they were found */
        struct trod_streams streams;
    } *all; /* by handler */
};

/* Records of a handler: sampled, and exhaustive. */
struct trod_edit_noted {
    bool called; /* by a production */
    struct trod_stream_table member;
    uint64_t *sampled, *all; /* by member */
    size_t room;
    uint64_t nsampled, nall, nburst;
    uint64_t nref_lost;
};

struct trod_edit_micro {
    uint8_t kind, counter; /* enum trod_edit_item_kind: inc, dec, set */
    uint32_t reg;
};

struct trod_edit_micros {
    uint32_t count;
    const struct trod_edit_micro *micro;
};

struct trod_editor {
    const struct trod_edit *edit;
    struct trod_edit_options options;
    struct trod_arena *mem;
    struct trod_edit_counts counts;
    uint64_t *nfired;

    struct trod_edit_micros *control; /* by production */
    struct trod_edit_micros start;
    uint8_t **ops; /* by sequence: classes of its micro-operations, */
    uint32_t *nbefore,
        *nafter;           /* by sequence: micro-operations around the instruction */
    uint64_t *handlers_of; /* by sequence */
    uint64_t conditional;  /* productions that test flags */

    uint8_t *row; /* buffer of operations injected at one position */
    size_t room_row;

    struct trod_edit_points *of_code;
    size_t room_code;
    const struct trod_edit_points *last;

    struct trod_edit_thread **of_thread;
    size_t room_thread;
    struct trod_edit_thread **thread; /* all threads */
    size_t nthread, room_all;

    struct trod_edit_noted *noted; /* by handler */
    struct trod_edit_reference *reference;
    struct trod_stream_table entry;
    uint64_t nref; /* addresses within the limit */
};

/* --- edit_note.c ------------------------------------------------------------------------------- */

/* Record a point at which sequences of interest may fire; some did. */
void trod_edit_note(struct trod_editor *e, struct trod_edit_thread *thread,
    struct trod_edit_point *point, const struct trod_run *run, uint64_t fired);

#endif
