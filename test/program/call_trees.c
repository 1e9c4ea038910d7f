// flags: -pthread
// modes: O1 O3 code static
#include <pthread.h>
#include <stdio.h>

/* Threads, each with its own call tree, at the same time and one after the other; threads that
 * threads start; destructors that run when a thread ends.
 */

static pthread_key_t key;

static int leaf(int n)
{
    return n & 1 ? 3 * n : n + 1;
}

static int branch(int n, int depth)
{
    if (depth == 0)
        return leaf(n);
    if (n % 3 == 0)
        return branch(n + 1, depth - 1) - leaf(n);
    return branch(n + 1, depth - 1) + branch(n + 2, depth - 1);
}

static int comb(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i % 4 ? leaf(i) : branch(i, 1);
    return sum;
}

struct job {
    pthread_t thread;
    int n, result;
};

static void *grow(void *job);

static void start(struct job *job, int n)
{
    job->n = n;
    pthread_create(&job->thread, NULL, grow, job);
}

static int join(struct job *job)
{
    pthread_join(job->thread, NULL);
    return job->result;
}

static void *grow(void *data)
{
    struct job *job = data, own;

    pthread_setspecific(key, job);
    if (job->n >= 10)
        start(&own, job->n - 10);
    job->result = job->n % 2 ? branch(job->n, 3) : comb(job->n);
    if (job->n >= 10)
        job->result += join(&own);
    if (job->n == 3)
        pthread_exit(NULL);
    return NULL;
}

static void ends(void *data)
{
    struct job *job = data;

    job->result += leaf(job->n);
}

int main(void)
{
    struct job job[6];

    pthread_key_create(&key, ends);
    for (int i = 0; i < 6; i++)
        start(&job[i], 5 * i + 3);
    for (int i = 0; i < 6; i++)
        printf("%d\n", join(&job[i]));
    for (int i = 0; i < 3; i++) {
        start(&job[0], i);
        printf("%d\n", join(&job[0]));
    }
    return 0;
}
