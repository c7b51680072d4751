// Makes one system call again and again, with a value of its own in each register. Whatever signal comes must find it
// right behind the system call instruction, with all registers as they were. Ends after as many signals as the
// command line says.

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>

extern char behind_call[];

static volatile long handled, wrong;

// The frame pointer, which the loop below uses for a value too.
static uint64_t frame __attribute__((used));

// As the loop below loads them; rcx and r11 are the system call's.
static const struct {
    int place;
    uint64_t value;
} kept[] = {
    {REG_RBX, 0x1111111111111111}, {REG_R8, 0x2222222222222222},  {REG_R9, 0x3333333333333333},
    {REG_R10, 0x4444444444444444}, {REG_R12, 0x5555555555555555}, {REG_R13, 0x6666666666666666},
    {REG_R14, 0x7777777777777777}, {REG_R15, 0x0123456789abcdef}, {REG_RBP, 0x8888888888888888},
};

static void handler(int number, siginfo_t *information, void *context) {
    (void)number;
    (void)information;
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (registers[REG_RIP] != (greg_t)behind_call)
        wrong++;
    for (size_t index = 0; index < sizeof kept / sizeof *kept; index++)
        if ((uint64_t)registers[kept[index].place] != kept[index].value)
            wrong++;
    handled++;
}

// The answer; `wrong` counts registers that have changed behind the call.
static long call(long number, long first, const void *second, long third) {
    long differences;
    __asm__ volatile(
        "mov %%rbp, frame(%%rip)\n"
        "mov $0x1111111111111111, %%rbx\n mov $0x2222222222222222, %%r8\n mov $0x3333333333333333, %%r9\n"
        "mov $0x4444444444444444, %%r10\n mov $0x5555555555555555, %%r12\n mov $0x6666666666666666, %%r13\n"
        "mov $0x7777777777777777, %%r14\n mov $0x0123456789abcdef, %%r15\n mov $0x8888888888888888, %%rbp\n"
        "syscall\n"
        ".globl behind_call\n"
        "behind_call:\n"
        "mov $0x1111111111111111, %%rcx\n xor %%rcx, %%rbx\n mov $0x2222222222222222, %%rcx\n xor %%rcx, %%r8\n"
        "mov $0x3333333333333333, %%rcx\n xor %%rcx, %%r9\n mov $0x4444444444444444, %%rcx\n xor %%rcx, %%r10\n"
        "mov $0x5555555555555555, %%rcx\n xor %%rcx, %%r12\n mov $0x6666666666666666, %%rcx\n xor %%rcx, %%r13\n"
        "mov $0x7777777777777777, %%rcx\n xor %%rcx, %%r14\n mov $0x0123456789abcdef, %%rcx\n xor %%rcx, %%r15\n"
        "mov $0x8888888888888888, %%rcx\n xor %%rcx, %%rbp\n"
        "or %%r8, %%rbx\n or %%r9, %%rbx\n or %%r10, %%rbx\n or %%r12, %%rbx\n or %%r13, %%rbx\n or %%r14, %%rbx\n"
        "or %%r15, %%rbx\n or %%rbp, %%rbx\n"
        "mov frame(%%rip), %%rbp\n"
        : "+a"(number), "=&b"(differences), "+D"(first), "+S"(second), "+d"(third)
        :
        : "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
    if (differences != 0)
        wrong++;
    return number;
}

int main(int count, char **words) {
    long wanted = count > 1 ? atol(words[1]) : 0;
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(SIGUSR1, &action, NULL);
    call(SYS_write, 1, "ready\n", 6);
    long parent = call(SYS_getppid, 0, NULL, 0);
    while (handled < wanted)
        if (call(SYS_getppid, 0, NULL, 0) != parent)
            wrong++;
    printf("handled %ld, wrong %ld\n", handled, wrong);
    return 0;
}
