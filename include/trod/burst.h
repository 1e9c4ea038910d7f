/* burst: handlers that a program runs in bursts, and the options of `trod cc --burst`.
 *
 *     trod cc --burst=types=handler,rate=1000 prog.c handler.c
 *
 * A program that is built with bursts of type handler may define trod_burst_handler. It is called for
 * events in stretches that are on, after trod's own processing: a custom profiler
 * that receives one of so many events and costs nothing in between. doc/production/burst-handler.md is the manual,
 * example/handler.c an example.
 */
#ifndef TROD_BURST_H
#define TROD_BURST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- a handler ------------------------------------------------------------------------------- */

/* Kinds of events. More may be added: ignore unknown ones. */
enum trod_handler_kind {
    TROD_HANDLER_ENTRY = 1, /* a function was entered */
    TROD_HANDLER_BACK = 2,  /* an iteration of one of its loops begins */
    TROD_HANDLER_CALL = 6,  /* a function is about to be called */
    TROD_HANDLER_REF = 8,   /* memory is about to be loaded or stored */
    TROD_HANDLER_PATH = 16  /* a path ended */
};

struct trod_burst_event {
    uint32_t size;     /* of this struct: more fields may be added at the end */
    uint32_t kind;     /* enum trod_handler_kind */
    uint64_t function; /* in which it happens: trod_burst_name of its name */
    uint64_t weight;   /* number of events it stands for */
    union {
        struct {
            uint32_t site;        /* its number in the map of the function */
            const void *function; /* the callee; NULL: see the map */
        } call;
        struct {
            uint32_t site;
            const void *address;
        } ref;
        struct {
            uint64_t id; /* as in the profile */
        } path;
    } of;
};

/* Defined by the program, if it wants to. Called on the stack and by the thread in which the event happens. It may
 * call functions that were built for bursts; events in them are not reported, nor are those of a
 * signal handler that interrupts it. It may be called between any two instructions of the
 * function in which the event happens, so keep it short, and do not call anything that this function may be
 * executing: no malloc, no lock, no stdio. It must return. After an exception or longjmp out of it,
 * the thread reports nothing more.
 */
void trod_burst_handler(const struct trod_burst_event *event);

/* The number of a function in events: 64-bit FNV-1a of its linkage name; for static functions of
 * "file:name", with the file as given to the compiler.
 */
static inline uint64_t trod_burst_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

/* --- options, for trod itself ------------------------------------------------------------------------------------ */

/* The options that affect emitted code. */
struct trod_burst_build {
    uint32_t types; /* bit t: enum trod_burst_type of trod/format.h */
    uint32_t
        trigger; /* enum trod_burst_trigger; test a flag if it is TROD_BURST_FLAG, otherwise
                         subtract */
    uint32_t words;   /* 16, or 1 */
    uint32_t metrics; /* how many are counted for paths besides time */
};

/* Check a text of options: NULL if it is valid, otherwise the reason. Fills *out, unless out is NULL. */
const char *trod_burst_check(const char *text, struct trod_burst_build *out);

/* Apply a text of options to the setting of a running program (trod/format.h, CONTROL): "on", "off", types, rate, burst and
 * budget; others have no effect. trigger: that of the program's code. NULL, or the reason why nothing was changed.
 */
struct trod_format_setting;
struct trod_format_control;
const char *trod_burst_set(
    struct trod_format_setting *setting, uint32_t trigger, const char *text);

/* Would the program follow its setting? */
bool trod_burst_is_possible(const struct trod_format_control *control);

#ifdef __cplusplus
}
#endif

#endif
