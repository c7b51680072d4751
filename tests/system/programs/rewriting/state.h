// state.h: loading and storing what a processor has of a program, in the assembly of a function that has `loaded` and
// `stored`.
#pragma once
#include <stdint.h>

struct state {
    uint64_t registers[16]; // rax, rbx, rcx, rdx, rsi, rdi, rbp, r8 to r15
    uint64_t flags;
    uint64_t vectors[16][2];
};

extern struct state loaded, stored;

#define ALL(load)                                                                                                      \
    load("%rbx", 1) load("%rdx", 3) load("%rsi", 4) load("%rdi", 5) load("%rbp", 6) load("%r8", 7) load("%r9", 8)      \
        load("%r10", 9) load("%r12", 11) load("%r13", 12) load("%r14", 13) load("%r15", 14)
#define LOAD(register, place) "mov loaded + 8 * " #place "(%rip), " register "\n"
#define STORE(register, place) "mov " register ", stored + 8 * " #place "(%rip)\n"
#define VECTORS(each)                                                                                                  \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12)         \
        each(13) each(14) each(15)
#define LOAD_VECTOR(number) "movdqu loaded + 136 + 16 * " #number "(%rip), %xmm" #number "\n"
#define STORE_VECTOR(number) "movdqu %xmm" #number ", stored + 136 + 16 * " #number "(%rip)\n"
