#include <setjmp.h>
#ifdef __cplusplus
extern "C" {
#endif
extern jmp_buf back;
void quit(const char *how);
void note(const char *text);
#ifdef __cplusplus
}
#endif
