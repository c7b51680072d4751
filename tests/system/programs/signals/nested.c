// nested.c: handlers inside handlers, on alternate stacks, jumped out of; flags that change how they are called.
#include "tests.h"

#include <sys/mman.h>

enum { SIZE = 256 << 10, DEEP = 12 };
static __thread char *alternate;
static __thread volatile int depth, deepest, outside;
static __thread sigjmp_buf escape;
static volatile int count;

static int on_alternate(void *address) { return (uintptr_t)address - (uintptr_t)alternate < SIZE; }

static void install(int flags) {
    if (!alternate) alternate = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(alternate != MAP_FAILED);
    stack_t description = {.ss_sp = alternate, .ss_size = SIZE, .ss_flags = flags};
    CHECK(sigaltstack(&description, NULL) == 0);
}

static void remove_stack(void) {
    stack_t description = {.ss_flags = SS_DISABLE};
    CHECK(sigaltstack(&description, NULL) == 0 && munmap(alternate, SIZE) == 0);
    alternate = NULL;
}

// Each signal's handler raises the next one: a tower of frames on one alternate stack.
static void raise_next(int signal, siginfo_t *information, void *state) {
    (void)information, (void)state;
    char here;
    outside |= !on_alternate(&here);
    if (++depth > deepest) deepest = depth;
    if (depth < DEEP) raise(signal == SIGUSR1 ? SIGUSR2 : SIGUSR1);
    depth--;
}

static void *tower(void *unused) {
    (void)unused;
    install(0);
    deepest = depth = outside = 0;
    raise(SIGUSR1);
    int good = deepest == DEEP && !outside && depth == 0;
    remove_stack();
    return good ? NULL : "the tower fell";
}

static void on_alternate_stack(void) {
    handle(SIGUSR1, raise_next, SA_ONSTACK | SA_NODEFER);
    handle(SIGUSR2, raise_next, SA_ONSTACK | SA_NODEFER);
    CHECK(tower(NULL) == NULL);
    for (int round = 0; round < scaled(5); round++) {
        pthread_t threads[8];
        for (int index = 0; index < 8; index++) threads[index] = start_thread(tower, NULL);
        for (int index = 0; index < 8; index++) CHECK(join_thread(threads[index]) == NULL);
    }
}

static void *has_none(void *unused) {
    (void)unused;
    stack_t description;
    return sigaltstack(NULL, &description) == 0 && description.ss_flags == SS_DISABLE ? NULL : "inherited";
}

static volatile int flags_inside, error_inside;

static void note_flags(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    char here;
    stack_t description;
    sigaltstack(NULL, &description);
    flags_inside = description.ss_flags;
    outside = !on_alternate(&here);
    // While it is in use it cannot be changed.
    description = (stack_t){.ss_flags = SS_DISABLE};
    error_inside = sigaltstack(&description, NULL) ? errno : 0;
    count++;
}

static void alternate_flags(void) {
    stack_t description;
    enum { AUTODISARM = 1u << 31 };
    handle(SIGUSR1, note_flags, SA_ONSTACK);
    install(0);
    count = 0;
    CHECK(raise(SIGUSR1) == 0 && count == 1 && flags_inside == SS_ONSTACK && error_inside == EPERM && !outside);
    // A new thread has none.
    CHECK(join_thread(start_thread(has_none, NULL)) == NULL);
    // SS_AUTODISARM: off while the handler runs, back when it returns, and may be changed meanwhile.
    install(AUTODISARM);
    CHECK(raise(SIGUSR1) == 0 && count == 2 && flags_inside == SS_DISABLE && error_inside == 0 && !outside);
    CHECK(sigaltstack(NULL, &description) == 0 && description.ss_sp == alternate && description.ss_size == SIZE);
    CHECK((unsigned)description.ss_flags == AUTODISARM);
    description.ss_size = 64;
    CHECK_ERROR(sigaltstack(&description, NULL), ENOMEM);
    description.ss_flags = 1234;
    CHECK_ERROR(sigaltstack(&description, NULL), EINVAL);
    remove_stack();
}

static int __attribute__((noinline)) dive(int left) {
    volatile char frame[1024];
    frame[0] = (char)left;
    return left ? dive(left - 1) + frame[0] : 0;
}

static void leap(int signal, siginfo_t *information, void *state) {
    (void)information, (void)state;
    char here;
    outside |= !on_alternate(&here);
    count++;
    siglongjmp(escape, signal);
}

