/* qemu: what an unmodified program does, seen by a plugin of the emulator.
 *
 *     translated blocks -> codes (branch.h)
 *     blocks that run -> paths, counted (model.h) -> what was seen (lift.h), a file for each process
 *
 * QEMU's user mode runs one program at a time, threads as threads, and calls the plugin when it translates a
 * block and each time it runs one. Blocks end with branches, or where it suits the emulator.
 */
#ifndef TROD_QEMU_H
#define TROD_QEMU_H

#include <string.h>

#include "branch/branch.h"

/* What is at an address of this process. */
static inline void *qemu_at(uint64_t address)
{
    void *out;

    memcpy(&out, &address, sizeof out);
    return out;
}

/* --- machine_code.c: what an instruction does ---------------------------------------------------- */

enum qemu_machine { QEMU_X86_64, QEMU_AARCH64, QEMU_RISCV64, QEMU_MACHINES };

/* By QEMU's word for it, or e_machine of ELF; QEMU_MACHINES: unknown. */
enum qemu_machine qemu_machine_named(const char *target);
enum qemu_machine qemu_machine_of_elf(unsigned e_machine);

struct qemu_branch {
    uint8_t kind; /* enum trod_branch_kind */
    uint64_t target;
    bool whole; /* false: bytes are missing, it was not translated here */
};

enum { QEMU_INSN_BYTES = 16 };

/* What kind of branch an instruction is. size: bytes that the emulator says it has; have: those that are in
 * memory, at least as many.
 *
 * fills:  *out; of direct branches the target
 */
void qemu_branch_decode(struct qemu_branch *out, enum qemu_machine machine, uint64_t pc,
    const unsigned char *bytes, size_t size, size_t have);

/* --- machine_insn.c: what it needs and gives ------------------------------------------------------ */

/* For models of cores. Not by two threads at a time.
 *
 * needs:  pc and size
 * fills:  the rest
 */
void qemu_insn_decode(struct trod_insn *out, enum qemu_machine machine, bool branch,
    const unsigned char *bytes);

/* --- guest_image.c: files that are mapped --------------------------------------------------------- */

struct qemu_image {
    struct trod_image image;
    struct qemu_function {
        uint64_t start, end;
    } *function; /* [nfunction], those with symbols; ascending */
    uint32_t nfunction;
};

/* Which image has an address; reads the map of the process anew if none of those known does. NULL: none. */
const struct qemu_image *qemu_image_at(
    uint64_t pc, uint64_t base, struct trod_arena *mem);

/* Those that were asked for, in order; how many there are. */
const struct qemu_image *qemu_image_each(uint32_t i);

/* Where the function begins that has an address, as far as there are symbols; else 0. */
uint64_t qemu_image_function(const struct qemu_image *image, uint64_t pc);

/* --- guest_stream.c: all of it, as a trace file ---------------------------------------------------- */

/* What a thread has accessed since its last run. */
struct qemu_stream_thread {
    uint32_t number, naccess, room;
    struct trod_access *access;
};

/* Images and codes go first. Not by two threads at a time, all of these but the last. */
/* most: instructions, what is after these is omitted; 0: all of them. */
void qemu_stream_open(const char *path, const char *program, uint64_t most);
/* All that was asked for is in it. By any thread, and may be false for a while. */
bool qemu_stream_is_full(void);
void qemu_stream_image(const struct trod_image *image);
void qemu_stream_code(const struct trod_code *code);
uint32_t qemu_stream_thread(void); /* a number for it */
void qemu_stream_run(struct qemu_stream_thread *of, const struct trod_code *code,
    uint64_t next, uint64_t slot);
void qemu_stream_end(const struct qemu_stream_thread *of);
void qemu_stream_close(void);
/* In a child of fork: it is the parent's. */
void qemu_stream_forget(void);
void qemu_stream_access(struct qemu_stream_thread *of, uint16_t insn, uint64_t address,
    unsigned size, bool store);

/* --- guest_exec.c: programs that programs become --------------------------------------------------- */

/* The command line of this emulator, and its plugin. */
void qemu_exec_init(enum qemu_machine machine, struct trod_arena *mem);

/* The guest's program, or "?". */
const char *qemu_exec_program(void);

/* The guest is about to become another program: become an emulator of that. Comes back if that cannot
 * be; then the guest's own attempt fails with the reason, or continues outside of the emulator. before() is called when it can.
 *
 * fills:  *why, where it continues outside; else NULL
 */
void qemu_exec_enter(uint64_t base, int folder, uint64_t path, uint64_t argv,
    uint64_t envp, void (*before)(void), const char **why);

/* --- guest_death.c: programs that signals end -------------------------------------------------------- */

/* Call this before the emulator ends itself by a signal. */
void qemu_death_init(void (*on_death)(void));

#endif
