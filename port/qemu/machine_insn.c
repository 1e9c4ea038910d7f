#include "qemu/qemu.h"

#include <string.h>

#include <capstone/capstone.h>

/* Which registers an instruction reads and writes, for core models. Registers that overlap are one:
 * al and rax, s0 and v0. An instruction unknown to the disassembler is a plain one without
 * operands.
 */

enum { FLAGS = 17, FLOATS = 32, OTHERS = 96, LAST = TROD_INSN_REGISTERS };

/* --- registers ------------------------------------------------------------------------------------ */

static uint8_t other(unsigned reg)
{
    return (uint8_t)(OTHERS + reg % (LAST - OTHERS));
}

static bool among(unsigned reg, unsigned first, unsigned last)
{
    return reg >= first && reg <= last;
}

/* Each row lists all names of one register. */
static uint8_t x86_general(unsigned reg)
{
    static const uint8_t names[16][5] = {
        {X86_REG_AL, X86_REG_AH, X86_REG_AX, X86_REG_EAX, X86_REG_RAX},
        {X86_REG_BL, X86_REG_BH, X86_REG_BX, X86_REG_EBX, X86_REG_RBX},
        {X86_REG_CL, X86_REG_CH, X86_REG_CX, X86_REG_ECX, X86_REG_RCX},
        {X86_REG_DL, X86_REG_DH, X86_REG_DX, X86_REG_EDX, X86_REG_RDX},
        {X86_REG_SIL, X86_REG_SI, X86_REG_ESI, X86_REG_RSI, 0},
        {X86_REG_DIL, X86_REG_DI, X86_REG_EDI, X86_REG_RDI, 0},
        {X86_REG_BPL, X86_REG_BP, X86_REG_EBP, X86_REG_RBP, 0},
        {X86_REG_SPL, X86_REG_SP, X86_REG_ESP, X86_REG_RSP, 0},
    };

    if (among(reg, X86_REG_R8, X86_REG_R15))
        return (uint8_t)(9 + reg - X86_REG_R8);
    if (among(reg, X86_REG_R8B, X86_REG_R15B))
        return (uint8_t)(9 + reg - X86_REG_R8B);
    if (among(reg, X86_REG_R8D, X86_REG_R15D))
        return (uint8_t)(9 + reg - X86_REG_R8D);
    if (among(reg, X86_REG_R8W, X86_REG_R15W))
        return (uint8_t)(9 + reg - X86_REG_R8W);
    for (uint8_t i = 0; i < 8; i++)
        if (memchr(names[i], (int)reg, sizeof names[i]))
            return i + 1;
    return 0;
}

static uint8_t x86_register(unsigned reg)
{
    uint8_t general = x86_general(reg);

    if (general)
        return general;
    if (reg == X86_REG_EFLAGS)
        return FLAGS;
    if (among(reg, X86_REG_XMM0, X86_REG_XMM31))
        return (uint8_t)(FLOATS + reg - X86_REG_XMM0);
    if (among(reg, X86_REG_YMM0, X86_REG_YMM31))
        return (uint8_t)(FLOATS + reg - X86_REG_YMM0);
    if (among(reg, X86_REG_ZMM0, X86_REG_ZMM31))
        return (uint8_t)(FLOATS + reg - X86_REG_ZMM0);
    if (reg == X86_REG_RIP || reg == X86_REG_EIP ||
        among(reg, X86_REG_CS, X86_REG_CS) || reg == X86_REG_FS || reg == X86_REG_GS ||
        reg == X86_REG_SS)
        return 0;
    return other(reg);
}

static uint8_t aarch64_float(unsigned reg)
{
    static const unsigned first[] = {ARM64_REG_B0, ARM64_REG_H0, ARM64_REG_S0,
        ARM64_REG_D0, ARM64_REG_Q0, ARM64_REG_V0};

    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (among(reg, first[i], first[i] + 31))
            return (uint8_t)(FLOATS + reg - first[i]);
    return 0;
}

static uint8_t aarch64_register(unsigned reg)
{
    uint8_t vector = aarch64_float(reg);

    if (vector)
        return vector;
    if (reg == ARM64_REG_NZCV)
        return OTHERS - 1;
    if (reg == ARM64_REG_XZR || reg == ARM64_REG_WZR)
        return 0;
    if (among(reg, ARM64_REG_X0, ARM64_REG_X28))
        return (uint8_t)(1 + reg - ARM64_REG_X0);
    if (among(reg, ARM64_REG_W0, ARM64_REG_W30))
        return (uint8_t)(1 + reg - ARM64_REG_W0);
    if (reg == ARM64_REG_FP)
        return 30;
    if (reg == ARM64_REG_LR)
        return 31;
    if (reg == ARM64_REG_SP || reg == ARM64_REG_WSP)
        return FLOATS + 32;
    return other(reg);
}

