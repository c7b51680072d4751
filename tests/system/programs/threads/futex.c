// futex.c: futexes called raw: waiting, waking, bit sets, moving waiters, time limits (futex(2)).
#include "tests.h"

#include <limits.h>
#include <sys/mman.h>

static futex_word lobby, first, second;
static atomic_int woken[MANY];
static uint32_t masks[MANY];

// Waits once; a thread that is woken says so.
static void *wait_once(void *argument) {
    intptr_t index = (intptr_t)argument;
    long result = masks[index] ? futex(&lobby, WAIT_BITSET | PRIVATE, 0, NULL, NULL, masks[index])
                               : futex(&lobby, WAIT | PRIVATE, 0, NULL, NULL, 0);
    REQUIRE(result == 0);
    woken[index]++;
    return NULL;
}

// Moves waiters from the lobby to a word as they come, until so many are there: then they are known to sleep.
static void place(futex_word *word, int count) {
    while (count) {
        long moved = futex_count(&lobby, REQUEUE | PRIVATE, 0, 1, word, 0);
        REQUIRE(moved == 0 || moved == 1);
        count -= (int)moved;
        if (!moved) sched_yield();
    }
}

static void start(pthread_t *threads, int from, int count, uint32_t mask, futex_word *word) {
    for (int index = from; index < from + count; index++) {
        woken[index] = 0;
        masks[index] = mask;
        REQUIRE(pthread_create(&threads[index], NULL, wait_once, (void *)(intptr_t)index) == 0);
    }
    place(word, count);
}

// Linux may wake a waiter for no reason, which then waits where it began: in the lobby, whatever it was moved to. A
// round in which that happened is not judged but run again.
static int first_wrong;
#define EXPECT(condition) \
    do { \
        if (!(condition) && !first_wrong) first_wrong = __LINE__; \
    } while (0)

// Wakes whoever is left, wherever; how many of them were back in the lobby.
static long strays;

static void join_all(pthread_t *threads, int count) {
    for (int index = 0; index < count; index++) {
        while (!woken[index]) {
            strays += wake(&lobby, INT_MAX);
            if (wake(&first, INT_MAX) + wake(&second, INT_MAX) == 0) sched_yield();
        }
        REQUIRE(pthread_join(threads[index], NULL) == 0 && woken[index] == 1);
    }
}

static void undisturbed(void (*round)(void)) {
    do {
        first_wrong = 0;
        strays = 0;
        round();
        if (first_wrong && !strays) check(0, __FILE__, first_wrong, "as many were woken as waited");
    } while (first_wrong);
    CHECK(!first_wrong);
}

static void errors(void) {
    struct timespec none = {0, 0}, wrong = {0, 1000000000}, negative = {-1, 0};
    first = 7;
    CHECK_ERROR(futex(&first, WAIT, 8, NULL, NULL, 0), EAGAIN);
    CHECK_ERROR(futex(&first, WAIT | PRIVATE, 8, &none, NULL, 0), EAGAIN);
    CHECK_ERROR(futex(&first, WAIT | PRIVATE, 7, &none, NULL, 0), ETIMEDOUT);
    CHECK_ERROR(futex(&first, WAIT | PRIVATE, 7, &wrong, NULL, 0), EINVAL);
    CHECK_ERROR(futex(&first, WAIT | PRIVATE, 7, &negative, NULL, 0), EINVAL);
    CHECK_ERROR(futex((futex_word *)((char *)&first + 1), WAIT | PRIVATE, 7, &none, NULL, 0), EINVAL);
    CHECK_ERROR(futex((futex_word *)16, WAIT | PRIVATE, 7, &none, NULL, 0), EFAULT);
    CHECK_ERROR(futex(&first, WAIT_BITSET | PRIVATE, 7, NULL, NULL, 0), EINVAL);
    CHECK_ERROR(futex(&first, WAKE_BITSET | PRIVATE, 1, NULL, NULL, 0), EINVAL);
    CHECK_ERROR(futex(&first, 77, 0, NULL, NULL, 0), ENOSYS);
    CHECK(wake(&first, 1) == 0 && wake(&first, INT_MAX) == 0);
    first = 0;
}

