// clone.c: threads without a C library's help (clone(2), clone3), barriers of memory (membarrier(2)), rseq(2).
#include "tests.h"

#include <sched.h>
#include <sys/mman.h>

enum { STACK = 64 << 10, CLONE3 = 435, RSEQ = 334 };
enum { LIKE_A_THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM };

static futex_word child_id, parent_id, release;
static atomic_long counted;

// The child has no thread-local storage of its own: no function of the C library is safe in it.
static int count_and_end(void *value) {
    while (!release) raw_futex(&release, WAIT | PRIVATE, 0);
    counted += (long)value;
    return 0;
}

static char *new_stack(void) {
    char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(stack != MAP_FAILED);
    return stack;
}

// The kernel clears the word and wakes it at the thread's end.
static void wait_for_end(void) {
    uint32_t id;
    while ((id = child_id)) REQUIRE(futex(&child_id, WAIT, id, NULL, NULL, 0) == 0 || errno == EAGAIN);
}

static void library_clone(void) {
    char *stack = new_stack();
    counted = 0;
    int rounds = scaled(50);
    for (int round = 0; round < rounds; round++) {
        release = 0;
        int flags = LIKE_A_THREAD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
        child_id = 1;
        int id = clone(count_and_end, stack + STACK, flags, (void *)2, &parent_id, NULL, &child_id);
        CHECK(id > 0 && (int)parent_id == id);
        AWAIT((int)child_id == id);
        release = 1;
        wake(&release, 1);
        wait_for_end();
        CHECK(counted == 2 * (round + 1));
    }
    CHECK(munmap(stack, STACK) == 0);
}

