// mutex.c: mutexes of each type, held by one of many threads at a time (pthread_mutexattr_settype(3)).
#include "tests.h"

static pthread_mutex_t mutex;
static long counter;
static int rounds;

static void initialise(int type, int protocol) {
    pthread_mutexattr_t attributes;
    CHECK(pthread_mutexattr_init(&attributes) == 0 && pthread_mutexattr_settype(&attributes, type) == 0);
    CHECK(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
    CHECK(pthread_mutex_init(&mutex, &attributes) == 0 && pthread_mutexattr_destroy(&attributes) == 0);
    counter = 0;
    rounds = scaled(2000);
}

static void *add(void *index) {
    for (int round = 0; round < rounds; round++) {
        if (pthread_mutex_lock(&mutex)) return "lock";
        long seen = counter;
        // Sometimes somebody else comes between, and must wait.
        if ((round + (intptr_t)index) % 64 == 0) sched_yield();
        counter = seen + 1;
        if (pthread_mutex_unlock(&mutex)) return "unlock";
    }
    return NULL;
}

static void contend(int type, int protocol) {
    initialise(type, protocol);
    run_many(MANY, add);
    CHECK(counter == (long)MANY * rounds);
    CHECK(pthread_mutex_destroy(&mutex) == 0);
}

static void *try_busy(void *unused) {
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
    struct timespec soon = after(CLOCK_REALTIME, 3);
    CHECK(pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
    CHECK(not_before(after(CLOCK_REALTIME, 0), soon));
    return (void)unused, NULL;
}

static void *unlock_of_another(void *unused) {
    CHECK(pthread_mutex_unlock(&mutex) == EPERM);
    return (void)unused, NULL;
}

static void normal(void) {
    contend(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
    initialise(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == EBUSY);
    run_many(1, try_busy);
    CHECK(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_destroy(&mutex) == 0);
}

static void *recurse(void *unused) {
    for (int round = 0; round < rounds / 10 + 1; round++) {
        for (int depth = 0; depth < 5; depth++)
            if (pthread_mutex_lock(&mutex)) return "lock";
        counter++;
        for (int depth = 0; depth < 5; depth++)
            if (pthread_mutex_unlock(&mutex)) return "unlock";
    }
    return (void)unused, NULL;
}

static void recursive(void) {
    contend(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
    initialise(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
    run_many(MANY, recurse);
    CHECK(counter == (long)MANY * (rounds / 10 + 1));
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_trylock(&mutex) == 0);
    run_many(1, unlock_of_another);
    run_many(1, try_busy);
    CHECK(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == EPERM && pthread_mutex_destroy(&mutex) == 0);
}

static void error_checking(void) {
    contend(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
    initialise(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
    CHECK(pthread_mutex_unlock(&mutex) == EPERM);
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == EDEADLK);
    run_many(1, unlock_of_another);
    CHECK(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_destroy(&mutex) == 0);
}

static void inheriting(void) {
    contend(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
    initialise(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT);
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == EDEADLK);
    run_many(1, try_busy);
    run_many(1, unlock_of_another);
    CHECK(pthread_mutex_unlock(&mutex) == 0 && pthread_mutex_destroy(&mutex) == 0);
}

const struct test mutex_tests[] = {
    {"mutex_normal", normal},
    {"mutex_recursive", recursive},
    {"mutex_error_checking", error_checking},
    {"mutex_priority_inheritance", inheriting},
    {NULL, NULL},
};
