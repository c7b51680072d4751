// endings.c: ways for a process of several threads to end, one a run: the status says whether it was the right one.
#include "tests.h"

#include <sys/resource.h>

static atomic_int ready;

static void *sleep_for_ever(void *unused) {
    ready++;
    for (;;) pause();
    return (void)unused, NULL;
}

static void *compute_for_ever(void *unused) {
    ready++;
    for (volatile unsigned long count = 0;; count = count + 1) continue;
    return (void)unused, NULL;
}

static void *raise_term(void *unused) {
    pthread_kill(pthread_self(), SIGTERM);
    return (void)unused, NULL;
}

static void *write_nothing(void *unused) {
    static volatile int *volatile nowhere;
    *nowhere = 1;
    return (void)unused, NULL;
}

static void *exit_seven(void *unused) {
    (void)unused;
    exit(7);
}

static void *abort_all(void *unused) {
    (void)unused;
    abort();
}

static void *kill_real_time(void *unused) {
    kill(getpid(), 40);
    return (void)unused, NULL;
}

static void *exit_last(void *unused) {
    (void)unused;
    // The main thread has gone; the last one to go takes the process with it.
    for (int round = 0; round < 10; round++) pause_a_little();
    return NULL;
}

static void among_others(void *(*body)(void *)) {
    for (int index = 0; index < 3; index++) start_thread(sleep_for_ever, NULL), start_thread(compute_for_ever, NULL);
    AWAIT(ready == 6);
    start_thread(body, NULL);
    for (;;) pause();
}

static void as_the_last(void) {
    start_thread(exit_last, NULL);
    pthread_exit(NULL);
}

static void *become_another(void *unused) {
    // The other threads end, and this one is the new program's first.
    (void)unused;
    execl("/proc/self/exe", "signals", "--end", "first", NULL);
    return NULL;
}

static const struct {
    const char *way;
    void *(*body)(void *);
} bodies[] = {
    {"term", raise_term}, {"fault", write_nothing}, {"exit", exit_seven}, {"abort", abort_all},
    {"real-time", kill_real_time}, {"another", become_another},
};

void end_by(const char *way) {
    // The host needs no core files of these.
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (strcmp(way, "last") == 0) as_the_last();
    if (strcmp(way, "first") == 0) exit((pid_t)thread_id() == getpid() ? 9 : 1);
    for (size_t index = 0; index < sizeof bodies / sizeof *bodies; index++)
        if (strcmp(way, bodies[index].way) == 0) among_others(bodies[index].body);
}
