#include "suite/suite.h"

void trod_suite_worth(struct trod_suite_worth *out, const struct trod_suite *suite)
{
    for (uint32_t t = 0; t < suite->ntest; t++)
        out[t] = (struct trod_suite_worth){
            .npath = (uint32_t)(suite->first_path_of_test[t + 1] -
                                suite->first_path_of_test[t])};
    for (uint32_t p = 0; p < suite->npath; p++) {
        size_t first = suite->first_test_of_path[p];

        out[suite->test_of_path[first]].nfirst++;
        out[suite->test_of_path[first]].nonly +=
            suite->first_test_of_path[p + 1] - first == 1;
    }
}
