// vectors.c: timers every millisecond over computing threads whose vector registers are all alive.
//
// A handler overwrites every vector register, so a single register not saved changes the result.
#include "tests.h"

#include <cpuid.h>

enum { LANES = 16, ROUNDS = 400 };

// What processor and kernel offer: CPUID's OSXSAVE and AVX, and the state components enabled in XCR0.
static int has_avx(void) {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}

static int has_avx512(void) {
    unsigned a, b, c, d, low, high;
    if (!has_avx() || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX512F)) return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 0xe6) == 0xe6;
}

#define EACH_PAIR(X) \
    X(0, 1) X(1, 2) X(2, 3) X(3, 4) X(4, 5) X(5, 6) X(6, 7) X(7, 8) X(8, 9) X(9, 10) X(10, 11) X(11, 12) X(12, 13) \
        X(13, 14) X(14, 15) X(15, 0)
#define EACH_REGISTER \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
        "xmm13", "xmm14", "xmm15"

// Each register takes in its neighbour by exclusive or, round after round: nothing is ever lost, so neither is an
// error.
#define SSE_LOAD(a, b) "movdqu " #a "*16(%0), %%xmm" #a "\n"
#define SSE_STEP(a, b) "pxor %%xmm" #b ", %%xmm" #a "\n"
#define SSE_STORE(a, b) "movdqu %%xmm" #a ", " #a "*16(%0)\n"
#define AVX_LOAD(a, b) "vmovups " #a "*32(%0), %%ymm" #a "\n"
#define AVX_STEP(a, b) "vxorps %%ymm" #b ", %%ymm" #a ", %%ymm" #a "\n"
#define AVX_STORE(a, b) "vmovups %%ymm" #a ", " #a "*32(%0)\n"
#define AVX512_LOAD(a, b) "vmovups " #a "*64(%0), %%zmm" #a "\n"
#define AVX512_STEP(a, b) "vpxorq %%zmm" #b ", %%zmm" #a ", %%zmm" #a "\n"
#define AVX512_STORE(a, b) "vmovups %%zmm" #a ", " #a "*64(%0)\n"