// linux/sched.h: struct clone_args, its first version.
struct clone_arguments {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

static long start_by_clone3(struct clone_arguments *arguments, int (*body)(void *), void *value) {
    register int (*function)(void *) __asm__("r8") = body;
    register void *argument __asm__("r9") = value;
    long result;
    __asm__ volatile("syscall; test %%rax, %%rax; jnz 1f\n"
                     "xor %%ebp, %%ebp; mov %%r9, %%rdi; call *%%r8; mov %%eax, %%edi; mov %5, %%eax; syscall\n1:"
                     : "=a"(result)
                     : "a"((long)CLONE3), "D"(arguments), "S"(sizeof *arguments), "r"(function), "i"(SYS_exit),
                       "r"(argument)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

static void raw_clone3(void) {
    char *stack = new_stack();
    counted = 0;
    int rounds = scaled(50);
    for (int round = 0; round < rounds; round++) {
        struct clone_arguments arguments = {
            .flags = LIKE_A_THREAD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
            .child_tid = (uintptr_t)&child_id,
            .parent_tid = (uintptr_t)&parent_id,
            .stack = (uintptr_t)stack,
            .stack_size = STACK,
        };
        child_id = 1;
        release = 0;
        long id = start_by_clone3(&arguments, count_and_end, (void *)3);
        CHECK(id > 0 && parent_id == id);
        release = 1;
        wake(&release, 1);
        wait_for_end();
        CHECK(counted == 3 * (round + 1));
    }
    CHECK(munmap(stack, STACK) == 0);
}

static void wrong_flags(void) {
    char *stack = new_stack();
    struct clone_arguments arguments = {
        .flags = CLONE_THREAD, .stack = (uintptr_t)stack, .stack_size = STACK, // without CLONE_SIGHAND
    };
    CHECK(start_by_clone3(&arguments, count_and_end, NULL) == -EINVAL);
    arguments.flags = CLONE_SIGHAND; // without CLONE_VM
    CHECK(start_by_clone3(&arguments, count_and_end, NULL) == -EINVAL);
    arguments.flags = LIKE_A_THREAD, arguments.stack_size = 0;
    CHECK(start_by_clone3(&arguments, count_and_end, NULL) == -EINVAL);
    arguments.stack_size = STACK, arguments.exit_signal = SIGCHLD; // a thread has none
    CHECK(start_by_clone3(&arguments, count_and_end, NULL) == -EINVAL);
    CHECK_ERROR(syscall(CLONE3, &arguments, 8), EINVAL);
    CHECK(munmap(stack, STACK) == 0);
}

static int change_address(void *unused) {
    (void)unused;
    counted = raw_call(SYS_set_tid_address, (long)&child_id, 0, 0);
    return 0;
}

static void tid_address(void) {
    char *stack = new_stack();
    futex_word unchanged = 5;
    child_id = 1;
    int flags = LIKE_A_THREAD | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
    CHECK(clone(change_address, stack + STACK, flags, NULL, &parent_id, NULL, &unchanged) > 0);
    wait_for_end();
    CHECK(counted == (long)parent_id && unchanged == 5 && munmap(stack, STACK) == 0);
}

static atomic_int flag_a, flag_b, seen_a, seen_b, stop;
static pthread_barrier_t barrier;

// The fast side of a Dekker pair: no fence, only a compiler barrier; the slow side calls membarrier.
static void *fast_side(void *unused) {
    while (1) {
        pthread_barrier_wait(&barrier);
        if (stop) return (void)unused, NULL;
        atomic_store_explicit(&flag_a, 1, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst);
        seen_b = atomic_load_explicit(&flag_b, memory_order_relaxed);
        pthread_barrier_wait(&barrier);
    }
}

static void memory_barriers(void) {
    enum { QUERY = 0, GLOBAL = 1, EXPEDITED = 8, REGISTER_EXPEDITED = 16 };
    long commands = syscall(SYS_membarrier, QUERY, 0, 0);
    CHECK(commands > 0 && (commands & GLOBAL) && (commands & EXPEDITED) && (commands & REGISTER_EXPEDITED));
    CHECK_ERROR(syscall(SYS_membarrier, 1 << 30, 0, 0), EINVAL);
    CHECK(syscall(SYS_membarrier, GLOBAL, 0, 0) == 0);
    CHECK(syscall(SYS_membarrier, REGISTER_EXPEDITED, 0, 0) == 0);
    CHECK(pthread_barrier_init(&barrier, NULL, 2) == 0);
    stop = 0;
    pthread_t thread = start_thread(fast_side, NULL);
    int lost = 0, failures = 0;
    for (int round = 0; round < scaled(2000); round++) {
        flag_a = flag_b = seen_a = seen_b = 0;
        pthread_barrier_wait(&barrier);
        atomic_store_explicit(&flag_b, 1, memory_order_relaxed);
        failures += syscall(SYS_membarrier, EXPEDITED, 0, 0) != 0;
        seen_a = atomic_load_explicit(&flag_a, memory_order_relaxed);
        pthread_barrier_wait(&barrier);
        lost += !seen_a && !seen_b;
    }
    stop = 1;
    pthread_barrier_wait(&barrier);
    join_thread(thread);
    CHECK(lost == 0 && failures == 0 && pthread_barrier_destroy(&barrier) == 0);
}

// linux/rseq.h: struct rseq, its first version.
struct restartable {
    _Alignas(32) uint32_t cpu_start;
    uint32_t cpu;
    uint64_t section;
    uint32_t flags, padding[3];
};

static void *register_restartable(void *unused) {
    (void)unused;
    static __thread struct restartable area;
    area.cpu = -1;
    long result = syscall(RSEQ, &area, sizeof area, 0, 0x53053053);
    if (result == -1 && (errno == ENOSYS || errno == EINVAL || errno == EBUSY)) return "not to be had";
    if (result) return "another error";
    int wrong = 0;
    for (int round = 0; round < 1000; round++) {
        // Between the two the thread may be moved: ask again.
        uint32_t before = area.cpu;
        int cpu = sched_getcpu();
        wrong += before == area.cpu && (int)before != cpu;
        sched_yield();
    }
    if (wrong) return "another processor";
    return syscall(RSEQ, &area, sizeof area, 1, 0x53053053) ? "unregister" : NULL;
}

static void restartable_sequences(void) {
    // Either it is there and keeps the processor's number, or the C library has it already, or the system has none.
    const char *trouble = join_thread(start_thread(register_restartable, NULL));
    CHECK(!trouble || strcmp(trouble, "not to be had") == 0);
    CHECK(syscall(RSEQ, NULL, 7, 0, 1) == -1);
}

const struct test clone_tests[] = {
    {"clone_by_the_library", library_clone}, {"clone3_raw", raw_clone3},
    {"clone_wrong_flags", wrong_flags},      {"set_tid_address", tid_address},
    {"memory_barriers", memory_barriers},    {"restartable_sequences", restartable_sequences},
    {NULL, NULL},
};
