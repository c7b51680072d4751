// local.c: what each thread has for itself: thread-local variables, keys and their destructors, errno, names.
#include "tests.h"

#include <limits.h>

static __thread long initialised_local = 0x1234567;
static __thread _Alignas(64) char zero_local[4096];
static atomic_int destroyed, destroyed_again;
static pthread_key_t keys[8], stubborn;
static pthread_barrier_t barrier;

static void *use_locals(void *argument) {
    intptr_t index = (intptr_t)argument;
    if (initialised_local != 0x1234567) return "initial value";
    if ((uintptr_t)zero_local % 64) return "alignment";
    for (size_t byte = 0; byte < sizeof zero_local; byte++)
        if (zero_local[byte]) return "initial zero";
    initialised_local = index;
    memset(zero_local, (int)index, sizeof zero_local);
    errno = (int)index + 1;
    pthread_barrier_wait(&barrier);
    if (initialised_local != index || errno != index + 1) return "somebody else's value";
    for (size_t byte = 0; byte < sizeof zero_local; byte++)
        if (zero_local[byte] != (char)index) return "somebody else's bytes";
    return NULL;
}

static void variables(void) {
    CHECK(pthread_barrier_init(&barrier, NULL, MANY) == 0);
    for (int round = 0; round < scaled(5); round++) run_many(MANY, use_locals);
    CHECK(initialised_local == 0x1234567 && pthread_barrier_destroy(&barrier) == 0);
}

static void destroy(void *value) {
    free(value);
    destroyed++;
}

static void set_again(void *value) {
    // A destructor may set its key again, and is then called again, PTHREAD_DESTRUCTOR_ITERATIONS times at most.
    destroyed_again++;
    pthread_setspecific(stubborn, value);
}

static void *use_keys(void *argument) {
    for (int index = 0; index < 8; index++) {
        if (pthread_getspecific(keys[index])) return "a value before any was set";
        int *value = malloc(sizeof *value);
        *value = index + (int)(intptr_t)argument;
        if (pthread_setspecific(keys[index], value)) return "set";
    }
    pthread_setspecific(stubborn, keys);
    sched_yield();
    for (int index = 0; index < 8; index++)
        if (*(int *)pthread_getspecific(keys[index]) != index + (int)(intptr_t)argument) return "another value";
    // Half of them end in another way.
    if ((intptr_t)argument % 2) pthread_exit(NULL);
    return NULL;
}

static void keys_and_destructors(void) {
    for (int index = 0; index < 8; index++) CHECK(pthread_key_create(&keys[index], destroy) == 0);
    CHECK(pthread_key_create(&stubborn, set_again) == 0);
    destroyed = destroyed_again = 0;
    run_many(MANY, use_keys);
    CHECK(destroyed == 8 * MANY && destroyed_again >= MANY && destroyed_again <= 16 * MANY);
    for (int index = 0; index < 8; index++) CHECK(pthread_key_delete(keys[index]) == 0);
    CHECK(pthread_key_delete(stubborn) == 0);
}

static void *use_name(void *argument) {
    char name[16], wanted[16];
    snprintf(wanted, sizeof wanted, "worker %d", (int)(intptr_t)argument);
    if (pthread_setname_np(pthread_self(), wanted)) return "set name";
    pthread_barrier_wait(&barrier);
    if (pthread_getname_np(pthread_self(), name, sizeof name) || strcmp(name, wanted)) return "another name";
    return pthread_setname_np(pthread_self(), "longer than fifteen") == ERANGE ? NULL : "a long name";
}

static void names(void) {
    CHECK(pthread_barrier_init(&barrier, NULL, 8) == 0);
    run_many(8, use_name);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
}

static atomic_int identities[MANY];

static void *use_identity(void *argument) {
    intptr_t index = (intptr_t)argument;
    identities[index] = thread_id();
    pthread_barrier_wait(&barrier);
    for (int other = 0; other < MANY; other++)
        if (other != index && identities[other] == identities[index]) return "two threads of one number";
    return identities[index] != getpid() && getpid() == (int)syscall(SYS_getpid) ? NULL : "the process's number";
}

static void identity(void) {
    CHECK(pthread_barrier_init(&barrier, NULL, MANY) == 0 && (int)thread_id() == getpid());
    run_many(MANY, use_identity);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
}

const struct test local_tests[] = {
    {"local_variables", variables}, {"keys_and_destructors", keys_and_destructors},
    {"names", names},               {"identity", identity},
    {NULL, NULL},
};
