/* A program without counters that repeatedly loads a library with counters.
 *
 *     plugin_host LIBRARY REPETITIONS [threads]
 *
 * Each repetition gives a profile of 10 counts; with threads, 20: a thread that outlives the library
 * counts too. Prints how many mappings and descriptors leaked.
 */
#define _GNU_SOURCE 1

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void stepper(unsigned n);

static stepper *job;
static bool ending;
static pthread_barrier_t barrier;

static void *worker(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (ending)
            return NULL;
        job(10);
        pthread_barrier_wait(&barrier);
    }
}

static int nopen(void)
{
    int n = 0, fd;

    for (fd = 0; fd < 1000; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static int nmapping(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int lines = 0, c;

    if (!maps)
        return -1;
    while ((c = getc(maps)) != EOF)
        lines += c == '\n';
    fclose(maps);
    return lines;
}

static int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 9;
}

int main(int argc, char **argv)
{
    int repetitions = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1, first = 0, i;
    int fds = nopen();
    bool threads = argc > 3;
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    if (threads && pthread_create(&thread, NULL, worker, NULL))
        return fail("no thread");
    for (i = 0; i < repetitions; i++) {
        void *library = dlopen(argv[1], RTLD_NOW);

        if (!library)
            return fail(dlerror());
        job = (stepper *)dlsym(library, "plugin_step");
        if (!job)
            return fail("no plugin_step");
        job(10);
        if (threads) {
            pthread_barrier_wait(&barrier);
            pthread_barrier_wait(&barrier);
        }
        if (dlclose(library))
            return fail(dlerror());
        if (!fork()) /* no handler of the library's may be left */
            _exit(0);
        if (i == 0)
            first = nmapping();
    }
    printf("%d %d\n", nmapping() - first, nopen() - fds);
    if (threads) {
        ending = true;
        pthread_barrier_wait(&barrier);
        pthread_join(thread, NULL);
    }
    return 0;
}
