#include "model/exact_paths.h"
#include "lift/lift.h"
#include "qemu/guest_set.h"
#include "qemu/plugin_api.h"
#include "qemu/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The plugin: turns blocks into codes when they are translated, and counts paths when they are
 * executed. Writes the result to a file when the process ends.
 */

struct guest_thread {
    struct trod_model_exact exact;
    struct trod_arena mem;
    struct qemu_stream_thread stream;
    struct guest_thread *next;
};

static struct {
    uint64_t id;
    enum qemu_machine machine;
    uint64_t base; /* offset of the guest's memory in ours */
    bool has_base;
    const char *folder; /* output directory */
    char file[4096];    /* output file */
    uint64_t start;     /* seconds since 1970 */
    bool exits;         /* by a system call, not by a signal */
    bool done;
    const char *trace; /* path of the trace file; NULL: none */
    bool accesses;     /* the trace has loads and stores */
    uint64_t most;     /* limit on traced instructions; 0: none */

    pthread_mutex_t lock; /* protects everything below */
    struct trod_arena mem;
    struct guest_thread *threads; /* running threads */
    struct trod_model_exact gone; /* counts of threads that ended */
    struct trod_arena gone_mem;

    struct trod_model_exact_code *first, **end; /* codes, in order of discovery */
    struct trod_model_exact_code **code;        /* by address, open addressing */
    uint64_t mask, ncode;
    uint32_t nimage;                      /* images written to the trace */
    struct qemu_set behind_call, handler; /* sets of addresses */
} guest = {.lock = PTHREAD_MUTEX_INITIALIZER, .end = &guest.first};

static __thread struct guest_thread *self __attribute__((tls_model("initial-exec")));

static void exhausted(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: no memory for the paths of an emulated program\n");
    _exit(70);
}

/* --- threads ---------------------------------------------------------------------------------------- */

static struct guest_thread *thread_new(void)
{
    struct guest_thread *t = calloc(1, sizeof *t);

    if (!t)
        exhausted(NULL);
    trod_arena_init(&t->mem, exhausted, NULL);
    trod_model_exact_init(&t->exact, &t->mem);
    pthread_mutex_lock(&guest.lock);
    t->next = guest.threads;
    guest.threads = t;
    if (guest.trace)
        t->stream.number = qemu_stream_thread();
    pthread_mutex_unlock(&guest.lock);
    return t;
}

/* Called with the lock held. */
static void thread_free(struct guest_thread *t)
{
    struct guest_thread **at = &guest.threads;

    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    trod_arena_free(&t->mem);
    free(t->stream.access);
    free(t);
}

static void stream_end(struct guest_thread *t);

static void on_thread_end(uint64_t id, unsigned vcpu)
{
    (void)id;
    (void)vcpu;
    if (!self)
        return;
    pthread_mutex_lock(&guest.lock);
    if (guest.trace && !guest.done)
        stream_end(self);
    trod_model_exact_add(&guest.gone, &self->exact);
    thread_free(self);
    pthread_mutex_unlock(&guest.lock);
    self = NULL;
}

/* --- traces ---------------------------------------------------------------------------------------------- */

static void stream_images(void)
{
    const struct qemu_image *image;

    for (; (image = qemu_image_each(guest.nimage)); guest.nimage++)
        qemu_stream_image(&image->image);
}

/* Writes the last block of a thread, whose successor is known now. */
static void stream_last(struct guest_thread *t, uint64_t next)
{
    const struct trod_code *code = &t->exact.last->code;
    bool slotted = trod_branch_is_call(code->kind) || code->kind == TROD_BRANCH_RETURN;

    if (code->ninsn) /* it executed a block */
        qemu_stream_run(&t->stream, code, next, slotted ? t->exact.slot : 0);
}

static void stream_run(struct guest_thread *t, const struct trod_model_exact_code *to)
{
    if (qemu_stream_is_full())
        return;
    pthread_mutex_lock(&guest.lock);
    stream_last(t, to->code.pc);
    pthread_mutex_unlock(&guest.lock);
}

