/*
 * What operations of Linux cost, told from inside: ticks of the time stamp counter per operation.
 *
 * The same file runs on Linux and in whittle. Under QEMU's `-icount shift=0` the counter counts instructions, so
 * those figures repeat; on a processor it counts at a constant rate.
 *
 * Words: `list` prints names instead of measuring; `samples=N` and `ticks=N` say how many samples to take and how
 * long each lasts, `folder=PATH` where to make files, `share=FILE` and `megabytes=N` what is read from its beginning to
 * its end; `anywhere` leaves it all processors, and `guarded` is in guarded.c; the others are operations or groups.
 * `first FOLDER PROGRAM ...` is in first.c; `end` alone ends at once.
 * Output: `operation ticks`, then a line `NAME SAMPLE SAMPLE ...` or `NAME missing ERROR` for each.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"

char file_name[256], other_name[256], folder_name[256], share_name[256], program_name[256];
enum { MOST_SAMPLES = 1000 };
static unsigned sample_count = 20;
static double samples[MOST_SAMPLES];
static uint64_t sample_ticks = 500000;
static jmp_buf next_operation;

_Noreturn void missing(int error)
{
    longjmp(next_operation, error ? error : EIO);
}

long need(long result)
{
    if (result < 0)
        missing(errno);
    return result;
}

void need_zero(int error)
{
    if (error)
        missing(error);
}

/* The counter, with everything before it done (Intel SDM 2B, RDTSC). */
uint64_t ticks(void)
{
    uint32_t low, high;
    asm volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static uint64_t time_of(const struct operation *operation, uint64_t rounds)
{
    if (operation->before)
        operation->before(rounds);
    uint64_t start = ticks();
    operation->repeat(rounds);
    return ticks() - start;
}

/* The loop around nothing but a register's load, which a direct system call has too. */
static void nothing(uint64_t rounds)
{
    REPEAT(rounds) {
        long result;
        asm volatile("mov %1, %%eax" : "=a"(result) : "i"(SYS_getppid));
    }
}

static const struct operation loop_alone = { "loop", 0, 0, nothing, 0 };

/* What a program has never done is dearer: whittle rewrites a call when it has trapped some times, and an operation may
   make one in few of its rounds. So there are many rounds first, as long as they do not take too long. */
static void warm_up(const struct operation *operation, uint64_t most)
{
    enum { ROUNDS = 512, STEP = 8, MOST_SAMPLES_LONG = 20 };
    uint64_t taken = 0, step = most < STEP ? most : STEP;
    for (uint64_t rounds = 0; rounds < ROUNDS && taken < MOST_SAMPLES_LONG * sample_ticks; rounds += step)
        taken += time_of(operation, step);
}

/* Rounds that fill a sample, or as many as there may be. */
static uint64_t rounds_of_a_sample(const struct operation *operation, uint64_t most)
{
    uint64_t rounds = 1;
    for (;;) {
        uint64_t taken = time_of(operation, rounds) + 1;
        if (taken >= sample_ticks || rounds == most)
            return rounds;
        uint64_t fitting = rounds * sample_ticks / taken + 1;
        rounds = fitting < rounds * 8 ? fitting : rounds * 8;
        rounds = rounds < most ? rounds : most;
    }
}

static double sample(const struct operation *operation, uint64_t rounds, uint64_t loop)
{
    uint64_t taken = time_of(operation, rounds);
    return taken > loop ? (double)(taken - loop) / (double)rounds : 0;
}

struct group {
    const char *name;
    const struct operation *operations;
    /* Rounds of the only sample; 0 for as many as fill one. */
    uint64_t fixed;
    /* Rounds of a sample at most, where they hold what is bounded; 0 for any number. */
    uint64_t most;
};

static struct group groups[] = {
    { "calls", processor_calls, 0, 0 },
    { "calls", file_calls, 0, 0 },
    { "calls", memory_calls, 0, 0 },
    { "calls", event_calls, 0, 0 },
    { "calls", fork_calls, 0, 0 },
    { "threads", thread_creation, 0, 0 },
    { "threads", thread_operations, 0, 0 },
    { "processes", fork_calls, 0, 0 },
    { "processes", process_operations, 0, 0 },
    { "processes", shell_operations, 1, 0 },
    { "processes", thread_creation, 0, 0 },
    { "processes", send_calls, 0, 128 },
    { "processes", large_send_calls, 0, 1 },
    { "processes", wait_calls, 0, 0 },
    { "processes", usual_calls, 0, 512 },
    { "processes", big_calls, 0, 64 },
    { "processes", huge_calls, 0, 1 },
    { "files", file_calls, 0, 0 },
    { "files", tree_calls, 0, 0 },
#ifdef WITH_SQLITE
    { "files", database_calls, 60000, 0 },
#endif
    { "sockets", socket_calls, 0, 0 },
    /* The last: `megabytes=N` changes it. */
    { "share", share_calls, 1024, 0 },
};

/* A group's fixed rounds make the only sample, where a whole workload is one. */
static __attribute__((noinline)) void take_samples(const struct operation *operation, const struct group *group)
{
    const uint64_t fixed = group->fixed, most = group->most ? group->most : UINT64_MAX;
    operation->ready();
    if (!fixed)
        warm_up(operation, most);
    uint64_t rounds = fixed ? fixed : rounds_of_a_sample(operation, most), loop = UINT64_MAX;
    for (unsigned count = 0; count < 5; count++) {
        uint64_t taken = time_of(&loop_alone, rounds);
        loop = taken < loop ? taken : loop;
    }
    unsigned count = fixed ? 1 : sample_count < MOST_SAMPLES ? sample_count : MOST_SAMPLES;
    for (unsigned index = 0; index < count; index++)
        samples[index] = sample(operation, rounds, loop);
    /* What fails here takes the figures along: they are of something broken. */
    if (operation->after)
        operation->after();
    printf("%s", operation->name);
    for (unsigned index = 0; index < count; index++)
        printf(" %.2f", samples[index]);
    printf("\n");
}

static void measure(const struct operation *operation, const struct group *group)
{
    int error = setjmp(next_operation);
    if (error) {
        const char *name = strerrorname_np(error);
        printf("%s missing %s\n", operation->name, name ? name : "error");
        return;
    }
    take_samples(operation, group);
}

/* Measures or lists what is meant by a word; whether there is any. An operation of two groups is the same in both. */
static bool act(const char *word, bool list)
{
    bool found = false;
    for (unsigned index = 0; index < sizeof groups / sizeof *groups; index++) {
        bool all = strcmp(word, groups[index].name) == 0;
        for (const struct operation *operation = groups[index].operations; operation->name; operation++) {
            if (!all && strcmp(word, operation->name) != 0)
                continue;
            found = true;
            if (list)
                printf("%s\n", operation->name);
            else
                measure(operation, &groups[index]);
            fflush(stdout);
            if (!all)
                return true;
        }
    }
    return found;
}

/* Threads that take turns must share a processor: elsewhere the wake-up of an idle one would be measured. */
static void stay_on_this_processor(void)
{
    cpu_set_t set;
    int processor = sched_getcpu();
    CPU_ZERO(&set);
    CPU_SET(processor < 0 ? 0 : processor, &set);
    /* Where it cannot be asked for there is one processor. */
    sched_setaffinity(0, sizeof set, &set);
}

static void name_files(const char *folder)
{
    snprintf(file_name, sizeof file_name, "%s/bench.file", folder);
    snprintf(other_name, sizeof other_name, "%s/bench.other", folder);
    snprintf(folder_name, sizeof folder_name, "%s/bench.folder", folder);
}

int main(int count, char **words)
{
    bool list = false, found = false, stays = true;
    /* What a started process does where its start is measured. */
    if (count == 2 && strcmp(words[1], "end") == 0)
        return 0;
    snprintf(program_name, sizeof program_name, "%s", words[0]);
    if (count > 3 && strcmp(words[1], "first") == 0)
        return first_output(words[2], words + 3);
    for (int index = 1; index < count; index++)
        stays = stays && strcmp(words[index], "anywhere") != 0;
    if (stays)
        stay_on_this_processor();
    name_files("/tmp");
    for (int index = 1; index < count; index++) {
        const char *word = words[index];
        if (strcmp(word, "anywhere") == 0)
            continue;
        if (strcmp(word, "list") == 0)
            list = true;
        else if (strncmp(word, "samples=", 8) == 0)
            sample_count = (unsigned)atoi(word + 8);
        else if (strncmp(word, "ticks=", 6) == 0)
            sample_ticks = strtoull(word + 6, 0, 10);
        else if (strncmp(word, "folder=", 7) == 0)
            name_files(word + 7);
        else if (strncmp(word, "megabytes=", 10) == 0)
            groups[sizeof groups / sizeof *groups - 1].fixed = strtoull(word + 10, 0, 10);
        else if (strncmp(word, "share=", 6) == 0)
            snprintf(share_name, sizeof share_name, "%s", word + 6);
        else if (strcmp(word, "guarded") == 0)
            guard();
        else {
            if (!list && !found)
                printf("operation ticks\n");
            if (!act(word, list)) {
                fprintf(stderr, "bench-linux: no operation or group %s\n", word);
                return 2;
            }
            found = true;
        }
    }
    if (!found)
        fprintf(stderr, "usage: bench-linux [list] [samples=N] [ticks=N] [folder=PATH] [share=FILE] "
                        "[megabytes=N] [anywhere] [guarded] calls|threads|processes|files|sockets|share|OPERATION ...\n"
                        "       bench-linux first FOLDER PROGRAM ...\n");
    return found ? 0 : 2;
}
