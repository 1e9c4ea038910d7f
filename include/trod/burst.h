/* burst: what a program may do in bursts of its own, and what `trod cc --burst` takes for options.
 *
 *     trod cc --burst=types=handler,rate=1000 prog.c handler.c
 *
 * A program that is built for bursts of type handler may define trod_burst_handler. It is then called for
 * what happens in the stretches that are on, after what trod itself does there: a profiler of one's own,
 * which is handed one of so many events and costs nothing in between. doc/production/burst-handler.md is the manual,
 * example/handler.c a program that has one.
 */
#ifndef TROD_BURST_H
#define TROD_BURST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- a handler ------------------------------------------------------------------------------- */

/* What is called for. More may be added: pass over those you do not know. */
enum trod_handler_kind {
    TROD_HANDLER_ENTRY = 1, /* a function was entered */
    TROD_HANDLER_BACK = 2,  /* an iteration of one of its loops begins */
    TROD_HANDLER_CALL = 6,  /* a function is about to be called */
    TROD_HANDLER_REF = 8,   /* memory is about to be loaded or stored */
    TROD_HANDLER_PATH = 16  /* a path has come to its end */
};

struct trod_burst_event {
    uint32_t size;     /* of this struct: more fields may be added behind these */
    uint32_t kind;     /* enum trod_handler_kind */
    uint64_t function; /* that it happens in: trod_burst_name of its name */
    uint64_t weight;   /* it stands for so many */
    union {
        struct {
            uint32_t site;        /* its number in the map of the function */
            const void *function; /* that is called; NULL: see the map */
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

/* Defined by the program, if it wants to. Called on the stack and by the thread that it happens in, where
 * functions that were built for bursts may be called from: what they do is not seen, and neither is
 * what a signal handler does that comes meanwhile. It may be called between any two instructions of the
 * function that it happens in, so let it be short, and call nothing that this function may be in the
 * middle of: no malloc, no lock, no stdio. It must return. An exception or longjmp that leaves it leaves
 * trod in the middle: nothing more is seen of the thread.
 */
void trod_burst_handler(const struct trod_burst_event *event);

/* What a function is called by in events: FNV-1a, 64 bits, of its linkage name; for static ones of
 * "file:name", the file as the compiler was given it.
 */
static inline uint64_t trod_burst_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

/* --- options, for trod itself ------------------------------------------------------------------------------------ */

/* What of the options goes into emitted code. */
struct trod_burst_build {
    uint32_t types; /* bit t: enum trod_burst_type of trod/format.h */
    uint32_t
        trigger; /* enum trod_burst_trigger; check a flag if it is TROD_BURST_FLAG, else
                         subtract */
    uint32_t words; /* 16, or 1 */
};

/* Whether a text of options is one: NULL, or why not. Unless out is NULL, what it says to compilers. */
const char *trod_burst_check(const char *text, struct trod_burst_build *out);

#ifdef __cplusplus
}
#endif

#endif
