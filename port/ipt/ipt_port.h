/* ipt: Intel PT, by libipt.
 *
 *     packets of a processor, code that was in memory -> runs
 *     runs -> packets
 *
 * Packets contain the outcomes of conditional branches and the targets of indirect ones. Everything
 * in between is reconstructed from the code, which must be available. x86-64 only.
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
    uint64_t nsync;     /* synchronisation points where decoding began */
    uint64_t noverflow; /* the processor lost packets */
    uint64_t nerror;    /* decoding errors, after which it continued */
    const char *error;  /* the first error, as reported by libipt; or NULL */
    uint64_t where;     /* its offset in the packets */
    uint64_t address;   /* and its address in the code */
};

/* Sends the images. */
void trod_ipt_reader_init(struct trod_ipt_reader *reader, struct trod_branch_sink *to,
    const struct trod_ipt_memory *memory, size_t nmemory, struct trod_arena *mem);

/* Decode all packets of a thread. Where packets were lost, or cannot be decoded, the stream has a
 * gap. A last run whose successor is unknown is omitted. The thread ends.
 *
 * fails:  TROD_E_INPUT if there is no synchronisation point
 */
bool trod_ipt_read(struct trod_ipt_reader *reader, struct trod_ipt_health *health,
    uint32_t thread, const uint8_t *packets, size_t npacket,
    struct trod_err *err) TROD_MUST_CHECK;

/* Decode the code between two addresses, with no branch taken: a trod_branch_decoder. ctx: a reader. */
bool trod_ipt_walk(void *ctx, uint64_t pc, uint64_t last,
    void (*take)(void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
    void *to);

/* --- ipt_write.c: from runs to packets ------------------------------------------------------------------- */

/* A sink that writes the packets that a processor would write for one thread; other threads are
 * ignored. Inconsistent runs become asynchronous branches. The kernel is not traced: at a system
 * call, which is recognised by its bytes, packets stop and resume.
 */
struct trod_ipt_writer {
    struct trod_branch_sink sink;
    struct trod_sink *out;
    uint32_t thread;
    bool no_return_compression;
    const struct trod_ipt_memory
        *memory; /* code in which system calls are recognised; may be NULL */
    size_t nmemory;
    uint64_t
        psb_every; /* distance of PSB packets in bytes, approximately; 0: only one */
    struct trod_ipt_writer_state *of;
};

void trod_ipt_writer_init(struct trod_ipt_writer *writer, struct trod_sink *out,
    uint32_t thread, struct trod_arena *mem);

/* Write buffered packets, and free libipt's memory. */
void trod_ipt_writer_finish(struct trod_ipt_writer *writer);

#endif
