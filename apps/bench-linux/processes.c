/* Other processes: making them, starting programs in them, and two that take turns. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "operations.h"

enum { PAGE = 4096, MEGABYTE = 1 << 20, MANY = 6000, MORE = 12000 };

extern char **environ;

static char *memory, *mappings[MORE];
static long mapping_count;
static int reader, writer;
static pid_t partner;
static char byte;

static void nothing_to_do(void)
{
}

/* Waits for a child that has to end well. */
static void wait_for(pid_t child)
{
    int status;
    need(waitpid(child, &status, 0));
    if (status != 0)
        missing(ECHILD);
}

static void fork_wait(uint64_t rounds)
{
    REPEAT(rounds) {
        pid_t child = (pid_t)need(fork());
        if (child == 0)
            _exit(0);
        wait_for(child);
    }
}

/* Pages of 4 KB on every side: where large pages are unknown there are none to be refused. */
static void touch(long length)
{
    memory = mmap(0, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(memory == MAP_FAILED ? -1 : 0);
    madvise(memory, length, MADV_NOHUGEPAGE);
    for (long at = 0; at < length; at += PAGE)
        ((volatile char *)memory)[at] = 1;
}

static void ten_ready(void)
{
    touch(10 * MEGABYTE);
}

static void ten_end(void)
{
    need(munmap(memory, 10 * MEGABYTE));
}

static void hundred_ready(void)
{
    touch(100 * MEGABYTE);
}

static void hundred_end(void)
{
    need(munmap(memory, 100 * MEGABYTE));
}

/* Mappings of a page each, shared and untouched, as LEBench's big and huge fork have them. */
static void map_many(long count)
{
    for (mapping_count = 0; mapping_count < count; mapping_count++) {
        char *mapped = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        need(mapped == MAP_FAILED ? -1 : 0);
        mappings[mapping_count] = mapped;
    }
}

static void big_ready(void)
{
    map_many(MANY);
}

static void huge_ready(void)
{
    map_many(MORE);
}

static void many_end(void)
{
    while (mapping_count > 0)
        need(munmap(mappings[--mapping_count], PAGE));
}

/* This program, which ends at once when told so. */
static char *const words_of_end[] = { program_name, "end", 0 };

static void start_ready(void)
{
    need(access(program_name, X_OK));
}

/* A function of its own: the child goes on in this frame (vfork(2)). */
static __attribute__((noinline)) pid_t vfork_execute(void)
{
    pid_t child = vfork();
    if (child == 0) {
        execve(program_name, words_of_end, environ);
        _exit(127);
    }
    return child;
}

static void vfork_execute_wait(uint64_t rounds)
{
    REPEAT(rounds)
        wait_for((pid_t)need(vfork_execute()));
}

static void spawn_wait(uint64_t rounds)
{
    REPEAT(rounds) {
        pid_t child;
        need_zero(posix_spawn(&child, program_name, 0, 0, words_of_end, environ));
        wait_for(child);
    }
}

static void shell_ready(void)
{
    need(access("/bin/busybox", X_OK));
    start_ready();
}

/* A shell that starts a program a thousand times, by its path, so that none of it is the shell's own. */
static void shell_thousand(uint64_t rounds)
{
    static char script[] = "i=0; while [ $i -lt 1000 ]; do \"$0\" end || exit 1; i=$((i+1)); done";
    static char *const words[] = { "sh", "-c", script, program_name, 0 };
    REPEAT(rounds) {
        pid_t child;
        need_zero(posix_spawn(&child, "/bin/busybox", 0, 0, words, environ));
        wait_for(child);
    }
}

static void answer_bytes(int from, int to)
{
    while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1) {
    }
    _exit(0);
}

static void pipe_ready(void)
{
    int there[2], back[2];
    need(pipe(there));
    need(pipe(back));
    partner = (pid_t)need(fork());
    if (partner == 0) {
        close(there[1]);
        close(back[0]);
        answer_bytes(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    writer = there[1];
    reader = back[0];
}

static void pipe_there_and_back(uint64_t rounds)
{
    REPEAT(rounds) {
        need(write(writer, &byte, 1));
        need(read(reader, &byte, 1) - 1);
    }
}

static void pipe_end(void)
{
    close(writer);
    close(reader);
    wait_for(partner);
}

/* Whose turn it is to yield, in memory of both. */
static _Atomic int *yielder;
enum { FIRST, SECOND };

static void yield_until(int mine)
{
    while (atomic_load_explicit(yielder, memory_order_acquire) != mine)
        sched_yield();
}

static void yield_ready(void)
{
    yielder = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    need(yielder == MAP_FAILED ? -1 : 0);
    partner = (pid_t)need(fork());
    while (partner == 0) {
        yield_until(SECOND);
        atomic_store_explicit(yielder, FIRST, memory_order_release);
    }
}

/* There and back: two switches at least, however many yields it takes. */
static void hand_over(uint64_t rounds)
{
    REPEAT(rounds) {
        atomic_store_explicit(yielder, SECOND, memory_order_release);
        yield_until(FIRST);
    }
}

static void yield_end(void)
{
    need(kill(partner, SIGKILL));
    need(waitpid(partner, 0, 0));
    need(munmap((void *)yielder, PAGE));
}

const struct operation fork_calls[] = {
    { "fork-wait", nothing_to_do, 0, fork_wait, 0 },
    { 0 },
};

const struct operation process_operations[] = {
    { "fork-wait-10M", ten_ready, 0, fork_wait, ten_end },
    { "fork-wait-100M", hundred_ready, 0, fork_wait, hundred_end },
    { "fork-wait-6000-mappings", big_ready, 0, fork_wait, many_end },
    { "fork-wait-12000-mappings", huge_ready, 0, fork_wait, many_end },
    { "vfork-exec-wait", start_ready, 0, vfork_execute_wait, 0 },
    { "posix-spawn-wait", start_ready, 0, spawn_wait, 0 },
    { "pipe-between-processes", pipe_ready, 0, pipe_there_and_back, pipe_end },
    { "yield-between-processes", yield_ready, 0, hand_over, yield_end },
    { 0 },
};

const struct operation shell_operations[] = {
    { "shell-1000-programs", shell_ready, 0, shell_thousand, 0 },
    { 0 },
};
