// files.c: what /proc and /sys say to programs that look there.
#include "tests.h"

static void texts(void) {
    static const char *const paths[] = {
        "/proc/self/mountinfo", "/proc/self/cgroup", "/proc/self/mounts", "/proc/self/limits", "/proc/self/io",
        "/proc/self/oom_score_adj", "/proc/self/smaps", "/proc/self/environ", "/proc/self/maps", "/proc/self/stat",
        "/proc/sys/vm/overcommit_memory", "/proc/sys/net/core/somaxconn", "/proc/sys/kernel/pid_max",
        "/proc/sys/fs/file-max", "/proc/cgroups", "/proc/filesystems", "/proc/partitions", "/proc/vmstat",
        "/proc/meminfo", "/proc/cpuinfo", "/proc/self/loginuid", "/sys/devices/system/cpu/online",
        "/sys/devices/system/cpu/possible",
    };
    for (size_t index = 0; index < sizeof paths / sizeof *paths; index++) {
        char text[64];
        int file = open(paths[index], O_RDONLY | O_CLOEXEC);
        if (file < 0) fprintf(stdout, "%s\n", paths[index]);
        CHECK(file >= 0 && read(file, text, sizeof text) > 0 && close(file) == 0);
    }
}

static void of_a_descriptor(void) {
    int file = make_file("0123456789");
    char path[64], text[512] = "", flags[32];
    CHECK(lseek(file, 4, SEEK_SET) == 4);
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", file);
    int information = open(path, O_RDONLY);
    CHECK(information >= 0 && read(information, text, sizeof text - 1) > 0 && close(information) == 0);
    CHECK(strncmp(text, "pos:\t4\n", 7) == 0);
    snprintf(flags, sizeof flags, "flags:\t0%o\n", fcntl(file, F_GETFL) | O_LARGEFILE | 0100000);
    CHECK(strstr(text, flags) != NULL && strstr(text, "mnt_id:\t") != NULL);
    CHECK(close(file) == 0);
}

static void opened_in_a_root(void) {
    struct { uint64_t flags, mode, resolve; } how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = 16};
    int folder = open("/proc", O_RDONLY | O_DIRECTORY);
    int file = syscall(437, folder, "/../../self/stat", &how, sizeof how);
    CHECK(file >= 0 && fcntl(file, F_GETFD) == FD_CLOEXEC && close(file) == 0);
    CHECK_ERROR(syscall(437, folder, "/etc/passwd", &how, sizeof how), ENOENT);
    how.resolve = 0;
    CHECK((file = syscall(437, folder, "self/stat", &how, sizeof how)) >= 0 && close(file) == 0);
    CHECK_ERROR(syscall(437, folder, "self/stat", &how, 8), EINVAL);
    how.mode = 0600;
    CHECK_ERROR(syscall(437, folder, "self/stat", &how, sizeof how), EINVAL);
    how.mode = 0, how.flags = 1ull << 40;
    CHECK_ERROR(syscall(437, folder, "self/stat", &how, sizeof how), EINVAL);
    CHECK(close(folder) == 0);
}

static void told_no_more(void) {
    int folder = open("/tmp", O_RDONLY | O_DIRECTORY);
    CHECK(fcntl(folder, F_NOTIFY, DN_MULTISHOT) == 0 && fcntl(folder, F_NOTIFY, 0) == 0 && close(folder) == 0);
}

static void late_times(void) {
    // Later than any file system here can hold: the latest that it can, and no error.
    struct timespec times[2] = {{.tv_sec = 1ll << 60, .tv_nsec = 5}, {.tv_sec = 1ll << 33, .tv_nsec = 5}};
    struct stat status;
    int file = make_file("x");
    CHECK(futimens(file, times) == 0 && fstat(file, &status) == 0);
    CHECK(status.st_atim.tv_sec > 1ll << 33 && status.st_mtim.tv_sec == 1ll << 33 && status.st_mtim.tv_nsec == 5);
    CHECK(close(file) == 0);
}

const struct test file_tests[] = {
    {"files_texts", texts},
    {"files_of_a_descriptor", of_a_descriptor},
    {"files_opened_in_a_root", opened_in_a_root},
    {"files_told_no_more", told_no_more},
    {"files_late_times", late_times},
    {NULL, NULL},
};
