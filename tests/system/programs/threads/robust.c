// robust.c: mutexes whose owner dies (pthread_mutexattr_setrobust(3)), the plain ones and those that inherit priority.
#include "tests.h"

static pthread_mutex_t mutex, second;
static atomic_int waiting;

static void initialise(pthread_mutex_t *which, int protocol) {
    pthread_mutexattr_t attributes;
    CHECK(pthread_mutexattr_init(&attributes) == 0);
    CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
    CHECK(pthread_mutexattr_setprotocol(&attributes, protocol) == 0);
    CHECK(pthread_mutex_init(which, &attributes) == 0 && pthread_mutexattr_destroy(&attributes) == 0);
    waiting = 0;
}

static void *die_holding(void *unused) {
    CHECK(pthread_mutex_lock(&mutex) == 0);
    return (void)unused, NULL;
}

static void *die_holding_both(void *unused) {
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&second) == 0);
    // Die only with a heir on the way to each.
    AWAIT(waiting == 2);
    pause_a_little();
    return (void)unused, NULL;
}

static void *inherit(void *which) {
    waiting++;
    CHECK(pthread_mutex_lock(which) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(which) == 0 && pthread_mutex_unlock(which) == 0);
    return NULL;
}

static void after_death(int protocol) {
    initialise(&mutex, protocol);
    run_many(1, die_holding);
    CHECK(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    CHECK(pthread_mutex_consistent(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_mutex_consistent(&mutex) == EINVAL);
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
    // Not made consistent: it is of no use any more.
    run_many(1, die_holding);
    CHECK(pthread_mutex_lock(&mutex) == EOWNERDEAD && pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE && pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    CHECK(pthread_mutex_destroy(&mutex) == 0);
}

static void *owner_with_heirs(void *unused) {
    pthread_t heirs[2] = {start_thread(inherit, &mutex), start_thread(inherit, &second)};
    join_thread(heirs[0]), join_thread(heirs[1]);
    return (void)unused, NULL;
}

static void while_waiting(int protocol) {
    for (int round = 0; round < scaled(20); round++) {
        initialise(&mutex, protocol), initialise(&second, protocol);
        CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
        pthread_t owner = start_thread(die_holding_both, NULL);
        // The heirs may only come once the owner has both.
        AWAIT(pthread_mutex_trylock(&second) == EBUSY || (pthread_mutex_unlock(&second), 0));
        pthread_t other = start_thread(owner_with_heirs, NULL);
        join_thread(owner), join_thread(other);
        CHECK(pthread_mutex_destroy(&mutex) == 0 && pthread_mutex_destroy(&second) == 0);
    }
}

static void plain_after(void) { after_death(PTHREAD_PRIO_NONE); }
static void plain_while(void) { while_waiting(PTHREAD_PRIO_NONE); }
static void inheriting_after(void) { after_death(PTHREAD_PRIO_INHERIT); }
static void inheriting_while(void) { while_waiting(PTHREAD_PRIO_INHERIT); }

const struct test robust_tests[] = {
    {"robust_after_death", plain_after},
    {"robust_while_waiting", plain_while},
    {"robust_inheriting_after_death", inheriting_after},
    {"robust_inheriting_while_waiting", inheriting_while},
    {NULL, NULL},
};
