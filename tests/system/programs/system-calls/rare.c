// rare.c: calls that few programs make: priorities of input and output, attributes of scheduling, threads that have
// descriptors and a working directory of their own.
#include "tests.h"
#include <limits.h>
#include <sys/inotify.h>

enum { PROCESS = 1, BEST = 2 << 13, IDLE = 3 << 13 };

static void io_priorities(void) {
    // Not for a group or a user: on Linux others are in it.
    CHECK(syscall(SYS_ioprio_set, PROCESS, 0, 0) == 0 && syscall(SYS_ioprio_get, PROCESS, 0) == 0);
    CHECK(syscall(SYS_ioprio_set, PROCESS, 0, BEST | 3) == 0 && syscall(SYS_ioprio_get, PROCESS, 0) == (BEST | 3));
    CHECK(syscall(SYS_ioprio_get, PROCESS, thread_id()) == (BEST | 3));
    CHECK(syscall(SYS_ioprio_set, PROCESS, 0, IDLE | 7) == 0 && syscall(SYS_ioprio_get, PROCESS, 0) == (IDLE | 7));
    CHECK(syscall(SYS_ioprio_set, PROCESS, 0, 0) == 0 && syscall(SYS_ioprio_get, PROCESS, 0) == 0);
    CHECK_ERROR(syscall(SYS_ioprio_set, PROCESS, 0, 1), EINVAL);
    CHECK_ERROR(syscall(SYS_ioprio_set, PROCESS, 0, 4 << 13), EINVAL);
    CHECK_ERROR(syscall(SYS_ioprio_set, 9, 0, BEST), EINVAL);
    CHECK_ERROR(syscall(SYS_ioprio_get, 4, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_ioprio_get, PROCESS, -1), ESRCH);
    CHECK_ERROR(syscall(SYS_ioprio_set, PROCESS, 999999, BEST), ESRCH);
}

struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
    uint32_t least, most;
};

static void scheduling_attributes(void) {
    struct attributes found = {.nice = 77}, wanted = {.size = 48};
    CHECK(syscall(SYS_sched_getattr, 0, &found, 56, 0) == 0);
    CHECK(found.size == 56 && found.policy == 0 && found.flags == 0 && found.nice == 0 && found.priority == 0);
    CHECK(syscall(SYS_sched_getattr, 0, &found, 48, 0) == 0 && found.size == 48);
    char large[100];
    CHECK(syscall(SYS_sched_getattr, 0, large, sizeof large, 0) == 0 && *(uint32_t *)large == 56);
    CHECK_ERROR(syscall(SYS_sched_getattr, 0, &found, 47, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_getattr, 0, &found, 5000, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_getattr, 0, &found, 48, 1), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_getattr, 0, NULL, 48, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_getattr, -1, &found, 48, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_getattr, 999999, &found, 48, 0), ESRCH);
    wanted.nice = 5;
    CHECK(syscall(SYS_sched_setattr, 0, &wanted, 0) == 0 && syscall(SYS_sched_getattr, 0, &found, 48, 0) == 0);
    CHECK(found.nice == 5 && syscall(SYS_getpriority, 0, 0) == 15);
    CHECK_ERROR(syscall(SYS_sched_setattr, 0, &wanted, 1), EINVAL);
    wanted.size = 40;
    CHECK_ERROR(syscall(SYS_sched_setattr, 0, &wanted, 0), E2BIG);
    CHECK(wanted.size == 56);
    wanted.size = 48, wanted.policy = 77;
    CHECK_ERROR(syscall(SYS_sched_setattr, 0, &wanted, 0), EINVAL);
    wanted.policy = 0, wanted.priority = 3;
    CHECK_ERROR(syscall(SYS_sched_setattr, 0, &wanted, 0), EINVAL);
    wanted.priority = 0, wanted.flags = 0x100;
    CHECK_ERROR(syscall(SYS_sched_setattr, 0, &wanted, 0), EINVAL);
    wanted.flags = 0, wanted.policy = SCHED_BATCH, wanted.nice = 9;
    CHECK(syscall(SYS_sched_setattr, 0, &wanted, 0) == 0 && syscall(SYS_sched_getscheduler, 0) == SCHED_BATCH);
    memset(large, 0, sizeof large), memcpy(large, &wanted, sizeof wanted), *(uint32_t *)large = sizeof large;
    CHECK(syscall(SYS_sched_setattr, 0, large, 0) == 0);
    large[99] = 1;
    CHECK_ERROR(syscall(SYS_sched_setattr, 0, large, 0), E2BIG);
}

static int shared, inside[2];
static char there[PATH_MAX];

