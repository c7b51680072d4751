// die.c: a program that ends in the way its argument names. Whatever it writes is written before.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void nothing(int signal) { (void)signal; }
static void to_abort(int signal) { (void)signal, abort(); }

static void exit_three(int signal) {
    const char *line = signal == SIGTERM ? "handled SIGTERM\n" : signal == SIGHUP ? "handled SIGHUP\n" : "handled SIGINT\n";
    if (write(1, line, strlen(line)) > 0) _exit(3);
}

static void block_all(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void null(void) { *(volatile int *)0 = 1; }
static void null_call(void) { ((void (*)(void))0)(); }
static void wild(void) { *(volatile int *)0x123456789a8 = 1; }
static void halt(void) { __asm__ volatile("hlt"); }
static void illegal(void) { __asm__ volatile("ud2"); }
static void trap(void) { __asm__ volatile("int3"); }
static void divide(void) { __asm__ volatile("idivl %1" : : "a"(1), "r"(0), "d"(0)); }
static void abort_ignored(void) { signal(SIGABRT, SIG_IGN), abort(); }
static void abort_handled(void) { signal(SIGABRT, nothing), abort(); }
static void abort_blocked(void) { block_all(), abort(); }
static void tables(void) {
    char place[10];
    __asm__ volatile("sgdt %0" : "=m"(place));
}
static void abort_from_halt(void) { signal(SIGSEGV, to_abort), halt(); }
static void segv_blocked(void) { block_all(), null(); }
static void segv_ignored(void) { signal(SIGSEGV, SIG_IGN), null(); }
static void segv_returning(void) { signal(SIGFPE, nothing), raise(SIGFPE), signal(SIGSEGV, nothing), raise(SIGKILL); }
static void term(void) { raise(SIGTERM); }
static void sigkill(void) { kill(getpid(), SIGKILL); }
static void real_time(void) { raise(40); }
static void exit_high(void) { syscall(SYS_exit_group, 0x1ff); }
static void exit_thread(void) { syscall(SYS_exit, 9); }

static int __attribute__((noinline)) dive(int left) {
    volatile char frame[1024];
    frame[0] = left;
    return left ? dive(left - 1) + frame[0] : 0;
}

static void overflow(void) {
    static volatile int depth = 1 << 28;
    dive(depth);
}

static void broken_pipe(void) {
    int ends[2];
    if (pipe(ends) == 0 && close(ends[0]) == 0 && write(ends[1], "x", 1) < 0) _exit(1);
}

static void wait_for_signals(void) {
    signal(SIGTERM, exit_three), signal(SIGHUP, exit_three), signal(SIGINT, exit_three);
    if (write(1, "ready\n", 6) == 6)
        for (;;) pause();
}

static void compute_until_signal(void) {
    signal(SIGTERM, exit_three);
    if (write(1, "ready\n", 6) == 6)
        for (;;) continue;
}

static void ignore_interrupt(void) {
    signal(SIGINT, SIG_IGN);
    if (write(1, "ready\n", 6) == 6)
        for (;;) pause();
}

static void write_after_reader_left(void) {
    // Ends by SIGPIPE when nobody reads any more.
    static char page[4096];
    while (write(1, page, sizeof page) > 0) continue;
    _exit(1);
}

static void no_memory(void) {
    // Touches all the memory there is: ends by SIGKILL or SIGSEGV, or malloc fails, but never hangs.
    for (;;) {
        char *block = malloc(16 << 20);
        if (!block) _exit(12);
        memset(block, 1, 16 << 20);
    }
}

static void many_mappings(void) {
    // The kernel's account of them fills its memory, or they become too many.
    char *next = (char *)(1ul << 32);
    for (int turn = 0;; turn++, next += 4096)
        if (mmap(next, 4096, turn % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) _exit(12);
}

static void many_tables(void) {
    // A page in each 2 MB needs a table for itself.
    size_t size = 1ul << 40;
    char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) _exit(12);
    for (size_t offset = 4096; offset < size; offset += 2 << 20) {
        madvise(area + offset - 4096, 2 << 20, MADV_NOHUGEPAGE);
        area[offset] = 1;
    }
}

static void refused_memory(void) {
    // More than there can be is refused at once.
    size_t size = 1ul << 45;
    if (mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && sbrk(size) == (void *)-1)
        _exit(12);
}

static const struct {
    const char *name;
    void (*end)(void);
} ends[] = {
    {"null", null}, {"null-call", null_call}, {"wild", wild}, {"hlt", halt}, {"tables", tables}, {"illegal", illegal}, {"trap", trap},
    {"divide", divide}, {"abort", abort}, {"abort-ignored", abort_ignored}, {"abort-handled", abort_handled},
    {"abort-blocked", abort_blocked}, {"abort-from-hlt", abort_from_halt}, {"segv-blocked", segv_blocked},
    {"segv-ignored", segv_ignored}, {"kill-late", segv_returning}, {"term", term}, {"kill", sigkill},
    {"real-time", real_time}, {"exit-high", exit_high}, {"exit-thread", exit_thread}, {"overflow", overflow},
    {"pipe", broken_pipe}, {"wait", wait_for_signals}, {"compute", compute_until_signal},
    {"ignore-interrupt", ignore_interrupt}, {"write-forever", write_after_reader_left}, {"no-memory", no_memory},
    {"many-mappings", many_mappings}, {"many-tables", many_tables}, {"refused-memory", refused_memory},
};

int main(int argc, char **argv) {
    // The host needs no core files of these.
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (size_t index = 0; argc > 1 && index < sizeof ends / sizeof *ends; index++)
        if (strcmp(argv[1], ends[index].name) == 0) ends[index].end();
    if (argc > 1 && strcmp(argv[1], "exit") == 0) return argc > 2 ? atoi(argv[2]) : 0;
    fprintf(stderr, "die: still alive\n");
    return 100;
}
