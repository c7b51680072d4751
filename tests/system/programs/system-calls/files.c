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

static int opened(int folder, const char *path, int flags, int resolve) {
    struct { uint64_t flags, mode, resolve; } how = {.flags = flags, .resolve = resolve};
    return (int)syscall(437, folder, path, &how, sizeof how);
}

static void confined_ways(void) {
    enum { NO_XDEV = 1, NO_MAGICLINKS = 2, NO_SYMLINKS = 4, BENEATH = 8, IN_ROOT = 16 };
    char path[] = "/tmp/system-calls-XXXXXX";
    CHECK(mkdtemp(path) && chdir(path) == 0 && mkdir("inside", 0700) == 0 && close(creat("inside/file", 0600)) == 0);
    CHECK(symlink("file", "inside/near") == 0 && symlink("../inside/file", "inside/around") == 0);
    CHECK(symlink("../../..", "inside/above") == 0 && symlink("/etc/passwd", "inside/far") == 0);
    int folder = open("inside", O_RDONLY | O_DIRECTORY), file;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    CHECK((file = opened(folder, "near", O_RDONLY, BENEATH)) >= 0 && close(file) == 0);
    CHECK((file = opened(folder, "./../inside/file", O_RDONLY, 0)) >= 0 && close(file) == 0);
    CHECK_ERROR(opened(folder, "../inside/file", O_RDONLY, BENEATH), EXDEV);
    CHECK_ERROR(opened(folder, "around", O_RDONLY, BENEATH), EXDEV);
    CHECK_ERROR(opened(folder, "above", O_RDONLY, BENEATH), EXDEV);
    CHECK_ERROR(opened(folder, "far", O_RDONLY, BENEATH), EXDEV);
    CHECK_ERROR(opened(folder, "/etc/passwd", O_RDONLY, BENEATH), EXDEV);
    CHECK_ERROR(opened(folder, "nothing", O_RDONLY, BENEATH), ENOENT);
    CHECK_ERROR(opened(folder, "file", O_RDONLY, BENEATH | IN_ROOT), EINVAL);
    CHECK((file = opened(folder, "../../file", O_RDONLY, IN_ROOT)) >= 0 && close(file) == 0);
    CHECK((file = opened(folder, "above/near", O_RDONLY, IN_ROOT)) >= 0 && close(file) == 0);
    CHECK_ERROR(opened(folder, "far", O_RDONLY, IN_ROOT), ENOENT);
    CHECK_ERROR(opened(folder, "near", O_RDONLY, NO_SYMLINKS), ELOOP);
    CHECK_ERROR(opened(folder, "above/tmp", O_RDONLY, NO_SYMLINKS), ELOOP);
    CHECK((file = opened(folder, "near", O_PATH | O_NOFOLLOW, NO_SYMLINKS)) >= 0 && close(file) == 0);
    CHECK((file = opened(folder, "file", O_RDWR, NO_SYMLINKS | BENEATH)) >= 0 && close(file) == 0);
    CHECK((file = opened(AT_FDCWD, "/proc/self/stat", O_RDONLY, NO_MAGICLINKS)) >= 0 && close(file) == 0);
    CHECK_ERROR(opened(AT_FDCWD, link, O_RDONLY, NO_MAGICLINKS), ELOOP);
    CHECK_ERROR(opened(AT_FDCWD, link, O_RDONLY, NO_SYMLINKS), ELOOP);
    CHECK_ERROR(opened(AT_FDCWD, "/proc/self/stat", O_RDONLY, NO_XDEV), EXDEV);
    CHECK((file = opened(folder, "../inside/near", O_RDONLY, NO_XDEV)) >= 0 && close(file) == 0);
    int proc = open("/proc", O_RDONLY | O_DIRECTORY);
    CHECK((file = opened(proc, "self/stat", O_RDONLY, NO_XDEV)) >= 0 && close(file) == 0);
    CHECK_ERROR(opened(proc, "..", O_RDONLY, NO_XDEV), EXDEV);
    CHECK_ERROR(opened(folder, "far", O_RDONLY, 1 << 20), EINVAL);
    CHECK(close(proc) == 0 && close(folder) == 0);
    CHECK(unlink("inside/near") == 0 && unlink("inside/around") == 0 && unlink("inside/above") == 0);
    CHECK(unlink("inside/far") == 0 && unlink("inside/file") == 0 && rmdir("inside") == 0);
    CHECK(chdir("/") == 0 && rmdir(path) == 0);
}

static void without_a_name(void) {
    char path[] = "/tmp/system-calls-XXXXXX", named[64], link[64], text[4];
    struct stat status;
    CHECK(mkdtemp(path));
    int file = open(path, O_RDWR | O_TMPFILE | O_CLOEXEC, 0640);
    CHECK(file >= 0 && fcntl(file, F_GETFD) == FD_CLOEXEC && write(file, "text", 4) == 4);
    CHECK(fstat(file, &status) == 0 && status.st_nlink == 0 && status.st_mode == (S_IFREG | 0640) && status.st_size == 4);
    CHECK(pread(file, text, 4, 0) == 4 && memcmp(text, "text", 4) == 0 && rmdir(path) == 0 && mkdir(path, 0700) == 0);
    CHECK(close(file) == 0 && (file = open(path, O_WRONLY | O_TMPFILE, 0600)) >= 0 && write(file, "more", 4) == 4);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    snprintf(named, sizeof named, "%s/named", path);
    CHECK(linkat(AT_FDCWD, link, AT_FDCWD, named, AT_SYMLINK_FOLLOW) == 0 && close(file) == 0);
    CHECK(stat(named, &status) == 0 && status.st_nlink == 1 && status.st_size == 4 && unlink(named) == 0);
    CHECK((file = open(path, O_RDWR | O_TMPFILE | O_EXCL, 0600)) >= 0);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    CHECK_ERROR(linkat(AT_FDCWD, link, AT_FDCWD, named, AT_SYMLINK_FOLLOW), ENOENT);
    CHECK(close(file) == 0);
    CHECK_ERROR(open(path, O_RDONLY | O_TMPFILE, 0600), EINVAL);
    CHECK_ERROR(open("/etc/passwd", O_RDWR | O_TMPFILE, 0600), ENOTDIR);
    CHECK_ERROR(open("/tmp/there/is/nothing", O_RDWR | O_TMPFILE, 0600), ENOENT);
    CHECK(rmdir(path) == 0);
}

const struct test file_tests[] = {
    {"files_texts", texts},
    {"files_of_a_descriptor", of_a_descriptor},
    {"files_opened_in_a_root", opened_in_a_root},
    {"files_told_no_more", told_no_more},
    {"files_late_times", late_times},
    {"files_confined_ways", confined_ways},
    {"files_without_a_name", without_a_name},
    {NULL, NULL},
};