/* Ends the trace of a thread. The last block continues with the next address, unless it ends with a
 * branch. */
static void stream_end(struct guest_thread *t)
{
    const struct trod_model_exact_code *last = t->exact.last;

    if (last->code.kind == TROD_BRANCH_NONE)
        stream_last(t, last->code.after);
    qemu_stream_end(&t->stream);
}

static void stream_close(void)
{
    for (struct guest_thread *t = guest.threads; t; t = t->next)
        stream_end(t);
    qemu_stream_close();
}

/* Also in a child of fork: images and codes known so far are written first. */
static void stream_open(void)
{
    guest.nimage = 0;
    qemu_stream_open(guest.trace, qemu_exec_program(), guest.most);
    stream_images();
    for (const struct trod_model_exact_code *code = guest.first; code;
        code = code->next)
        qemu_stream_code(&code->code);
}

static void on_access(unsigned vcpu, uint32_t info, uint64_t address, void *data)
{
    (void)vcpu;
    if (self && !qemu_stream_is_full())
        qemu_stream_access(&self->stream, (uint16_t)(uintptr_t)data, address,
            1u << qemu_api.mem_size_shift(info), qemu_api.mem_is_store(info));
}

/* --- tables by address ---------------------------------------------------------------------------------- */

static void put_code(struct trod_model_exact_code **table, uint64_t mask,
    struct trod_model_exact_code *code)
{
    uint64_t i = qemu_slot_of(code->code.pc);

    while (table[i & mask])
        i++;
    table[i & mask] = code;
}

static void grow_codes(void)
{
    uint64_t room = guest.mask ? 2 * (guest.mask + 1) : 4096;
    struct trod_model_exact_code **new =
        trod_new(&guest.mem, struct trod_model_exact_code *, room);

    for (uint64_t i = 0; guest.mask && i <= guest.mask; i++)
        if (guest.code[i])
            put_code(new, room - 1, guest.code[i]);
    guest.code = new;
    guest.mask = room - 1;
}

/* The emulator may translate the same code repeatedly. It is one code. */
static struct trod_model_exact_code *find_code(const struct trod_code *code)
{
    for (uint64_t i = qemu_slot_of(code->pc); guest.mask; i++) {
        struct trod_model_exact_code *found = guest.code[i & guest.mask];

        if (!found)
            return NULL;
        if (found->code.pc == code->pc && found->code.last == code->last &&
            found->code.after == code->after && found->code.target == code->target &&
            found->code.kind == code->kind && found->code.ninsn == code->ninsn)
            return found;
    }
    return NULL;
}

static struct trod_model_exact_code *add_code(const struct trod_code *code)
{
    struct trod_model_exact_code *new =
        trod_new(&guest.mem, struct trod_model_exact_code, 1);
    const struct qemu_image *image = qemu_image_at(code->pc, guest.base, &guest.mem);

    new->code = *code;
    new->code.number = (uint32_t)guest.ncode;
    new->handler = qemu_set_has(&guest.handler, code->pc);
    new->function = image ? qemu_image_function(image, code->pc) : 0;
    new->entry = new->function == code->pc;
    new->may_land = new->function != 0;
    if (!new->function) {
        new->function = trod_model_exact_function(&self->exact, code);
        new->may_land = new->function &&qemu_set_has(&guest.behind_call, code->pc);
    }
    if (2 * (guest.ncode + 1) > guest.mask)
        grow_codes();
    put_code(guest.code, guest.mask, new);
    *guest.end = new;
    guest.end = &new->next;
    guest.ncode++;
    if (guest.trace) {
        stream_images();
        qemu_stream_code(&new->code);
    }
    return new;
}

/* --- translating ------------------------------------------------------------------------------------------ */

