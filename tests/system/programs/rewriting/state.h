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

static uint64_t caller_stack __attribute__((used));

// The beginning of a function that has nothing of its caller's but what is in `loaded`, and its end.
#define LOAD_ALL                                                                                                       \
    "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"                                               \
    VECTORS(LOAD_VECTOR)                                                                                               \
    "push loaded + 128(%rip)\npopf\n"                                                                                  \
    ALL(LOAD)                                                                                                          \
    "mov %rsp, caller_stack(%rip)\n"
#define STORE_ALL                                                                                                      \
    "mov caller_stack(%rip), %rsp\n"                                                                                   \
    "pushf\npop stored + 128(%rip)\n"                                                                                  \
    "cld\n"                                                                                                            \
    "andl $~0x40000, stored + 128(%rip)\npush loaded + 128(%rip)\nandq $0x202, (%rsp)\npopf\n"                         \
    STORE("%rax", 0) STORE("%rcx", 2) STORE("%r11", 10)                                                                \
    ALL(STORE)                                                                                                         \
    VECTORS(STORE_VECTOR)                                                                                              \
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n"
