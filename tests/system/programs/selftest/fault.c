// fault.c: processor faults become signals whose handlers see exactly what happened, may change it, and go on.
// The expected values are those of Linux's arch/x86/kernel/traps.c and arch/x86/mm/fault.c.
#include "check.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

// Where the faulting instruction stands, and where to go on.
static uintptr_t faulting, resume;
static sigjmp_buf escape;

static struct {
    int count, signal, code;
    uintptr_t address, rip;
    long trap, error, cr2;
} seen;

static void note(int signal, siginfo_t *information, greg_t *registers) {
    seen.count++;
    seen.signal = signal;
    seen.code = information->si_code;
    seen.address = (uintptr_t)information->si_addr;
    seen.rip = registers[REG_RIP];
    seen.trap = registers[REG_TRAPNO];
    seen.error = registers[REG_ERR];
    seen.cr2 = registers[REG_CR2];
}

static void skip(int signal, siginfo_t *information, void *state) {
    greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
    note(signal, information, registers);
    registers[REG_RIP] = resume;
}

static void leap(int signal, siginfo_t *information, void *state) {
    note(signal, information, ((ucontext_t *)state)->uc_mcontext.gregs);
    siglongjmp(escape, 1);
}

static void expect(int signal, information_handler *handler) {
    memset(&seen, 0, sizeof seen);
    handle(signal, handler, 0);
}

// Runs an instruction that faults; a handler `skip` continues behind it. May use rax, rcx, rdx.
// Before the instruction there are no operands: by chance such bytes are a jump, and what is taken for a `hlt` behind
// which somebody waits goes by the code before it.
#define FAULT(instruction, a, c, d) \
    do { \
        unsigned long a_ = (unsigned long)(a), c_ = (unsigned long)(c), d_ = (unsigned long)(d); \
        __asm__ volatile("lea 1f(%%rip), %%r10; mov %%r10, %3; lea 2f(%%rip), %%r10; mov %%r10, %4\n" \
                         ".fill 16, 1, 0x90\n1: " instruction "\n2:" \
                         : "+a"(a_), "+c"(c_), "+d"(d_), "=m"(faulting), "=m"(resume)::"r10", "cc", "memory"); \
    } while (0)

static const char *read_of_nothing(void) {
    expect(SIGSEGV, skip);
    FAULT("mov (%%rcx), %%rdx", 0, 0, 0);
    REQUIRE(seen.count == 1 && seen.code == SEGV_MAPERR && seen.address == 0 && seen.rip == faulting);
    REQUIRE(seen.trap == 14 && (seen.error & 0x13) == 0 && seen.cr2 == 0);
    FAULT("mov 0x123(%%rcx), %%rdx", 0, 0, 0);
    REQUIRE(seen.count == 2 && seen.address == 0x123);
    FAULT("mov %%rdx, (%%rcx)", 0, 0x1000, 0);
    REQUIRE(seen.count == 3 && seen.address == 0x1000 && (seen.error & 2) && seen.rip == faulting);
    return NULL;
}

static const char *write_to_constant(void) {
    expect(SIGSEGV, skip);
    static const char constant[4096 * 2] = "constant";
    FAULT("movb $1, (%%rcx)", 0, constant, 0);
    REQUIRE(seen.count == 1 && seen.code == SEGV_ACCERR && seen.address == (uintptr_t)constant && constant[0] == 'c');
    FAULT("movb $1, (%%rcx)", 0, (uintptr_t)write_to_constant, 0);
    REQUIRE(seen.count == 2 && seen.code == SEGV_ACCERR && seen.address == (uintptr_t)write_to_constant);
    return NULL;
}

static const char *address_beyond_reason(void) {
    expect(SIGSEGV, skip);
    FAULT("mov (%%rcx), %%rdx", 0, 0x8000000000000000, 0);
    REQUIRE(seen.count == 1 && seen.code == SI_KERNEL && seen.address == 0 && seen.trap == 13);
    FAULT("movb $1, (%%rcx)", 0, 0x800000000000, 0);
    REQUIRE(seen.count == 2 && seen.code == SI_KERNEL);
    return NULL;
}

