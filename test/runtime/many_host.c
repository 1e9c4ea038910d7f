/* A program that is not instrumented, and opens libraries that are.
 *
 *     many_host open N EVERY DIR   open DIR/1.so ... DIR/N.so, and call the function of every EVERYth
 *     many_host again N LIBRARY    open and close it N times, then call it while a thread that called it is alive
 *     many_host keys LIBRARY...    use up glibc's preallocated keys, then call each from 3 threads
 *     many_host end LIBRARY        call it from a thread, and from destructors when that thread ends
 *     many_host strict LIBRARY...  first calls where there must be no malloc: in a thread, in a handler, in a child
 *
 * f(n) of a library runs n iterations.
 */
#define _GNU_SOURCE 1

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int step(int);

static _Atomic int forbidden;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *malloc(size_t size)
{
    if (forbidden)
        abort();
    return __libc_malloc(size);
}
void *calloc(size_t n, size_t size)
{
    if (forbidden)
        abort();
    return __libc_calloc(n, size);
}

static step *open_one(const char *name, void **handle)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    step *f = library ? (step *)dlsym(library, "f") : NULL;

    if (!f) {
        printf("%s\n", dlerror());
        exit(1);
    }
    if (handle)
        *handle = library;
    return f;
}

static int open_many(int n, int every, const char *dir)
{
    char name[4096];
    int i;

    for (i = 1; i <= n; i++) {
        step *f;

        snprintf(name, sizeof name, "%s/%d.so", dir, i);
        f = open_one(name, NULL);
        if (i % every == 0)
            f(5);
    }
    return 0;
}

static pthread_barrier_t barrier;

static void *live_on(void *f)
{
    ((step *)f)(1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static int open_again(int n, const char *name)
{
    pthread_t thread;
    void *library;
    step *f = open_one(name, &library);

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, live_on, (void *)f);
    pthread_barrier_wait(&barrier);
    /* The thread that used this library lives on; the numbers of other libraries wrap around. */
    dlclose(library);
    while (n--) {
        open_one(name, &library);
        dlclose(library);
    }
    f = open_one(name, &library);
    f(3);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}

static void *call(void *f)
{
    int i;

    for (i = 0; i < 100; i++)
        ((step *)f)(1);
    return NULL;
}

static int use_keys(char **name)
{
    pthread_key_t key;
    int i;

    for (i = 0; i < 40; i++)
        pthread_key_create(&key, NULL);
    for (; *name; name++) {
        step *f = open_one(*name, NULL);
        pthread_t thread[3];

        for (i = 0; i < 3; i++)
            pthread_create(thread + i, NULL, call, (void *)f);
        for (i = 0; i < 3; i++)
            pthread_join(thread[i], NULL);
    }
    return 0;
}

static step *at_end;
static void end(void *value)
{
    (void)value;
    at_end(2);
}

static void *set_and_call(void *key)
{
    pthread_setspecific(*(pthread_key_t *)key, key);
    at_end(3);
    return NULL;
}

static int end_thread(const char *name)
{
    pthread_key_t before, behind;
    pthread_t thread;

    pthread_key_create(&before, end);
    at_end = open_one(name, NULL);
    pthread_key_create(&behind, end);
    pthread_create(&thread, NULL, set_and_call, &before);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, set_and_call, &behind);
    pthread_join(thread, NULL);
    return 0;
}

static step *strict_step;
static void handle(int number)
{
    (void)number;
    strict_step(1);
}

static void *first_in_handler(void *strict)
{
    forbidden = 1;
    if (strict)
        raise(SIGUSR1);
    else
        strict_step(1);
    forbidden = 0;
    return NULL;
}

static int be_strict(char **name)
{
    signal(SIGUSR1, handle);
    for (; *name; name++) {
        pthread_t thread;

        strict_step = open_one(*name, NULL);
        pthread_create(&thread, NULL, first_in_handler, NULL);
        pthread_join(thread, NULL);
        pthread_create(&thread, NULL, first_in_handler, *name);
        pthread_join(thread, NULL);
        forbidden = 1;
        if (!fork()) {
            strict_step(1);
            _exit(0);
        }
        forbidden = 0;
        wait(NULL);
        strict_step(1);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";

    if (!strcmp(what, "open") && argc == 5)
        return open_many(atoi(argv[2]), atoi(argv[3]), argv[4]);
    if (!strcmp(what, "again") && argc == 4)
        return open_again(atoi(argv[2]), argv[3]);
    if (!strcmp(what, "keys"))
        return use_keys(argv + 2);
    if (!strcmp(what, "end"))
        return end_thread(argv[2]);
    if (!strcmp(what, "strict"))
        return be_strict(argv + 2);
    return 2;
}
