#include "llvm/port.h"

#include <llvm-c/Comdat.h>

/* One object for the counters of a unit.
 *
 * Each function has its own table of counters, and another one for its bundles. In code, every table needs an address
 * of its own. If all tables of a unit are parts of one object, one address in a register serves a whole function.
 * Tables of shared functions (comdat) stay apart, because the linker keeps only one copy of each. The order is that of
 * the functions, in which profiles list them.
 */

static const char section[] = "__trod_cnt";

bool trod_llvm_is_unit_table(LLVMValueRef global)
{
    return trod_bridge_is_in_bss_section(global, section) && !LLVMGetComdat(global) &&
           LLVMGetLinkage(global) == LLVMPrivateLinkage &&
           LLVMGetTypeKind(LLVMGlobalGetValueType(global)) == LLVMArrayTypeKind;
}

static uint64_t length_of(LLVMValueRef global)
{
    return LLVMGetArrayLength2(LLVMGlobalGetValueType(global));
}

void trod_llvm_unit_counters(LLVMModuleRef module, struct trod_arena *mem)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module)), type;
    struct trod_mark mark = trod_arena_mark(mem);
    LLVMValueRef *table = NULL;
    uint32_t n = 0, room = 0;
    uint64_t nword = 0;
    LLVMValueRef unit;

    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (trod_llvm_is_unit_table(g)) {
            nword += length_of(g);
            trod_push(mem, table, n, room, g);
        }
    if (n < 2) {
        trod_arena_rewind(mem, mark);
        return;
    }
    type = LLVMArrayType2(i64, nword);
    unit = LLVMAddGlobal(module, type, "__trod_cnt_unit");
    LLVMSetInitializer(unit, LLVMConstNull(type));
    LLVMSetLinkage(unit, LLVMPrivateLinkage);
    LLVMSetAlignment(unit, 8);
    trod_bridge_set_bss_section(unit, section);
    nword = 0;
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef at = LLVMConstInt(i64, nword, false);

        nword += length_of(table[i]);
        LLVMReplaceAllUsesWith(table[i], LLVMConstGEP2(i64, unit, &at, 1));
        LLVMDeleteGlobal(table[i]);
    }
    trod_arena_rewind(mem, mark);
}
