// signals.c: handlers see the program's own addresses, and everything goes on behind them.
#include "tests.h"

static volatile uintptr_t seen;
static volatile int strange, handled;

static void note(int number, siginfo_t *information, void *context) {
    (void)number, (void)information;
    seen = instruction_of(context);
    strange |= !is_known(seen);
    handled++;
}

// A signal that a call brings about finds the program behind that call.
static void sent_by_the_call(void) {
    handle(SIGUSR1, note, 0);
    for (int number = 1; number < SITES; number++) {
        CHECK(warm(&sites[number]));
        for (int turn = 0; turn < 20; turn++) {
            REQUIRE(sites[number].call(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1) == 0);
            REQUIRE(seen == (uintptr_t)sites[number].behind);
        }
        CHECK(seen == (uintptr_t)sites[number].behind);
    }
    signal(SIGUSR1, SIG_DFL);
}

static void tick(int microseconds) {
    struct itimerval interval = {{0, microseconds}, {0, microseconds}};
    REQUIRE(setitimer(ITIMER_REAL, &interval, NULL) == 0);
}

// They come at any instruction of sites and stubs.
static void at_any_time(void) {
    strange = handled = 0;
    long own = getpid();
    handle(SIGALRM, note, SA_RESTART);
    tick(200);
    for (int turn = 0; handled < 50 || turn < 20000; turn++)
        for (int number = 0; number < SITES; number++)
            REQUIRE(sites[number].call(SYS_getpid, 0, 0, 0) == own);
    tick(0);
    CHECK(!strange);
}

static sigjmp_buf out;

static void leave(int number, siginfo_t *information, void *context) {
    (void)number, (void)information;
    strange |= !is_known(instruction_of(context));
    handled++;
    siglongjmp(out, 1);
}

static void out_of_handlers(void) {
    strange = handled = 0;
    long own = getpid();
    handle(SIGALRM, leave, 0);
    if (sigsetjmp(out, 1) == 0)
        tick(500);
    while (handled < 30)
        for (int number = 0; number < SITES; number++)
            REQUIRE(sites[number].call(SYS_getpid, 0, 0, 0) == own);
    tick(0);
    signal(SIGALRM, SIG_DFL);
    CHECK(!strange);
}

// What a handler sees at each instruction: all registers, but those that tell of the flag which brings it about. Those
// behind KEPT are the compiler's, and what is seen of them is how they change.
enum { STEPS = 256, SEEN = 15, KEPT = 10 };
static const int seen_registers[SEEN] = {REG_RIP, REG_RSP, REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                         REG_R8,  REG_R9,  REG_RBP, REG_R12, REG_R13, REG_R14, REG_R15};
static uintptr_t first_seen[SEEN];
static uintptr_t steps[2][STEPS][SEEN];
static volatile int stepped;
static int run;

static void step(int number, siginfo_t *information, void *context) {
    (void)number, (void)information;
    if (stepped < STEPS) {
        for (int place = 0; place < SEEN; place++) {
            uintptr_t value = ((ucontext_t *)context)->uc_mcontext.gregs[seen_registers[place]];
            if (stepped == 0)
                first_seen[place] = value;
            steps[run][stepped][place] = place < KEPT ? value : value - first_seen[place];
        }
        stepped++;
    }
}

static long single_stepped(const struct site *site, long number) {
    register long (*call)(long, long, long, long) __asm__("rbx") = site->call;
    long result = 0;
    __asm__ volatile("sub $128, %%rsp\n"
                     "xor %%eax, %%eax\nxor %%ecx, %%ecx\nxor %%edx, %%edx\nxor %%esi, %%esi\n"
                     "xor %%r8d, %%r8d\nxor %%r9d, %%r9d\n"
                     "pushf\norl $0x100, (%%rsp)\npopf\n"
                     "call *%%rbx\n"
                     "pushf\nandl $~0x100, (%%rsp)\npopf\n"
                     "add $128, %%rsp\n"
                     : "=a"(result), "+D"(number)
                     : "r"(call)
                     : "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory");
    return result;
}

