// main.c: what a C library whose system calls are calls could do wrong, and only such a one.
//
// calling [--work PERCENT] [TEST...]
// calling often NUMBER    asks for its parent so many times
// calling measure         says what calls take
#include "../common/checks.h"
#include "measure.h"
#include <dlfcn.h>
#include <setjmp.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>

static atomic_int handled, astray;

// Whatever a handler interrupts is in the program or in its library: the kernel's way in is not shown.
static void look(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)information;
    Dl_info found;
    void *place = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    if (!dladdr(place, &found)) atomic_fetch_add(&astray, 1);
    // A call within a call.
    if (getppid() < 0) atomic_fetch_add(&astray, 1);
    atomic_fetch_add(&handled, 1);
}

static void tick(int microseconds) {
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void interrupted_places(void) {
    handle(SIGALRM, look, SA_RESTART);
    pid_t parent = getppid();
    int wrong = 0, wanted = scaled(400), ends[2];
    CHECK(pipe(ends) == 0);
    tick(700);
    while (atomic_load(&handled) < wanted) {
        char byte = 'a', back = 0;
        wrong += getppid() != parent;
        // A cancellation point, and one that is restarted.
        wrong += write(ends[1], &byte, 1) != 1 || read(ends[0], &back, 1) != 1 || back != byte;
        errno = 0;
        wrong += close(-1) != -1 || errno != EBADF;
    }
    tick(0);
    CHECK(wrong == 0);
    CHECK(atomic_load(&astray) == 0);
    close(ends[0]), close(ends[1]);
}

static sigjmp_buf back;

static void jump(int signal, siginfo_t *information, void *context) {
    (void)information, (void)context;
    siglongjmp(back, signal);
}

static void jumps_out_of_handlers(void) {
    handle(SIGALRM, jump, 0);
    volatile int jumps = 0;
    int wanted = scaled(200);
    if (sigsetjmp(back, 1)) jumps++;
    if (jumps < wanted) {
        struct itimerval once = {{0, 0}, {0, 300}};
        // Uncounted: the signal may come before the count.
        REQUIRE(setitimer(ITIMER_REAL, &once, NULL) == 0);
        for (;;) REQUIRE(getppid() >= 0);
    }
    CHECK(jumps == wanted);
}

static int ends[2];
static atomic_int restarted;

static void count(int signal, siginfo_t *information, void *context) {
    (void)signal, (void)information, (void)context;
    atomic_fetch_add(&restarted, 1);
}

static atomic_int answered;

static void *reader(void *into) {
    long answer = read(ends[0], into, 1) == 1 ? 1L : (long)-errno;
    atomic_store(&answered, 1);
    return (void *)answer;
}

// Interrupts a read until it is answered, or often; then there is a byte to read.
static long read_interrupted(int flags) {
    char byte = 0;
    handle(SIGUSR1, count, flags);
    CHECK(pipe(ends) == 0);
    atomic_store(&restarted, 0), atomic_store(&answered, 0);
    pthread_t thread = start_thread(reader, &byte);
    while (!atomic_load(&answered) && (flags == 0 || atomic_load(&restarted) < 20)) {
        pthread_kill(thread, SIGUSR1);
        pause_a_little();
    }
    CHECK(write(ends[1], "b", 1) == 1);
    long answer = (long)join_thread(thread);
    REQUIRE(answer != 1 || byte == 'b');
    close(ends[0]), close(ends[1]);
    return answer;
}

static void calls_are_made_again(void) {
    CHECK(read_interrupted(SA_RESTART) == 1);
    CHECK(read_interrupted(0) == -EINTR);
}

static atomic_int cleaned;

static void clean(void *unused) {
    (void)unused;
    atomic_fetch_add(&cleaned, 1);
}

static void *blocked(void *unused) {
    char byte;
    pthread_cleanup_push(clean, unused);
    read(ends[0], &byte, 1);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *busy(void *unused) {
    pthread_cleanup_push(clean, unused);
    for (;;) {
        // None of these is a cancellation point.
        REQUIRE(getppid() >= 0);
        pthread_testcancel();
    }
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancelled_in_calls(void) {
    int rounds = scaled(40);
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < rounds; i++) {
        pthread_t thread = start_thread(i % 2 ? busy : blocked, NULL);
        if (i % 3) pause_a_little();
        REQUIRE(pthread_cancel(thread) == 0);
        REQUIRE(join_thread(thread) == PTHREAD_CANCELED);
    }
    CHECK(atomic_load(&cleaned) == rounds);
    close(ends[0]), close(ends[1]);
}

static atomic_int gone;

static void *detached(void *unused) {
    pthread_detach(pthread_self());
    atomic_fetch_add(&gone, 1);
    return unused;
}

// Each takes its own stack away, and calls once more without one.
static void threads_without_stacks(void) {
    int rounds = scaled(300);
    for (int i = 0; i < rounds; i++) {
        start_thread(detached, NULL);
        AWAIT(atomic_load(&gone) > i);
    }
    CHECK(atomic_load(&gone) == rounds);
}

// The registers of a call's six arguments, and one that is kept.
static void arguments_arrive(void) {
    char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    page[0] = 'c';
    char *moved = mremap(page, 8192, 16384, MREMAP_MAYMOVE);
    CHECK(moved != MAP_FAILED);
    CHECK(moved[0] == 'c');
    CHECK(munmap(moved, 16384) == 0);
    CHECK_ERROR(syscall(SYS_mmap, 1, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), EINVAL);
    CHECK(syscall(SYS_getppid) == getppid());
    CHECK_ERROR(syscall(100000), ENOSYS);
}

static void processes(void) {
    // Here or not, no call leaves anything behind.
    pid_t child = fork();
    if (child == 0) _exit(7);
    int status = 0;
    if (child > 0) CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    if (child < 0) CHECK(errno != 0);
    FILE *pipe = popen("echo word", "r");
    char line[8] = "";
    if (pipe) {
        (void)!fgets(line, sizeof line, pipe);
        pclose(pipe);
    }
    CHECK((child > 0) == (strcmp(line, "word\n") == 0));
}

static const struct test tests[] = {
    {"interrupted_places", interrupted_places},   {"jumps_out_of_handlers", jumps_out_of_handlers},
    {"calls_are_made_again", calls_are_made_again}, {"cancelled_in_calls", cancelled_in_calls},
    {"threads_without_stacks", threads_without_stacks}, {"arguments_arrive", arguments_arrive},
    {"processes", processes}, {NULL, NULL},
};

static const struct test *const families[] = {tests, NULL};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "often") == 0) {
        for (int i = atoi(argv[2]); i > 0; i--) REQUIRE(getppid() >= 0);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "measure") == 0) return measure();
    return run_tests("calling", families, argc, argv);
}
