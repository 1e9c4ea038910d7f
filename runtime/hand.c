#include "runtime.h"

/* What emitted code and the runtime hand each other, where code is there twice. */
__thread struct trod_rt_hand __trod_hand __attribute__((tls_model("initial-exec")));
