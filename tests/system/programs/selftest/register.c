// register.c: what a system call and a signal must leave alone: registers, flags, the red zone.
#include "check.h"

#include <fcntl.h>

int red_zone_survives(long number, long rounds);
int interrupted_leaf(volatile int *count, int until);
long registers_survive(long number, const uint64_t before[13], uint64_t after[13]);

static const char *red_zone_across_calls(void) {
    REQUIRE(red_zone_survives(SYS_getppid, 100000) == 0);
    REQUIRE(red_zone_survives(SYS_getpid, 1000) == 0);
    REQUIRE(red_zone_survives(5000, 1000) == 0);
    return NULL;
}

static const char *registers_across_calls(void) {
    enum { FIXED = 0x202, ARITHMETIC = 0x8d5, DIRECTION = 0x400, IDENTIFICATION = 0x200000 };
    static const uint64_t flags[] = {FIXED, FIXED | ARITHMETIC, FIXED | ARITHMETIC | DIRECTION, FIXED | IDENTIFICATION};
    uint64_t before[13], after[13];
    static const long numbers[] = {SYS_getppid, SYS_gettid, SYS_close, SYS_lseek, 5000, -1};
    for (size_t call = 0; call < sizeof numbers / sizeof *numbers; call++) {
        for (size_t set = 0; set < sizeof flags / sizeof *flags; set++) {
            for (int index = 0; index < 12; index++) before[index] = 0x0123456789abcdefull * (index * 2 + 3);
            before[12] = flags[set];
            long result = registers_survive(numbers[call], before, after);
            REQUIRE(call < 2 ? result > 0 || result == getppid() : result == -EBADF || result == -ENOSYS);
            REQUIRE(memcmp(before, after, sizeof before - 8) == 0);
            REQUIRE((before[12] & ~0x10000) == (after[12] & ~0x10000)); // all flags but RF
        }
    }
    return NULL;
}

static volatile int alarms;

static void count_alarm(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    alarms++;
}

static const char *leaf_across_signals(void) {
    alarms = 0;
    handle(SIGALRM, count_alarm, 0);
    tick(1000);
    int wrong = interrupted_leaf(&alarms, 50);
    tick(0);
    signal(SIGALRM, SIG_DFL);
    REQUIRE(!wrong);
    return NULL;
}

static const char *calls_under_signals(void) {
    // System calls and signals at once: each result is right, none is lost or doubled.
    alarms = 0;
    int file = open("under-signals", O_RDWR | O_CREAT, 0600), wrong = 0;
    handle(SIGALRM, count_alarm, SA_RESTART);
    tick(1000);
    for (uint32_t round = 0; round < 50000 && !wrong; round++) {
        uint32_t back = 0;
        wrong |= pwrite(file, &round, 4, round % 4096 * 4) != 4;
        wrong |= pread(file, &back, 4, round % 4096 * 4) != 4 || back != round;
    }
    wrong |= red_zone_survives(SYS_getppid, 100000);
    tick(0);
    signal(SIGALRM, SIG_DFL);
    close(file);
    REQUIRE(!wrong && alarms > 0);
    return NULL;
}

const struct test register_tests[] = {
    {"red_zone_across_calls", red_zone_across_calls},
    {"registers_across_calls", registers_across_calls},
    {"leaf_across_signals", leaf_across_signals},
    {"calls_under_signals", calls_under_signals},
    {NULL, NULL},
};
