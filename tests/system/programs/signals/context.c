// context.c: all that a handler is told of what it interrupted, and all that it may change (sigreturn(2)).
#include "tests.h"

#include <cpuid.h>
#include <sys/mman.h>

// The software bytes of an FXSAVE area and the marks around an XSAVE frame: asm/sigcontext.h.
enum { SOFTWARE_BYTES = 464, MAGIC1 = 0x46505853, MAGIC2 = 0x46505845 };
static volatile int count;
static greg_t saved[NGREG];
static uint32_t frame_magic[2];
static uint64_t frame_features, seen_vector[2];
static unsigned long frame_flags;

static void look(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information;
    ucontext_t *context = state;
    char *vectors = (char *)context->uc_mcontext.fpregs;
    memcpy(saved, context->uc_mcontext.gregs, sizeof saved);
    frame_flags = context->uc_flags;
    uint32_t size;
    memcpy(&frame_magic[0], vectors + SOFTWARE_BYTES, 4);
    memcpy(&size, vectors + SOFTWARE_BYTES + 4, 4);
    memcpy(&frame_features, vectors + SOFTWARE_BYTES + 8, 8);
    if (frame_magic[0] == MAGIC1) memcpy(&frame_magic[1], vectors + size - 4, 4);
    memcpy(seen_vector, vectors + 160 + 16 * 5, 16); // xmm5
    count++;
}

// Sets every register to a value of its own and faults: the values must be those that the handler saw.
static void general_registers(void) {
    handle(SIGSEGV, look, 0);
    handle(SIGILL, look, 0);
    static uintptr_t stack; // not on the stack, whose pointer moves
    struct sigaction action;
    CHECK(sigaction(SIGILL, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO));
    count = 0;
    // tkill sends the signal while the registers hold what a system call leaves alone.
    __asm__ volatile("push %%rbx; push %%rbp; mov %%rsp, %0\n"
                     "mov $0x1b, %%ebx; mov $0x1bb, %%ebp; mov $0x8, %%r8d; mov $0x9, %%r9d; mov $0xa, %%r10d\n"
                     "mov $0xc, %%r12d; mov $0xd, %%r13d; mov $0xe, %%r14d; mov $0xf, %%r15d; mov $0xd0, %%edx\n"
                     "syscall; pop %%rbp; pop %%rbx"
                     : "=m"(stack)
                     : "a"(SYS_tkill), "D"((long)thread_id()), "S"((long)SIGILL)
                     : "rcx", "r11", "r8", "r9", "r10", "r12", "r13", "r14", "r15", "rdx", "memory", "cc");
    CHECK(count == 1 && saved[REG_RBX] == 0x1b && saved[REG_RBP] == 0x1bb && saved[REG_RSP] == (greg_t)stack);
    CHECK(saved[REG_R8] == 8 && saved[REG_R9] == 9 && saved[REG_R10] == 10 && saved[REG_R12] == 12);
    CHECK(saved[REG_R13] == 13 && saved[REG_R14] == 14 && saved[REG_R15] == 15 && saved[REG_RDX] == 0xd0);
    CHECK(saved[REG_RAX] == 0 && saved[REG_RDI] == (greg_t)thread_id() && saved[REG_RSI] == SIGILL);
    CHECK((saved[REG_EFL] & 0x202) == 0x202 && saved[REG_RIP] != 0);
}

static void skip_and_look(int signal, siginfo_t *information, void *state) {
    look(signal, information, state);
    ((ucontext_t *)state)->uc_mcontext.gregs[REG_RIP] += 3; // mov %rcx, (%rdx)
}

static void fault_details(void) {
    handle(SIGSEGV, skip_and_look, 0);
    char *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && memory[0] == 0);
    count = 0;
    __asm__ volatile(".byte 0x48, 0x89, 0x0a" ::"c"(0x5555L), "d"(memory + 77) : "memory");
    CHECK(count == 1 && saved[REG_TRAPNO] == 14 && (saved[REG_ERR] & 2) && saved[REG_CR2] == (greg_t)(memory + 77));
    CHECK(saved[REG_RCX] == 0x5555 && saved[REG_RDX] == (greg_t)(memory + 77));
    __asm__ volatile(".byte 0x48, 0x89, 0x0a" ::"c"(0L), "d"(64L) : "memory");
    CHECK(count == 2 && saved[REG_TRAPNO] == 14 && saved[REG_CR2] == 64 && (saved[REG_ERR] & 1) == 0);
    CHECK(munmap(memory, 4096) == 0);
}