static uint8_t register_of(enum qemu_machine machine, unsigned reg)
{
    return machine == QEMU_X86_64 ? x86_register(reg) : aarch64_register(reg);
}

static void add(uint8_t *to, size_t room, uint8_t reg)
{
    for (size_t i = 0; reg && i < room; i++) {
        if (to[i] == reg)
            return;
        if (!to[i]) {
            to[i] = reg;
            return;
        }
    }
}

static void add_registers(
    struct trod_insn *out, enum qemu_machine machine, csh handle, const cs_insn *insn)
{
    cs_regs reads, writes;
    uint8_t nread, nwrite;

    if (cs_regs_access(handle, insn, reads, &nread, writes, &nwrite) != CS_ERR_OK)
        return;
    for (uint8_t i = 0; i < nread; i++)
        add(out->source, TROD_INSN_SOURCES, register_of(machine, reads[i]));
    for (uint8_t i = 0; i < nwrite; i++)
        add(out->target, TROD_INSN_TARGETS, register_of(machine, writes[i]));
}

/* --- classes --------------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *const *with)
{
    for (; *with; with++)
        if (strncmp(name, *with, strlen(*with)) == 0)
            return true;
    return false;
}

static bool has_floats(const struct trod_insn *insn)
{
    for (int i = 0; i < TROD_INSN_SOURCES; i++)
        if (among(insn->source[i], FLOATS, FLOATS + 31))
            return true;
    for (int i = 0; i < TROD_INSN_TARGETS; i++)
        if (among(insn->target[i], FLOATS, FLOATS + 31))
            return true;
    return false;
}

static uint8_t class_of(const struct trod_insn *insn, const char *name)
{
    static const char *const nothing[] = {"nop", "c.nop", "endbr", "hint", "bti", NULL};
    static const char *const system[] = {"syscall", "cpuid", "mfence", "lfence",
        "sfence", "xgetbv", "rdtsc", "svc", "dmb", "dsb", "isb", "ecall", "fence",
        NULL};
    static const char *const multiply[] = {
        "mul", "imul", "smul", "umul", "madd", "msub", "smadd", "umadd", NULL};
    static const char *const divide[] = {"div", "idiv", "sdiv", "udiv", "rem", NULL};
    static const char *const move[] = {"mov", "vmov", "fmov", "fmv", "fld", "flw",
        "fsd", "fsw", "ld", "st", "c.fld", "c.fsd", NULL};

    if (begins(name, nothing))
        return TROD_INSN_NOTHING;
    if (begins(name, system))
        return TROD_INSN_SYSTEM;
    if (has_floats(insn) && !begins(name, move))
        return strstr(name, "mul") || strstr(name, "madd") || strstr(name, "msub")
                   ? TROD_INSN_FLOAT_MULTIPLY
               : strstr(name, "div") || strstr(name, "sqrt") ? TROD_INSN_FLOAT_DIVIDE
                                                             : TROD_INSN_FLOAT;
    return begins(name, multiply) ? TROD_INSN_MULTIPLY
           : begins(name, divide) ? TROD_INSN_DIVIDE
                                  : TROD_INSN_ALU;
}

/* --- accesses --------------------------------------------------------------------------------------- */

static void x86_accesses(struct trod_insn *out, const cs_x86 *of, const char *name)
{
    static const char *const none[] = {"lea", "nop", "prefetch", "endbr", NULL};
    static const char *const move[] = {"mov", "vmov", "set", "fst", "fist", "pextr",
        "vpextr", "extract", "vextract", "stmxcsr", "vstmxcsr", NULL};
    static const char *const down[] = {"push", "call", "lcall", "enter", NULL};
    static const char *const up[] = {"pop", "ret", "leave", "iret", NULL};
    static const char *const area[] = {
        "xsave", "fxsave", "xrstor", "fxrstor", "fnsave", "frstor", "cmpxchg", NULL};

    for (uint8_t i = 0; i < of->op_count && !begins(name, none); i++) {
        uint8_t access = of->operands[i].access;

        if (of->operands[i].type != X86_OP_MEM)
            continue;
        if (begins(name, move)) /* capstone reports all vector accesses as loads */
            access = i == 0 ? CS_AC_WRITE : CS_AC_READ;
        out->nload += !(access & CS_AC_WRITE) || access & CS_AC_READ;
        out->nstore += (access & CS_AC_WRITE) || !(access & CS_AC_READ);
    }
    out->nstore += begins(name, down) || begins(name, area);
    out->nload += begins(name, up) || begins(name, area);
}

