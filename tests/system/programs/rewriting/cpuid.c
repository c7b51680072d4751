// cpuid.c: what the processor says of itself is the same, whether it is asked or the kernel answers in its stead.
#include "tests.h"

#include "state.h"

#include <cpuid.h>
#include <sys/wait.h>
#include <x86intrin.h>

// Loads all of `loaded`, asks for the leaf in rdi and the subleaf in rsi, and stores all in `stored`. Where an
// instruction stands between that cannot be moved, the processor itself answers. Functions that unwinders know: others
// are left alone.
#define FUNCTION(name, between, before)                                                                                \
    ".skip 64, 0x90\n.globl " name "\n.type " name ", @function\n" name ":\n.cfi_startproc\n" LOAD_ALL                  \
    "mov loaded + 8 * 10(%rip), %r11\n"                                                                                \
    "mov $0x1234, %esp\n"                                                                                              \
    before "jmp " name "_site\n"                                                                                       \
    name "_site: mov %rdi, %rax\n"                                                                                     \
    name "_inner: mov %esi, %ecx\n"                                                                                    \
    between "cpuid\n"                                                                                                  \
    name "_behind:\n" STORE_ALL ".cfi_endproc\n.size " name ", . - " name "\n"

__asm__(".pushsection .text\n"
        FUNCTION("ask", "", "")
        FUNCTION("ask_processor", "nop\n", "")
        FUNCTION("ask_inside", "", "mov %rdi, %rax\njmp ask_inside_inner\n")
        ".popsection\n");

void ask(void), ask_processor(void), ask_inside(void);
extern const unsigned char ask_site[], ask_inner[], ask_behind[];
extern const char __executable_start[], etext[];

enum { RAX, RBX, RCX, RDX, RSI, RDI };

static struct state asked(void (*function)(void), uint32_t leaf, uint32_t subleaf, uint64_t flags) {
    unsigned char *bytes = (unsigned char *)&loaded;
    for (size_t at = 0; at < sizeof loaded; at++)
        bytes[at] = (unsigned char)(at * 37 + leaf + flags);
    loaded.registers[RDI] = 0x1122334400000000 | leaf;
    loaded.registers[RSI] = 0x5566778800000000 | subleaf;
    loaded.flags = 0x202 | flags;
    memset(&stored, 0, sizeof stored);
    function();
    struct state answer = stored;
    answer.flags &= 0xcd5;
    // Which processor it was may change from one question to the next.
    if (leaf == 1)
        answer.registers[RBX] &= 0xffffff;
    if (leaf == 0xb || leaf == 0x1f)
        answer.registers[RDX] = 0;
    return answer;
}

static void same_answer(uint32_t leaf, uint32_t subleaf, uint64_t flags) {
    struct state ours = asked(ask, leaf, subleaf, flags), real = asked(ask_processor, leaf, subleaf, flags);
    if (memcmp(&ours, &real, sizeof ours) != 0)
        printf("leaf %#x, subleaf %u, flags %#lx\n", leaf, subleaf, (unsigned long)flags);
    REQUIRE(memcmp(&ours, &real, sizeof ours) == 0);
}

// All that may be remembered, twice, and some that may not. Leaf 0x8000001e is all about one processor.
static void answers(void) {
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t leaf = 0; leaf < 0x22; leaf++)
            for (uint32_t subleaf = 0; subleaf < 5; subleaf++) {
                same_answer(leaf, subleaf, 0);
                if (leaf < 0x1e)
                    same_answer(0x80000000 + leaf, subleaf, 0);
            }
    same_answer(4, 0xffffffff, 0);
    same_answer(0, 0xffffffff, 0);
    same_answer(0x40000000, 0, 0);
    same_answer(0xffffffff, 0, 0);
    CHECK(1);
}

static void answers_and_flags(void) {
    static const uint64_t flags[] = {0, 0x1, 0x4, 0x10, 0x40, 0x80, 0x800, 0x8d5, 0x400, 0xcd5};
    for (size_t number = 0; number < sizeof flags / sizeof *flags; number++)
        same_answer(4, 1, flags[number]);
    CHECK(1);
}

// Whoever jumps between instructions that were taken away is answered, too.
static void answers_to_jumps(void) {
    struct state expected = asked(ask_processor, 4, 2, 0);
    for (int turn = 0; turn < 20; turn++) {
        struct state answer = asked(ask_inside, 4, 2, 0);
        REQUIRE(memcmp(&answer, &expected, sizeof answer) == 0);
    }
    CHECK(1);
}