static int has_extended_state(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

static void extended_state(void) {
    handle(SIGUSR1, look, 0);
    uint64_t value[2] = {0x1122334455667788, 0x99aabbccddeeff00};
    count = 0;
    __asm__ volatile("movdqu %3, %%xmm5; syscall"
                     :
                     : "a"(SYS_tkill), "D"((long)thread_id()), "S"((long)SIGUSR1), "m"(value)
                     : "rcx", "r11", "xmm5", "memory");
    CHECK(count == 1 && memcmp(seen_vector, value, 16) == 0);
    int extended = has_extended_state();
    CHECK(!extended || (frame_magic[0] == MAGIC1 && frame_magic[1] == MAGIC2));
    CHECK(!extended || ((frame_features & 3) == 3 && (frame_flags & 1))); // UC_FP_XSTATE
}

static void change_vector(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information;
    char *vectors = (char *)((ucontext_t *)state)->uc_mcontext.fpregs;
    uint64_t change[2] = {0xfeedfacecafebeef, 0x0123456789abcdef};
    memcpy(vectors + 160 + 16 * 5, change, 16);
    uint32_t control = 0x7f80; // rounding towards zero
    memcpy(vectors + 24, &control, 4);
    // An XSAVE frame says in its header which parts are not in their first state.
    uint64_t magic = 0;
    memcpy(&magic, vectors + SOFTWARE_BYTES, 4);
    if (magic == MAGIC1) vectors[512] |= 2;
    count++;
}

static void vector_changed(void) {
    handle(SIGUSR1, change_vector, 0);
    uint64_t got[2] = {0};
    uint32_t control = 0, usual = 0x1f80;
    count = 0;
    __asm__ volatile("pxor %%xmm5, %%xmm5; syscall; movdqu %%xmm5, %0; stmxcsr %1; ldmxcsr %2"
                     : "=m"(got), "=m"(control)
                     : "m"(usual), "a"(SYS_tkill), "D"((long)thread_id()), "S"((long)SIGUSR1)
                     : "rcx", "r11", "xmm5", "memory");
    CHECK(count == 1 && got[0] == 0xfeedfacecafebeef && got[1] == 0x0123456789abcdef && control == 0x7f80);
}

static void change_registers(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information;
    greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
    registers[REG_RAX] = 0x1234567812345678;
    registers[REG_RBX] = 0x77;
    registers[REG_R15] = 0x88;
    registers[REG_EFL] |= 1; // the carry flag
    count++;
}

static void registers_changed(void) {
    handle(SIGUSR1, change_registers, 0);
    long result, rbx, r15, carry;
    count = 0;
    __asm__ volatile("xor %%ebx, %%ebx; xor %%r15d, %%r15d; clc; syscall; setc %%cl; movzbl %%cl, %%ecx"
                     : "=a"(result), "=b"(rbx), "=c"(carry), "=&r"(r15)
                     : "a"(SYS_tkill), "D"((long)thread_id()), "S"((long)SIGUSR1)
                     : "r11", "memory", "cc");
    __asm__ volatile("" ::"r"(r15));
    CHECK(count == 1 && result == 0x1234567812345678 && rbx == 0x77 && carry == 1);
}

static void change_mask(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information;
    sigaddset(&((ucontext_t *)state)->uc_sigmask, SIGUSR2);
    count++;
}

static void mask_changed(void) {
    sigset_t mask;
    handle(SIGUSR1, change_mask, 0);
    count = 0;
    CHECK(raise(SIGUSR1) == 0 && count == 1 && pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0);
    CHECK(sigismember(&mask, SIGUSR2) && !sigismember(&mask, SIGUSR1));
    mask_signal(SIG_UNBLOCK, SIGUSR2);
}

const struct test context_tests[] = {
    {"context_general_registers", general_registers}, {"context_fault_details", fault_details},
    {"context_extended_state", extended_state},       {"context_vector_changed", vector_changed},
    {"context_registers_changed", registers_changed}, {"context_mask_changed", mask_changed},
    {NULL, NULL},
};