// Has descriptors and a working directory of its own from here on.
static void *apart(void *argument) {
    struct flock lock = {.l_type = F_WRLCK};
    CHECK(unshare(CLONE_FILES | CLONE_FS) == 0 && unshare(CLONE_FILES) == 0);
    CHECK(fcntl(shared, F_GETFD) >= 0 && close(shared) == 0);
    CHECK_ERROR(fcntl(shared, F_GETFD), EBADF);
    CHECK(pipe(inside) == 0 && write(inside[1], "x", 1) == 1);
    CHECK(chdir("/proc") == 0 && umask(077) == 022);
    CHECK(getcwd(there, sizeof there) && strcmp(there, "/proc") == 0);
    // What it makes shares with it.
    int file = make_file("abc");
    CHECK(fcntl(file, F_SETLK, &lock) == 0);
    CHECK_ERROR(unshare(CLONE_NEWPID | CLONE_THREAD), EINVAL);
    CHECK(argument == NULL);
    return NULL;
}

static void threads_apart(void) {
    char before[PATH_MAX], after[PATH_MAX];
    shared = dup(0);
    umask(022);
    CHECK(getcwd(before, sizeof before) && shared >= 0);
    CHECK(unshare(0) == 0 && unshare(CLONE_FILES) == 0 && unshare(CLONE_FS) == 0 && unshare(CLONE_SYSVSEM) == 0);
    // A thread that an earlier check joined may still be on its way out: its word is cleared before it has left.
    AWAIT(unshare(CLONE_THREAD | CLONE_SIGHAND) == 0);
    CHECK_ERROR(unshare(1), EINVAL);
    CHECK_ERROR(unshare(0x4000), EINVAL);
    for (int round = 0; round < 3; round++) {
        join_thread(start_thread(apart, NULL));
        CHECK(fcntl(shared, F_GETFD) >= 0 && getcwd(after, sizeof after) && strcmp(before, after) == 0);
        CHECK(umask(022) == 022);
        // Its table is gone with it, and both ends of its pipe.
        CHECK_ERROR(fcntl(inside[1], F_GETFD), EBADF);
    }
    CHECK(close(shared) == 0);
}

// Whether the file at `path` has a line that contains `text`.
static int says(const char *path, const char *text) {
    FILE *file = fopen(path, "r");
    char line[512];
    int found = 0;
    CHECK(file != NULL);
    while (!found && fgets(line, sizeof line, file)) found = strstr(line, text) != NULL;
    fclose(file);
    return found;
}

static void locks_shown(void) {
    char name[] = "/tmp/system-calls-XXXXXX", text[128];
    int file = mkstemp(name), other = open(name, O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_start = 5, .l_len = 10}, range = {.l_type = F_RDLCK, .l_start = 100};
    struct stat status;
    CHECK(file >= 0 && other >= 0 && unlink(name) == 0 && fstat(file, &status) == 0);
    CHECK(fcntl(file, F_SETLK, &lock) == 0 && fcntl(file, 37 /* F_OFD_SETLK */, &range) == 0 && syscall(SYS_flock, file, 1) == 0);
    unsigned device = status.st_dev, major = device >> 8, minor = device & 0xff;
    unsigned long inode = status.st_ino;
    snprintf(text, sizeof text, ": POSIX  ADVISORY  WRITE %d %02x:%02x:%lu 5 14\n", getpid(), major, minor, inode);
    CHECK(says("/proc/locks", text));
    snprintf(text, sizeof text, ": OFDLCK ADVISORY  READ -1 %02x:%02x:%lu 100 EOF\n", major, minor, inode);
    CHECK(says("/proc/locks", text));
    snprintf(text, sizeof text, ": FLOCK  ADVISORY  READ %d %02x:%02x:%lu 0 EOF\n", getpid(), major, minor, inode);
    CHECK(says("/proc/locks", text) && close(file) == 0 && close(other) == 0 && !says("/proc/locks", text));
}

static void sockets_shown(void) {
    struct sockaddr_un address = {AF_UNIX, "\0system-calls-shown"};
    struct stat status;
    char text[128];
    int socket_ = socket(AF_UNIX, SOCK_SEQPACKET, 0), pair[2];
    CHECK(bind(socket_, (void *)&address, 2 + 19) == 0 && listen(socket_, 3) == 0 && fstat(socket_, &status) == 0);
    snprintf(text, sizeof text, ": 00000002 00000000 00010000 0005 01 %lu @system-calls-shown\n", (unsigned long)status.st_ino);
    CHECK(says("/proc/net/unix", text) && says("/proc/self/net/unix", "Num       RefCount Protocol Flags    Type St Inode Path"));
    CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && fstat(pair[0], &status) == 0);
    snprintf(text, sizeof text, " 00000000 00000000 0002 03 %lu\n", (unsigned long)status.st_ino);
    CHECK(says("/proc/net/unix", text) && close(pair[0]) == 0 && !says("/proc/net/unix", text) && close(pair[1]) == 0);
    CHECK(close(socket_) == 0 && !says("/proc/net/unix", "system-calls-shown"));
}

