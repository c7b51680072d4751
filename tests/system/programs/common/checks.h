// checks.h: what the test programs share: lists of tests, checks that any thread may make, and how much to do.
//
// A program prints `ok TEST` for each test and last `PROGRAM: N checks passed`, N the same in each run of the same
// work; a check that fails is named and ends the program with status 1. Nothing here depends on how long a thing
// takes: the machine may be an emulated one.
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct test {
    const char *name;
    void (*run)(void);
};

// Counts a condition that holds; ends the program with its text if it does not.
#define CHECK(condition) check((condition) ? 1 : 0, __FILE__, __LINE__, #condition)

// The same uncounted, for loops that turn as often as they must.
#define REQUIRE(condition) \
    do { \
        if (!(condition)) check(0, __FILE__, __LINE__, #condition); \
    } while (0)

// The call must fail with this error number.
#define CHECK_ERROR(call, number) \
    do { \
        errno = 0; \
        int failed = (call) == -1; \
        check(failed && errno == (number), __FILE__, __LINE__, #call " fails with " #number); \
    } while (0)

void check(int holds, const char *file, int line, const char *condition);

// This many rounds at the usual work of 100 percent (`--work PERCENT`), at least one.
int scaled(int rounds);

// Runs the tests of families (each list ended by an entry without name, the array by NULL) that the arguments name, or
// all; returns the exit status.
int run_tests(const char *program, const struct test *const families[], int argc, char **argv);

// Waits until a condition holds, however long that takes.
#define AWAIT(condition) \
    while (!(condition)) pause_a_little()

void pause_a_little(void);

// A point in time, so many milliseconds from now (or, negative, ago).
struct timespec after(clockid_t clock, int milliseconds);

// Whether a is at or after b.
int not_before(struct timespec a, struct timespec b);

// Creates a thread that must be there.
pthread_t start_thread(void *(*body)(void *), void *argument);

// What a thread returned, once it has.
void *join_thread(pthread_t thread);

// Sets a handler with SA_SIGINFO and the flags given.
void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags);

// Blocks or unblocks a signal in this thread.
void mask_signal(int how, int signal);
