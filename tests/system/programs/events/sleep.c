// sleep.c: sleeping for a time and until a time, alone and many at once (clock_nanosleep(2)).
#include "tests.h"

static void relative(void) {
    clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
    for (int index = 0; index < 3; index++) {
        for (int milliseconds = 0; milliseconds < 8; milliseconds += 2) {
            struct timespec time = {0, milliseconds * 1000000}, end = after(clocks[index], milliseconds);
            CHECK(clock_nanosleep(clocks[index], 0, &time, NULL) == 0 && not_before(after(clocks[index], 0), end));
        }
    }
}

static void absolute(void) {
    clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
    for (int index = 0; index < 3; index++) {
        for (int milliseconds = -1000; milliseconds <= 6; milliseconds += 503) {
            struct timespec end = after(clocks[index], milliseconds);
            // A machine may not have been up for that long.
            if (end.tv_sec < 0) end = (struct timespec){0, 0};
            CHECK(clock_nanosleep(clocks[index], TIMER_ABSTIME, &end, NULL) == 0);
            CHECK(not_before(after(clocks[index], 0), end));
        }
    }
    // In steps, as a program with a rhythm does.
    struct timespec next = after(CLOCK_MONOTONIC, 0);
    for (int step = 0; step < scaled(20); step++) {
        next.tv_nsec += 1000000;
        if (next.tv_nsec >= 1000000000) next.tv_nsec -= 1000000000, next.tv_sec++;
        CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == 0);
        CHECK(not_before(after(CLOCK_MONOTONIC, 0), next));
    }
}

static void errors(void) {
    struct timespec wrong = {0, 1000000000}, negative = {-1, 0}, fine = {0, 1};
    CHECK_ERROR(nanosleep(&wrong, NULL), EINVAL);
    CHECK_ERROR(nanosleep(&negative, NULL), EINVAL);
    CHECK_ERROR(syscall(SYS_nanosleep, 8, 0), EFAULT);
    CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL);
    CHECK(clock_nanosleep(77, 0, &fine, NULL) == EINVAL);
    CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &fine, NULL) == EINVAL);
}

enum { SLEEPERS = 32 };
static atomic_int woken, too_early;

static void *sleep_a_while(void *index) {
    // Of many lengths, most of them begun in another order than they end.
    int milliseconds = (int)((intptr_t)index * 7 % SLEEPERS);
    for (int round = 0; round < scaled(3); round++) {
        struct timespec end = after(CLOCK_MONOTONIC, milliseconds), time = {0, milliseconds * 1000000};
        if (clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL) || !not_before(after(CLOCK_MONOTONIC, 0), end)) too_early++;
        woken++;
    }
    return NULL;
}

static void many(void) {
    pthread_t threads[SLEEPERS];
    woken = too_early = 0;
    for (intptr_t index = 0; index < SLEEPERS; index++) threads[index] = start_thread(sleep_a_while, (void *)index);
    for (int index = 0; index < SLEEPERS; index++) join_thread(threads[index]);
    CHECK(woken == SLEEPERS * scaled(3) && too_early == 0);
}

static atomic_int handled;

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    handled++;
}

static void rest_of_sleep(void) {
    // A sleep that is broken off tells what was left of it.
    handle(SIGALRM, note, 0);
    struct itimerval every = {.it_interval = {0, 3000}, .it_value = {0, 3000}}, off = {0};
    struct timespec hour = {3600, 0}, left = {0, 0};
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
    CHECK_ERROR(nanosleep(&hour, &left), EINTR);
    CHECK(left.tv_sec == 3599 || (left.tv_sec < 3599 && left.tv_sec > 0));
    struct timespec shorter = left;
    CHECK_ERROR(nanosleep(&left, &shorter), EINTR);
    CHECK(!not_before(shorter, left) && handled >= 2);
    CHECK(setitimer(ITIMER_REAL, &off, NULL) == 0);
    signal(SIGALRM, SIG_DFL);
}

const struct test sleep_tests[] = {
    {"sleep_relative", relative}, {"sleep_absolute", absolute}, {"sleep_errors", errors},
    {"sleep_many", many},         {"sleep_rest", rest_of_sleep}, {NULL, NULL},
};