static void on_run(unsigned vcpu, void *data)
{
    (void)vcpu;
    if (__builtin_expect(qemu_death_signal, 0))
        qemu_death_now();
    if (__builtin_expect(!self, 0))
        self = thread_new();
    trod_model_exact_run(&self->exact, data);
}

static void on_run_traced(unsigned vcpu, void *data)
{
    if (self)
        stream_run(self, data);
    on_run(vcpu, data);
}

/* Calls store the return address, and returns load it, so their accesses show the stack pointer.
 * QEMU 7 also reports accesses of later instructions that are made in its helpers.
 */
static void on_slot(unsigned vcpu, uint32_t info, uint64_t address, void *data)
{
    (void)vcpu;
    (void)info;
    if (self->exact.last == data)
        self->exact.slot = address;
}

/* The bytes of an instruction, and those after it if they are available. */
static size_t bytes_of(unsigned char out[QEMU_INSN_BYTES],
    const struct qemu_plugin_insn *insn, size_t *size)
{
    struct iovec to = {.iov_base = out, .iov_len = QEMU_INSN_BYTES}, from = to;
    ssize_t got = 0;

    *size = qemu_api_data(insn, out, QEMU_INSN_BYTES);
    if (guest.machine == QEMU_X86_64 && ((qemu_api.insn_vaddr(insn) + QEMU_INSN_BYTES) ^
                                            qemu_api.insn_vaddr(insn)) >= 4096) {
        from.iov_base = qemu_at(qemu_api.insn_vaddr(insn) + guest.base);
        got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
        if (got < (ssize_t)*size)
            qemu_api_data(insn, out, QEMU_INSN_BYTES);
    }
    return got > (ssize_t)*size ? (size_t)got : *size;
}

/* False: the block is empty. *last: its last instruction. */
static bool code_of(struct trod_code *out, struct qemu_plugin_insn **last,
    const struct qemu_plugin_tb *tb)
{
    size_t count = qemu_api.tb_n_insns(tb), size, have;
    unsigned char bytes[QEMU_INSN_BYTES];
    struct qemu_branch branch;

    if (!count)
        return false;
    *last = qemu_api.tb_get_insn(tb, count - 1);
    out->pc = qemu_api.insn_vaddr(qemu_api.tb_get_insn(tb, 0));
    out->last = qemu_api.insn_vaddr(*last);
    have = bytes_of(bytes, *last, &size);
    out->after = out->last + size;
    qemu_branch_decode(&branch, guest.machine, out->last, bytes, size, have);
    if (!branch.whole && count > 1) {
        /* The last instruction crosses a page, and is part of the next block. */
        *last = qemu_api.tb_get_insn(tb, --count - 1);
        out->after = out->last;
        out->last = qemu_api.insn_vaddr(*last);
        branch = (struct qemu_branch){.kind = TROD_BRANCH_NONE};
    }
    out->kind = branch.kind;
    out->target = branch.target;
    out->ninsn = (uint32_t)count;
    return true;
}

/* Decodes the instructions of a new code, for the trace. */
static const struct trod_insn *insns_of(
    const struct trod_code *code, const struct qemu_plugin_tb *tb)
{
    struct trod_insn *out = trod_new(&guest.mem, struct trod_insn, code->ninsn);

    for (uint32_t i = 0; i < code->ninsn; i++) {
        const struct qemu_plugin_insn *insn = qemu_api.tb_get_insn(tb, i);
        unsigned char bytes[QEMU_INSN_BYTES];

        out[i].pc = qemu_api.insn_vaddr(insn);
        out[i].size = (uint8_t)qemu_api_data(insn, bytes, sizeof bytes);
        qemu_insn_decode(&out[i], guest.machine,
            i + 1 == code->ninsn && code->kind != TROD_BRANCH_NONE, bytes);
    }
    return out;
}

static void note_accesses(const struct trod_code *code, const struct qemu_plugin_tb *tb)
{
    for (uint32_t i = 0; i < code->ninsn; i++)
        qemu_api.register_vcpu_mem_cb(qemu_api.tb_get_insn(tb, i), on_access,
            QEMU_NO_REGISTERS, QEMU_ACCESSES, (void *)(uintptr_t)i);
}

