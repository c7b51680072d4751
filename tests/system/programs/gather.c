// Gathers by each register that can hold indices, beside the same loads one by one. Says what it found; 1 if they
// differ.

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 256 };
static int64_t table[LENGTH];
static int64_t indices[4] __attribute__((aligned(32)));
static int64_t result[4] __attribute__((aligned(32)));

// The result in register 0, the mask in 1, and the indices in each of the others.
#define GATHER(register) \
    __asm__ volatile("vpcmpeqd %%ymm1, %%ymm1, %%ymm1; vmovdqa %1, %%ymm" #register "; vpxor %%ymm0, %%ymm0, %%ymm0;" \
                     "vpgatherqq %%ymm1, (%2, %%ymm" #register ", 8), %%ymm0; vmovdqa %%ymm0, %0; vzeroupper" \
                     : "=m"(result) : "m"(indices), "r"(table) : "xmm0", "xmm1", "xmm" #register, "memory"); \
    for (int lane = 0; lane < 4; lane++) wrong += result[lane] != table[indices[lane]]

int main(void) {
    if (!__builtin_cpu_supports("avx2")) return puts("no gather") < 0;
    int wrong = 0;
    for (int place = 0; place < LENGTH; place++) table[place] = place * INT64_C(0x9e3779b97f4a7c15);
    for (int round = 0; round < LENGTH; round++) {
        for (int lane = 0; lane < 4; lane++) indices[lane] = (round * 7 + lane * 61 + 1) % LENGTH;
        GATHER(2); GATHER(3); GATHER(4); GATHER(5); GATHER(6); GATHER(7); GATHER(8);
        GATHER(9); GATHER(10); GATHER(11); GATHER(12); GATHER(13); GATHER(14); GATHER(15);
    }
    printf("gather %s\n", wrong ? "wrong" : "right");
    return wrong != 0;
}
