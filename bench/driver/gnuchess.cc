// GNU Chess's engine without its front end: commands from standard input, one search after the
// other. The engine looks for input while it thinks, so the next command waits for its answer.
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

#include "components.h"

int pipefd_a2e[2], pipefd_e2a[2];
namespace engine {
int main_engine(int argc, char *argv[]);
}

static void *think(void *)
{
    engine::main_engine(0, nullptr);
    return nullptr;
}

// Times and speeds differ from run to run; what was found does not.
static void answer(FILE *from)
{
    char line[4096];

    while (fgets(line, sizeof line, from) && strncmp(line, "bestmove", 8) != 0)
        ;
    fputs(line, stdout);
}

int main()
{
    char line[4096];
    pthread_t engine;

    if (pipe(pipefd_a2e) != 0 || pipe(pipefd_e2a) != 0 ||
        pthread_create(&engine, nullptr, think, nullptr) != 0)
        return 5;
    FILE *from = fdopen(pipefd_e2a[0], "r");
    while (fgets(line, sizeof line, stdin)) {
        if (write(pipefd_a2e[1], line, strlen(line)) < 0)
            return 5;
        if (strncmp(line, "go", 2) == 0)
            answer(from);
    }
    return 0;
}
