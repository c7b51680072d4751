// Computes until somebody takes the processor away for long. That time is nobody's processor time, by any clock.

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { CLOCKS = 3 };

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void look(double used[CLOCKS]) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    used[0] = seconds(CLOCK_PROCESS_CPUTIME_ID);
    used[1] = seconds(CLOCK_THREAD_CPUTIME_ID);
    used[2] = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
              (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(void) {
    double used[2][CLOCKS], moment[2] = {seconds(CLOCK_MONOTONIC)}, gap = 0;
    int now = 0;
    look(used[now]);
    puts("ready");
    fflush(stdout);
    while (gap < 0.5) {
        now = !now;
        look(used[now]);
        moment[now] = seconds(CLOCK_MONOTONIC);
        gap = moment[now] - moment[!now];
    }
    for (int clock = 0; clock < CLOCKS; clock++) printf("%s\n", used[now][clock] - used[!now][clock] < gap / 2 ? "right" : "wrong");
    return 0;
}
