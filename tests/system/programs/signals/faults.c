// faults.c: faults handled and resumed: mended, stepped over, jumped out of, in many threads at once (signal(7)).
#include "tests.h"

#include <sys/mman.h>

enum { PAGE = 4096 };
static __thread volatile int count, seen_signal, seen_code, seen_trap;
static __thread volatile uintptr_t seen_address, seen_rip;
static __thread sigjmp_buf escape;

static void note(int signal, siginfo_t *information, void *state) {
    seen_signal = signal;
    seen_code = information->si_code;
    seen_address = (uintptr_t)information->si_addr;
    seen_rip = ((ucontext_t *)state)->uc_mcontext.gregs[REG_RIP];
    seen_trap = ((ucontext_t *)state)->uc_mcontext.gregs[REG_TRAPNO];
    count++;
}

static void mend(int signal, siginfo_t *information, void *state) {
    note(signal, information, state);
    if (mprotect((void *)(seen_address & -PAGE), PAGE, PROT_READ | PROT_WRITE)) _exit(9);
}

static void leap(int signal, siginfo_t *information, void *state) {
    note(signal, information, state);
    siglongjmp(escape, signal);
}

static void *pages(int count_of_pages, int protection) {
    void *memory = mmap(NULL, (size_t)count_of_pages * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

static void mended(void) {
    enum { PAGES = 64 };
    handle(SIGSEGV, mend, 0);
    for (int round = 0; round < scaled(5); round++) {
        volatile char *memory = pages(PAGES, round % 2 ? PROT_READ : PROT_NONE);
        count = 0;
        for (int page = 0; page < PAGES; page++) {
            memory[page * PAGE + page] = (char)(page + 1);
            CHECK(count == page + 1 && seen_address == (uintptr_t)(memory + page * PAGE + page));
            CHECK(seen_code == SEGV_ACCERR && memory[page * PAGE + page] == page + 1);
        }
        CHECK(munmap((void *)memory, PAGES * PAGE) == 0);
    }
}

static void *mend_in_thread(void *unused) {
    (void)unused;
    volatile char *memory = pages(32, PROT_NONE);
    for (int page = 0; page < 32; page++) {
        memory[page * PAGE] = 1;
        if (count != page + 1 || seen_address != (uintptr_t)(memory + page * PAGE)) return "another thread's fault";
    }
    return munmap((void *)memory, 32 * PAGE) ? "unmap" : NULL;
}

static void mended_in_threads(void) {
    handle(SIGSEGV, mend, 0);
    for (int round = 0; round < scaled(5); round++) {
        pthread_t threads[8];
        for (int index = 0; index < 8; index++) threads[index] = start_thread(mend_in_thread, NULL);
        for (int index = 0; index < 8; index++) CHECK(join_thread(threads[index]) == NULL);
    }
}

// Where to go on after the instruction at label 1.
static __thread volatile uintptr_t faulting, resume;

static void skip(int signal, siginfo_t *information, void *state) {
    note(signal, information, state);
    ((ucontext_t *)state)->uc_mcontext.gregs[REG_RIP] = (greg_t)resume;
}

#define FAULTING(instruction) \
    do { \
        uintptr_t begin, end; \
        __asm__ volatile("lea 1f(%%rip), %0; lea 2f(%%rip), %1" : "=&r"(begin), "=&r"(end)); \
        faulting = begin, resume = end; \
        count = 0; \
        __asm__ volatile("xor %%ecx, %%ecx; xor %%edx, %%edx; mov $1, %%eax\n1: " instruction "\n2:" ::: "rax", "rcx", \
                         "rdx", "cc", "memory"); \
    } while (0)

static void __attribute__((noinline)) division(void) {
    handle(SIGFPE, skip, 0);
    for (int round = 0; round < scaled(100); round++) {
        FAULTING("idivl %%ecx");
        CHECK(count == 1 && seen_signal == SIGFPE && seen_code == FPE_INTDIV);
        CHECK(seen_rip == faulting && seen_address == faulting);
    }
}

static void __attribute__((noinline)) illegal(void) {
    handle(SIGILL, skip, 0);
    FAULTING("ud2");
    CHECK(count == 1 && seen_signal == SIGILL && seen_code == ILL_ILLOPN);
    CHECK(seen_rip == faulting && seen_address == faulting);
}

static void __attribute__((noinline)) traps(void) {
    handle(SIGTRAP, note, 0);
    FAULTING("int3");
    CHECK(count == 1 && seen_signal == SIGTRAP && seen_code == SI_KERNEL && seen_rip == resume);
    // The trap flag: a signal after each of the three instructions that it is set for.
    count = 0;
    __asm__ volatile("sub $128, %%rsp; pushfq; orl $0x100, (%%rsp); popfq; nop; nop; pushfq; andl $~0x100, (%%rsp); popfq;"
                     "add $128, %%rsp" ::: "cc", "memory");
    CHECK(count >= 3 && seen_code == TRAP_TRACE);
    signal(SIGTRAP, SIG_DFL);
}

static void __attribute__((noinline)) general_protection(void) {
    handle(SIGSEGV, skip, 0);
    FAULTING("mov $0x8000000000000000, %%rcx; 1: movb (%%rcx), %%al");
    CHECK(count == 1 && seen_signal == SIGSEGV && seen_code == SI_KERNEL && seen_address == 0);
}

static void __attribute__((noinline)) impossible_stack(void) {
    handle(SIGBUS, skip, 0);
    handle(SIGSEGV, skip, 0);
    FAULTING("mov %%rbp, %%rdx; mov $0x8000000000000000, %%rcx; mov %%rcx, %%rbp; movb (%%rbp), %%al; 2: mov %%rdx, %%rbp");
    // Emulators have a protection fault where processors have one of the stack.
    CHECK(count == 1 && seen_code == SI_KERNEL && seen_address == 0);
    CHECK(seen_signal == (seen_trap == 12 ? SIGBUS : SIGSEGV) && (seen_trap == 12 || seen_trap == 13));
    signal(SIGBUS, SIG_DFL);
}

// An instruction that looks at the stack with the kernel's rights, if an emulator has it so, is no reason to stand
// still.
static void __attribute__((noinline)) returned_to_nowhere(void) {
    handle(SIGSEGV, leap, 0);
    count = 0;
    int signal = sigsetjmp(escape, 1);
    if (signal == 0) __asm__ volatile("sub $128, %%rsp; push $0; push $0; push $0; push $0; push $0; iretq" ::: "memory");
    CHECK(signal == SIGSEGV && count == 1);
}

// Code that changes the page it lies in: on Linux it does; where no page is writable and executable, it cannot.
static void __attribute__((noinline)) changed_itself(void) {
    static const unsigned char code[] = {0xc6, 0x05, 0x10, 0, 0, 0, 0x42, 0xb8, 7, 0, 0, 0, 0xc3};
    unsigned char *place = pages(1, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(place, code, sizeof code);
    handle(SIGSEGV, leap, 0);
    count = 0;
    int signal = sigsetjmp(escape, 1);
    if (signal == 0) {
        CHECK(((int (*)(void))(uintptr_t)place)() == 7 && place[7 + 0x10] == 0x42);
    } else {
        CHECK(count == 1 && seen_code == SEGV_ACCERR && seen_address == (uintptr_t)place + 7 + 0x10);
    }
    CHECK(munmap(place, PAGE) == 0);
}

static void jumped_out(void) {
    int signals[] = {SIGSEGV, SIGFPE, SIGILL};
    sigset_t mask;
    for (size_t index = 0; index < 3; index++) handle(signals[index], leap, 0);
    for (int round = 0; round < scaled(300); round++) {
        volatile int zero = 0, *volatile nowhere = NULL;
        count = 0;
        int signal = sigsetjmp(escape, 1);
        if (signal == 0) {
            if (round % 3 == 0) *nowhere = 1;
            if (round % 3 == 1) zero = 100 / zero;
            __asm__ volatile("ud2");
        }
        CHECK(signal == signals[round % 3] && count == 1);
        // The jump put the mask back as it was.
        CHECK(pthread_sigmask(SIG_SETMASK, NULL, &mask) == 0 && !sigismember(&mask, signal));
    }
}

static void beyond_the_file(void) {
    int file = (int)syscall(SYS_memfd_create, "short", 0);
    CHECK(file >= 0 && ftruncate(file, 100) == 0);
    char *memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    CHECK(memory != MAP_FAILED);
    memory[50] = 5;
    CHECK(memory[PAGE - 1] == 0);
    handle(SIGBUS, leap, 0);
    for (int page = 1; page < 3; page++) {
        count = 0;
        if (!sigsetjmp(escape, 1)) ((volatile char *)memory)[page * PAGE + 8] = 1;
        CHECK(count == 1 && seen_signal == SIGBUS && seen_code == BUS_ADRERR);
        CHECK(seen_address == (uintptr_t)memory + page * PAGE + 8);
    }
    CHECK(munmap(memory, 3 * PAGE) == 0 && close(file) == 0);
}

// A file that grows takes its new pages into mappings that are there.
static void growing_file(void) {
    int file = (int)syscall(SYS_memfd_create, "growing", 0);
    CHECK(file >= 0 && ftruncate(file, 100) == 0);
    char *memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    CHECK(memory != MAP_FAILED && ftruncate(file, 3 * PAGE) == 0);
    memory[2 * PAGE] = 7;
    CHECK(memory[2 * PAGE] == 7 && munmap(memory, 3 * PAGE) == 0 && close(file) == 0);
}

static void unmapped(void) {
    volatile char *memory = pages(2, PROT_READ | PROT_WRITE);
    handle(SIGSEGV, leap, 0);
    memory[PAGE] = 1;
    CHECK(munmap((void *)(memory + PAGE), PAGE) == 0);
    count = 0;
    if (!sigsetjmp(escape, 1)) memory[PAGE] = 2;
    CHECK(count == 1 && seen_code == SEGV_MAPERR && seen_address == (uintptr_t)memory + PAGE);
    // Data is not code.
    count = 0;
    memory[0] = (char)0xc3;
    if (!sigsetjmp(escape, 1)) ((void (*)(void))(uintptr_t)memory)();
    CHECK(count == 1 && seen_code == SEGV_ACCERR && seen_address == (uintptr_t)memory && seen_rip == seen_address);
    CHECK(munmap((void *)memory, PAGE) == 0);
}

const struct test fault_tests[] = {
    {"faults_mended", mended},         {"faults_mended_in_threads", mended_in_threads},
    {"division", division},            {"illegal_instruction", illegal},
    {"traps", traps},                  {"general_protection", general_protection},
    {"faults_jumped_out_of", jumped_out}, {"beyond_the_file", beyond_the_file},
    {"unmapped", unmapped},            {"impossible_stack", impossible_stack},
    {"returned_to_nowhere", returned_to_nowhere}, {"changed_itself", changed_itself},
    {NULL, NULL},
};

const struct test growing_tests[] = {{"growing_file", growing_file}, {NULL, NULL}};
