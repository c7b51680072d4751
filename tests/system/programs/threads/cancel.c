// cancel.c: cancelling threads, at once and at cancellation points, and their clean-up handlers (pthread_cancel(3)).
#include "tests.h"

#include <semaphore.h>

static atomic_int ready, cleaned, go;
static atomic_long spinning_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int ends[2];

static void clean(void *order) {
    // In the reverse order of their pushing: 2, then 1.
    if (cleaned == 2 - (intptr_t)order) cleaned++;
}

static void unlock(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void block_in_read(void) {
    char byte;
    if (read(ends[0], &byte, 1) >= 0) cleaned = 100;
}

static void block_in_condition(void) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, NULL);
    for (;;) pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
}

static void block_in_sleep(void) {
    struct timespec hour = {3600, 0};
    for (;;) nanosleep(&hour, NULL);
}

static void block_in_semaphore(void) { sem_wait(&semaphore); }
static void block_in_pause(void) { pause(); }

static void test_only(void) {
    for (;;) pthread_testcancel();
}

static void compute(void) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;) spinning_count++;
}

static void *cancelled(void *body) {
    void (*block)(void) = *(void (**)(void))body;
    pthread_cleanup_push(clean, (void *)1);
    pthread_cleanup_push(clean, (void *)2);
    ready = 1;
    block();
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancel_in(void (*block)(void)) {
    for (int round = 0; round < scaled(4); round++) {
        ready = cleaned = 0;
        pthread_t thread = start_thread(cancelled, &block);
        AWAIT(ready);
        // Every second time it has surely gone to sleep; the other times it may not have.
        if (round % 2) pause_a_little();
        CHECK(pthread_cancel(thread) == 0);
        CHECK(join_thread(thread) == PTHREAD_CANCELED && cleaned == 2);
    }
}

static void deferred(void) {
    CHECK(pipe(ends) == 0 && sem_init(&semaphore, 0, 0) == 0);
    void (*const blocks[])(void) = {
        block_in_read, block_in_condition, block_in_sleep, block_in_semaphore, block_in_pause, test_only,
    };
    for (size_t index = 0; index < sizeof blocks / sizeof *blocks; index++) cancel_in(blocks[index]);
    // The cancelled waiter gave the mutex back.
    CHECK(pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0 && sem_destroy(&semaphore) == 0);
}

static void asynchronous(void) { cancel_in(compute); }

static void *refuse_for_a_while(void *unused) {
    int old;
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    ready = 1;
    AWAIT(go);
    pthread_testcancel();
    cleaned = 7;
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL) == 0);
    pthread_testcancel();
    cleaned = 8;
    return (void)unused, NULL;
}

static void disabled(void) {
    ready = cleaned = go = 0;
    pthread_t thread = start_thread(refuse_for_a_while, NULL);
    AWAIT(ready);
    CHECK(pthread_cancel(thread) == 0);
    go = 1;
    CHECK(join_thread(thread) == PTHREAD_CANCELED && cleaned == 7);
}

static void *never_cancelled(void *value) {
    pthread_cleanup_push(clean, (void *)2);
    pthread_cleanup_pop(1);
    pthread_cleanup_push(clean, (void *)1);
    pthread_cleanup_pop(0);
    return value;
}

static void handlers_popped(void) {
    cleaned = 0;
    CHECK(join_thread(start_thread(never_cancelled, ends)) == ends && cleaned == 1);
}

static void many(void) {
    pthread_t threads[MANY];
    void (*block)(void) = block_in_sleep;
    for (int index = 0; index < MANY; index++) threads[index] = start_thread(cancelled, &block);
    for (int index = 0; index < MANY; index++) CHECK(pthread_cancel(threads[index]) == 0);
    for (int index = 0; index < MANY; index++) CHECK(join_thread(threads[index]) == PTHREAD_CANCELED);
}

const struct test cancel_tests[] = {
    {"cancel_deferred", deferred}, {"cancel_asynchronous", asynchronous},     {"cancel_disabled", disabled},
    {"cancel_many", many},         {"cancel_handlers_popped", handlers_popped}, {NULL, NULL},
};
