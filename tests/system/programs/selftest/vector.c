// vector.c: floating-point and vector registers across 10^6 system calls while a timer's handler destroys them.
#include "check.h"

#include <cpuid.h>
#include <math.h>

void sse_rounds(const void *in, void *out, long rounds);
void avx_rounds(const void *in, void *out, long rounds);
void avx512_rounds(const void *in, void *out, long rounds);
void x87_rounds(long rounds, double out[3], uint32_t control[2]);

enum { NONE, SSE, AVX, AVX512 };

// What processor and kernel offer: CPUID's OSXSAVE, AVX and AVX512F, and the state components enabled in XCR0.
static int level(void) {
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return SSE;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if (!(c & bit_AVX) || (low & 6) != 6) return SSE;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX512F) || (low & 0xe6) != 0xe6) return AVX;
    return AVX512;
}

static volatile int alarms;
static volatile int odd_start;
static int clobbered;

__attribute__((target("avx512f"))) static void destroy_avx512(void) {
    __asm__ volatile("vpternlogd $0xff, %%zmm1, %%zmm1, %%zmm1; vmovaps %%zmm1, %%zmm16; vmovaps %%zmm1, %%zmm31;"
                     "kxnorw %%k1, %%k1, %%k1; kxnorw %%k7, %%k7, %%k7" ::: "memory");
}

__attribute__((target("avx"))) static void destroy_avx(void) {
    __asm__ volatile("vxorps %%ymm0, %%ymm0, %%ymm0; vxorps %%ymm7, %%ymm7, %%ymm7; vxorps %%ymm15, %%ymm15, %%ymm15" ::
                         : "memory");
}

static void destroy(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    uint16_t control;
    uint32_t sse_control, other = 0x7f80;
    // A handler starts with the x87 and MXCSR in their first state (Linux: fpu__clear_user_states).
    __asm__ volatile("fnstcw %0; stmxcsr %1" : "=m"(control), "=m"(sse_control));
    if (control != 0x37f || sse_control != 0x1f80) odd_start = 1;
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0; pcmpeqd %%xmm8, %%xmm8; pcmpeqd %%xmm15, %%xmm15; fninit; fldz; fldz; fldz;"
                     "fldz; ldmxcsr %0" ::"m"(other)
                     : "memory");
    if (clobbered >= AVX) destroy_avx();
    if (clobbered >= AVX512) destroy_avx512();
    alarms++;
}

static void start(int set) {
    alarms = 0;
    clobbered = set;
    handle(SIGALRM, destroy, 0);
    tick(2000);
}

static void stop(void) {
    tick(0);
    signal(SIGALRM, SIG_DFL);
}

// Runs one set's rounds in slices, so that a timer slower than a slice still meets many of them.
static const char *keeps(void (*rounds)(const void *, void *, long), int set) {
    static _Alignas(64) uint8_t in[2048], out[2048];
    size_t size = set == AVX512 ? 2048 : set == AVX ? 512 : 256;
    start(set);
    int wrong = 0;
    for (int slice = 0; slice < 100; slice++) {
        for (size_t index = 0; index < size; index++) in[index] = index * 7 + slice;
        memset(out, 0, sizeof out);
        rounds(in, out, 10000);
        wrong |= memcmp(in, out, size);
    }
    stop();
    REQUIRE(!wrong);
    REQUIRE(alarms > 0);
    return NULL;
}

static const char *sse_million_calls(void) { return keeps(sse_rounds, SSE); }
static const char *avx_million_calls(void) { return level() >= AVX ? keeps(avx_rounds, AVX) : NULL; }
static const char *avx512_million_calls(void) { return level() >= AVX512 ? keeps(avx512_rounds, AVX512) : NULL; }

static const char *x87_and_controls(void) {
    double out[3];
    uint32_t control[2] = {0x0c7f, 0x7f80}; // round towards zero, all exceptions masked
    start(NONE);
    // Where calls are quick, 200,000 of them end before the timer fires.
    for (int slice = 0; slice < 100 && alarms < 5; slice++) x87_rounds(200000, out, control);
    stop();
    REQUIRE(control[0] == 0x0c7f && (control[1] & ~0x3fu) == 0x7f80);
    REQUIRE(fabs(out[0] - 3.14159265358979) < 1e-13 && fabs(out[1] - 1.44269504088896) < 1e-13 && out[2] == 1.0);
    REQUIRE(alarms > 0 && !odd_start);
    return NULL;
}

static double series(void) {
    volatile double zero = 0;
    double sum = zero;
    for (int term = 1; term < 3000000; term++) sum += (term % 2 ? 1.0 : -1.0) / (2.0 * term - 1) * sqrt(term % 7 + 1);
    return sum;
}

static const char *arithmetic_under_signals(void) {
    double quiet = series();
    start(level());
    double disturbed = series();
    for (int round = 0; round < 50 && !alarms; round++) disturbed = series();
    stop();
    REQUIRE(quiet == disturbed && alarms > 0 && !odd_start);
    return NULL;
}

const struct test vector_tests[] = {
    {"sse_million_calls", sse_million_calls},
    {"avx_million_calls", avx_million_calls},
    {"avx512_million_calls", avx512_million_calls},
    {"x87_and_controls", x87_and_controls},
    {"arithmetic_under_signals", arithmetic_under_signals},
    {NULL, NULL},
};
