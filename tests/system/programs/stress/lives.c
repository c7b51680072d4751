// lives.c: threads begun and ended: joined, detached, cancelled, on stacks of many sizes.
#include "stress.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread unsigned long own[64];

static void *live(void *argument) {
    struct chance chance = {(uintptr_t)argument};
    for (int index = 0; index < 64; index++) REQUIRE(own[index] == 0);
    for (uint64_t turn = draw(&chance, 20); turn; turn--) {
        own[draw(&chance, 64)] += turn;
        if (draw(&chance, 4) == 0) sched_yield();
        if (draw(&chance, 8) == 0) {
            REQUIRE(pthread_mutex_lock(&mutex) == 0);
            own[0]++;
            REQUIRE(pthread_mutex_unlock(&mutex) == 0);
        }
    }
    threads_ended++;
    if (draw(&chance, 2)) pthread_exit(argument);
    return argument;
}

static pthread_t begin(struct chance *chance, int detached, void **argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    *argument = (void *)(uintptr_t)draw(chance, 1u << 30);
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, (size_t)(64 + 4 * draw(chance, 200)) << 10) == 0);
    if (detached) REQUIRE(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    threads_begun++;
    REQUIRE(pthread_create(&thread, &attributes, live, *argument) == 0);
    REQUIRE(pthread_attr_destroy(&attributes) == 0);
    return thread;
}

void breed_threads(struct chance *chance) {
    pthread_t threads[12];
    void *arguments[12], *result;
    int count = 1 + (int)draw(chance, 12);
    for (int index = 0; index < count; index++) threads[index] = begin(chance, 0, &arguments[index]);
    for (int index = 0; index < count; index++)
        REQUIRE(pthread_join(threads[index], &result) == 0 && result == arguments[index]);
}

void breed_detached(struct chance *chance) {
    void *argument;
    for (uint64_t count = 1 + draw(chance, 4); count; count--) begin(chance, 1, &argument);
}

static void *wait_for_cancellation(void *word) {
    struct timespec hour = {3600, 0};
    *(atomic_int *)word = 1;
    while (nanosleep(&hour, NULL)) continue;
    return word;
}

void cancel_one(struct chance *chance) {
    atomic_int begun = 0;
    pthread_t thread;
    void *result;
    threads_begun++;
    REQUIRE(pthread_create(&thread, NULL, wait_for_cancellation, &begun) == 0);
    if (draw(chance, 2))
        while (!begun) sched_yield();
    REQUIRE(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    threads_ended++;
}

void move_about(struct chance *chance) {
    cpu_set_t all, one;
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    int wanted = (int)draw(chance, CPU_COUNT(&all)), cpu = 0;
    for (;; cpu++)
        if (CPU_ISSET(cpu, &all) && wanted-- == 0) break;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0 && sched_getcpu() == cpu);
    REQUIRE(sched_setaffinity(0, sizeof all, &all) == 0);
}
