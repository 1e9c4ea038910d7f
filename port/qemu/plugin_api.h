/* The part of QEMU's plugin interface that is used.
 *
 * Distributions do not package its header, and it changes. So the functions are declared here, and
 * looked up in the emulator when it loads the plugin. Versions 1 (QEMU 7) to 5 (QEMU 10) are
 * supported.
 */
#ifndef TROD_QEMU_PLUGIN_API_H
#define TROD_QEMU_PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { QEMU_NO_REGISTERS = 0 }; /* callbacks do not use registers */
enum { QEMU_ACCESSES = 3 };     /* memory callbacks: reads and writes */

/* The emulator's description of itself. */
struct qemu_info {
    const char *target; /* "x86_64" */
    struct {
        int least, current;
    } version;
    bool is_system;
    /* more fields follow, for system emulation */
};

typedef void qemu_simple_fn(uint64_t id);
typedef void qemu_data_fn(uint64_t id, void *data);
typedef void qemu_vcpu_fn(uint64_t id, unsigned vcpu);
typedef void qemu_vcpu_data_fn(unsigned vcpu, void *data);
typedef void qemu_translated_fn(uint64_t id, struct qemu_plugin_tb *tb);
typedef void qemu_access_fn(unsigned vcpu, uint32_t info, uint64_t address, void *data);
typedef void qemu_syscall_fn(uint64_t id, unsigned vcpu, int64_t number, uint64_t a1,
    uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
    uint64_t a8);
typedef void qemu_syscall_done_fn(
    uint64_t id, unsigned vcpu, int64_t number, int64_t result);

struct qemu_api {
    int version; /* the emulator's */

    void (*register_vcpu_init_cb)(uint64_t id, qemu_vcpu_fn *fn);
    void (*register_vcpu_exit_cb)(uint64_t id, qemu_vcpu_fn *fn);
    void (*register_vcpu_tb_trans_cb)(uint64_t id, qemu_translated_fn *fn);
    void (*register_vcpu_tb_exec_cb)(
        struct qemu_plugin_tb *tb, qemu_vcpu_data_fn *fn, int registers, void *data);
    void (*register_vcpu_mem_cb)(struct qemu_plugin_insn *insn, qemu_access_fn *fn,
        int registers, int accesses, void *data);
    void (*register_vcpu_syscall_cb)(uint64_t id, qemu_syscall_fn *fn);
    void (*register_vcpu_syscall_ret_cb)(uint64_t id, qemu_syscall_done_fn *fn);
    void (*register_atexit_cb)(uint64_t id, qemu_data_fn *fn, void *data);

    size_t (*tb_n_insns)(const struct qemu_plugin_tb *tb);
    struct qemu_plugin_insn *(*tb_get_insn)(const struct qemu_plugin_tb *tb, size_t i);
    uint64_t (*insn_vaddr)(const struct qemu_plugin_insn *insn);
    void *(*insn_haddr)(const struct qemu_plugin_insn *insn);
    size_t (*insn_size)(const struct qemu_plugin_insn *insn);
    unsigned (*mem_size_shift)(uint32_t info);
    bool (*mem_is_store)(uint32_t info);

    /* Its signature depends on the version: see qemu_api_data. */
    void *insn_data;
};

extern struct qemu_api qemu_api;

/* Look up all functions. False: one is missing, and its name is in *missing. */
bool qemu_api_find(int version, const char **missing);

/* Copy the bytes of an instruction, at most so many. Returns their number. */
size_t qemu_api_data(
    const struct qemu_plugin_insn *insn, unsigned char *out, size_t room);

#endif
