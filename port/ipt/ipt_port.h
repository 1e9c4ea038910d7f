/* ipt: Intel PT, by libipt.
 *
 *     packets of a processor, code that was in memory -> runs
 *     runs -> packets
 *
 * Packets say which way conditional branches went and where indirect ones did; what is between is read off the
 * code. So that must be there. x86-64 only.
 */
#ifndef TROD_IPT_PORT_H
#define TROD_IPT_PORT_H

#include "branch/branch.h"
#include "base/table.h"

/* Code that was in memory: all bytes from image.start to image.end. */
struct trod_ipt_memory {
    struct trod_image image;
    const uint8_t *bytes;
};

/* --- ipt_read.c: from packets to runs ---------------------------------------------------------------- */

struct trod_ipt_reader {
    struct trod_branch_sink *to;
    const struct trod_ipt_memory *memory;
    size_t nmemory, recent;
    struct trod_arena *mem;
    const struct trod_code **code;
    uint32_t ncode, room;
    struct trod_table codes;
};

struct trod_ipt_health {
    uint64_t ninsn, nrun;
    uint64_t nsync;     /* places where decoding began */
    uint64_t noverflow; /* the processor lost packets */
    uint64_t nerror;    /* decoding failed, and continued behind */
    const char *error;  /* the first of these, in libipt's words; or NULL */
    uint64_t where;     /* its place in the packets */
    uint64_t address;   /* and in the code */
};

/* Sends the images. */
void trod_ipt_reader_init(struct trod_ipt_reader *reader, struct trod_branch_sink *to,
    const struct trod_ipt_memory *memory, size_t nmemory, struct trod_arena *mem);

/* All packets of a thread. Where some were lost, or cannot be, the stream has a gap. A last run of which it is
 * not known where it went is omitted. The thread ends.
 *
 * fails:  TROD_E_INPUT where there is no place to begin
 */
bool trod_ipt_read(struct trod_ipt_reader *reader, struct trod_ipt_health *health,
    uint32_t thread, const uint8_t *packets, size_t npacket,
    struct trod_err *err) TROD_MUST_CHECK;

/* Code between two addresses, with nothing taken in between: what a trod_branch_decoder does. ctx: a reader. */
bool trod_ipt_walk(void *ctx, uint64_t pc, uint64_t last,
    void (*take)(void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
    void *to);

/* --- ipt_write.c: from runs to packets ------------------------------------------------------------------- */

/* A sink that writes what a processor would of one thread; of others nothing. Runs that are odd become
 * asynchronous branches. It does not see what the system does: of a system call, which is known by its bytes,
 * packets say that they end, and begin again.
 */
struct trod_ipt_writer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
    uint32_t thread;
    bool no_return_compression;
    const struct trod_ipt_memory
        *memory; /* where system calls are looked for; may be NULL */
    size_t nmemory;
    uint64_t psb_every; /* bytes, about; 0: once */
    struct trod_ipt_writer_state *of;
};

void trod_ipt_writer_init(struct trod_ipt_writer *writer, struct trod_sink *out,
    uint32_t thread, struct trod_arena *mem);

/* Write what is left, and free what libipt holds. */
void trod_ipt_writer_finish(struct trod_ipt_writer *writer);

#endif
