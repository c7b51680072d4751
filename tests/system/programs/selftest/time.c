// time.c: clocks, sleeping, interval timers. Nothing here asserts that something was quick.
#include "check.h"

#include <sys/time.h>
#include <sys/times.h>
#include <sys/resource.h>
#include <time.h>

static int64_t now(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) ? -1 : time.tv_sec * 1000000000ll + time.tv_nsec;
}

static const char *clocks(void) {
    int64_t last = now(CLOCK_MONOTONIC), first = last;
    REQUIRE(first >= 0);
    for (int round = 0; round < 100000; round++) {
        int64_t next = now(CLOCK_MONOTONIC);
        REQUIRE(next >= last);
        last = next;
    }
    REQUIRE(last > first);
    static const clockid_t others[] = {CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME,
                                       CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_REALTIME_COARSE};
    for (size_t index = 0; index < sizeof others / sizeof *others; index++) REQUIRE(now(others[index]) > 0);
    REQUIRE_ERROR(syscall(SYS_clock_gettime, 99, &first), EINVAL);
    struct timespec resolution;
    REQUIRE(clock_getres(CLOCK_MONOTONIC, &resolution) == 0 && !resolution.tv_sec && resolution.tv_nsec > 0);
    return NULL;
}

static const char *clock_by_call(void) {
    // The vDSO, if there is one, and the system call agree.
    struct timespec time;
    int64_t before = now(CLOCK_MONOTONIC);
    REQUIRE(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time) == 0);
    int64_t between = time.tv_sec * 1000000000ll + time.tv_nsec;
    REQUIRE(before <= between && between <= now(CLOCK_MONOTONIC));
    return NULL;
}

static const char *calendar(void) {
    struct timeval day;
    time_t seconds = time(NULL);
    REQUIRE(seconds > 1700000000 && gettimeofday(&day, NULL) == 0);
    REQUIRE(day.tv_sec - seconds <= 2 && day.tv_usec < 1000000);
    REQUIRE(now(CLOCK_REALTIME) / 1000000000 - day.tv_sec <= 2);
    struct tm *fields = gmtime(&seconds);
    REQUIRE(fields && fields->tm_year >= 123);
    return NULL;
}

static const char *sleeping(void) {
    struct timespec length = {0, 15000000}, rest;
    int64_t before = now(CLOCK_MONOTONIC);
    REQUIRE(nanosleep(&length, &rest) == 0 && now(CLOCK_MONOTONIC) - before >= 15000000);
    int64_t until = now(CLOCK_MONOTONIC) + 10000000;
    struct timespec moment = {until / 1000000000, until % 1000000000};
    REQUIRE(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) == 0 && now(CLOCK_MONOTONIC) >= until);
    length.tv_nsec = 1000000000;
    REQUIRE_ERROR(nanosleep(&length, NULL), EINVAL);
    return NULL;
}

static volatile int alarms;

static void count_alarm(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    alarms++;
}

static const char *interval_timer(void) {
    alarms = 0;
    handle(SIGALRM, count_alarm, 0);
    int64_t before = now(CLOCK_MONOTONIC);
    tick(5000);
    while (alarms < 10) continue; // computing, without a system call: the timer must interrupt it
    REQUIRE(now(CLOCK_MONOTONIC) - before >= 45000000);
    struct itimerval left;
    REQUIRE(getitimer(ITIMER_REAL, &left) == 0 && left.it_interval.tv_usec == 5000);
    // Sleep is cut short, and says how much was left.
    struct timespec length = {5, 0}, rest = {0, 0};
    REQUIRE_ERROR(nanosleep(&length, &rest), EINTR);
    REQUIRE(rest.tv_sec == 4);
    tick(0);
    REQUIRE(alarm(100) == 0 && alarm(0) == 100);
    signal(SIGALRM, SIG_DFL);
    return NULL;
}

static const char *used_time(void) {
    struct rusage usage;
    struct tms parts;
    REQUIRE(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > 0);
    REQUIRE(times(&parts) != (clock_t)-1);
    return NULL;
}

const struct test time_tests[] = {
    {"clocks", clocks},     {"clock_by_call", clock_by_call},   {"calendar", calendar},
    {"sleeping", sleeping}, {"interval_timer", interval_timer}, {"used_time", used_time},
    {NULL, NULL},
};
