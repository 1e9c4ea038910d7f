/* Programs that change their descriptors, limits and files, and start threads afterwards.
 *
 *     guard_program limit     no more descriptors, then two more threads
 *     guard_program leave DIR all descriptors closed and another root, then two more threads
 *     guard_program ruin FILE work, fill the file with ones, and work on
 *
 * Each thread runs 1000 iterations.
 */
#define _GNU_SOURCE 1

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int sink;

static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++)
        sink += i % 3 ? i % 7 ? 1 : 2 : 3;
    return unused;
}

static void in_threads(void)
{
    pthread_t thread[2];

    for (int i = 0; i < 2; i++)
        pthread_create(thread + i, 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
}

static int limit(void)
{
    struct rlimit none = {0, 0};

    work(0);
    setrlimit(RLIMIT_NOFILE, &none);
    in_threads();
    return 0;
}

static int leave(const char *dir)
{
    work(0);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    if (chdir(dir) || chroot("."))
        return 9;
    in_threads();
    return 0;
}

static int ruin(const char *name, int with)
{
    struct stat file;
    char *bytes;
    int fd;

    work(0);
    fd = open(name, O_RDWR);
    if (fd < 0 || fstat(fd, &file))
        return 9;
    bytes = mmap(0, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return 9;
    for (int i = 0; i < 20; i++) {
        memset(bytes, with, (size_t)file.st_size);
        work(0);
        in_threads();
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (!strcmp(what, "limit"))
        return limit();
    if (!strcmp(what, "leave"))
        return leave(argv[2]);
    if (!strcmp(what, "ruin"))
        return ruin(argv[2], argc > 3 ? 1 : 255);
    work(0);
    return 0;
}