static const char *division(void) {
    expect(SIGFPE, skip);
    FAULT("idivl %%ecx", 1, 0, 0);
    REQUIRE(seen.count == 1 && seen.code == FPE_INTDIV && seen.address == faulting && seen.rip == faulting);
    REQUIRE(seen.trap == 0);
    FAULT("idivl %%ecx", 0x80000000, 0xffffffff, 0xffffffff);
    REQUIRE(seen.count == 2 && seen.code == FPE_INTDIV);
    return NULL;
}

static void mask_x87(int signal, siginfo_t *information, void *state) {
    ucontext_t *context = state;
    note(signal, information, context->uc_mcontext.gregs);
    context->uc_mcontext.fpregs->cwd |= 0x3f;
    context->uc_mcontext.fpregs->swd &= 0x7f00;
}

static const char *x87_exception(void) {
    expect(SIGFPE, mask_x87);
    uint16_t control = 0x37b; // division by zero unmasked
    __asm__ volatile("fldcw %0; fld1; fldz; fdivrp; fwait" ::"m"(control) : "memory");
    __asm__ volatile("fnstcw %0; fninit" : "=m"(control));
    REQUIRE(seen.count == 1 && seen.code == FPE_FLTDIV && seen.trap == 16 && control == 0x37f);
    return NULL;
}

static const char *illegal_instruction(void) {
    expect(SIGILL, skip);
    FAULT("ud2", 0, 0, 0);
    REQUIRE(seen.count == 1 && seen.code == ILL_ILLOPN && seen.address == faulting && seen.rip == faulting);
    REQUIRE(seen.trap == 6);
    return NULL;
}

static const char *breakpoint(void) {
    expect(SIGTRAP, skip);
    FAULT("int3", 0, 0, 0);
    REQUIRE(seen.count == 1 && seen.code == SI_KERNEL && seen.rip == faulting + 1 && seen.trap == 3);
    return NULL;
}

static void step(int signal, siginfo_t *information, void *state) {
    greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
    note(signal, information, registers);
    if (seen.count == 3) registers[REG_EFL] &= ~0x100l;
}

static const char *single_step(void) {
    expect(SIGTRAP, step);
    __asm__ volatile("sub $128, %%rsp; pushfq; orl $0x100, (%%rsp); popfq; nop; nop; nop; nop; nop; add $128, %%rsp" ::
                         : "memory", "cc");
    REQUIRE(seen.count == 3 && seen.code == TRAP_TRACE && seen.trap == 1);
    return NULL;
}

static const char *halt(void) {
    // How musl's a_crash and the end of glibc's abort die.
    expect(SIGSEGV, skip);
    for (int round = 1; round <= 3; round++) {
        FAULT("hlt", 0, 0, 0);
        REQUIRE(seen.count == round && seen.code == SI_KERNEL && seen.rip == faulting && seen.trap == 13);
    }
    return NULL;
}

