// flags: -ldl
// library: dlopen_part.c
// modes: O1 code debug
#include <dlfcn.h>
#include <stdio.h>

static int apply(int (*f)(int), int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        if (i != 3)
            sum += f(i);
    return sum;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        void *library = dlopen("./dlopen_part.so", RTLD_NOW);
        int (*f)(int);

        if (!library) {
            puts(dlerror());
            return 1;
        }
        *(void **)&f = dlsym(library, "step");
        printf("%d\n", apply(f, 6 + round));
        dlclose(library);
    }
    return 0;
}