/* The unwinder pops the address of a landing pad right before it jumps there. */
static bool is_pop(const struct qemu_plugin_insn *insn)
{
    unsigned char bytes[QEMU_INSN_BYTES];
    size_t size = qemu_api_data(insn, bytes, sizeof bytes);

    return (size == 1 && (bytes[0] & 0xf8) == 0x58) ||
           (size == 2 && bytes[0] == 0x41 && (bytes[1] & 0xf8) == 0x58);
}

/* Requests the stack addresses of calls and returns. An indirect call through memory loads first
 * and then stores. Both kinds of accesses are requested, because QEMU 7 confuses reads and writes.
 */
static void watch_stack(const struct qemu_plugin_tb *tb, struct qemu_plugin_insn *last,
    struct trod_model_exact_code *code)
{
    if (code->code.kind == TROD_BRANCH_INDIRECT && code->code.ninsn > 1) {
        last = qemu_api.tb_get_insn(tb, code->code.ninsn - 2);
        if (!is_pop(last))
            return;
    } else if (!trod_branch_is_call(code->code.kind) &&
               code->code.kind != TROD_BRANCH_RETURN) {
        return;
    }
    qemu_api.register_vcpu_mem_cb(
        last, on_slot, QEMU_NO_REGISTERS, QEMU_ACCESSES, code);
}

static void on_translated(uint64_t id, struct qemu_plugin_tb *tb)
{
    struct trod_code code = {0};
    struct trod_model_exact_code *found;
    struct qemu_plugin_insn *last;

    (void)id;
    if (!self)
        self = thread_new();
    if (!guest.has_base && qemu_api.tb_n_insns(tb)) {
        const struct qemu_plugin_insn *insn = qemu_api.tb_get_insn(tb, 0);

        guest.base =
            (uint64_t)(uintptr_t)qemu_api.insn_haddr(insn) - qemu_api.insn_vaddr(insn);
        guest.has_base = true;
    }
    if (!code_of(&code, &last, tb))
        return;
    pthread_mutex_lock(&guest.lock);
    found = find_code(&code);
    if (!found) {
        code.insn = guest.trace ? insns_of(&code, tb) : NULL;
        found = add_code(&code);
    }
    if (trod_branch_is_call(code.kind))
        qemu_set_add(&guest.behind_call, code.after, &guest.mem);
    pthread_mutex_unlock(&guest.lock);
    qemu_api.register_vcpu_tb_exec_cb(
        tb, guest.trace ? on_run_traced : on_run, QEMU_NO_REGISTERS, found);
    if (guest.accesses)
        note_accesses(&code, tb);
    if (guest.machine == QEMU_X86_64)
        watch_stack(tb, last, found);
}

/* --- writing --------------------------------------------------------------------------------------------------- */

static void put_bytes(struct trod_sink *sink, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, sink->ctx);
}

static void put_path(struct trod_sink *sink, const struct trod_model_exact_path *path)
{
    struct trod_seen_path out = {.path = {.start = path->start,
                                     .function = path->function,
                                     .length = path->length,
                                     .outcome = trod_model_exact_outcomes(path)},
        .count = path->count,
        .ninsn = path->ninsn,
        .cut = path->cut};

    trod_seen_print_path(sink, &out);
}

static void put_all(
    struct trod_sink *sink, const struct trod_model_exact *sum, bool whole)
{
    struct trod_seen seen = {.program = qemu_exec_program(),
        .start = guest.start,
        .pid = (uint32_t)getpid(),
        .whole = whole,
        .nrun = sum->nrun,
        .nodd = sum->nodd};
    const struct qemu_image *image;