static const char *behind_halt(void) {
    // As virtual machines make it: `hlt` up to the place that is jumped to, so that interrupts find it right behind
    // one.
    static const unsigned char code[] = {
        0x48, 0x89, 0xf8,                                       // mov rax, rdi
        0x48, 0x8d, 0x15, 4, 0, 0, 0,                           // lea rdx, loop
        0xff, 0xe2, 0xf4, 0xf4,                                 // jmp rdx; hlt; hlt
        0x48, 0xff, 0xc8, 0x74, 2, 0xff, 0xe2, 0xc3,            // loop: dec rax; jz end; jmp rdx; end: ret
    };
    unsigned char *place = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(place != MAP_FAILED);
    memcpy(place, code, sizeof code);
    REQUIRE(mprotect(place, 4096, PROT_READ | PROT_EXEC) == 0);
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec++;
    do {
        ((void (*)(long))(uintptr_t)place)(100000);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
    return munmap(place, 4096) == 0 ? NULL : "munmap";
}

static const char *jumps(void) {
    static char data[8] = {(char)0xc3};
    expect(SIGSEGV, leap);
    if (!sigsetjmp(escape, 1)) ((void (*)(void))0)();
    REQUIRE(seen.count == 1 && seen.address == 0 && seen.rip == 0 && seen.code == SEGV_MAPERR);
    if (!sigsetjmp(escape, 1)) ((void (*)(void))(uintptr_t)data)();
    REQUIRE(seen.count == 2 && seen.address == (uintptr_t)data && seen.rip == (uintptr_t)data && seen.code == SEGV_ACCERR);
    if (!sigsetjmp(escape, 1)) ((void (*)(void))0x8000000000000000)();
    REQUIRE(seen.count == 3);
    if (!sigsetjmp(escape, 1)) ((void (*)(void))0x7ffff0000000000)();
    REQUIRE(seen.count == 4);
    return NULL;
}

static const char *file_too_short(void) {
    FILE *file = tmpfile();
    REQUIRE(file && fputs("short", file) >= 0 && fflush(file) == 0);
    char *area = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    REQUIRE(area != MAP_FAILED && area[4095] == 0);
    expect(SIGBUS, skip);
    FAULT("mov (%%rcx), %%rdx", 0, area + 4096, 0);
    REQUIRE(seen.count == 1 && seen.code == BUS_ADRERR && seen.address == (uintptr_t)area + 4096);
    return munmap(area, 8192) == 0 && fclose(file) == 0 ? NULL : "munmap";
}

static void answer(int signal, siginfo_t *information, void *state) {
    greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
    note(signal, information, registers);
    registers[REG_RIP] = resume;
    registers[REG_RAX] = 0x1122334455667788;
    registers[REG_R9] = -1;
}

static const char *handler_changes_registers(void) {
    unsigned long result, ninth;
    expect(SIGILL, answer);
    __asm__ volatile("lea 1f(%%rip), %%r10; mov %%r10, %2; xor %%eax, %%eax; xor %%r9d, %%r9d; ud2\n1: mov %%r9, %1"
                     : "=&a"(result), "=&r"(ninth), "=m"(resume)::"r9", "r10", "memory");
    REQUIRE(result == 0x1122334455667788 && ninth == -1ul);
    return NULL;
}

static char *fixed_page;

static void mend(int signal, siginfo_t *information, void *state) {
    note(signal, information, ((ucontext_t *)state)->uc_mcontext.gregs);
    mprotect(fixed_page, 4096, PROT_READ | PROT_WRITE);
}

static const char *handler_mends_and_retries(void) {
    // What garbage collectors do: the handler makes the page accessible, and the copy goes on where it stopped.
    char source[200];
    memset(source, 'm', sizeof source);
    char *area = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fixed_page = area + 4096;
    REQUIRE(area != MAP_FAILED && mprotect(fixed_page, 4096, PROT_NONE) == 0);
    expect(SIGSEGV, mend);
    char *to = fixed_page - 100, *from = source;
    unsigned long count = sizeof source;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count)::"memory");
    REQUIRE(seen.count == 1 && seen.address == (uintptr_t)fixed_page && seen.code == SEGV_ACCERR);
    REQUIRE(count == 0 && to == fixed_page + 100 && memcmp(fixed_page - 100, source, 200) == 0);
    return munmap(area, 8192) == 0 ? NULL : "munmap";
}

static const char *defaults_again(void) {
    static const int signals[] = {SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGBUS};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) signal(signals[index], SIG_DFL);
    return NULL;
}

const struct test fault_tests[] = {
    {"read_of_nothing", read_of_nothing},
    {"write_to_constant", write_to_constant},
    {"address_beyond_reason", address_beyond_reason},
    {"division", division},
    {"x87_exception", x87_exception},
    {"illegal_instruction", illegal_instruction},
    {"breakpoint", breakpoint},
    {"single_step", single_step},
    {"halt", halt},
    {"behind_halt", behind_halt},
    {"jumps", jumps},
    {"file_too_short", file_too_short},
    {"handler_changes_registers", handler_changes_registers},
    {"handler_mends_and_retries", handler_mends_and_retries},
    {"defaults_again", defaults_again},
    {NULL, NULL},
};
