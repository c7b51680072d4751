// clocks.c: clocks that agree with themselves and each other, by vDSO and by system call (clock_gettime(2), vdso(7)).
#include "tests.h"

#include <sys/resource.h>
#include <sys/times.h>

static const clockid_t steady[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
                                   CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE};
enum { CLOCKS = sizeof steady / sizeof *steady };

static long long nanoseconds(struct timespec time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

static long long by_library(clockid_t clock) {
    struct timespec time;
    REQUIRE(clock_gettime(clock, &time) == 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000);
    return nanoseconds(time);
}

static long long by_call(clockid_t clock) {
    struct timespec time;
    REQUIRE(syscall(SYS_clock_gettime, clock, &time) == 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000);
    return nanoseconds(time);
}

static void agree(void) {
    for (int index = 0; index < CLOCKS; index++) {
        clockid_t clock = steady[index];
        int backwards = 0;
        long long last = by_call(clock);
        for (int round = 0; round < scaled(5000); round++) {
            // Never backwards, whichever way it is asked.
            long long now = round % 2 ? by_library(clock) : by_call(clock);
            backwards += now < last;
            last = now;
        }
        CHECK(backwards == 0);
    }
    CHECK(by_call(CLOCK_REALTIME) > 1700000000LL * 1000000000 && by_library(CLOCK_MONOTONIC) > 0);
}

static void coarse(void) {
    for (int round = 0; round < scaled(1000); round++) {
        long long before = by_library(CLOCK_MONOTONIC_COARSE), fine = by_library(CLOCK_MONOTONIC);
        // The coarse one is the fine one's last tick.
        REQUIRE(before <= fine);
    }
    struct timespec resolution;
    for (int index = 0; index < CLOCKS; index++)
        CHECK(clock_getres(steady[index], &resolution) == 0 && resolution.tv_sec == 0 && resolution.tv_nsec > 0);
    CHECK(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && resolution.tv_nsec == 1);
    struct timespec time;
    CHECK_ERROR(clock_gettime(77, &time), EINVAL);
    CHECK_ERROR(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, 8), EFAULT);
}

static void other_calls(void) {
    struct timeval day, by_system;
    for (int round = 0; round < scaled(200); round++) {
        long long before = by_call(CLOCK_REALTIME) / 1000;
        REQUIRE(gettimeofday(&day, NULL) == 0 && syscall(SYS_gettimeofday, &by_system, NULL) == 0);
        long long first = day.tv_sec * 1000000LL + day.tv_usec, second = by_system.tv_sec * 1000000LL + by_system.tv_usec;
        REQUIRE(before <= first && first <= second && second <= by_call(CLOCK_REALTIME) / 1000);
    }
    time_t earlier = time(NULL), now = syscall(SYS_time, NULL), later = time(NULL);
    // time(2) is of the last tick, and musl's is of now: at the turn of a second the call may still be in the last one.
    CHECK(earlier <= now + 1);
    CHECK(now <= later);
    CHECK(later <= by_call(CLOCK_REALTIME) / 1000000000);
}

static atomic_llong shared;
static atomic_int backwards;

static void *watch(void *unused) {
    for (int round = 0; round < scaled(20000); round++) {
        long long seen = shared, now = by_library(CLOCK_MONOTONIC);
        // A time that another thread has read is never in this one's future.
        if (now < seen) backwards++;
        while (now > seen && !atomic_compare_exchange_weak(&shared, &seen, now)) continue;
    }
    return unused;
}

static void among_threads(void) {
    pthread_t threads[4];
    shared = 0;
    backwards = 0;
    for (int index = 0; index < 4; index++) threads[index] = start_thread(watch, NULL);
    for (int index = 0; index < 4; index++) join_thread(threads[index]);
    CHECK(backwards == 0);
}

static void burn(clockid_t clock, long long time) {
    long long end = by_call(clock) + time;
    while (by_call(clock) < end) continue;
}

static void *burn_in_thread(void *clock) {
    // A new thread has used next to nothing, whatever the process has.
    long long own = by_call(CLOCK_THREAD_CPUTIME_ID), all = by_call(CLOCK_PROCESS_CPUTIME_ID);
    CHECK(own >= 0 && own <= all);
    burn(CLOCK_THREAD_CPUTIME_ID, 5000000);
    CHECK(pthread_getcpuclockid(pthread_self(), clock) == 0 && by_call(*(clockid_t *)clock) >= own + 5000000);
    CHECK(by_call(CLOCK_PROCESS_CPUTIME_ID) >= all + 5000000);
    return NULL;
}

static void processor_time(void) {
    clockid_t clock;
    long long before = by_call(CLOCK_PROCESS_CPUTIME_ID), own = by_call(CLOCK_THREAD_CPUTIME_ID);
    join_thread(start_thread(burn_in_thread, &clock));
    // The thread's time is the process's, but not this thread's; that of a sleeper stands.
    CHECK(by_call(CLOCK_PROCESS_CPUTIME_ID) >= before + 5000000);
    long long used = by_call(CLOCK_THREAD_CPUTIME_ID) - own;
    CHECK(used >= 0);
    CHECK(clock_getcpuclockid(0, &clock) == 0 && by_call(clock) >= before);
    struct rusage usage, thread_usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && getrusage(RUSAGE_THREAD, &thread_usage) == 0);
    struct tms times_used;
    CHECK(times(&times_used) != (clock_t)-1);
}

static void sleepers_use_none(void) {
    // A minute of sleeping threads would show; the bound is far from what waking up costs, on any machine.
    long long real = by_call(CLOCK_MONOTONIC), used = by_call(CLOCK_THREAD_CPUTIME_ID);
    struct timespec time = {0, 50000000};
    CHECK(nanosleep(&time, NULL) == 0);
    real = by_call(CLOCK_MONOTONIC) - real, used = by_call(CLOCK_THREAD_CPUTIME_ID) - used;
    CHECK(real >= 50000000 && used <= real);
}

static void place(void) {
    cpu_set_t set;
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0);
    for (int round = 0; round < scaled(1000); round++) REQUIRE(CPU_ISSET(sched_getcpu(), &set));
    unsigned cpu, node;
    CHECK(syscall(SYS_getcpu, &cpu, &node, NULL) == 0 && CPU_ISSET(cpu, &set));
    CHECK(syscall(SYS_getcpu, NULL, NULL, NULL) == 0);
}

const struct test clock_tests[] = {
    {"clocks_agree", agree},           {"coarse_clocks", coarse},     {"other_clock_calls", other_calls},
    {"clocks_among_threads", among_threads}, {"processor_time", processor_time},
    {"sleepers_use_none", sleepers_use_none}, {"getcpu", place},       {NULL, NULL},
};
