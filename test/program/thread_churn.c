// flags: -pthread
// modes: O1 code
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Short-lived threads: some are detached, some call pthread_exit in cleanup handlers and in
 * destructors of thread-specific data.
 */

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, destroyed;

static void destroy(void *value)
{
    pthread_mutex_lock(&lock);
    if (value != &total)
        destroyed++;
    pthread_mutex_unlock(&lock);
}

static int part(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i & 1 ? i : 2;
    return sum;
}

static void *work(void *arg)
{
    int n = *(int *)arg, sum = part(n);

    pthread_setspecific(key, arg);
    pthread_mutex_lock(&lock);
    total += sum;
    pthread_mutex_unlock(&lock);
    if (n % 3 == 0)
        pthread_exit(arg);
    return arg;
}

int main(void)
{
    int n[60];

    pthread_key_create(&key, destroy);
    for (int i = 0; i < 60; i += 2) {
        pthread_t thread[2];

        for (int k = 0; k < 2; k++) {
            n[i + k] = (i + k) % 11;
            pthread_create(&thread[k], NULL, work, &n[i + k]);
        }
        for (int k = 0; k < 2; k++)
            pthread_join(thread[k], NULL);
    }
    printf("%d %d\n", total, destroyed);
    return 0;
}
