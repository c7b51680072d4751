// condition.c: condition variables: signal, broadcast, time limits on each clock (pthread_cond_wait(3)).
#include "tests.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static long turn, asleep, woken, tokens;
static int rounds;

static void *play(void *argument) {
    intptr_t side = (intptr_t)argument;
    for (int round = 0; round < rounds; round++) {
        pthread_mutex_lock(&mutex);
        while (turn % 2 != side)
            if (pthread_cond_wait(side ? &answered : &condition, &mutex)) return "wait";
        turn++;
        if (pthread_cond_signal(side ? &condition : &answered)) return "signal";
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void ping_pong(void) {
    rounds = scaled(5000);
    turn = 0;
    run_many(2, play);
    CHECK(turn == 2L * rounds);
}

static void *sleep_until_told(void *unused) {
    pthread_mutex_lock(&mutex);
    long mine = turn;
    asleep++;
    pthread_cond_signal(&answered);
    while (turn == mine) pthread_cond_wait(&condition, &mutex);
    woken++;
    pthread_mutex_unlock(&mutex);
    return (void)unused, NULL;
}

static void broadcast(void) {
    for (int round = 0; round < scaled(10); round++) {
        pthread_t threads[MANY];
        asleep = woken = 0;
        for (int index = 0; index < MANY; index++) threads[index] = start_thread(sleep_until_told, NULL);
        pthread_mutex_lock(&mutex);
        while (asleep < MANY) pthread_cond_wait(&answered, &mutex);
        CHECK(woken == 0);
        turn++;
        CHECK(pthread_cond_broadcast(&condition) == 0);
        pthread_mutex_unlock(&mutex);
        for (int index = 0; index < MANY; index++) join_thread(threads[index]);
        CHECK(woken == MANY);
    }
}

static void *take_token(void *unused) {
    pthread_mutex_lock(&mutex);
    while (tokens == 0) pthread_cond_wait(&condition, &mutex);
    tokens--, woken++;
    pthread_mutex_unlock(&mutex);
    return (void)unused, NULL;
}

static void signal_each(void) {
    // As many signals as tokens: none may be lost, whoever is awake.
    pthread_t threads[MANY];
    woken = tokens = 0;
    for (int index = 0; index < MANY; index++) threads[index] = start_thread(take_token, NULL);
    for (int index = 0; index < MANY; index++) {
        pthread_mutex_lock(&mutex);
        tokens++;
        CHECK(pthread_cond_signal(&condition) == 0);
        pthread_mutex_unlock(&mutex);
    }
    for (int index = 0; index < MANY; index++) join_thread(threads[index]);
    CHECK(woken == MANY && tokens == 0);
}

static void limit_on(clockid_t clock) {
    pthread_condattr_t attributes;
    pthread_cond_t timed;
    CHECK(pthread_condattr_init(&attributes) == 0 && pthread_condattr_setclock(&attributes, clock) == 0);
    CHECK(pthread_cond_init(&timed, &attributes) == 0);
    pthread_mutex_lock(&mutex);
    for (int milliseconds = -5; milliseconds <= 10; milliseconds += 5) {
        struct timespec limit = after(clock, milliseconds);
        int result;
        // Spurious wake-ups are allowed.
        while ((result = pthread_cond_timedwait(&timed, &mutex, &limit)) == 0) continue;
        CHECK(result == ETIMEDOUT && not_before(after(clock, 0), limit));
    }
    struct timespec wrong = {0, 1000000000};
    CHECK(pthread_cond_timedwait(&timed, &mutex, &wrong) == EINVAL);
    pthread_mutex_unlock(&mutex);
    CHECK(pthread_cond_destroy(&timed) == 0 && pthread_condattr_destroy(&attributes) == 0);
}

static void time_limits(void) {
    limit_on(CLOCK_REALTIME);
    limit_on(CLOCK_MONOTONIC);
}

static void *tell_later(void *unused) {
    pause_a_little();
    pthread_mutex_lock(&mutex);
    turn++;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    return (void)unused, NULL;
}

static void told_before_the_limit(void) {
    pthread_mutex_lock(&mutex);
    long before = turn;
    pthread_t thread = start_thread(tell_later, NULL);
    struct timespec limit = after(CLOCK_REALTIME, 3600 * 1000);
    int result = 0;
    while (turn == before && result == 0) result = pthread_cond_timedwait(&condition, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    CHECK(result == 0 && turn == before + 1);
    join_thread(thread);
}

const struct test condition_tests[] = {
    {"condition_ping_pong", ping_pong},         {"condition_broadcast", broadcast},
    {"condition_signal_each", signal_each},     {"condition_time_limits", time_limits},
    {"condition_told_before_the_limit", told_before_the_limit}, {NULL, NULL},
};
