// errors.c: arguments that calls refuse, and how much is moved by those that could wait for ever.
#include "tests.h"
#include <limits.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

static void scheduling(void) {
    CHECK_ERROR(syscall(SYS_sched_getparam, 0, NULL), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_setparam, 0, NULL), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, NULL), EINVAL);
    CHECK_ERROR(syscall(SYS_sched_getparam, -1, NULL), EINVAL);
    enum { DEADLINE = 6 };
    CHECK(syscall(SYS_sched_get_priority_max, DEADLINE) == 0 && syscall(SYS_sched_get_priority_min, DEADLINE) == 0);
    CHECK_ERROR(syscall(SYS_sched_get_priority_max, 4), EINVAL);
    struct sched_param parameter = {0};
    CHECK_ERROR(syscall(SYS_sched_setscheduler, 0, DEADLINE, &parameter), EINVAL);
}

static void timers(void) {
    timer_t timer;
    CHECK(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
    CHECK_ERROR(timer_settime(timer, 0, NULL, NULL), EINVAL);
    CHECK(timer_delete(timer) == 0);
}

static void children(void) {
    CHECK_ERROR(syscall(SYS_wait4, INT_MIN, NULL, 0, NULL), ESRCH);
    CHECK_ERROR(syscall(SYS_wait4, INT_MIN, NULL, -1, NULL), EINVAL);
}

static void limits(void) {
    struct rlimit old, high;
    CHECK(getrlimit(RLIMIT_NOFILE, &old) == 0);
    high = (struct rlimit){old.rlim_cur, (1 << 20) * 1000UL};
    CHECK_ERROR(setrlimit(RLIMIT_NOFILE, &high), EPERM);
    high.rlim_max = RLIM_INFINITY;
    CHECK_ERROR(setrlimit(RLIMIT_NOFILE, &high), EPERM);
    CHECK(setrlimit(RLIMIT_NOFILE, &old) == 0);
}

static void streams_at_an_offset(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    struct iovec piece = {"x", 1}, bad = {(void *)-1, 1};
    CHECK_ERROR(syscall(SYS_pwrite64, ends[0], "x", 1, 0), ESPIPE);
    CHECK_ERROR(syscall(SYS_pread64, ends[1], &(char){0}, 1, 0), ESPIPE);
    CHECK_ERROR(syscall(SYS_pwritev2, ends[0], &piece, 1, 0, 0, 0), ESPIPE);
    CHECK_ERROR(syscall(SYS_pwritev, ends[0], &bad, 1, 0, 0), ESPIPE);
    CHECK_ERROR(syscall(SYS_preadv, ends[1], &piece, 1, 0, 0), ESPIPE);
    CHECK_ERROR(syscall(SYS_pwritev2, ends[0], &piece, 1, -1L, 0L, 0), EBADF);
    int file = make_file("abc");
    off_t before = -1;
    CHECK_ERROR(sendfile(ends[1], file, &before, 1), EINVAL);
    CHECK_ERROR(splice(file, &before, ends[1], NULL, 1, 0), EINVAL);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0 && close(file) == 0);
}

// What fits, and no more: the rest would wait for a reader.
static void more_than_a_pipe_holds(void) {
    enum { HOLDS = 65536, SMALL = 5000 };
    int ends[2];
    CHECK(pipe(ends) == 0);
    char *memory = mmap(NULL, 2 * HOLDS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    for (int index = 0; index < 2 * HOLDS; index++) memory[index] = (char)(index * 7);
    struct iovec pieces[2] = {{memory + 64, 2 * HOLDS - 64}, {memory, SMALL}};
    CHECK(vmsplice(ends[1], pieces, 1, 0) == HOLDS - 64);
    char *back = malloc(HOLDS);
    CHECK(read(ends[0], back, HOLDS) == HOLDS - 64 && memcmp(back, memory + 64, HOLDS - 64) == 0);
    pieces[0] = (struct iovec){memory, HOLDS - 4096};
    CHECK(vmsplice(ends[1], pieces, 2, 0) == HOLDS);
    CHECK_ERROR(vmsplice(ends[1], pieces, 2, SPLICE_F_NONBLOCK), EAGAIN);
    CHECK(read(ends[0], back, HOLDS) == HOLDS && memcmp(back + HOLDS - 4096, memory, 4096) == 0);
    pieces[0] = (struct iovec){back, HOLDS};
    CHECK_ERROR(vmsplice(ends[0], pieces, 1, SPLICE_F_NONBLOCK), EAGAIN);
    CHECK(write(ends[1], "abc", 3) == 3 && vmsplice(ends[0], pieces, 1, 0) == 3 && memcmp(back, "abc", 3) == 0);
    free(back);
    CHECK(munmap(memory, 2 * HOLDS) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void nothing(int signal) { (void)signal; }

// Only the handler goes when it has run (SA_RESETHAND): the flags and the mask stay.
static void one_shot_actions(void) {
    struct sigaction action = {.sa_handler = nothing, .sa_flags = SA_RESETHAND | SA_RESTART}, old;
    sigemptyset(&action.sa_mask), sigaddset(&action.sa_mask, SIGUSR2);
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    CHECK((old.sa_flags & (int)SA_RESETHAND) != 0 && (old.sa_flags & SA_RESTART) != 0);
    CHECK(sigismember(&old.sa_mask, SIGUSR2) == 1);
}

static void magic_links(void) {
    // struct open_how: flags, mode, RESOLVE_ flags.
    uint64_t how[3] = {O_RDONLY, 0, 2}, free_how[3] = {O_RDONLY, 0, 0}, beneath[3] = {O_RDONLY, 0, 8};
    CHECK_ERROR(syscall(SYS_openat2, AT_FDCWD, "/proc/self/exe", how, sizeof how), ELOOP);
    CHECK_ERROR(syscall(SYS_openat2, AT_FDCWD, "/proc/self/cwd", how, sizeof how), ELOOP);
    int root = open("/", O_PATH), file = syscall(SYS_openat2, AT_FDCWD, "/proc/self/exe", free_how, sizeof how);
    char start[4];
    CHECK(file >= 0 && read(file, start, 4) == 4 && memcmp(start, "\177ELF", 4) == 0);
    CHECK_ERROR(syscall(SYS_openat2, root, "proc/self/exe", beneath, sizeof how), EXDEV);
    char one[PATH_MAX] = "", other[PATH_MAX] = "", link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    CHECK(readlink("/proc/self/exe", one, sizeof one - 1) > 0 && readlink(link, other, sizeof other - 1) > 0);
    CHECK(strcmp(one, other) == 0 && close(file) == 0 && close(root) == 0);
}

static void numbers_of_files(void) {
    struct statvfs system;
    CHECK(statvfs("/tmp", &system) == 0 && system.f_files > 0 && system.f_ffree <= system.f_files);
    CHECK(statvfs("/proc", &system) == 0 && system.f_files == 0);
}

const struct test error_tests[] = {
    {"errors_scheduling", scheduling},
    {"errors_timers", timers},
    {"errors_children", children},
    {"errors_limits", limits},
    {"errors_streams_at_an_offset", streams_at_an_offset},
    {"errors_more_than_a_pipe_holds", more_than_a_pipe_holds},
    {"errors_one_shot_actions", one_shot_actions},
    {"errors_magic_links", magic_links},
    {"errors_numbers_of_files", numbers_of_files},
    {NULL, NULL},
};