    trod_seen_print_head(sink, &seen);
    for (uint32_t i = 0; (image = qemu_image_each(i)); i++)
        trod_seen_print_image(sink, i, &image->image);
    for (const struct trod_model_exact_code *code = guest.first; code;
        code = code->next)
        trod_seen_print_code(sink, &code->code);
    for (uint64_t i = 0; i <= sum->table->mask; i++)
        if (sum->table->path[i].count) {
            put_path(sink, &sum->table->path[i]);
            seen.ninsn += sum->table->path[i].ninsn;
        }
    trod_seen_print_total(sink, &seen);
}

static void write_seen(bool whole)
{
    struct trod_arena mem;
    struct trod_model_exact sum;
    FILE *out = fopen(guest.file, "we");

    if (!out)
        return;
    pthread_mutex_lock(&guest.lock);
    trod_arena_init(&mem, exhausted, NULL);
    trod_model_exact_init(&sum, &mem);
    trod_model_exact_add(&sum, &guest.gone);
    for (struct guest_thread *t = guest.threads; t; t = t->next)
        trod_model_exact_add(&sum, &t->exact);
    put_all(&(struct trod_sink){.put = put_bytes, .ctx = out}, &sum, whole);
    if (guest.trace)
        stream_close();
    trod_arena_free(&mem);
    pthread_mutex_unlock(&guest.lock);
    fclose(out);
}

static void on_exit_of_all(uint64_t id, void *data)
{
    (void)id;
    (void)data;
    if (!guest.done)
        write_seen(guest.exits);
    guest.done = true;
}

/* --- system calls ------------------------------------------------------------------------------------------------- */

struct calls {
    int64_t sigaction, sigreturn, execve, execveat, kill, exit, exit_group;
};

static const struct calls calls_of_machine[] = {
    [QEMU_X86_64] = {13, 15, 59, 322, 62, 60, 231},
    [QEMU_AARCH64] = {134, 139, 221, 281, 129, 93, 94},
    [QEMU_RISCV64] = {134, 139, 221, 281, 129, 93, 94},
};

/* Records the address of a signal handler. */
static void add_handler(uint64_t action)
{
    uint64_t pc = 0;
    struct iovec to = {.iov_base = &pc, .iov_len = sizeof pc},
                 from = {
                     .iov_base = qemu_at(action + guest.base), .iov_len = sizeof pc};

    if (!action || process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof pc ||
        pc < 2)
        return;
    pthread_mutex_lock(&guest.lock);
    qemu_set_add(&guest.handler, pc, &guest.mem);
    for (uint64_t i = qemu_slot_of(pc); guest.mask && guest.code[i & guest.mask]; i++)
        if (guest.code[i & guest.mask]->code.pc == pc)
            guest.code[i & guest.mask]->handler = true;
    pthread_mutex_unlock(&guest.lock);
}

/* Writes a line for the process that waits for this one. */
static void note(const char *what)
{
    char path[sizeof guest.file + 8];
    FILE *out;

    snprintf(path, sizeof path, "%s/notes", guest.folder);
    out = fopen(path, "ae");
    if (!out)
        return;
    fprintf(out, "process %ld becomes a program that %s: it is not recorded\n",
        (long)getpid(), what);
    fclose(out);
}

static void before_exec(void)
{
    write_seen(true);
}

static void before_death(void)
{
    if (!guest.done)
        write_seen(false);
    guest.done = true;
}

static bool is_last_thread(void)
{
    bool last;

    pthread_mutex_lock(&guest.lock);
    last = guest.threads == self && self && !self->next;
    pthread_mutex_unlock(&guest.lock);
    return last;
}

