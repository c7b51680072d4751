// life.c: how threads begin and end: thousands of short ones, results, detached ones, stacks of their own, signals.
#include "tests.h"

#include <limits.h>
#include <sys/mman.h>

static atomic_int ended, ready, handled;
static atomic_ulong handler_thread;

static void *square(void *argument) {
    long value = (intptr_t)argument;
    return (void *)(value * value + 1);
}

static void results(void) {
    pthread_t threads[MANY];
    for (int round = 0; round < scaled(20); round++) {
        for (long index = 0; index < MANY; index++) threads[index] = start_thread(square, (void *)index);
        for (long index = MANY - 1; index >= 0; index--)
            CHECK(join_thread(threads[index]) == (void *)(index * index + 1));
    }
}

static void *count_end(void *unused) {
    ended++;
    return (void)unused, NULL;
}

static void many_short(void) {
    int threads = scaled(3000);
    ended = 0;
    for (int index = 0; index < threads; index++) join_thread(start_thread(count_end, NULL));
    CHECK(ended == threads);
}

static void *breed(void *depth) {
    // A tree: each thread starts two, down to the leaves.
    if (depth) {
        pthread_t children[2];
        for (int child = 0; child < 2; child++) children[child] = start_thread(breed, (char *)depth - 1);
        for (int child = 0; child < 2; child++) join_thread(children[child]);
    }
    ended++;
    return NULL;
}

static void tree(void) {
    ended = 0;
    join_thread(start_thread(breed, (void *)6));
    CHECK(ended == 127);
}

static void detached(void) {
    pthread_attr_t attributes;
    int threads = scaled(200);
    ended = 0;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    for (int index = 0; index < threads; index++) {
        pthread_t thread;
        // Those before may not have gone yet, and their stacks with them.
        if (index % 2) {
            CHECK(pthread_create(&thread, &attributes, count_end, NULL) == 0);
        } else {
            thread = start_thread(count_end, NULL);
            CHECK(pthread_detach(thread) == 0);
        }
    }
    AWAIT(ended == threads);
    CHECK(pthread_attr_destroy(&attributes) == 0);
}

static int __attribute__((noinline)) dive(int left) {
    volatile char frame[1024];
    frame[0] = (char)left;
    return left ? dive(left - 1) + frame[0] : 0;
}

static void *use_stack(void *kilobytes) {
    char here;
    dive((int)(intptr_t)kilobytes * 3 / 4 - 24);
    return (void *)(((uintptr_t)&here) & ~1UL);
}

static void own_stack_size(void) {
    pthread_attr_t attributes;
    size_t size, guard;
    for (int kilobytes = 64; kilobytes <= 4096; kilobytes *= 4) {
        CHECK(pthread_attr_init(&attributes) == 0);
        CHECK(pthread_attr_setstacksize(&attributes, (size_t)kilobytes << 10) == 0);
        CHECK(pthread_attr_getstacksize(&attributes, &size) == 0 && size == (size_t)kilobytes << 10);
        CHECK(pthread_attr_setguardsize(&attributes, 8192) == 0);
        CHECK(pthread_attr_getguardsize(&attributes, &guard) == 0 && guard == 8192);
        pthread_t thread;
        CHECK(pthread_create(&thread, &attributes, use_stack, (void *)(intptr_t)kilobytes) == 0);
        CHECK(join_thread(thread) && pthread_attr_destroy(&attributes) == 0);
    }
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, 16) == EINVAL);
}

static void own_stack_memory(void) {
    enum { SIZE = 256 << 10 };
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(memory != MAP_FAILED && pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, memory, SIZE) == 0);
    for (int round = 0; round < 10; round++) {
        CHECK(pthread_create(&thread, &attributes, use_stack, (void *)(SIZE >> 10)) == 0);
        uintptr_t inside = (uintptr_t)join_thread(thread) - (uintptr_t)memory;
        CHECK(inside < SIZE);
    }
    CHECK(pthread_attr_destroy(&attributes) == 0 && munmap(memory, SIZE) == 0);
}

static void *exit_deep(void *value) {
    dive(16);
    pthread_exit((char *)value + 1);
}

static void exit_values(void) {
    for (intptr_t value = 0; value < 16; value++)
        CHECK(join_thread(start_thread(exit_deep, (void *)value)) == (void *)(value + 1));
}

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    handler_thread = (unsigned long)pthread_self();
    handled++;
}

static void *wait_for_signal(void *unused) {
    ready = 1;
    AWAIT(handled && handler_thread == (unsigned long)pthread_self());
    return (void)unused, NULL;
}

static void killed(void) {
    handle(SIGUSR1, note, SA_RESTART);
    for (int round = 0; round < scaled(20); round++) {
        ready = handled = 0;
        pthread_t thread = start_thread(wait_for_signal, NULL);
        AWAIT(ready);
        CHECK(pthread_kill(thread, 0) == 0 && pthread_kill(thread, SIGUSR1) == 0);
        join_thread(thread);
        CHECK(handled == 1);
        CHECK(pthread_kill(pthread_self(), 65) == EINVAL && pthread_kill(pthread_self(), SIGUSR1) == 0);
        CHECK(handled == 2 && handler_thread == (unsigned long)pthread_self());
    }
}

const struct test life_tests[] = {
    {"many_short_threads", many_short}, {"thread_results", results},
    {"tree_of_threads", tree},          {"detached_threads", detached},
    {"own_stack_size", own_stack_size}, {"own_stack_memory", own_stack_memory},
    {"exit_values", exit_values},       {"kill_threads", killed},
    {NULL, NULL},
};