struct waited {
    uint64_t value, address;
    uint32_t flags, reserved;
};

static futex_word words[3];

static long wait_for_words(struct waited *list, int count, const struct timespec *limit, int clock) {
    return syscall(449 /* futex_waitv */, list, count, 0, limit, clock);
}

static void *waits_for_words(void *result) {
    struct waited list[3];
    for (int index = 0; index < 3; index++) list[index] = (struct waited){7, (uintptr_t)&words[index], 2 | PRIVATE, 0};
    *(long *)result = wait_for_words(list, 3, NULL, 0);
    return NULL;
}

static void several_words(void) {
    struct waited list[2] = {{7, (uintptr_t)&words[0], 2 | PRIVATE, 0}, {8, (uintptr_t)&words[1], 2 | PRIVATE, 0}};
    struct timespec past = after(CLOCK_MONOTONIC, -5), soon = after(CLOCK_REALTIME, 1);
    words[0] = words[1] = words[2] = 7;
    CHECK_ERROR(wait_for_words(list, 2, NULL, 0), EAGAIN);
    CHECK_ERROR(wait_for_words(list, 1, &past, CLOCK_MONOTONIC), ETIMEDOUT);
    CHECK_ERROR(wait_for_words(list, 1, &soon, CLOCK_REALTIME), ETIMEDOUT);
    CHECK_ERROR(wait_for_words(list, 1, &soon, 7), EINVAL);
    CHECK_ERROR(wait_for_words(list, 0, NULL, 0), EINVAL);
    CHECK_ERROR(wait_for_words(list, 129, NULL, 0), EINVAL);
    CHECK_ERROR(syscall(449, list, 1, 1, NULL, 0), EINVAL);
    list[0].reserved = 1;
    CHECK_ERROR(wait_for_words(list, 1, NULL, 0), EINVAL);
    list[0] = (struct waited){7, (uintptr_t)&words[0] + 1, 2, 0};
    CHECK_ERROR(wait_for_words(list, 1, NULL, 0), EINVAL);
    list[0] = (struct waited){7, (uintptr_t)&words[0], 1, 0};
    CHECK_ERROR(wait_for_words(list, 1, NULL, 0), EINVAL);
    long result = -1;
    pthread_t thread = start_thread(waits_for_words, &result);
    AWAIT(wake(&words[1], 1) == 1);
    join_thread(thread);
    CHECK(result == 1 && wake(&words[0], 9) == 0 && wake(&words[2], 9) == 0);
}

static void created_files(void) {
    char name[] = "/tmp/system-calls-XXXXXX";
    enum { CREATED = 1028 };
    int made = mkstemp(name), again = open(name, O_RDWR | O_CREAT, 0600), path = open(name, O_PATH);
    // Linux has it since 6.12.
    int known = fcntl(made, CREATED);
    CHECK(known == 1 || errno == EINVAL);
    CHECK(known != 1 || (fcntl(again, CREATED) == 0 && fcntl(path, CREATED) == 0 && fcntl(dup(made), CREATED) == 1));
    CHECK((fcntl(made, F_GETFL) & ~O_ACCMODE & ~0100000) == 0 && unlink(name) == 0);
    CHECK(close(made) == 0 && close(again) == 0 && close(path) == 0);
}

