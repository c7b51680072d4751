// Many processes, their ends, and what is left of them. Each word of the command line is a part with a number behind
// it; a part prints a line.
#include "check.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

// Kilobytes that nobody has.
static long free_memory(void)
{
    char line[200];
    long kilobytes = -1;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemFree: %ld", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes;
}

// Whether no more than `most` kilobytes are missing of those that were free. With several processors, the last child's
// memory may go a moment after its parent has heard of its end.
static int is_back(long before, long most)
{
    for (int moment = 0; moment < 1000; moment++) {
        if (before - free_memory() < most)
            return 1;
        usleep(1000);
    }
    return 0;
}

static int status_of(pid_t child)
{
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

// One after the other: nothing is left of them.
static void row(int count)
{
    long before = 0;
    for (int round = 0; round < 2; round++) {
        before = free_memory();
        for (int index = 0; index < count; index++) {
            pid_t child = fork();
            if (child == 0)
                _exit(index & 127);
            CHECK(child > 0);
            int status = status_of(child);
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == (index & 127));
        }
    }
    CHECK(is_back(before, 1024));
}

// All at once, killed then. The second time takes no more than the first.
static void together(int count)
{
    pid_t *children = malloc(count * sizeof *children);
    long before = 0;
    for (int round = 0; round < 3; round++) {
        if (round == 2)
            before = free_memory();
        for (int index = 0; index < count; index++) {
            children[index] = fork();
            if (children[index] == 0)
                for (;;)
                    pause();
            CHECK(children[index] > 0);
        }
        for (int index = 0; index < count; index++)
            CHECK(kill(children[index], SIGKILL) == 0);
        for (int index = 0; index < count; index++) {
            int status = status_of(children[index]);
            CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        }
    }
    CHECK(is_back(before, 4096));
    free(children);
}

// Killed at any moment, while they make children, write and wait.
static void killed(int count)
{
    srand(5);
    for (int index = 0; index < count; index++) {
        pid_t child = fork();
        if (child == 0)
            for (;;) {
                pid_t grandchild = fork();
                if (grandchild < 0)
                    _exit(1);
                if (grandchild == 0) {
                    char *bytes = malloc(100000);
                    for (int place = 0; place < 100000; place += 4096)
                        bytes[place] = 1;
                    _exit(0);
                }
                waitpid(grandchild, NULL, 0);
            }
        usleep(rand() % 3000);
        CHECK(kill(child, SIGKILL) == 0);
        int status = status_of(child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
}

static void *pauses(void *argument)
{
    for (;;)
        pause();
    return argument;
}

// From among fifty threads.
static void among_threads(int count)
{
    pthread_t thread;
    for (int index = 0; index < 50; index++)
        CHECK(pthread_create(&thread, NULL, pauses, NULL) == 0);
    for (int index = 0; index < count; index++) {
        pid_t child = fork();
        if (child == 0)
            _exit(3);
        CHECK(WEXITSTATUS(status_of(child)) == 3);
    }
}

enum { BEGINNERS = 400, LITTLE = 8192 };
static char stacks[BEGINNERS][LITTLE] __attribute__((aligned(16)));
static atomic_int begun;

static int waits(void *unused)
{
    (void)unused;
    while (pause()) {}
    return 0;
}

// Only clone(2): whatever maps memory would wait for the one who copies it.
static void *begins(void *unused)
{
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    for (int index = 0; index < BEGINNERS; index++) {
        CHECK(clone(waits, stacks[index] + LITTLE, flags, NULL) > 0);
        begun++;
    }
    return unused;
}

// So many processes while another thread makes threads; the first time, the kernel's own memory begins to be shared.
static void among_beginners(int count)
{
    for (int index = 0; index < BEGINNERS; index++)
        stacks[index][0] = stacks[index][LITTLE / 2] = 1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, begins, NULL) == 0);
    while (begun < BEGINNERS / 20)
        sched_yield();
    for (int index = 0; index < count; index++) {
        pid_t child = fork();
        if (child == 0)
            _exit(3);
        CHECK(WEXITSTATUS(status_of(child)) == 3);
    }
    pthread_join(thread, NULL);
}

enum { CUT_PAGES = 16, CUT = CUT_PAGES * 4096 };
static int cut_file;
static volatile char *cut_bytes;
static atomic_int cutting;

static void ends(int signal)
{
    (void)signal;
    _exit(3);
}