static void time_limits(void) {
    first = 0;
    struct timespec relative = {0, 3000000}, limit = after(CLOCK_MONOTONIC, 3);
    CHECK_ERROR(futex(&first, WAIT | PRIVATE, 0, &relative, NULL, 0), ETIMEDOUT);
    CHECK(not_before(after(CLOCK_MONOTONIC, 0), limit));
    for (int milliseconds = -3; milliseconds <= 3; milliseconds += 3) {
        limit = after(CLOCK_MONOTONIC, milliseconds);
        CHECK_ERROR(futex(&first, WAIT_BITSET | PRIVATE, 0, &limit, NULL, ~0u), ETIMEDOUT);
        CHECK(not_before(after(CLOCK_MONOTONIC, 0), limit));
        limit = after(CLOCK_REALTIME, milliseconds);
        CHECK_ERROR(futex(&first, WAIT_BITSET | PRIVATE | REAL_TIME, 0, &limit, NULL, 1), ETIMEDOUT);
        CHECK(not_before(after(CLOCK_REALTIME, 0), limit));
    }
}

static void waking_round(void) {
    pthread_t threads[MANY];
    start(threads, 0, MANY, 0, &first);
    strays += wake(&lobby, INT_MAX);
    EXPECT(wake(&first, 1) == 1 && wake(&first, 10) == 10);
    EXPECT(wake(&first, INT_MAX) == MANY - 11 && wake(&first, INT_MAX) == 0);
    join_all(threads, MANY);
    // One more, woken where it waits, as soon as it does.
    int count = 0;
    masks[0] = 0, woken[0] = 0;
    REQUIRE(pthread_create(&threads[0], NULL, wait_once, NULL) == 0);
    AWAIT((count += wake(&lobby, 1)) == 1);
    join_all(threads, 1);
}

static void waking(void) { undisturbed(waking_round); }

static void bit_sets_round(void) {
    pthread_t threads[MANY];
    start(threads, 0, 4, 1, &first);
    start(threads, 4, 4, 2, &first);
    start(threads, 8, 4, 0, &first);
    EXPECT(futex(&first, WAKE_BITSET | PRIVATE, INT_MAX, NULL, NULL, 4) == 4); // those of WAIT have all bits
    EXPECT(futex(&first, WAKE_BITSET | PRIVATE, 3, NULL, NULL, 2) == 3);
    EXPECT(futex(&first, WAKE_BITSET | PRIVATE, INT_MAX, NULL, NULL, 2) == 1);
    EXPECT(futex(&first, WAKE_BITSET | PRIVATE, INT_MAX, NULL, NULL, 2) == 0);
    EXPECT(futex(&first, WAKE_BITSET | PRIVATE, INT_MAX, NULL, NULL, 3) == 4);
    join_all(threads, 12);
}

static void bit_sets(void) { undisturbed(bit_sets_round); }

static void moving_round(void) {
    pthread_t threads[MANY];
    start(threads, 0, 16, 0, &first);
    first = 5;
    REQUIRE(futex_count(&first, CMP_REQUEUE | PRIVATE, 1, 1, &second, 6) == -1 && errno == EAGAIN);
    // What is woken counts, and what is moved too.
    EXPECT(futex_count(&first, CMP_REQUEUE | PRIVATE, 2, 4, &second, 5) == 6);
    EXPECT(wake(&second, INT_MAX) == 4);
    EXPECT(futex_count(&first, REQUEUE | PRIVATE, 1, INT_MAX, &second, 0) == 10);
    EXPECT(wake(&first, INT_MAX) == 0 && wake(&second, INT_MAX) == 9);
    REQUIRE(futex_count(&first, CMP_REQUEUE | PRIVATE, -1, 1, &second, 5) == -1 && errno == EINVAL);
    first = 0;
    join_all(threads, 16);
}

static void moving(void) { undisturbed(moving_round); }

// FUTEX_OP(): operation, its argument, comparison, its argument.
static uint32_t wake_operation(int operation, int argument, int comparison, int compared) {
    return (uint32_t)operation << 28 | (uint32_t)comparison << 24 | (argument & 0xfff) << 12 | (compared & 0xfff);
}