// A site that is new, and the same one when it has been rewritten.
static void each_instruction(void) {
    handle(SIGTRAP, step, 0);
    for (int number = 0; number < SITES; number++) {
        int counts[2];
        for (run = 0; run < 2; run++) {
            stepped = 0;
            memset(steps[run], 0, sizeof steps[run]);
            REQUIRE(single_stepped(&sites[number], SYS_getpid) == getpid());
            counts[run] = stepped;
            CHECK(stepped > 4 && stepped < STEPS);
            CHECK(warm(&sites[number]));
        }
        CHECK(counts[0] == counts[1]);
        CHECK(memcmp(steps[0], steps[1], sizeof steps[0]) == 0);
    }
    signal(SIGTRAP, SIG_DFL);
}

// The step at which the handler leaves, and whether it came so far.
static volatile int last_step, has_left;

static void step_out(int number, siginfo_t *information, void *context) {
    (void)number, (void)information, (void)context;
    if (stepped++ == last_step) {
        has_left = 1;
        siglongjmp(out, 1);
    }
}

// Handlers leave from each instruction in turn, of sites and of stubs; whoever calls next finds nothing of that.
static void out_of_each_instruction(void) {
    handle(SIGTRAP, step_out, 0);
    long own = getpid();
    for (int number = 0; number < SITES; number++)
        for (int rounds = 0; rounds < 2; rounds++) {
            last_step = 0;
            do {
                stepped = has_left = 0;
                if (sigsetjmp(out, 1) == 0)
                    REQUIRE(single_stepped(&sites[number], SYS_getpid) == own);
                REQUIRE(sites[number].call(SYS_getpid, 0, 0, 0) == own);
                last_step++;
            } while (has_left);
            CHECK(last_step > 4 && last_step < STEPS);
            CHECK(warm(&sites[number]));
        }
    signal(SIGTRAP, SIG_DFL);
}

static const struct site *stepped_site;

static void step_and_call(int number, siginfo_t *information, void *context) {
    (void)number, (void)information, (void)context;
    stepped++;
    REQUIRE(stepped_site->call(SYS_getppid, 0, 0, 0) == (stepped_site == sites ? getpid() : getppid()));
}

// Handlers call by the very site that they interrupt.
static void calls_at_each_instruction(void) {
    handle(SIGTRAP, step_and_call, 0);
    for (int number = 0; number < SITES; number++)
        for (int turn = 0; turn < 20; turn++) {
            stepped_site = &sites[number];
            stepped = 0;
            REQUIRE(single_stepped(stepped_site, SYS_getpid) == getpid());
            REQUIRE(stepped > 4);
        }
    signal(SIGTRAP, SIG_DFL);
    CHECK(1);
}

static int pipes[2];
static pthread_t waiting;
static atomic_int done;

// Until the call has ended; or a few times, and then gives it what it waits for.
static void *disturb(void *gives) {
    struct timespec moment = {0, 3000000};
    for (int turn = 0; gives ? turn < 5 : !done; turn++) {
        nanosleep(&moment, NULL);
        pthread_kill(waiting, SIGUSR2);
    }
    if (gives)
        REQUIRE(write(pipes[1], "x", 1) == 1);
    return NULL;
}

// A call that waits is made again, or ends, as its handler says.
static void restarts(void) {
    waiting = pthread_self();
    for (int number = 1; number < SITES; number++)
        for (int restart = 0; restart < 2; restart++) {
            CHECK(warm(&sites[number]));
            REQUIRE(pipe(pipes) == 0);
            handle(SIGUSR2, note, restart ? SA_RESTART : 0);
            handled = strange = 0;
            done = 0;
            pthread_t other = start_thread(disturb, restart ? &done : NULL);
            char byte = 0;
            long answer = sites[number].call(SYS_read, pipes[0], (long)&byte, 1);
            CHECK(restart ? answer == 1 && byte == 'x' : answer == -EINTR);
            done = 1;
            join_thread(other);
            CHECK(handled > 0 && !strange);
            close(pipes[0]), close(pipes[1]);
        }
    signal(SIGUSR2, SIG_DFL);
}

const struct test signal_tests[] = {
    {"each_instruction", each_instruction},
    {"out_of_each_instruction", out_of_each_instruction},
    {"calls_at_each_instruction", calls_at_each_instruction},
    {"sent_by_the_call", sent_by_the_call},
    {"at_any_time", at_any_time},
    {"out_of_handlers", out_of_handlers},
    {"restarts", restarts},
    {NULL, NULL},
};
