// calls.h: system calls and constants that the C libraries do not show (musl-gcc finds no linux/ headers).
#pragma once
#include "checks.h"

// futex(2)
enum {
    WAIT = 0, WAKE = 1, REQUEUE = 3, CMP_REQUEUE = 4, WAKE_OP = 5, LOCK_PI = 6, UNLOCK_PI = 7, TRYLOCK_PI = 8,
    WAIT_BITSET = 9, WAKE_BITSET = 10, PRIVATE = 128, REAL_TIME = 256,
};
#define FUTEX_HAS_WAITERS 0x80000000u
#define FUTEX_DEAD_OWNER 0x40000000u
#define FUTEX_THREAD 0x3fffffffu

typedef _Atomic uint32_t futex_word;

// futex with all its arguments; -1 and errno.
static inline long futex(futex_word *word, int operation, uint32_t value, const void *timeout_or_count,
                         futex_word *second, uint32_t third) {
    return syscall(SYS_futex, word, operation, value, timeout_or_count, second, third);
}

static inline long futex_count(futex_word *word, int operation, uint32_t value, long count, futex_word *second,
                               uint32_t third) {
    return syscall(SYS_futex, word, operation, value, count, second, third);
}

static inline long wake(futex_word *word, int count) { return futex(word, WAKE | PRIVATE, count, NULL, NULL, 0); }

static inline uint32_t thread_id(void) { return syscall(SYS_gettid); }

// A system call without errno, for a thread that has no thread-local storage.
static inline long raw_call(long number, long first, long second, long third) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "memory");
    return result;
}

static inline long raw_futex(futex_word *word, int operation, uint32_t value) {
    register long timeout __asm__("r10") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(word), "S"((long)operation), "d"((long)value), "r"(timeout)
                     : "rcx", "r11", "memory");
    return result;
}
