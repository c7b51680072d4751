// place.c: where threads run, and in what order: affinity, getcpu, yield, policies (sched_setaffinity(2), sched(7)).
#include "tests.h"

static atomic_int turn, finished;
static cpu_set_t allowed;

static void *stay(void *argument) {
    int cpu = (int)(intptr_t)argument;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set)) return "set";
    CPU_ZERO(&set);
    if (pthread_getaffinity_np(pthread_self(), sizeof set, &set)) return "get";
    if (CPU_COUNT(&set) != 1 || !CPU_ISSET(cpu, &set)) return "another set";
    for (int round = 0; round < scaled(1000); round++) {
        unsigned current = 999, node = 999;
        if (sched_getcpu() != cpu) return "another processor";
        if (syscall(SYS_getcpu, &current, &node, NULL) || (int)current != cpu || node == 999) return "getcpu";
        if (round % 16 == 0) sched_yield();
    }
    return NULL;
}

static void affinity(void) {
    CHECK(sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) >= 1);
    int first = -1, wrong = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        if (first < 0) first = cpu;
        pthread_t threads[4];
        for (int index = 0; index < 4; index++)
            wrong |= pthread_create(&threads[index], NULL, stay, (void *)(intptr_t)cpu);
        for (int index = 0; index < 4; index++) {
            void *trouble;
            wrong |= pthread_join(threads[index], &trouble) || trouble;
        }
    }
    // One check for all: how many processors there are is not the program's affair.
    CHECK(!wrong && first >= 0);
    CHECK(CPU_ISSET(sched_getcpu(), &allowed));
    // An empty set, and one of processors that nobody has.
    cpu_set_t set;
    CPU_ZERO(&set);
    CHECK_ERROR(sched_setaffinity(0, sizeof set, &set), EINVAL);
    CPU_SET(CPU_SETSIZE - 1, &set);
    CHECK_ERROR(sched_setaffinity(0, sizeof set, &set), EINVAL);
    CHECK_ERROR(sched_getaffinity(0x3ffffff, sizeof set, &set), ESRCH);
}

static void *inherit_affinity(void *wanted) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return "get";
    return CPU_EQUAL(&set, (cpu_set_t *)wanted) ? NULL : "another set than its creator's";
}

static void *start_bound(void *unused) {
    cpu_set_t one;
    int cpu = sched_getcpu();
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(join_thread(start_thread(inherit_affinity, &one)) == NULL);
    return (void)unused, NULL;
}

static void inherited(void) { run_many(1, start_bound); }

static void *take_turns(void *argument) {
    int index = (int)(intptr_t)argument;
    // Nothing but yielding lets the others run: a policy that never does would hang here on one processor.
    for (int round = 0; round < scaled(200); round++) {
        while (turn % 4 != index)
            if (sched_yield()) return "yield";
        turn++;
    }
    finished++;
    return NULL;
}

static void yielding(void) {
    turn = finished = 0;
    run_many(4, take_turns);
    CHECK(turn == 4 * scaled(200) && finished == 4);
}

static void *hog(void *unused) {
    // No call at all: only pre-emption lets the one run that ends it.
    while (!atomic_load_explicit(&turn, memory_order_relaxed)) continue;
    return (void)unused, NULL;
}

static void preemption(void) {
    pthread_t threads[4];
    turn = 0;
    for (int index = 0; index < 4; index++) threads[index] = start_thread(hog, NULL);
    for (int round = 0; round < 3; round++) pause_a_little();
    turn = 1;
    for (int index = 0; index < 4; index++) CHECK(join_thread(threads[index]) == NULL);
}

static void policies(void) {
    struct sched_param parameter;
    int policy;
    // Through the system: musl's functions for processes answer ENOSYS by design.
    CHECK(syscall(SYS_sched_getscheduler, 0) == SCHED_OTHER);
    CHECK(syscall(SYS_sched_getparam, 0, &parameter) == 0 && parameter.sched_priority == 0);
    CHECK(sched_get_priority_min(SCHED_FIFO) == 1 && sched_get_priority_max(SCHED_FIFO) == 99);
    CHECK(sched_get_priority_min(SCHED_OTHER) == 0 && sched_get_priority_max(SCHED_OTHER) == 0);
    CHECK_ERROR(sched_get_priority_max(77), EINVAL);
    CHECK(pthread_getschedparam(pthread_self(), &policy, &parameter) == 0 && policy == SCHED_OTHER);
    parameter.sched_priority = 5;
    CHECK_ERROR(syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameter), EINVAL);
    parameter.sched_priority = 0;
    CHECK(syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameter) == 0);
    CHECK_ERROR(syscall(SYS_sched_getscheduler, 0x3ffffff), ESRCH);
}

const struct test place_tests[] = {
    {"affinity", affinity}, {"affinity_inherited", inherited}, {"yield", yielding}, {"preemption", preemption},
    {"policies", policies}, {NULL, NULL},
};
