/* Calls that touch nothing: what a function, an entry into the kernel, and the clock cost. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <time.h>

#include "operations.h"

static void nothing_to_do(void)
{
}

static __attribute__((noinline)) void function(void)
{
    asm volatile("");
}

static void function_call(uint64_t rounds)
{
    REPEAT(rounds)
        function();
}

void getppid_direct(uint64_t rounds)
{
    REPEAT(rounds) {
        long result;
        asm volatile("mov %1, %%eax\n\tsyscall" : "=a"(result) : "i"(SYS_getppid) : "rcx", "r11", "memory");
    }
}

static struct timespec moment;

/* As programs do it: through the vDSO where there is one. */
static void clock_usual(uint64_t rounds)
{
    REPEAT(rounds)
        clock_gettime(CLOCK_MONOTONIC, &moment);
}

static void clock_ready(void)
{
    need(clock_gettime(CLOCK_MONOTONIC, &moment));
}

static void clock_direct(uint64_t rounds)
{
    REPEAT(rounds)
        direct(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&moment, 0);
}

static void yield_ready(void)
{
    need(sched_yield());
}

static void yield_direct(uint64_t rounds)
{
    REPEAT(rounds)
        direct(SYS_sched_yield, 0, 0, 0);
}

static uint32_t word;

enum { WAKE_PRIVATE = 1 | 128 };

static void wake_ready(void)
{
    long result = direct(SYS_futex, (long)&word, WAKE_PRIVATE, 1);
    if (result < 0)
        missing((int)-result);
}

/* A wake-up that nobody waits for (futex(2)). */
static void wake_nobody(uint64_t rounds)
{
    REPEAT(rounds)
        direct(SYS_futex, (long)&word, WAKE_PRIVATE, 1);
}

const struct operation processor_calls[] = {
    { "function-call", nothing_to_do, 0, function_call, 0 },
    { "getppid", nothing_to_do, 0, getppid_direct, 0 },
    { "clock-gettime", clock_ready, 0, clock_usual, 0 },
    { "clock-gettime-call", clock_ready, 0, clock_direct, 0 },
    { "sched-yield", yield_ready, 0, yield_direct, 0 },
    { "futex-wake-nobody", wake_ready, 0, wake_nobody, 0 },
    { 0 },
};