static void on_call(uint64_t id, unsigned vcpu, int64_t number, uint64_t a1,
    uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
    uint64_t a8)
{
    const struct calls *calls = &calls_of_machine[guest.machine];
    const char *why = NULL;

    (void)id, (void)vcpu, (void)a5, (void)a6, (void)a7, (void)a8;
    if (number == calls->sigreturn)
        self->exact.resumes = true;
    else if (number == calls->sigaction)
        add_handler(a2);
    else if (number == calls->execve)
        qemu_exec_enter(guest.base, AT_FDCWD, a1, a2, a3, before_exec, &why);
    else if (number == calls->execveat)
        qemu_exec_enter(guest.base, (int)a1, a2, a3, a4, before_exec, &why);
    else if (number == calls->kill && (pid_t)a1 == getpid() && a2 == SIGKILL)
        before_death();
    else if (number == calls->exit_group || (number == calls->exit && is_last_thread()))
        guest.exits = true;
    if (why)
        note(why);
}

static void on_call_done(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
    (void)id, (void)vcpu, (void)result;
    if (number == calls_of_machine[guest.machine].sigaction)
        qemu_death_catch();
}

/* --- loading ------------------------------------------------------------------------------------------------ */

static void name_file(void)
{
    for (unsigned i = 0; i < 1000000; i++) {
        int fd;

        snprintf(guest.file, sizeof guest.file, "%s/%ld.%u.seen", guest.folder,
            (long)getpid(), i);
        fd = open(guest.file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            close(fd);
        if (fd >= 0 || errno != EEXIST)
            return;
    }
}

static void before_fork(void)
{
    pthread_mutex_lock(&guest.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&guest.lock);
}

/* A child of fork has not counted anything yet. */
static void after_fork_in_child(void)
{
    pthread_mutex_unlock(&guest.lock);
    while (guest.threads && (guest.threads != self || guest.threads->next))
        thread_free(guest.threads != self ? guest.threads : guest.threads->next);
    trod_arena_free(&guest.gone_mem);
    trod_arena_init(&guest.gone_mem, exhausted, NULL);
    trod_model_exact_init(&guest.gone, &guest.gone_mem);
    if (self)
        trod_model_exact_clear(&self->exact);
    if (guest.trace) {
        qemu_stream_forget();
        stream_open();
        if (self)
            self->stream.number = qemu_stream_thread();
    }
    guest.start = (uint64_t)time(NULL);
    guest.done = guest.exits = false;
    qemu_death_signal = 0;
    name_file();
}

__attribute__((visibility("default"))) int qemu_plugin_install(
    uint64_t id, const struct qemu_info *info, int argc, char **argv);

int qemu_plugin_install(
    uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
    const char *missing;

    guest.id = id;
    guest.machine = qemu_machine_named(info->target);
    if (guest.machine == QEMU_MACHINES || info->is_system) {
        fprintf(stderr,
            "trod: programs for %s are not supported; expected x86_64, "
            "aarch64 or riscv64\n",
            info->target);
        return 1;
    }
    if (!qemu_api_find(info->version.current, &missing)) {
        fprintf(stderr, "trod: this emulator has no %s\n", missing);
        return 1;
    }
    guest.folder = ".";
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0)
            guest.folder = argv[i] + 4;
        else if (strncmp(argv[i], "trace=", 6) == 0)
            guest.trace = argv[i] + 6;
        else if (strcmp(argv[i], "accesses=on") == 0)
            guest.accesses = true;
        else if (strncmp(argv[i], "first=", 6) == 0)
            guest.most = strtoull(argv[i] + 6, NULL, 10);
    }
    guest.start = (uint64_t)time(NULL);
    trod_arena_init(&guest.mem, exhausted, NULL);
    trod_arena_init(&guest.gone_mem, exhausted, NULL);
    trod_model_exact_init(&guest.gone, &guest.gone_mem);
    name_file();
    qemu_exec_init(guest.machine, &guest.mem);
    if (guest.trace)
        stream_open();
    qemu_death_init(before_death);
    qemu_api.register_vcpu_tb_trans_cb(id, on_translated);
    qemu_api.register_vcpu_exit_cb(id, on_thread_end);
    qemu_api.register_vcpu_syscall_cb(id, on_call);
    qemu_api.register_vcpu_syscall_ret_cb(id, on_call_done);
    qemu_api.register_atexit_cb(id, on_exit_of_all, NULL);
    return pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
