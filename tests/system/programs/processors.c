// Threads on several processors: each word of the command line names a check. A check prints "ok NAME", or says what
// is wrong and ends the program with 1. They come without timing of their own, so that none depends on the machine.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define REQUIRE(condition)                                                                \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            dprintf(1, "FAIL %s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
            _exit(1);                                                                     \
        }                                                                                 \
    } while (0)

enum { THREADS = 8, PAGE = 4096 };

static void *each(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (intptr_t index = 0; index < THREADS; index++)
        REQUIRE(pthread_create(&threads[index], NULL, body, (void *)index) == 0);
    for (int index = 0; index < THREADS; index++)
        REQUIRE(pthread_join(threads[index], NULL) == 0);
    return NULL;
}

// A mutex keeps its promise.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long counted;

static void *count(void *unused) {
    (void)unused;
    for (int turn = 0; turn < 20000; turn++) {
        pthread_mutex_lock(&mutex);
        long before = counted;
        if (turn % 512 == 0)
            sched_yield();
        counted = before + 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void mutexes(void) {
    each(count);
    REQUIRE(counted == 20000L * THREADS);
}

// A ball goes round all threads by condition variables: none is woken in vain and none is forgotten.
static pthread_cond_t passed[THREADS];
static long ball;

static void *play(void *argument) {
    long me = (long)(intptr_t)argument;
    for (int turn = 0; turn < 500; turn++) {
        pthread_mutex_lock(&mutex);
        while (ball % THREADS != me)
            pthread_cond_wait(&passed[me], &mutex);
        ball++;
        pthread_cond_signal(&passed[ball % THREADS]);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void conditions(void) {
    for (int index = 0; index < THREADS; index++)
        pthread_cond_init(&passed[index], NULL);
    each(play);
    REQUIRE(ball == 500L * THREADS);
}

// Threads come and go.
static atomic_long born;

static void *live(void *argument) {
    atomic_fetch_add(&born, 1);
    return argument;
}

static void *make_many(void *unused) {
    (void)unused;
    for (intptr_t turn = 0; turn < 250; turn++) {
        pthread_t thread;
        void *result;
        REQUIRE(pthread_create(&thread, NULL, live, (void *)turn) == 0);
        REQUIRE(pthread_join(thread, &result) == 0 && result == (void *)turn);
    }
    return NULL;
}

static void creations(void) {
    each(make_many);
    REQUIRE(born == 250L * THREADS);
}

// Each thread has its own thread pointer and its own vector registers, whichever processor it is on.
static __thread long mine;
static __thread double own;

static void *keep(void *argument) {
    long me = (long)(intptr_t)argument + 1;
    mine = me;
    own = 1.0 / (double)me;
    for (int turn = 0; turn < 3000; turn++) {
        uint64_t in[8], out[8];
        for (int index = 0; index < 8; index++)
            in[index] = (uint64_t)me << 32 | (uint64_t)(turn * 8 + index);
        long number = SYS_sched_yield;
        __asm__ volatile(
            "movq 0(%[in]), %%xmm0\n movq 8(%[in]), %%xmm3\n movq 16(%[in]), %%xmm7\n movq 24(%[in]), %%xmm8\n"
            "movq 32(%[in]), %%xmm11\n movq 40(%[in]), %%xmm13\n movq 48(%[in]), %%xmm14\n movq 56(%[in]), %%xmm15\n"
            "syscall\n"
            "movq %%xmm0, 0(%[out])\n movq %%xmm3, 8(%[out])\n movq %%xmm7, 16(%[out])\n movq %%xmm8, 24(%[out])\n"
            "movq %%xmm11, 32(%[out])\n movq %%xmm13, 40(%[out])\n movq %%xmm14, 48(%[out])\n movq %%xmm15, 56(%[out])\n"
            : "+a"(number)
            : [in] "r"(in), [out] "r"(out)
            : "rcx", "r11", "memory", "xmm0", "xmm3", "xmm7", "xmm8", "xmm11", "xmm13", "xmm14", "xmm15");
        REQUIRE(number == 0 && memcmp(in, out, sizeof in) == 0);
        REQUIRE(mine == me && own == 1.0 / (double)me);
    }
    return NULL;
}

static void registers(void) { each(keep); }

// Mappings come, change and go beside threads that touch theirs.
static void *map(void *argument) {
    unsigned char tag = (unsigned char)((intptr_t)argument + 1);
    for (int turn = 0; turn < 200; turn++) {
        size_t length = (size_t)(1 + turn % 7) * PAGE;
        unsigned char *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(bytes != MAP_FAILED);
        for (size_t at = 0; at < length; at += PAGE / 2) {
            REQUIRE(bytes[at] == 0);
            bytes[at] = tag;
        }
        REQUIRE(mprotect(bytes, length, PROT_READ) == 0);
        for (size_t at = 0; at < length; at += PAGE / 2)
            REQUIRE(bytes[at] == tag);
        REQUIRE(mprotect(bytes, length, PROT_READ | PROT_WRITE) == 0);
        bytes[length - 1] = tag;
        if (turn % 3 == 0) {
            unsigned char *moved = mremap(bytes, length, length + PAGE, MREMAP_MAYMOVE);
            REQUIRE(moved != MAP_FAILED && moved[0] == tag && moved[length - 1] == tag && moved[length] == 0);
            bytes = moved;
            length += PAGE;
        }
        REQUIRE(munmap(bytes, length) == 0);
    }
    return NULL;
}

static void mappings(void) { each(map); }

// Each thread's faults are its own.
static __thread sigjmp_buf back;
static __thread volatile uintptr_t fault_at;

static void caught(int number, siginfo_t *information, void *context) {
    (void)number;
    (void)context;
    fault_at = (uintptr_t)information->si_addr;
    siglongjmp(back, 1);
}

static void *fault(void *argument) {
    unsigned char *page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(page != MAP_FAILED);
    for (int turn = 0; turn < 300; turn++) {
        volatile unsigned char *wanted = page + (turn + (intptr_t)argument) % PAGE;
        fault_at = 0;
        if (sigsetjmp(back, 1) == 0) {
            *wanted = 1;
            REQUIRE(!"a page without rights was written");
        }
        REQUIRE(fault_at == (uintptr_t)wanted);
    }
    return NULL;
}

static void faults(void) {
    struct sigaction action = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO};
    REQUIRE(sigaction(SIGSEGV, &action, NULL) == 0);
    each(fault);
}

// Threads that only compute, more than there are processors, keep nobody from running.
static atomic_bool stop;

static void *spin(void *turns) {
    while (!atomic_load(&stop))
        ++*(volatile long *)turns;
    return NULL;
}

static void spinning(void) {
    static volatile long turns[THREADS];
    pthread_t threads[THREADS];
    for (int index = 0; index < THREADS; index++)
        REQUIRE(pthread_create(&threads[index], NULL, spin, (void *)&turns[index]) == 0);
    // This one sleeps among them, and comes back each time; and each of them gets its turns.
    struct timespec pause = {.tv_nsec = 1000000};
    for (int turn = 0; turn < 20; turn++)
        REQUIRE(nanosleep(&pause, NULL) == 0);
    for (int index = 0; index < THREADS; index++)
        while (turns[index] == 0)
            nanosleep(&pause, NULL);
    atomic_store(&stop, true);
    for (int index = 0; index < THREADS; index++)
        pthread_join(threads[index], NULL);
}

// Signals sent to threads that compute: each is taken by its own thread.
static __thread volatile sig_atomic_t taken;
static atomic_int ready;

static void take(int number) {
    (void)number;
    taken++;
}

static void *compute(void *unused) {
    (void)unused;
    atomic_fetch_add(&ready, 1);
    for (sig_atomic_t wanted = 1; wanted <= 20; wanted++) {
        while (taken < wanted)
            ;
        atomic_fetch_add(&ready, 1);
    }
    return NULL;
}

static void signals(void) {
    struct sigaction action = {.sa_handler = take};
    REQUIRE(sigaction(SIGUSR1, &action, NULL) == 0);
    pthread_t threads[2];
    for (int index = 0; index < 2; index++)
        REQUIRE(pthread_create(&threads[index], NULL, compute, NULL) == 0);
    for (int turn = 0; turn <= 20; turn++) {
        while (atomic_load(&ready) < 2 * (turn + 1))
            sched_yield();
        for (int index = 0; index < 2 && turn < 20; index++)
            REQUIRE(pthread_kill(threads[index], SIGUSR1) == 0);
    }
    for (int index = 0; index < 2; index++)
        pthread_join(threads[index], NULL);
}

// A thread that waits for standard input gets it while all processors compute.
static void input(void) {
    static volatile long turns[THREADS];
    pthread_t threads[THREADS];
    for (int index = 0; index < THREADS; index++)
        REQUIRE(pthread_create(&threads[index], NULL, spin, (void *)&turns[index]) == 0);
    dprintf(1, "waiting\n");
    char byte;
    REQUIRE(read(0, &byte, 1) == 1 && byte == 'x');
    dprintf(1, "got it\n");
    atomic_store(&stop, true);
    for (int index = 0; index < THREADS; index++)
        pthread_join(threads[index], NULL);
}

// All processors compute until somebody ends the program.
static void computing(void) {
    static volatile long turns[THREADS];
    pthread_t thread;
    for (int index = 0; index < THREADS; index++)
        REQUIRE(pthread_create(&thread, NULL, spin, (void *)&turns[index]) == 0);
    dprintf(1, "computing\n");
    pthread_join(thread, NULL);
}

// Lines of several threads come whole.
static void *write_lines(void *argument) {
    char line[100];
    memset(line, 'a' + (int)(intptr_t)argument, sizeof line - 1);
    line[sizeof line - 1] = '\n';
    for (int turn = 0; turn < 100; turn++)
        REQUIRE(write(1 + turn % 2, line, sizeof line) == sizeof line);
    return NULL;
}

static void lines(void) { each(write_lines); }

// The end comes while others compute and write.
static void *chatter(void *unused) {
    (void)unused;
    for (;;)
        if (write(2, "", 0) != 0 || getppid() < 0)
            return NULL;
}

static void ending(void) {
    pthread_t thread;
    for (int index = 0; index < THREADS; index++)
        REQUIRE(pthread_create(&thread, NULL, index % 2 ? chatter : spin, &counted) == 0);
    usleep(3000);
    dprintf(1, "ok ending\n");
    exit(7);
}

static const struct {
    const char *name;
    void (*body)(void);
} checks[] = {
    {"mutexes", mutexes},   {"conditions", conditions}, {"creations", creations}, {"registers", registers},
    {"mappings", mappings}, {"faults", faults},         {"spinning", spinning},   {"signals", signals},
    {"input", input},       {"computing", computing},   {"lines", lines},         {"ending", ending},
};

int main(int count, char **words) {
    for (int word = 1; word < count; word++) {
        for (size_t index = 0; index < sizeof checks / sizeof *checks; index++) {
            if (strcmp(words[word], checks[index].name) == 0) {
                atomic_store(&stop, false);
                checks[index].body();
                dprintf(1, "ok %s\n", words[word]);
            }
        }
    }
    return 0;
}
