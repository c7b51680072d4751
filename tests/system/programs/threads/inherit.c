// inherit.c: futexes whose owner inherits priority, and lists of robust ones, called raw (futex(2),
// get_robust_list(2)).
#include "tests.h"

static futex_word word;
static atomic_int stage;
static long guarded;

static void *try_held(void *unused) {
    struct timespec soon = after(CLOCK_REALTIME, 3);
    CHECK_ERROR(futex(&word, TRYLOCK_PI | PRIVATE, 0, NULL, NULL, 0), EAGAIN);
    CHECK_ERROR(futex(&word, UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0), EPERM);
    CHECK_ERROR(futex(&word, LOCK_PI | PRIVATE, 0, &soon, NULL, 0), ETIMEDOUT);
    CHECK(not_before(after(CLOCK_REALTIME, 0), soon));
    return (void)unused, NULL;
}

static void errors(void) {
    word = 0;
    CHECK(futex(&word, LOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0 && word == thread_id());
    CHECK_ERROR(futex(&word, LOCK_PI | PRIVATE, 0, NULL, NULL, 0), EDEADLK);
    CHECK_ERROR(futex(&word, TRYLOCK_PI | PRIVATE, 0, NULL, NULL, 0), EDEADLK);
    run_many(1, try_held);
    CHECK((word & FUTEX_THREAD) == thread_id());
    CHECK(futex(&word, UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0 && (word & FUTEX_THREAD) == 0);
    CHECK(futex(&word, TRYLOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0 && (word & FUTEX_THREAD) == thread_id());
    CHECK(futex(&word, UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0);
    word = 0x3ffffff; // a thread that is not there
    CHECK_ERROR(futex(&word, LOCK_PI | PRIVATE, 0, NULL, NULL, 0), ESRCH);
    word = 0;
}

static void *lock_after(void *unused) {
    stage = 1;
    CHECK(futex(&word, LOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0);
    CHECK((word & FUTEX_THREAD) == thread_id());
    stage = 2;
    CHECK(futex(&word, UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0);
    return (void)unused, NULL;
}

static void handed_over(void) {
    word = thread_id();
    stage = 0;
    pthread_t thread = start_thread(lock_after, NULL);
    // The kernel sets the bit of waiters; the owner sees it and must call to unlock.
    AWAIT(word & FUTEX_HAS_WAITERS);
    CHECK(stage == 1 && (word & FUTEX_THREAD) == thread_id());
    CHECK(futex(&word, UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0) == 0);
    join_thread(thread);
    CHECK(stage == 2 && (word & FUTEX_THREAD) == 0);
}

static void *lock_and_add(void *unused) {
    uint32_t mine = thread_id();
    for (int round = 0; round < scaled(500); round++) {
        uint32_t seen = 0;
        if (!atomic_compare_exchange_strong(&word, &seen, mine) && futex(&word, LOCK_PI | PRIVATE, 0, NULL, NULL, 0))
            return "lock";
        long before = guarded;
        if (round % 16 == 0) sched_yield();
        guarded = before + 1;
        seen = mine;
        if (!atomic_compare_exchange_strong(&word, &seen, 0) && futex(&word, UNLOCK_PI | PRIVATE, 0, NULL, NULL, 0))
            return "unlock";
    }
    return (void)unused, NULL;
}

static void contended(void) {
    word = 0;
    guarded = 0;
    run_many(16, lock_and_add);
    CHECK(guarded == 16L * scaled(500) && word == 0);
}

// linux/futex.h: struct robust_list_head.
struct robust_list {
    struct robust_list *next;
};
struct robust_head {
    struct robust_list list;
    long offset;
    struct robust_list *pending;
};
struct robust_lock {
    struct robust_list link;
    futex_word word;
};

static struct robust_lock held[3], acquiring, foreign;
static struct robust_head head;

static void *die_with_list(void *unused) {
    uint32_t mine = thread_id();
    struct robust_head *got;
    size_t size = 0;
    head.offset = offsetof(struct robust_lock, word);
    head.list.next = &held[0].link;
    for (int index = 0; index < 3; index++) {
        held[index].word = mine;
        held[index].link.next = index < 2 ? &held[index + 1].link : &head.list;
    }
    held[1].word |= FUTEX_HAS_WAITERS;
    acquiring.word = mine;
    head.pending = &acquiring.link;
    CHECK(syscall(SYS_set_robust_list, &head, sizeof head) == 0);
    CHECK(syscall(SYS_get_robust_list, 0, &got, &size) == 0 && got == &head && size == sizeof head);
    CHECK_ERROR(syscall(SYS_set_robust_list, &head, 1), EINVAL);
    stage = 1;
    AWAIT(stage == 2);
    pause_a_little();
    return (void)unused, NULL;
}

static void *wait_for_death(void *unused) {
    uint32_t seen = held[1].word;
    stage = 2;
    while (held[1].word == seen)
        REQUIRE(futex(&held[1].word, WAIT, seen, NULL, NULL, 0) == 0 || errno == EAGAIN);
    CHECK((held[1].word & FUTEX_DEAD_OWNER) && (held[1].word & FUTEX_THREAD) == 0);
    return (void)unused, NULL;
}

static void robust_lists(void) {
    stage = 0;
    foreign.word = 12345;
    pthread_t owner = start_thread(die_with_list, NULL);
    AWAIT(stage == 1);
    join_thread(start_thread(wait_for_death, NULL));
    join_thread(owner);
    CHECK(held[0].word == FUTEX_DEAD_OWNER && held[2].word == FUTEX_DEAD_OWNER && acquiring.word == FUTEX_DEAD_OWNER);
    CHECK(held[1].word == (FUTEX_DEAD_OWNER | FUTEX_HAS_WAITERS) && foreign.word == 12345);
}

const struct test inherit_tests[] = {
    {"inherit_errors", errors},       {"inherit_handed_over", handed_over},
    {"inherit_contended", contended}, {"robust_lists", robust_lists},
    {NULL, NULL},
};
