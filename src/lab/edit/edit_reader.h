/* edit_reader: state of the reader of productions. */
#ifndef TROD_EDIT_READER_H
#define TROD_EDIT_READER_H

#include "edit/edit.h"
#include "edit/edit_token.h"

struct trod_edit_reader {
    const struct trod_edit_token *token; /* of a file; the last is its end */
    uint32_t at;
    struct trod_arena *mem;
    struct trod_err *err;

    uint32_t bits;
    const struct trod_edit_token *bits_at; /* NULL: not requested */
    /* Growing arrays; beside each, where it stands in the text. */
    struct trod_edit_register *reg;
    const struct trod_edit_token **reg_at, **with_at;
    uint32_t nregister, room_register;
    struct trod_edit_handler *handler;
    const struct trod_edit_token **handler_at;
    uint32_t nhandler, room_handler;
    struct trod_edit_sequence *sequence;
    const struct trod_edit_token **sequence_at;
    uint32_t nsequence, room_sequence;
    struct trod_edit_production *production;
    const struct trod_edit_token **production_at, **replacement_at;
    uint32_t nproduction, room_production;
    struct trod_edit_term *term;
    uint32_t nterm, room_term;
    struct trod_edit_item *item;
    const struct trod_edit_token **item_at; /* its name */
    uint32_t nitem, room_item;
};

static inline const struct trod_edit_token *trod_edit_look(
    const struct trod_edit_reader *r)
{
    return &r->token[r->at];
}

/* Take a token and advance; stays at the end. */
static inline const struct trod_edit_token *trod_edit_take(struct trod_edit_reader *r)
{
    const struct trod_edit_token *t = &r->token[r->at];

    r->at += t->kind != TROD_EDIT_T_END;
    return t;
}

static inline bool trod_edit_is_mark(const struct trod_edit_token *t, int mark)
{
    return t->kind == TROD_EDIT_T_MARK && t->mark == mark;
}

/* --- edit_words.c ---------------------------------------------------------------------- */

bool trod_edit_is_word(const struct trod_edit_token *t, const char *word);

/* The token as it is in the text, for messages: quoted, or `the end`. */
const char *trod_edit_quote(const struct trod_edit_token *t, struct trod_arena *mem);

/* `inc_3` for "inc_" is 3, and true. *out is UINT32_MAX when there is no such counter. */
bool trod_edit_numbered(
    uint32_t *out, const struct trod_edit_token *t, const char *prefix);

/* The counter of such a word. */
bool trod_edit_take_counter(struct trod_edit_reader *r, uint8_t *out, uint32_t number,
    const struct trod_edit_token *t) TROD_MUST_CHECK;

/* What must come next; `what` says in messages what was expected. A name is none that means something else. */
bool trod_edit_take_name(struct trod_edit_reader *r, const struct trod_edit_token **out,
    const char *what) TROD_MUST_CHECK;
bool trod_edit_take_mark(
    struct trod_edit_reader *r, int mark, const char *what) TROD_MUST_CHECK;
bool trod_edit_take_number(
    struct trod_edit_reader *r, uint64_t *out, const char *what) TROD_MUST_CHECK;

/* --- edit_pattern.c ----------------------------------------------------------------- */

/* Read up to the first token that cannot be part of it. */
bool trod_edit_take_pattern(
    struct trod_edit_reader *r, uint32_t *first, uint32_t *count) TROD_MUST_CHECK;

/* --- edit_bind.c ---------------------------------------------------------------------- */

/* Resolve names to numbers, after everything was read. */
bool trod_edit_bind(struct trod_edit_reader *r, uint32_t *start) TROD_MUST_CHECK;

/* Compute values of registers and costs of handlers. */
bool trod_edit_fill(struct trod_edit_reader *r,
    const struct trod_edit_settings *settings) TROD_MUST_CHECK;

bool trod_edit_fits_handler(struct trod_edit_reader *r,
    const struct trod_edit_token *at, uint64_t nop) TROD_MUST_CHECK;

#endif
