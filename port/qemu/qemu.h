/* qemu: profiles of unmodified programs, by a plugin of the emulator.
 *
 *     translated blocks -> codes (branch.h)
 *     executed blocks -> paths, counted (model.h) -> what was seen (lift.h), one file per process
 *
 * QEMU's user mode runs one program, with guest threads as host threads. It calls the plugin when
 * it translates a block, and each time it executes one. Blocks end with branches, or wherever the
 * emulator ends them.
 */
#ifndef TROD_QEMU_H
#define TROD_QEMU_H

#include <signal.h>
#include <string.h>

#include "branch/branch.h"

/* A pointer to an address of this process. */
static inline void *qemu_at(uint64_t address)
{
    void *out;

    memcpy(&out, &address, sizeof out);
    return out;
}

/* --- machine_code.c: branches -------------------------------------------------------------------- */

enum qemu_machine { QEMU_X86_64, QEMU_AARCH64, QEMU_RISCV64, QEMU_MACHINES };

/* By QEMU's name, or by e_machine of ELF; QEMU_MACHINES: unknown. */
enum qemu_machine qemu_machine_named(const char *target);
enum qemu_machine qemu_machine_of_elf(unsigned e_machine);

struct qemu_branch {
    uint8_t kind; /* enum trod_branch_kind */
    uint64_t target;
    bool
        whole; /* false: bytes are missing, and it is not part of this translated block */
};

enum { QEMU_INSN_BYTES = 16 };

/* The kind of branch of an instruction. size: its length according to the emulator; have: bytes
 * available in memory, at least as many.
 *
 * fills:  *out; the target of direct branches
 */
void qemu_branch_decode(struct qemu_branch *out, enum qemu_machine machine, uint64_t pc,
    const unsigned char *bytes, size_t size, size_t have);

/* --- machine_insn.c: operands --------------------------------------------------------------------- */

/* Decode an instruction for core models. Not thread-safe.
 *
 * needs:  pc and size
 * fills:  the rest
 */
void qemu_insn_decode(struct trod_insn *out, enum qemu_machine machine, bool branch,
    const unsigned char *bytes);

/* --- guest_image.c: mapped files ------------------------------------------------------------------ */

struct qemu_image {
    struct trod_image image;
    struct qemu_function {
        uint64_t start, end;
    } *function; /* [nfunction] functions with symbols; ascending */
    uint32_t nfunction;
};

/* The image that contains an address. Reads the mappings of the process again if no known image
 * does. NULL: none. */
const struct qemu_image *qemu_image_at(
    uint64_t pc, uint64_t base, struct trod_arena *mem);

/* The i-th image that was found; NULL: there are fewer. */
const struct qemu_image *qemu_image_each(uint32_t i);

/* The start of the function that contains an address, by symbols; otherwise 0. */
uint64_t qemu_image_function(const struct qemu_image *image, uint64_t pc);

/* --- guest_stream.c: trace files ------------------------------------------------------------------- */

/* The accesses of a thread since its last run. */
struct qemu_stream_thread {
    uint32_t number, naccess, room;
    struct trod_access *access;
};

/* Images and codes must be written before runs that refer to them. These functions are not
 * thread-safe, except the last. */
/* most: limit on instructions; the rest is omitted; 0: no limit */
void qemu_stream_open(const char *path, const char *program, uint64_t most);
/* Is the limit reached? Thread-safe; may return false for a while after. */
bool qemu_stream_is_full(void);
void qemu_stream_image(const struct trod_image *image);
void qemu_stream_code(const struct trod_code *code);
uint32_t qemu_stream_thread(void); /* returns a new number */
void qemu_stream_run(struct qemu_stream_thread *of, const struct trod_code *code,
    uint64_t next, uint64_t slot);
void qemu_stream_end(const struct qemu_stream_thread *of);
void qemu_stream_close(void);
/* In a child after fork: drop the stream, which belongs to the parent. */
void qemu_stream_forget(void);
void qemu_stream_access(struct qemu_stream_thread *of, uint16_t insn, uint64_t address,
    unsigned size, bool store);

/* --- guest_exec.c: execve() ------------------------------------------------------------------------ */

/* Records the command line of this emulator, with its plugin. */
void qemu_exec_init(enum qemu_machine machine, struct trod_arena *mem);

/* The guest's program, or "?". */
const char *qemu_exec_program(void);

/* The guest calls execve(): replace this process by an emulator of that program. Returns if that is
 * impossible; then the guest's own call fails with the reason, or continues outside of the
 * emulator. before() is called first if it is possible.
 *
 * fills:  *why, if it continues outside; otherwise NULL
 */
void qemu_exec_enter(uint64_t base, int folder, uint64_t path, uint64_t argv,
    uint64_t envp, void (*before)(void), const char **why);

/* --- guest_death.c: signals that kill the guest ------------------------------------------------------ */

/* Call this function before a signal kills the emulator. */
void qemu_death_init(void (*on_death)(void));

/* Catch signals that would kill the emulator unnoticed: at first, and when the guest has changed
 * what signals do.
 */
void qemu_death_catch(void);

/* If it is not 0, the guest is to die of this signal where it next begins a block. */
extern volatile sig_atomic_t qemu_death_signal;
_Noreturn void qemu_death_now(void);

#endif
