// tests.h: the families of this program's tests, a file each.
#pragma once
#include "../common/calls.h"

#include <setjmp.h>
#include <sys/time.h>
#include <ucontext.h>

// A signal that the C library does not use, the given number above the first of the real-time ones.
#define REAL_TIME_SIGNAL(number) (SIGRTMIN + (number))

extern const struct test vector_tests[], queue_tests[], fault_tests[], context_tests[], nested_tests[],
    interrupt_tests[], target_tests[], stop_tests[], growing_tests[];

// Ends the process in the way a word names; see endings.c. Returns if there is no such way.
void end_by(const char *way);