#define CHURN(SET, ENDING) \
    __asm__ volatile(EACH_PAIR(SET##_LOAD) "1:\n" EACH_PAIR(SET##_STEP) "dec %1\njnz 1b\n" EACH_PAIR(SET##_STORE) ENDING \
                     : "+r"(lanes), "+r"(rounds)::EACH_REGISTER, "cc", "memory")

static void churn_sse(void *lanes, long rounds) { CHURN(SSE, ""); }
static void churn_avx(void *lanes, long rounds) { CHURN(AVX, "vzeroupper\n"); }
static void churn_avx512(void *lanes, long rounds) { CHURN(AVX512, "vzeroupper\n"); }

// The same in plain numbers, a word of each register at a time.
static void reference(uint64_t *lanes, int words, int rounds) {
    for (; rounds; rounds--)
        for (int lane = 0; lane < LANES; lane++)
            for (int word = 0; word < words; word++)
                lanes[lane * words + word] ^= lanes[(lane + 1) % LANES * words + word];
}

static void fill(uint64_t *lanes, int words, uint64_t seed) {
    for (int index = 0; index < LANES * words; index++) lanes[index] = seed = seed * 6364136223846793005u + 1442695040888963407u;
}

static atomic_long alarms;
static int level;

static void overwrite(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    uint64_t ones[LANES * 8];
    memset(ones, 0xff, sizeof ones);
    if (level == 2) churn_avx512(ones, 3);
    else if (level == 1) churn_avx(ones, 3);
    else churn_sse(ones, 3);
    alarms++;
}

static const struct {
    void (*churn)(void *, long);
    int words;
} sets[] = {{churn_sse, 2}, {churn_avx, 4}, {churn_avx512, 8}};

static int highest_level(void) { return has_avx512() ? 2 : has_avx() ? 1 : 0; }

// Slices of work until so many alarms have come; how many slices went wrong.
static int compute_until(long wanted, int set, uint64_t seed) {
    uint64_t expected[LANES * 8], lanes[LANES * 8];
    int words = sets[set].words, wrong = 0;
    fill(expected, words, seed);
    reference(expected, words, ROUNDS);
    while (alarms < wanted) {
        for (int slice = 0; slice < 20; slice++) {
            fill(lanes, words, seed);
            sets[set].churn(lanes, ROUNDS);
            wrong += memcmp(lanes, expected, sizeof(uint64_t) * LANES * words) != 0;
        }
    }
    return wrong;
}

static void tick(int microseconds) {
    struct itimerval interval = {.it_interval = {0, microseconds}, .it_value = {0, microseconds}};
    CHECK(setitimer(ITIMER_REAL, &interval, NULL) == 0);
}

static void under_interval_timer(void) {
    handle(SIGALRM, overwrite, 0);
    level = highest_level();
    tick(1000);
    for (int set = 0; set < 3; set++) {
        alarms = 0;
        CHECK(set > level || compute_until(scaled(100), set, 17 + set) == 0);
    }
    tick(0);
    signal(SIGALRM, SIG_DFL);
}

static timer_t start_timer(int notify, int number, uint32_t thread) {
    struct sigevent event = {.sigev_notify = notify, .sigev_signo = number};
    timer_t timer;
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif
    event.sigev_notify_thread_id = (int)thread;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec every = {.it_interval = {0, 1000000}, .it_value = {0, 1000000}};
    CHECK(timer_settime(timer, 0, &every, NULL) == 0);
    return timer;
}

static void under_posix_timer(void) {
    handle(REAL_TIME_SIGNAL(1), overwrite, 0);
    level = highest_level();
    alarms = 0;
    timer_t timer = start_timer(SIGEV_SIGNAL, REAL_TIME_SIGNAL(1), 0);
    CHECK(compute_until(scaled(100), level, 99) == 0);
    CHECK(timer_delete(timer) == 0);
}

enum { COMPUTING = 4 };
static atomic_int wrong_thread;
static atomic_long alarms_of[COMPUTING];
static __thread int own_index = -1;

static void overwrite_and_count(int signal, siginfo_t *information, void *state) {
    overwrite(signal, information, state);
    if (own_index < 0 || information->si_value.sival_int != own_index) wrong_thread = 1;
    else alarms_of[own_index]++;
}

static void *compute_in_thread(void *argument) {
    own_index = (int)(intptr_t)argument;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = REAL_TIME_SIGNAL(2)};
    event.sigev_value.sival_int = own_index;
    event.sigev_notify_thread_id = (int)thread_id();
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    struct itimerspec every = {.it_interval = {0, 1000000}, .it_value = {0, 1000000}}, off = {0};
    CHECK(timer_settime(timer, 0, &every, NULL) == 0);
    int wrong = 0;
    for (int set = 0; alarms_of[own_index] < scaled(50); set = (set + 1) % (level + 1))
        wrong += compute_until(alarms + 1, set, own_index * 31 + set);
    CHECK(wrong == 0 && timer_settime(timer, 0, &off, NULL) == 0 && timer_delete(timer) == 0);
    return NULL;
}

static void in_each_thread(void) {
    pthread_t threads[COMPUTING];
    handle(REAL_TIME_SIGNAL(2), overwrite_and_count, 0);
    level = highest_level();
    wrong_thread = 0;
    for (intptr_t index = 0; index < COMPUTING; index++) {
        alarms_of[index] = 0;
        threads[index] = start_thread(compute_in_thread, (void *)index);
    }
    for (int index = 0; index < COMPUTING; index++) join_thread(threads[index]);
    CHECK(!wrong_thread);
}

static double series(void) {
    volatile double zero = 0;
    double sum = zero;
    for (int term = 1; term < 200000; term++) sum += (term % 2 ? 1.0 : -1.0) / (2.0 * term - 1) + 1.0 / term;
    return sum;
}

static long double x87_series(void) {
    volatile long double zero = 0;
    long double sum = zero;
    for (int term = 1; term < 50000; term++) sum += 1.0L / ((long double)term * term);
    return sum;
}

static void overwrite_all(int signal, siginfo_t *information, void *state) {
    overwrite(signal, information, state);
    unsigned other = 0x7f80; // rounding towards zero in MXCSR, and full x87 registers
    __asm__ volatile("fninit; fldz; fldz; fldpi; fldz; fldz; fldz; fldz; fldpi; ldmxcsr %0" ::"m"(other));
}

static void arithmetic(void) {
    double quiet = series();
    long double quiet_x87 = x87_series();
    handle(SIGALRM, overwrite_all, 0);
    level = highest_level();
    alarms = 0;
    int wrong = 0;
    tick(1000);
    while (alarms < scaled(100)) wrong += series() != quiet || x87_series() != quiet_x87;
    tick(0);
    signal(SIGALRM, SIG_DFL);
    CHECK(wrong == 0);
}

const struct test vector_tests[] = {
    {"vectors_under_interval_timer", under_interval_timer},
    {"vectors_under_posix_timer", under_posix_timer},
    {"vectors_in_each_thread", in_each_thread},
    {"arithmetic_under_timer", arithmetic},
    {NULL, NULL},
};
