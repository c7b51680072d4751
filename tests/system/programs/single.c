/* One process with threads, in an image that leaves other processes out: each way to another one is refused by name,
   and everything else goes on. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, TIMES = 1000 };

extern char **environ;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void *add(void *argument)
{
    for (int time = 0; time < TIMES; time++) {
        pthread_mutex_lock(&mutex);
        sum++;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

static void tell(const char *what, int error)
{
    printf("%s: %s\n", what, error ? strerrorname_np(error) : "ok");
}

int main(int count, char **arguments)
{
    (void)count;
    pid_t child = fork();
    if (child == 0)
        _exit(1);
    tell("fork", child < 0 ? errno : 0);
    child = vfork();
    if (child == 0)
        _exit(1);
    tell("vfork", child < 0 ? errno : 0);
    tell("posix_spawn", posix_spawn(&child, arguments[0], 0, 0, arguments, environ));
    tell("wait", wait(0) < 0 ? errno : 0);
    pthread_t threads[THREADS];
    for (int index = 0; index < THREADS; index++)
        if (pthread_create(&threads[index], 0, add, &threads[index]) != 0)
            return 2;
    for (int index = 0; index < THREADS; index++) {
        void *result;
        if (pthread_join(threads[index], &result) != 0 || result != &threads[index])
            return 3;
    }
    printf("threads: %ld\n", sum);
    return 7;
}