static void *overflow(void *unused) {
    (void)unused;
    static volatile int bottomless = 1 << 28;
    install(0);
    outside = 0;
    for (int round = 0; round < 3; round++)
        if (!sigsetjmp(escape, 1)) dive(bottomless);
    int good = !outside;
    remove_stack();
    return good ? NULL : "not on the alternate stack";
}

static void stack_overflow(void) {
    handle(SIGSEGV, leap, SA_ONSTACK);
    count = 0;
    for (int round = 0; round < 4; round++) CHECK(join_thread(start_thread(overflow, NULL)) == NULL);
    CHECK(count == 12);
}

static volatile int *volatile nowhere;

static void nest_by_fault(int signal, siginfo_t *information, void *state) {
    (void)information, (void)state;
    depth++;
    if (signal == SIGUSR1) {
        // A fault inside a handler: its own handler jumps back into this one.
        if (!sigsetjmp(escape, 1)) *nowhere = 1;
        if (depth != 2) outside = 1;
    } else {
        siglongjmp(escape, 1);
    }
    depth--;
    depth--;
    count++;
}

static void fault_in_handler(void) {
    handle(SIGUSR1, nest_by_fault, 0);
    handle(SIGSEGV, nest_by_fault, SA_NODEFER);
    count = depth = outside = 0;
    for (int round = 0; round < scaled(100); round++) CHECK(raise(SIGUSR1) == 0 && depth == 0 && !outside);
    CHECK(count == scaled(100));
}

static sigset_t mask_inside;

static void note_mask(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    pthread_sigmask(SIG_SETMASK, NULL, &mask_inside);
    count++;
}

static void flags(void) {
    struct sigaction action = {.sa_sigaction = note_mask, .sa_flags = SA_SIGINFO}, old;
    count = 0;
    handle(SIGUSR1, note_mask, 0);
    CHECK(raise(SIGUSR1) == 0 && count == 1 && sigismember(&mask_inside, SIGUSR1));
    handle(SIGUSR1, note_mask, SA_NODEFER);
    CHECK(raise(SIGUSR1) == 0 && count == 2 && !sigismember(&mask_inside, SIGUSR1));
    sigemptyset(&action.sa_mask), sigaddset(&action.sa_mask, SIGUSR2), sigaddset(&action.sa_mask, REAL_TIME_SIGNAL(3));
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0 && count == 3);
    CHECK(sigismember(&mask_inside, SIGUSR2) && sigismember(&mask_inside, REAL_TIME_SIGNAL(3)));
    CHECK(!sigismember(&mask_inside, SIGTERM));
    handle(SIGUSR1, note_mask, SA_RESETHAND);
    CHECK(raise(SIGUSR1) == 0 && count == 4 && sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    CHECK_ERROR(sigaction(SIGKILL, &action, NULL), EINVAL);
    CHECK_ERROR(sigaction(SIGSTOP, &action, NULL), EINVAL);
    // Ignored by default, or by wish.
    CHECK(raise(SIGCHLD) == 0 && raise(SIGURG) == 0 && raise(SIGWINCH) == 0 && raise(SIGCONT) == 0);
    signal(SIGTERM, SIG_IGN);
    CHECK(raise(SIGTERM) == 0 && kill(getpid(), SIGTERM) == 0 && count == 4);
    signal(SIGTERM, SIG_DFL);
}

static void leap_often(int signal, siginfo_t *information, void *state) {
    (void)information, (void)state;
    count++;
    siglongjmp(escape, signal);
}

static void timer_jumps(void) {
    // Out of the handler of a timer, from wherever the computing was.
    struct itimerval once = {.it_value = {0, 500}};
    volatile unsigned long sum = 0;
    handle(SIGALRM, leap_often, 0);
    count = 0;
    for (volatile int round = 0; round < scaled(100); round++) {
        if (sigsetjmp(escape, 1)) continue;
        setitimer(ITIMER_REAL, &once, NULL);
        for (;;) sum = sum + 1;
    }
    CHECK(count == scaled(100));
    signal(SIGALRM, SIG_DFL);
}

const struct test nested_tests[] = {
    {"tower_on_alternate_stack", on_alternate_stack}, {"alternate_stack_flags", alternate_flags},
    {"stack_overflow", stack_overflow},               {"fault_in_handler", fault_in_handler},
    {"handler_flags", flags},                         {"timer_jumps", timer_jumps},
    {NULL, NULL},
};