static void wake_operations_round(void) {
    enum { SET, ADD, OR, AND_NOT, XOR, SHIFTED = 8 };
    enum { EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL };
    static const struct {
        int operation, argument, comparison, compared;
        uint32_t before, behind;
        int wakes_second;
    } cases[] = {
        {SET, 9, EQUAL, 3, 3, 9, 1},           {SET, 9, EQUAL, 4, 3, 9, 0},
        {ADD, 5, NOT_EQUAL, 4, 3, 8, 1},       {ADD, -1, LESS, 0, -1, -2, 1},
        {OR, 6, LESS_OR_EQUAL, 3, 3, 7, 1},    {AND_NOT, 2, GREATER, 3, 3, 1, 0},
        {XOR, 1, GREATER_OR_EQUAL, 3, 3, 2, 1}, {OR | SHIFTED, 4, EQUAL, 3, 3, 19, 1},
    };
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        pthread_t threads[MANY];
        start(threads, 0, 2, 0, &first);
        start(threads, 2, 2, 0, &second);
        uint32_t operation = wake_operation(cases[index].operation, cases[index].argument, cases[index].comparison,
                                            cases[index].compared);
        second = cases[index].before;
        EXPECT(futex_count(&first, WAKE_OP | PRIVATE, 2, 2, &second, operation) == 2 + 2 * cases[index].wakes_second);
        EXPECT(second == cases[index].behind);
        second = 0;
        EXPECT(wake(&first, INT_MAX) == 0 && wake(&second, INT_MAX) == 2 - 2 * cases[index].wakes_second);
        join_all(threads, 4);
    }
    REQUIRE(futex_count(&first, WAKE_OP | PRIVATE, 1, 1, &second, wake_operation(7, 0, 0, 0)) == -1 && errno == ENOSYS);
}

static void wake_operations(void) { undisturbed(wake_operations_round); }

static atomic_int handled, waiter;

static void note(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    handled++;
}

static void *wait_interrupted(void *limited) {
    struct timespec hour = {3600, 0};
    waiter = 1;
    CHECK_ERROR(futex(&first, WAIT | PRIVATE, 0, limited ? &hour : NULL, NULL, 0), EINTR);
    waiter = 2;
    return NULL;
}

static void interrupted(void) {
    // Without SA_RESTART a signal ends the wait, with a time limit or without.
    handle(SIGUSR1, note, 0);
    for (intptr_t limited = 0; limited < 2; limited++) {
        waiter = handled = 0;
        pthread_t thread = start_thread(wait_interrupted, (void *)limited);
        AWAIT(waiter == 1);
        // One that comes before the wait begins is lost on it: another one follows.
        while (waiter != 2) pthread_kill(thread, SIGUSR1), pause_a_little();
        join_thread(thread);
        CHECK(handled >= 1);
    }
}

static void *wait_restarted(void *unused) {
    waiter = 1;
    while (first == 0) REQUIRE(futex(&first, WAIT | PRIVATE, 0, NULL, NULL, 0) == 0 || errno == EAGAIN);
    waiter = 2;
    return (void)unused, NULL;
}

static void restarted(void) {
    handle(SIGUSR1, note, SA_RESTART);
    waiter = handled = 0;
    pthread_t thread = start_thread(wait_restarted, NULL);
    AWAIT(waiter == 1);
    for (int round = 0; round < 10; round++) pthread_kill(thread, SIGUSR1), pause_a_little();
    AWAIT(handled >= 1);
    CHECK(waiter == 1);
    first = 1;
    wake(&first, 1);
    join_thread(thread);
    first = 0;
    CHECK(waiter == 2);
}

// A page of a file, shown twice to be stored into and once as a copy.
static futex_word *shown, *again, *copy;

static void *wait_at_page(void *unused) {
    while (shown[0] == 0) REQUIRE(futex(&shown[0], WAIT, 0, NULL, NULL, 0) == 0 || errno == EAGAIN);
    return unused;
}

static long wake_shared(futex_word *word) { return futex(word, WAKE, INT_MAX, NULL, NULL, 0); }

static void shown_twice_round(void) {
    shown[0] = 0;
    pthread_t thread = start_thread(wait_at_page, NULL);
    // Moved by the other address of the word, to the other address of another one.
    AWAIT(futex_count(&again[0], REQUEUE, 0, 1, &again[16], 0) == 1);
    EXPECT(wake_shared(&copy[16]) == 0 && wake_shared(&shown[0]) == 0);
    // With FUTEX_PRIVATE_FLAG only the address counts.
    EXPECT(wake(&shown[16], INT_MAX) == 0 && wake(&again[16], INT_MAX) == 0);
    EXPECT(wake_shared(&shown[16]) == 1);
    shown[0] = 1;
    strays += wake_shared(&again[0]) + wake_shared(&again[16]);
    join_thread(thread);
}

