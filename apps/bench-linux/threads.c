/* Threads: making them, and two that take turns. The second one of a pair answers for ever. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "operations.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t never, there_semaphore, back_semaphore;
static int there_pipe[2], back_pipe[2];
static char byte;

static void start(void *(*entry)(void *))
{
    pthread_t thread;
    need_zero(pthread_create(&thread, 0, entry, 0));
    need_zero(pthread_detach(thread));
}

static void *end_at_once(void *argument)
{
    return argument;
}

static void create_join(uint64_t rounds)
{
    REPEAT(rounds) {
        pthread_t thread;
        need_zero(pthread_create(&thread, 0, end_at_once, 0));
        need_zero(pthread_join(thread, 0));
    }
}

static void create_ready(void)
{
    create_join(1);
}

static _Atomic uint64_t ran;

static void *run_once(void *argument)
{
    ran++;
    return argument;
}

/* Nobody waits for it: it runs when its maker yields. */
static void create_run_exit(uint64_t rounds)
{
    REPEAT(rounds) {
        uint64_t goal = ran + 1;
        start(run_once);
        while (ran != goal)
            sched_yield();
    }
}

static void create_run_ready(void)
{
    create_run_exit(1);
}

static void *sleep_for_ever(void *argument)
{
    for (;;)
        sem_wait(&never);
    return argument;
}

/* With a second thread: C libraries take a shorter way where there is none. */
static void lock_ready(void)
{
    need(sem_init(&never, 0, 0));
    start(sleep_for_ever);
}

static void lock_unlock(uint64_t rounds)
{
    REPEAT(rounds) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

/* Whose turn it is to yield. */
static atomic_int yielder;
enum { FIRST, SECOND, NOBODY };

static int yield_until(int mine)
{
    int now;
    while ((now = atomic_load_explicit(&yielder, memory_order_acquire)) != mine && now != NOBODY)
        sched_yield();
    return now;
}

static void *yield_back(void *argument)
{
    while (yield_until(SECOND) != NOBODY)
        atomic_store_explicit(&yielder, FIRST, memory_order_release);
    return argument;
}

static void hand_over_ready(void)
{
    start(yield_back);
}

/* A round is one hand-over, however many yields it takes: two of them are there and back. */
static void hand_over(uint64_t rounds)
{
    for (uint64_t round = 0; round < rounds; round += 2) {
        atomic_store_explicit(&yielder, SECOND, memory_order_release);
        yield_until(FIRST);
    }
}

/* A thread that yields for ever would be measured with all that follows. */
static void hand_over_end(void)
{
    atomic_store(&yielder, NOBODY);
    sched_yield();
}

static atomic_bool yielding = true;
static _Atomic uint64_t other_yields;

static void *only_yield(void *argument)
{
    while (atomic_load_explicit(&yielding, memory_order_relaxed)) {
        atomic_store_explicit(&other_yields, other_yields + 1, memory_order_relaxed);
        sched_yield();
    }
    return argument;
}

static void yield_ready(void)
{
    start(only_yield);
}

/* A round is one yield of either thread, whether the kernel then chooses the other one or not. */
static void yield_of_two(uint64_t rounds)
{
    uint64_t goal = other_yields + rounds;
    for (uint64_t own = 0; own + atomic_load_explicit(&other_yields, memory_order_relaxed) < goal; own++)
        sched_yield();
}

static void yield_end(void)
{
    atomic_store(&yielding, false);
    sched_yield();
}

/* Whose turn it is with the condition variable. */
static int turn;

static void pass_on(int mine, int other)
{
    while (turn != mine)
        pthread_cond_wait(&changed, &mutex);
    turn = other;
    pthread_cond_signal(&changed);
}

static void *condition_back(void *argument)
{
    pthread_mutex_lock(&mutex);
    for (;;)
        pass_on(SECOND, FIRST);
    return argument;
}

static void condition_ready(void)
{
    start(condition_back);
}

static void condition_round_trip(uint64_t rounds)
{
    pthread_mutex_lock(&mutex);
    REPEAT(rounds) {
        pass_on(FIRST, SECOND);
        while (turn != FIRST)
            pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
}

static void *semaphore_back(void *argument)
{
    for (;;) {
        sem_wait(&there_semaphore);
        sem_post(&back_semaphore);
    }
    return argument;
}

static void semaphore_ready(void)
{
    need(sem_init(&there_semaphore, 0, 0));
    need(sem_init(&back_semaphore, 0, 0));
    start(semaphore_back);
}

static void semaphore_round_trip(uint64_t rounds)
{
    REPEAT(rounds) {
        need(sem_post(&there_semaphore));
        need(sem_wait(&back_semaphore));
    }
}

static void *pipe_back(void *argument)
{
    char own;
    while (read(there_pipe[0], &own, 1) == 1 && write(back_pipe[1], &own, 1) == 1) {
    }
    return argument;
}

static void pipe_ready(void)
{
    need(pipe(there_pipe));
    need(pipe(back_pipe));
    start(pipe_back);
}

static void pipe_round_trip(uint64_t rounds)
{
    REPEAT(rounds) {
        need(write(there_pipe[1], &byte, 1));
        need(read(back_pipe[0], &byte, 1));
    }
}

const struct operation thread_creation[] = {
    { "create-join", create_ready, 0, create_join, 0 },
    { 0 },
};

const struct operation thread_operations[] = {
    { "create-run-exit", create_run_ready, 0, create_run_exit, 0 },
    { "mutex-lock-unlock", lock_ready, 0, lock_unlock, 0 },
    { "yield-of-two", yield_ready, 0, yield_of_two, yield_end },
    { "yield-hand-over", hand_over_ready, 0, hand_over, hand_over_end },
    /* Every thread of Linux has all registers; others are asked whether they want them. */
    { "yield-all-registers", yield_ready, 0, yield_of_two, yield_end },
    { "condvar-round-trip", condition_ready, 0, condition_round_trip, 0 },
    { "semaphore-round-trip", semaphore_ready, 0, semaphore_round_trip, 0 },
    { "pipe-round-trip", pipe_ready, 0, pipe_round_trip, 0 },
    { 0 },
};
