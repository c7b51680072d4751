// altstack.c: signal handlers on a stack of their own, and running out of stack (sigaltstack(2)).
#include "check.h"

#include <setjmp.h>
#include <sys/resource.h>

static _Alignas(16) char stack[64 << 10];
static sigjmp_buf escape;
static volatile uintptr_t handler_frame, fault_address, deepest;
static volatile int flags_inside;

static int on_stack(uintptr_t address) { return address - (uintptr_t)stack < sizeof stack; }

static void install(void) {
    stack_t description = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&description, NULL);
}

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)state;
    stack_t description;
    sigaltstack(NULL, &description);
    flags_inside = description.ss_flags;
    handler_frame = (uintptr_t)__builtin_frame_address(0);
    fault_address = (uintptr_t)information->si_addr;
}

static const char *alternate_stack(void) {
    stack_t description;
    install();
    REQUIRE(sigaltstack(NULL, &description) == 0 && description.ss_sp == stack && description.ss_flags == 0);
    handle(SIGUSR1, note, SA_ONSTACK);
    REQUIRE(raise(SIGUSR1) == 0 && on_stack(handler_frame) && flags_inside == SS_ONSTACK);
    handle(SIGUSR1, note, 0);
    REQUIRE(raise(SIGUSR1) == 0 && !on_stack(handler_frame) && flags_inside == 0);
    description = (stack_t){.ss_sp = stack, .ss_size = 100};
    REQUIRE_ERROR(sigaltstack(&description, NULL), ENOMEM);
    description = (stack_t){.ss_flags = SS_DISABLE};
    REQUIRE(sigaltstack(&description, NULL) == 0 && sigaltstack(NULL, &description) == 0);
    REQUIRE(description.ss_flags == SS_DISABLE);
    return NULL;
}

// Each level uses a kilobyte, and the compiler may not turn it into a loop.
static int __attribute__((noinline)) dive(int left) {
    volatile char frame[1024];
    frame[0] = left;
    deepest = (uintptr_t)frame;
    if (left == 0) return 0;
    return dive(left - 1) + frame[0];
}

static void leap(int signal, siginfo_t *information, void *state) {
    note(signal, information, state);
    siglongjmp(escape, 1);
}

static const char *deep_recursion(void) {
    // 6 MB of the 8 MB that a Linux main thread has.
    struct rlimit limit;
    REQUIRE(getrlimit(RLIMIT_STACK, &limit) == 0);
    long kilobytes = limit.rlim_cur == RLIM_INFINITY ? 8192 : limit.rlim_cur >> 10;
    dive((kilobytes > 8192 ? 8192 : kilobytes) * 3 / 4 - 64);
    return NULL;
}

static const char *stack_overflow(void) {
    install();
    handle(SIGSEGV, leap, SA_ONSTACK);
    for (int round = 0; round < 3; round++) {
        fault_address = 0;
        // Deeper than any stack; the depth comes from memory so that nobody knows.
        static volatile int depth = 1 << 28;
        if (!sigsetjmp(escape, 1)) dive(depth);
        REQUIRE(on_stack(handler_frame));
        REQUIRE(fault_address + 8192 > deepest - 8192 && fault_address < deepest + 8192);
    }
    signal(SIGSEGV, SIG_DFL);
    stack_t description = {.ss_flags = SS_DISABLE};
    REQUIRE(sigaltstack(&description, NULL) == 0);
    return NULL;
}

const struct test altstack_tests[] = {
    {"alternate_stack", alternate_stack},
    {"deep_recursion", deep_recursion},
    {"stack_overflow", stack_overflow},
    {NULL, NULL},
};