static void shown_twice(void) {
    int file = memfd_create("words", 0);
    REQUIRE(file >= 0 && ftruncate(file, 8192) == 0);
    shown = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 4096);
    // The same page, as the second one of a larger mapping.
    char *both = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 4096);
    REQUIRE(shown != MAP_FAILED && both != MAP_FAILED && copy != MAP_FAILED);
    again = (futex_word *)(both + 4096);
    copy[16] = 0;
    undisturbed(shown_twice_round);
    REQUIRE(munmap(shown, 4096) == 0 && munmap(both, 8192) == 0 && munmap(copy, 4096) == 0 && close(file) == 0);
}

// Real-time priorities of those who wait, 0 for none, and the order in which they are to be woken.
static const int priorities[] = {0, 3, 1, 3, 0, 2}, order[] = {1, 3, 5, 2, 0, 4};
enum { RANKED = sizeof order / sizeof *order };

static void *wait_by_rank(void *argument) {
    struct sched_param rank = {.sched_priority = priorities[(intptr_t)argument]};
    // musl gives threads no priority.
    REQUIRE(syscall(SYS_sched_setscheduler, 0, rank.sched_priority ? SCHED_FIFO : SCHED_OTHER, &rank) == 0);
    return wait_once(argument);
}

static void ranked_round(void) {
    pthread_t threads[RANKED];
    for (int index = 0; index < RANKED; index++) {
        woken[index] = 0;
        masks[index] = 0;
        REQUIRE(pthread_create(&threads[index], NULL, wait_by_rank, (void *)(intptr_t)index) == 0);
        place(&first, 1);
    }
    for (int turn = 0; turn < RANKED; turn++) {
        // In the middle all are moved once more.
        if (turn == 2) EXPECT(futex_count(&first, REQUEUE | PRIVATE, 0, RANKED, &second, 0) == RANKED - 2);
        EXPECT(wake(turn < 2 ? &first : &second, 1) == 1);
        for (int waited = 0; !woken[order[turn]] && waited < 2000; waited++) pause_a_little();
        EXPECT(woken[order[turn]]);
    }
    join_all(threads, RANKED);
}

// The greatest priority goes first, and who waits longest among equals.
static void ranked(void) {
    struct sched_param rank = {.sched_priority = 1}, none = {.sched_priority = 0};
    // Not everybody may have one.
    if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &rank) != 0) return;
    CHECK(syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &none) == 0);
    undisturbed(ranked_round);
}

static futex_word word_of_lock;
static long guarded;

// The lock of Ulrich Drepper's "Futexes Are Tricky": 0 free, 1 held, 2 held and wanted.
static void *lock_and_add(void *unused) {
    for (int round = 0; round < scaled(2000); round++) {
        uint32_t seen = 0;
        if (!atomic_compare_exchange_strong(&word_of_lock, &seen, 1))
            while (atomic_exchange(&word_of_lock, 2)) futex(&word_of_lock, WAIT | PRIVATE, 2, NULL, NULL, 0);
        long before = guarded;
        if (round % 32 == 0) sched_yield();
        guarded = before + 1;
        if (atomic_exchange(&word_of_lock, 0) == 2) wake(&word_of_lock, 1);
    }
    return (void)unused, NULL;
}

static void own_lock(void) {
    guarded = 0;
    run_many(MANY, lock_and_add);
    CHECK(guarded == (long)MANY * scaled(2000));
}

const struct test futex_tests[] = {
    {"futex_errors", errors},           {"futex_time_limits", time_limits}, {"futex_waking", waking},
    {"futex_bit_sets", bit_sets},       {"futex_moving", moving},           {"futex_wake_operations", wake_operations},
    {"futex_interrupted", interrupted}, {"futex_restarted", restarted},     {"futex_own_lock", own_lock},
    {"futex_ranked", ranked},           {"futex_shown_twice", shown_twice},
    {NULL, NULL},
};
