// check.h: what every self-test file shares: the list of tests, and how a test says what went wrong.
//
// A test returns NULL when all is well, else a sentence. Tests run on Linux too, which is their reference.
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct test {
    const char *name;
    const char *(*run)(void);
};

// A sentence for a condition that did not hold, with errno as it then was.
const char *failed(const char *file, int line, const char *condition);

#define REQUIRE(condition) \
    do { \
        if (!(condition)) return failed(__FILE__, __LINE__, #condition); \
    } while (0)

// The call must fail with this error number.
#define REQUIRE_ERROR(call, number) \
    do { \
        errno = 0; \
        if ((call) != -1 || errno != (number)) return failed(__FILE__, __LINE__, #call " fails with " #number); \
    } while (0)

// What main was started with.
extern int start_argc;
extern char **start_argv;
extern char **start_environment;

// Each family's tests, ended by an entry without name.
extern const struct test start_tests[], heap_tests[], mapping_tests[], memory_tests[], file_tests[], directory_tests[],
    descriptor_tests[], device_tests[], register_tests[], vector_tests[], fault_tests[], signal_tests[],
    altstack_tests[], time_tests[], process_tests[];

// Continues the chain of programs that replace each other; see exec.c. Returns the exit status.
int exec_chain(int argc, char **argv);

// Sets a handler with SA_SIGINFO and the flags given.
typedef void information_handler(int, siginfo_t *, void *);
void handle(int signal, information_handler *handler, int flags);

// Starts (or with 0 stops) an interval timer that raises SIGALRM.
void tick(int microseconds);

// A fresh directory below /tmp, made the current one; `leave_scratch` goes back and removes it.
const char *enter_scratch(void);
const char *leave_scratch(void);