// Whether the processor takes so long that it is surely not asked each time.
static int is_slow(void) {
    uint64_t least = UINT64_MAX;
    for (int turn = 0; turn < 20; turn++) {
        unsigned eax, ebx, ecx, edx;
        uint64_t begin = __rdtsc();
        __cpuid(0, eax, ebx, ecx, edx);
        uint64_t took = __rdtsc() - begin;
        least = took < least ? took : least;
    }
    return least > 2000;
}

// A program of which more is code is perhaps only looked at when it is started again.
static int is_small(void) { return etext - __executable_start < 128 << 10; }

static void is_answered(void) {
    CHECK(!getenv("ANSWERED") || !is_slow() || !is_small() || *ask_site == 0xe9);
}

static volatile int strange, handled;

static void note(int number, siginfo_t *information, void *context) {
    (void)number, (void)information;
    strange |= !is_known(instruction_of(context));
    handled++;
}

// The stack pointer is nowhere while the processor is asked.
static void take_other_stack(void) {
    static char stack[65536];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    REQUIRE(sigaltstack(&other, NULL) == 0);
}

// Signals come at any instruction, and find the program in its own code.
static void answers_and_signals(void) {
    struct state expected[4];
    for (uint32_t subleaf = 0; subleaf < 4; subleaf++)
        expected[subleaf] = asked(ask_processor, 4, subleaf, 0);
    strange = handled = 0;
    handle(SIGALRM, note, SA_RESTART | SA_ONSTACK);
    take_other_stack();
    struct itimerval interval = {{0, 200}, {0, 200}};
    REQUIRE(setitimer(ITIMER_REAL, &interval, NULL) == 0);
    for (uint32_t turn = 0; handled < 200; turn++) {
        struct state answer = asked(ask, 4, turn % 4, 0);
        REQUIRE(memcmp(&answer, &expected[turn % 4], sizeof answer) == 0);
    }
    memset(&interval, 0, sizeof interval);
    REQUIRE(setitimer(ITIMER_REAL, &interval, NULL) == 0);
    signal(SIGALRM, SIG_DFL);
    CHECK(!strange);
}

static uintptr_t steps[8];
static volatile int stepped;

static void step(int number, siginfo_t *information, void *context) {
    (void)number, (void)information;
    uintptr_t at = instruction_of(context);
    if ((uintptr_t)ask_site <= at && at <= (uintptr_t)ask_behind && stepped < 8)
        steps[stepped++] = at;
}

// A program that steps through itself sees each of its instructions once.
static void answers_in_steps(void) {
    handle(SIGTRAP, step, SA_ONSTACK);
    take_other_stack();
    stepped = 0;
    struct state answer = asked(ask, 4, 1, 0x100), expected = asked(ask_processor, 4, 1, 0);
    signal(SIGTRAP, SIG_DFL);
    for (int place = 0; place < 4; place++)
        CHECK(answer.registers[place] == expected.registers[place]);
    CHECK(stepped == 4 && steps[0] == (uintptr_t)ask_site && steps[1] == (uintptr_t)ask_inner);
    CHECK(steps[2] == (uintptr_t)ask_behind - 2 && steps[3] == (uintptr_t)ask_behind);
}

// Code that becomes writable is the program's own; and a child asks as its parent does.
static void answers_elsewhere(void) {
    pid_t child = fork();
    if (child == 0) {
        same_answer(4, 1, 0);
        _exit(0);
    }
    int status;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    static const unsigned char own[] = {0x48, 0x89, 0xf8, 0x89, 0xf1, 0x0f, 0xa2};
    char *page = (char *)((uintptr_t)ask_site & ~4095UL);
    size_t length = (size_t)(ask_behind - (unsigned char *)page + 4095) & ~4095UL;
    REQUIRE(mprotect(page, length, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
    page[0] = ((volatile char *)page)[0];
    CHECK(memcmp(ask_site, own, sizeof own) == 0);
    REQUIRE(mprotect(page, length, PROT_READ | PROT_EXEC) == 0);
    same_answer(4, 1, 0);
}

// What was rewritten does not stand where the heap grows, however far from the code it has to be.
static void heap_grows(void) {
    long start = syscall(SYS_brk, 0), end = start + (128 << 20);
    CHECK(syscall(SYS_brk, end) == end);
    CHECK(syscall(SYS_brk, start) == start);
}

const struct test cpuid_tests[] = {
    {"answers", answers},
    {"answers_and_flags", answers_and_flags},
    {"answers_to_jumps", answers_to_jumps},
    {"is_answered", is_answered},
    {"answers_and_signals", answers_and_signals},
    {"answers_in_steps", answers_in_steps},
    {"answers_elsewhere", answers_elsewhere},
    {"heap_grows", heap_grows},
    {NULL, NULL},
};