static void aarch64_accesses(struct trod_insn *out, const char *name)
{
    static const char *const both[] = {"ldadd", "ldset", "ldclr", "ldeor", "ldsmax",
        "ldsmin", "ldumax", "ldumin", "cas", "swp", "dc", "stxr", "stlxr", "stxp",
        "stlxp", NULL};
    static const char *const arm_load[] = {"ld", NULL};
    static const char *const arm_store[] = {"st", NULL};

    if (begins(name, both))
        out->nload = out->nstore = 1;
    else if (begins(name, arm_load))
        out->nload =
            strncmp(name, "ldp", 3) == 0 || strncmp(name, "ldnp", 4) == 0 ? 2 : 1;
    else if (begins(name, arm_store))
        out->nstore =
            strncmp(name, "stp", 3) == 0 || strncmp(name, "stnp", 4) == 0 ? 2 : 1;
}

/* The mnemonic without prefixes such as "lock". */
static const char *name_of(const cs_insn *insn)
{
    const char *blank = strrchr(insn->mnemonic, ' ');

    return blank ? blank + 1 : insn->mnemonic;
}

static void add_accesses(
    struct trod_insn *out, enum qemu_machine machine, const cs_insn *insn)
{
    if (machine == QEMU_X86_64)
        x86_accesses(out, &insn->detail->x86, name_of(insn));
    else
        aarch64_accesses(out, insn->mnemonic);
}

/* --- riscv64: not supported by the disassembler of Debian 12 ------------------------------------------- */

enum { RISCV_RD = 1, RISCV_RS1 = 2, RISCV_RS2 = 4, RISCV_RS3 = 8 };

/* The register fields of an instruction, by opcode / 4. */
struct riscv_form {
    uint8_t fields;
    uint8_t floats; /* which of these are floating-point registers */
    uint8_t class;
    uint8_t nload, nstore;
};

static const struct riscv_form riscv_forms[32] = {
    [0x03 >> 2] = {RISCV_RD | RISCV_RS1, 0, TROD_INSN_ALU, 1, 0},
    [0x07 >> 2] = {RISCV_RD | RISCV_RS1, RISCV_RD, TROD_INSN_ALU, 1, 0},
    [0x0f >> 2] = {0, 0, TROD_INSN_SYSTEM, 0, 0},
    [0x13 >> 2] = {RISCV_RD | RISCV_RS1, 0, TROD_INSN_ALU, 0, 0},
    [0x17 >> 2] = {RISCV_RD, 0, TROD_INSN_ALU, 0, 0},
    [0x1b >> 2] = {RISCV_RD | RISCV_RS1, 0, TROD_INSN_ALU, 0, 0},
    [0x23 >> 2] = {RISCV_RS1 | RISCV_RS2, 0, TROD_INSN_ALU, 0, 1},
    [0x27 >> 2] = {RISCV_RS1 | RISCV_RS2, RISCV_RS2, TROD_INSN_ALU, 0, 1},
    [0x2f >> 2] = {RISCV_RD | RISCV_RS1 | RISCV_RS2, 0, TROD_INSN_ALU, 1, 1},
    [0x33 >> 2] = {RISCV_RD | RISCV_RS1 | RISCV_RS2, 0, TROD_INSN_ALU, 0, 0},
    [0x37 >> 2] = {RISCV_RD, 0, TROD_INSN_ALU, 0, 0},
    [0x3b >> 2] = {RISCV_RD | RISCV_RS1 | RISCV_RS2, 0, TROD_INSN_ALU, 0, 0},
    [0x43 >> 2] = {15, 15, TROD_INSN_FLOAT_MULTIPLY, 0, 0},
    [0x47 >> 2] = {15, 15, TROD_INSN_FLOAT_MULTIPLY, 0, 0},
    [0x4b >> 2] = {15, 15, TROD_INSN_FLOAT_MULTIPLY, 0, 0},
    [0x4f >> 2] = {15, 15, TROD_INSN_FLOAT_MULTIPLY, 0, 0},
    [0x53 >> 2] = {7, 7, TROD_INSN_FLOAT, 0, 0},
    [0x63 >> 2] = {RISCV_RS1 | RISCV_RS2, 0, TROD_INSN_BRANCH, 0, 0},
    [0x67 >> 2] = {RISCV_RD | RISCV_RS1, 0, TROD_INSN_BRANCH, 0, 0},
    [0x6f >> 2] = {RISCV_RD, 0, TROD_INSN_BRANCH, 0, 0},
    [0x73 >> 2] = {RISCV_RD | RISCV_RS1, 0, TROD_INSN_SYSTEM, 0, 0},
};

static void riscv_field(
    struct trod_insn *out, const struct riscv_form *form, uint8_t field, uint32_t reg)
{
    uint8_t number = (uint8_t)(form->floats & field ? FLOATS + reg : reg);

    if (!(form->fields & field))
        return;
    if (field == RISCV_RD)
        add(out->target, TROD_INSN_TARGETS, number);
    else
        add(out->source, TROD_INSN_SOURCES, number);
}