static void packets(void) {
    int ends[2];
    char buffer[8192];
    CHECK(pipe2(ends, O_DIRECT) == 0 && fcntl(ends[1], F_GETFL) == (O_WRONLY | O_DIRECT));
    CHECK(fcntl(ends[0], F_GETFL) == O_RDONLY);
    CHECK(write(ends[1], "one", 3) == 3 && write(ends[1], "second", 6) == 6 && write(ends[1], buffer, 5000) == 5000);
    CHECK(read(ends[0], buffer, sizeof buffer) == 3 && memcmp(buffer, "one", 3) == 0);
    CHECK(read(ends[0], buffer, 3) == 3 && memcmp(buffer, "sec", 3) == 0);
    CHECK(read(ends[0], buffer, sizeof buffer) == 4096 && read(ends[0], buffer, sizeof buffer) == 904);
    CHECK(fcntl(ends[1], F_SETFL, 0) == 0 && write(ends[1], "a", 1) == 1 && write(ends[1], "b", 1) == 1);
    CHECK(read(ends[0], buffer, sizeof buffer) == 2 && fcntl(ends[1], F_SETFL, O_DIRECT | O_NONBLOCK) == 0);
    int fitted = 0;
    while (write(ends[1], "x", 1) == 1) fitted++;
    CHECK(fitted == 16 && errno == EAGAIN && read(ends[0], buffer, 9) == 1 && write(ends[1], "xy", 2) == 2);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void watches_shown(void) {
    int watcher = inotify_init1(0), number = inotify_add_watch(watcher, "/tmp", IN_CREATE | IN_DELETE);
    struct stat status;
    char path[64], text[128];
    CHECK(number == 1 && stat("/tmp", &status) == 0);
    unsigned long device = (status.st_dev >> 8) << 20 | (status.st_dev & 0xff);
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", watcher);
    snprintf(text, sizeof text, "inotify wd:1 ino:%lx sdev:%lx mask:300 ignored_mask:0 ", (unsigned long)status.st_ino, device);
    CHECK(says(path, text) && close(watcher) == 0);
}

static void nothing(int signal, siginfo_t *information, void *context) { (void)signal, (void)information, (void)context; }

// What would take seconds ends at a signal, with what there is by then.
static void endless_reads(void) {
    enum { PART = 1 << 20, PARTS = 1024 };
    static char bytes[33 << 20];
    static struct iovec vector[PARTS];
    for (int part = 0; part < PARTS; part++) vector[part] = (struct iovec){bytes, PART};
    const struct itimerval often = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
    handle(SIGALRM, nothing, SA_RESTART);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    const char *const paths[] = {"/dev/urandom", "/dev/zero"};
    for (int way = 0; way < 2; way++) {
        int file = open(paths[way], O_RDONLY);
        ssize_t count;
        AWAIT((count = readv(file, vector, PARTS)) < (ssize_t)PART * PARTS);
        CHECK(file >= 0 && count > 0 && count % 4096 == 0 && close(file) == 0);
    }
    ssize_t count;
    AWAIT((count = syscall(SYS_getrandom, bytes, sizeof bytes, 0)) < (ssize_t)sizeof bytes - 1);
    CHECK(count > 0 && count % 4096 == 0 && setitimer(ITIMER_REAL, &never, NULL) == 0);
}

static atomic_int watching;

static void *watch(void *argument) {
    (void)argument;
    const struct sched_param first = {.sched_priority = 50};
    CHECK(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &first) == 0 || errno == EPERM);
    atomic_store(&watching, thread_id());
    // Of a file nothing urgent ever comes.
    struct pollfd file = {.fd = make_file("x"), .events = POLLPRI};
    CHECK_ERROR(poll(&file, 1, -1), EINTR);
    CHECK(close(file.fd) == 0);
    atomic_store(&watching, 0);
    return NULL;
}

// Who waits with a greater priority does not keep a thread from going on that interruptions disturb.
static void watcher_comes_first(void) {
    const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    cpu_set_t before, one;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    int processor = 0;
    while (!CPU_ISSET(processor, &before)) processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    handle(SIGUSR1, nothing, 0), handle(SIGALRM, nothing, SA_RESTART);
    // Alarms are for this thread, not for the one that waits.
    mask_signal(SIG_BLOCK, SIGALRM);
    pthread_t watcher = start_thread(watch, NULL);
    AWAIT(atomic_load(&watching));
    mask_signal(SIG_UNBLOCK, SIGALRM);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    struct timespec end = after(CLOCK_MONOTONIC, 30);
    while (!not_before(after(CLOCK_MONOTONIC, 0), end)) continue;
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    // Until it has ended: a signal before it waits interrupts nothing, and its first instructions may come late from a
    // file.
    AWAIT(pthread_kill(watcher, SIGUSR1) != 0 || !atomic_load(&watching));
    join_thread(watcher);
    CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
}

const struct test rare_tests[] = {
    {"rare_watcher_comes_first", watcher_comes_first},
    {"rare_endless_reads", endless_reads},
    {"rare_several_words", several_words},
    {"rare_created_files", created_files},
    {"rare_packets", packets},
    {"rare_watches_shown", watches_shown},
    {"rare_locks_shown", locks_shown},
    {"rare_sockets_shown", sockets_shown},
    {"rare_io_priorities", io_priorities},
    {"rare_threads_apart", threads_apart},
    {"rare_scheduling_attributes", scheduling_attributes},
    {NULL, NULL},
};