// Cuts the file, whose pages another one has next: what that has is nobody else's.
static void *cuts(void *unused)
{
    static char zeros[CUT], seen[CUT];
    while (cutting) {
        for (int page = 0; page < CUT; page += 4096)
            cut_bytes[page] = 1;
        CHECK(ftruncate(cut_file, 0) == 0);
        int other = memfd_create("other", 0);
        CHECK(write(other, zeros, CUT) == CUT);
        for (int look = 0; look < 20; look++)
            CHECK(pread(other, seen, CUT, 0) == CUT && memcmp(seen, zeros, CUT) == 0);
        close(other);
        CHECK(ftruncate(cut_file, CUT) == 0);
    }
    return unused;
}

// So many processes that store into a mapping of a file, which a thread cuts as they are made.
static void cut(int count)
{
    signal(SIGBUS, ends);
    cut_file = memfd_create("cut", 0);
    CHECK(ftruncate(cut_file, CUT) == 0);
    cut_bytes = mmap(NULL, CUT, PROT_READ | PROT_WRITE, MAP_SHARED, cut_file, 0);
    cutting = 1;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, cuts, NULL) == 0);
    for (int index = 0; index < count; index++) {
        pid_t child = fork();
        if (child == 0) {
            for (int store = 0; store < 30; store++)
                for (int page = 0; page < CUT; page += 4096)
                    cut_bytes[page] = 2;
            _exit(3);
        }
        CHECK(WEXITSTATUS(status_of(child)) == 3);
    }
    cutting = 0;
    pthread_join(thread, NULL);
    munmap((void *)cut_bytes, CUT);
    close(cut_file);
}

// All that a user may have, each making more: who made the first goes on. Last, for the number of processes is bounded
// for the user from then on.
static void bomb(int milliseconds)
{
    struct rlimit limit = {100, 100};
    CHECK(setrlimit(RLIMIT_NPROC, &limit) == 0 && setuid(1000) == 0);
    pid_t first = getpid();
    volatile int *stop = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int refused = 0;
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000L;
    do {
        if (fork() < 0) {
            refused += errno == EAGAIN;
            usleep(1000);
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        int over = now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
        if (getpid() == first && over && refused)
            *stop = 1;
    } while (!*stop);
    if (getpid() != first)
        _exit(0);
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

// Writes to so many megabytes, and waits when it has them.
static pid_t taker(int megabytes, const char *adjustment)
{
    int ready[2];
    CHECK(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        FILE *file = fopen("/proc/self/oom_score_adj", "w");
        if (!file || fputs(adjustment, file) < 0 || fclose(file) != 0)
            _exit(1);
        for (int index = 0; index < megabytes; index++) {
            char *bytes = malloc(1 << 20);
            if (!bytes)
                _exit(2);
            memset(bytes, 1, 1 << 20);
        }
        if (write(ready[1], "", 1) != 1)
            _exit(3);
        for (;;)
            pause();
    }
    close(ready[1]);
    char byte;
    // The end of what cannot have it ends this, too.
    if (read(ready[0], &byte, 1) < 0)
        CHECK(0);
    close(ready[0]);
    return child;
}

// Memory runs out so often. Who takes it ends; one that said so ends before it; one that is never to end does not.
static void shortage(int count)
{
    for (int index = 0; index < count; index++) {
        pid_t kept = taker(20, "-1000"), offered = taker(10, "1000"), greedy = taker(100000, "0");
        int status = status_of(greedy);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        status = status_of(offered);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        CHECK(waitpid(kept, &status, WNOHANG) == 0);
        kill(kept, SIGTERM);
        status = status_of(kept);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    }
}

static const struct {
    const char *name;
    void (*run)(int);
} parts[] = {
    {"row", row}, {"together", together}, {"killed", killed}, {"among_threads", among_threads}, {"bomb", bomb},
    {"shortage", shortage}, {"among_beginners", among_beginners}, {"cut", cut},
};

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int word = 1; word + 1 < count; word += 2)
        for (size_t index = 0; index < sizeof parts / sizeof *parts; index++)
            if (strcmp(arguments[word], parts[index].name) == 0) {
                int before = wrong;
                parts[index].run(atoi(arguments[word + 1]));
                printf("%s: %s\n", parts[index].name, wrong == before ? "ok" : "wrong");
            }
    return wrong != 0;
}
