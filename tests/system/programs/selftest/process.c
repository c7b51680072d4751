// process.c: identity, limits, and the small calls that C libraries make.
#include "check.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

static const char *identity(void) {
    REQUIRE(getpid() > 0 && getppid() >= 0 && syscall(SYS_gettid) == getpid());
    REQUIRE(getpgrp() > 0 || getpgrp() == 0);
    REQUIRE(getuid() == geteuid() && getgid() == getegid());
    struct utsname name;
    REQUIRE(uname(&name) == 0 && strcmp(name.sysname, "Linux") == 0 && strcmp(name.machine, "x86_64") == 0);
    int major, minor;
    REQUIRE(sscanf(name.release, "%d.%d", &major, &minor) == 2 && major >= 4 && name.nodename[0]);
    mode_t mask = umask(027);
    REQUIRE(umask(mask) == 027);
    char text[16] = {0};
    REQUIRE(prctl(PR_SET_NAME, "a-name") == 0 && prctl(PR_GET_NAME, text) == 0 && strcmp(text, "a-name") == 0);
    return NULL;
}

static const char *limits(void) {
    struct rlimit limit;
    REQUIRE(getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= 1 << 20);
    REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= 64);
    REQUIRE_ERROR(getrlimit(99, &limit), EINVAL);
    struct sysinfo info;
    REQUIRE(sysinfo(&info) == 0 && info.totalram >= info.freeram && info.mem_unit >= 1 && info.totalram > 0);
    return NULL;
}

static const char *processors(void) {
    cpu_set_t set;
    REQUIRE(sched_yield() == 0);
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) >= 1);
    REQUIRE_ERROR(sched_getaffinity(-1, sizeof set, &set), ESRCH);
    REQUIRE_ERROR(sched_setaffinity(-1, sizeof set, &set), ESRCH);
    REQUIRE(sysconf(_SC_NPROCESSORS_ONLN) >= 1 && sysconf(_SC_PAGESIZE) == 4096);
    return NULL;
}

static const char *randomness(void) {
    unsigned char one[300], two[300];
    REQUIRE(getrandom(one, sizeof one, 0) == sizeof one && getrandom(two, sizeof two, GRND_NONBLOCK) == sizeof two);
    REQUIRE(memcmp(one, two, sizeof one) != 0);
    REQUIRE(getrandom(one, 0, 0) == 0);
    REQUIRE_ERROR(getrandom(one, 1, 0x1000), EINVAL);
    REQUIRE_ERROR(syscall(SYS_getrandom, 8, 16, 0), EFAULT);
    return NULL;
}

// From linux/futex.h, which musl's headers lack.
enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

static const char *futexes(void) {
    static uint32_t word = 5;
    REQUIRE(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) == 0);
    REQUIRE_ERROR(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 4, NULL, NULL, 0), EAGAIN);
    struct timespec length = {0, 5000000};
    REQUIRE_ERROR(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, &length, NULL, 0), ETIMEDOUT);
    return NULL;
}

static const char *unknown_calls(void) {
    REQUIRE_ERROR(syscall(1000), ENOSYS);
    REQUIRE_ERROR(syscall(-1), ENOSYS);
    REQUIRE_ERROR(syscall(SYS_afs_syscall), ENOSYS);
    REQUIRE_ERROR(syscall(0x7fffffffffffffff), ENOSYS);
    return NULL;
}

static const char *failing_execve(void) {
    char *arguments[] = {"x", NULL}, *none[] = {NULL};
    FILE *file = fopen("script", "w");
    REQUIRE(file && fputs("just text\n", file) >= 0 && fclose(file) == 0);
    REQUIRE_ERROR(execve("absent", arguments, none), ENOENT);
    REQUIRE_ERROR(execve("script", arguments, none), EACCES);
    REQUIRE_ERROR(execve("/tmp", arguments, none), EACCES);
    REQUIRE(chmod("script", 0755) == 0);
    REQUIRE_ERROR(execve("script", arguments, none), ENOEXEC);
    REQUIRE((file = fopen("script", "w")) && fputs("#!/absent/interpreter\n", file) >= 0 && fclose(file) == 0);
    REQUIRE_ERROR(execve("script", arguments, none), ENOENT);
    REQUIRE_ERROR(syscall(SYS_execve, 8, arguments, none), EFAULT);
    REQUIRE_ERROR(syscall(SYS_execve, "script", 8, none), EFAULT);
    return unlink("script") == 0 ? NULL : "unlink";
}

const struct test process_tests[] = {
    {"identity", identity},       {"limits", limits},   {"processors", processors},
    {"randomness", randomness},   {"futexes", futexes}, {"unknown_calls", unknown_calls},
    {"failing_execve", failing_execve}, {NULL, NULL},
};
