#include "qemu/plugin_api.h"

#include <dlfcn.h>
#include <string.h>

struct qemu_api qemu_api;

/* The emulator checks the interface version of a plugin and refuses versions it does not support.
 * So this reports the emulator's own version, which is derived from the symbols it exports.
 */
__attribute__((visibility("default"))) int qemu_plugin_version = 1;

__attribute__((constructor)) static void find_version(void)
{
    static const struct {
        int version;
        const char *first;
    } known[] = {{5, "qemu_plugin_write_memory_vaddr"},
        {4, "qemu_plugin_read_memory_vaddr"}, {3, "qemu_plugin_update_ns"},
        {2, "qemu_plugin_scoreboard_new"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (dlsym(RTLD_DEFAULT, known[i].first)) {
            qemu_plugin_version = known[i].version;
            return;
        }
}

bool qemu_api_find(int version, const char **missing)
{
#define WANTED(name) {"qemu_plugin_" #name, &qemu_api.name}
    const struct {
        const char *name;
        void *at;
    } wanted[] = {
        WANTED(register_vcpu_init_cb),
        WANTED(register_vcpu_exit_cb),
        WANTED(register_vcpu_tb_trans_cb),
        WANTED(register_vcpu_tb_exec_cb),
        WANTED(register_vcpu_mem_cb),
        WANTED(register_vcpu_syscall_cb),
        WANTED(register_vcpu_syscall_ret_cb),
        WANTED(register_atexit_cb),
        WANTED(tb_n_insns),
        WANTED(tb_get_insn),
        WANTED(insn_vaddr),
        WANTED(insn_haddr),
        WANTED(insn_size),
        WANTED(mem_size_shift),
        WANTED(mem_is_store),
        WANTED(insn_data),
    };
#undef WANTED

    qemu_api.version = version;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *found = dlsym(RTLD_DEFAULT, wanted[i].name);

        if (!found) {
            *missing = wanted[i].name;
            return false;
        }
        memcpy(wanted[i].at, &found, sizeof found);
    }
    return true;
}

size_t qemu_api_data(
    const struct qemu_plugin_insn *insn, unsigned char *out, size_t room)
{
    size_t size = qemu_api.insn_size(insn);

    if (size > room)
        size = room;
    if (qemu_api.version >= 3) {
        size_t (*copy)(const struct qemu_plugin_insn *, void *, size_t);

        memcpy(&copy, &qemu_api.insn_data, sizeof copy);
        return copy(insn, out, size);
    } else {
        const void *(*bytes)(const struct qemu_plugin_insn *);

        memcpy(&bytes, &qemu_api.insn_data, sizeof bytes);
        memcpy(out, bytes(insn), size);
        return size;
    }
}
