// lock.c: read-write locks, spin locks, semaphores, barriers and once.
#include "tests.h"

#include <semaphore.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long first_half, second_half;
static atomic_long readers, most_readers;
static int rounds;

static void *read_and_write(void *argument) {
    intptr_t index = (intptr_t)argument;
    for (int round = 0; round < rounds; round++) {
        if ((round + index) % 8 == 0) {
            if (pthread_rwlock_wrlock(&rwlock)) return "write lock";
            if (readers) return "readers beside a writer";
            first_half++;
            if (round % 64 == 0) sched_yield();
            second_half++;
        } else {
            if (pthread_rwlock_rdlock(&rwlock)) return "read lock";
            if (++readers > most_readers) most_readers = readers;
            if (round % 64 == 0) sched_yield();
            if (first_half != second_half) return "a writer beside readers";
            readers--;
        }
        if (pthread_rwlock_unlock(&rwlock)) return "unlock";
    }
    return NULL;
}

static void *try_while_read(void *unused) {
    struct timespec soon = after(CLOCK_REALTIME, 3);
    CHECK(pthread_rwlock_trywrlock(&rwlock) == EBUSY && pthread_rwlock_timedwrlock(&rwlock, &soon) == ETIMEDOUT);
    CHECK(pthread_rwlock_tryrdlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0);
    return (void)unused, NULL;
}

static void *try_while_written(void *unused) {
    struct timespec soon = after(CLOCK_REALTIME, 3);
    CHECK(pthread_rwlock_tryrdlock(&rwlock) == EBUSY && pthread_rwlock_timedrdlock(&rwlock, &soon) == ETIMEDOUT);
    CHECK(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    return (void)unused, NULL;
}

static void read_write(void) {
    rounds = scaled(1600) / 8 * 8 + 8;
    run_many(MANY, read_and_write);
    CHECK(first_half == (long)MANY * rounds / 8 && second_half == first_half && readers == 0 && most_readers >= 1);
    CHECK(pthread_rwlock_rdlock(&rwlock) == 0);
    run_many(1, try_while_read);
    CHECK(pthread_rwlock_unlock(&rwlock) == 0 && pthread_rwlock_wrlock(&rwlock) == 0);
    run_many(1, try_while_written);
    CHECK(pthread_rwlock_unlock(&rwlock) == 0);
}

static pthread_spinlock_t spin_lock;
static long spun;

static void *spin(void *unused) {
    for (int round = 0; round < rounds; round++) {
        if (pthread_spin_lock(&spin_lock)) return "lock";
        spun++;
        if (pthread_spin_unlock(&spin_lock)) return "unlock";
    }
    return (void)unused, NULL;
}

static void spinning(void) {
    rounds = scaled(20000);
    CHECK(pthread_spin_init(&spin_lock, PTHREAD_PROCESS_PRIVATE) == 0);
    run_many(4, spin);
    CHECK(spun == 4L * rounds && pthread_spin_lock(&spin_lock) == 0 && pthread_spin_trylock(&spin_lock) == EBUSY);
    CHECK(pthread_spin_unlock(&spin_lock) == 0 && pthread_spin_destroy(&spin_lock) == 0);
}

static sem_t empty, full;
static int slots[8];
static atomic_long produced, consumed;
static atomic_uint head, tail;

static void *produce_or_consume(void *argument) {
    intptr_t index = (intptr_t)argument;
    for (int round = 0; round < rounds; round++) {
        sem_t *wanted = index % 2 ? &full : &empty, *given = index % 2 ? &empty : &full;
        while (sem_wait(wanted))
            if (errno != EINTR) return "wait";
        if (index % 2) {
            consumed += slots[tail++ % 8] != 0;
        } else {
            slots[head++ % 8] = round + 1;
            produced++;
        }
        if (sem_post(given)) return "post";
    }
    return NULL;
}

static void semaphores(void) {
    int value;
    rounds = scaled(1000);
    CHECK(sem_init(&empty, 0, 8) == 0 && sem_init(&full, 0, 0) == 0);
    CHECK_ERROR(sem_trywait(&full), EAGAIN);
    struct timespec soon = after(CLOCK_REALTIME, 3);
    CHECK_ERROR(sem_timedwait(&full, &soon), ETIMEDOUT);
    run_many(32, produce_or_consume);
    CHECK(produced == 16L * rounds && consumed == produced);
    CHECK(sem_getvalue(&empty, &value) == 0 && value == 8 && sem_getvalue(&full, &value) == 0 && value == 0);
    CHECK(sem_destroy(&empty) == 0 && sem_destroy(&full) == 0);
}

static pthread_barrier_t barrier;
static atomic_int arrived, serial;

static void *meet(void *unused) {
    for (int round = 1; round <= rounds; round++) {
        arrived++;
        int result = pthread_barrier_wait(&barrier);
        if (result == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
        else if (result) return "wait";
        if (arrived < round * MANY) return "the barrier opened early";
        result = pthread_barrier_wait(&barrier);
        if (result && result != PTHREAD_BARRIER_SERIAL_THREAD) return "second wait";
    }
    return (void)unused, NULL;
}

static void barriers(void) {
    rounds = scaled(50);
    CHECK(pthread_barrier_init(&barrier, NULL, MANY) == 0);
    run_many(MANY, meet);
    CHECK(arrived == MANY * rounds && serial == rounds && pthread_barrier_destroy(&barrier) == 0);
}

static pthread_once_t once;
static atomic_int initialised;

static void initialise(void) {
    for (int turn = 0; turn < 10; turn++) sched_yield();
    initialised++;
}

static void *call_once(void *unused) {
    (void)unused;
    if (pthread_once(&once, initialise)) return "once";
    return initialised == 1 ? NULL : "not initialised when once returned";
}

static void once_only(void) {
    for (int round = 0; round < scaled(20); round++) {
        pthread_once_t fresh = PTHREAD_ONCE_INIT;
        once = fresh, initialised = 0;
        run_many(16, call_once);
        CHECK(initialised == 1);
    }
}

const struct test lock_tests[] = {
    {"read_write_lock", read_write}, {"spin_lock", spinning}, {"semaphores", semaphores},
    {"barriers", barriers},          {"once", once_only},     {NULL, NULL},
};
