// threads.c: several threads at one site, threads that come by one, and those that are cancelled in one.
#include "tests.h"

enum { CALLS = 50 };

static char *volatile code;
static pthread_barrier_t both;
static atomic_int rounds;

static void *race(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_wait(&both);
        for (int turn = 0; turn < CALLS; turn++)
            REQUIRE(call_code(code) == getppid());
        pthread_barrier_wait(&both);
    }
    return NULL;
}

// Each round is new code, which both rewrite.
static void two_at_one_site(void) {
    rounds = scaled(1000);
    REQUIRE(pthread_barrier_init(&both, NULL, 3) == 0);
    pthread_t others[2] = {start_thread(race, NULL), start_thread(race, NULL)};
    for (int round = 0; round < rounds; round++) {
        code = map_code(SYS_getppid, NULL);
        pthread_barrier_wait(&both);
        pthread_barrier_wait(&both);
        REQUIRE(munmap(code, CODE) == 0);
    }
    for (int number = 0; number < 2; number++)
        join_thread(others[number]);
    CHECK(pthread_barrier_destroy(&both) == 0);
}

static int ends[2];

static void *nothing(void *argument) { return argument; }

static void come_and_go(void) {
    for (int turn = 0; turn < 200; turn++) {
        REQUIRE(join_thread(start_thread(nothing, &ends)) == &ends);
    }
    CHECK(1);
}

static void *wait_for_ever(void *unused) {
    (void)unused;
    char byte;
    while (read(ends[0], &byte, 1) == 1)
        ;
    return NULL;
}

// The library knows a cancellation point by where the signal found the thread.
static void cancelled(void) {
    REQUIRE(pipe(ends) == 0);
    for (int turn = 0; turn < 40; turn++) {
        pthread_t other = start_thread(wait_for_ever, NULL);
        for (int byte = 0; byte < 20; byte++)
            REQUIRE(write(ends[1], "x", 1) == 1);
        REQUIRE(pthread_cancel(other) == 0);
        REQUIRE(join_thread(other) == PTHREAD_CANCELED);
    }
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

const struct test thread_tests[] = {
    {"two_at_one_site", two_at_one_site}, {"come_and_go", come_and_go}, {"cancelled", cancelled}, {NULL, NULL},
};