static void riscv_wide(struct trod_insn *out, uint32_t insn)
{
    const struct riscv_form *form = &riscv_forms[insn >> 2 & 31];
    uint32_t above = insn >> 25, minor = insn >> 12 & 7;

    out->insn_class = form->class;
    out->nload = form->nload;
    out->nstore = form->nstore;
    if ((insn & 0x77) == 0x33 && above == 1)
        out->insn_class = minor & 4 ? TROD_INSN_DIVIDE : TROD_INSN_MULTIPLY;
    if ((insn & 0x7f) == 0x53 && (above & 0x7c) == 0x08)
        out->insn_class = TROD_INSN_FLOAT_MULTIPLY;
    if ((insn & 0x7f) == 0x53 && ((above & 0x7c) == 0x0c || (above & 0x7c) == 0x2c))
        out->insn_class = TROD_INSN_FLOAT_DIVIDE;
    riscv_field(out, form, RISCV_RD, insn >> 7 & 31);
    riscv_field(out, form, RISCV_RS1, insn >> 15 & 31);
    riscv_field(out, form, RISCV_RS2, insn >> 20 & 31);
    riscv_field(out, form, RISCV_RS3, insn >> 27 & 31);
}

/* Compressed instructions: loads and stores have their own codes in two of the three quadrants. All
 * others write the register that they read, or one of eight.
 */
static void riscv_narrow(struct trod_insn *out, uint32_t insn)
{
    uint32_t quadrant = insn & 3, minor = insn >> 13 & 7;
    uint8_t rd = (uint8_t)(insn >> 7 & 31), rs2 = (uint8_t)(insn >> 2 & 31);
    uint8_t small = (uint8_t)(8 + (insn >> 7 & 7)),
            small2 = (uint8_t)(8 + (insn >> 2 & 7));
    bool is_float = minor == 1 || minor == 5;

    if (quadrant == 1) {
        uint8_t reg = minor >= 4 ? small : rd;

        add(out->source, TROD_INSN_SOURCES, minor == 2 ? 0 : reg);
        add(out->source, TROD_INSN_SOURCES, minor == 4 ? small2 : 0);
        add(out->target, TROD_INSN_TARGETS, minor <= 4 ? reg : 0);
        return;
    }
    out->nload = minor >= 1 && minor <= 3;
    out->nstore = minor >= 5;
    if (out->nload) {
        uint8_t to = quadrant ? rd : small2;

        add(out->source, TROD_INSN_SOURCES, quadrant ? 2 : small);
        add(out->target, TROD_INSN_TARGETS, (uint8_t)(is_float ? FLOATS + to : to));
    } else if (out->nstore) {
        uint8_t from = quadrant ? rs2 : small2;

        add(out->source, TROD_INSN_SOURCES, quadrant ? 2 : small);
        add(out->source, TROD_INSN_SOURCES, (uint8_t)(is_float ? FLOATS + from : from));
    } else {
        add(out->source, TROD_INSN_SOURCES, quadrant ? rs2 : 2);
        add(out->source, TROD_INSN_SOURCES, quadrant ? rd : 0);
        add(out->target, TROD_INSN_TARGETS, quadrant ? rd : small2);
    }
}

static void riscv_decode(struct trod_insn *out, const unsigned char *bytes)
{
    uint32_t insn = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;

    if (out->size == 4)
        riscv_wide(out, insn | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
    else
        riscv_narrow(out, insn);
}

/* --- one instruction --------------------------------------------------------------------------------- */

static csh open_machine(enum qemu_machine machine)
{
    static const struct {
        cs_arch arch;
        cs_mode mode;
    } of[] = {{CS_ARCH_X86, CS_MODE_64}, {CS_ARCH_ARM64, CS_MODE_ARM}};
    csh handle = 0;

    if (cs_open(of[machine].arch, of[machine].mode, &handle) != CS_ERR_OK)
        return 0;
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    return handle;
}

void qemu_insn_decode(struct trod_insn *out, enum qemu_machine machine, bool branch,
    const unsigned char *bytes)
{
    static csh handle; /* called with a lock */
    cs_insn *insn = NULL;

    if (machine == QEMU_RISCV64) {
        riscv_decode(out, bytes);
        out->insn_class = branch ? TROD_INSN_BRANCH : out->insn_class;
        return;
    }
    if (!handle)
        handle = open_machine(machine);
    if (!handle || !cs_disasm(handle, bytes, out->size, out->pc, 1, &insn)) {
        out->nload = out->nstore = 1; /* an assumption */
        return;
    }
    if (branch)
        out->insn_class = TROD_INSN_BRANCH;
    add_accesses(out, machine, insn);
    add_registers(out, machine, handle, insn);
    if (!branch)
        out->insn_class = class_of(out, name_of(insn));
    cs_free(insn, 1);
}
