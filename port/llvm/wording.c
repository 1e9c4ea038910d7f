#include "llvm/condition.h"

bool trod_wording_between(int *open, LLVMValueRef function, const struct trod_leaf *from,
    const struct trod_leaf *to)
{
    (void)open; (void)function; (void)from; (void)to;
    return false;
}
bool trod_wording_cases(struct trod_cases *out, LLVMValueRef instruction,
    struct trod_arena *mem)
{
    (void)out; (void)instruction; (void)mem;
    return false;
}
void trod_wording_close(void) {}
