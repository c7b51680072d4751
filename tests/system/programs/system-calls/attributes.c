// attributes.c: extended attributes of files (xattr(7)).
#include "tests.h"

#include <sys/inotify.h>
#include <sys/xattr.h>

// A file in TMPDIR, and another name.
static char path[256], other[512];
static int file;

static void enter(void) {
    const char *above = getenv("TMPDIR");
    // On Linux the same may run beside us.
    snprintf(path, sizeof path, "%s/system-calls-attributes-%d", above ? above : "/tmp", getpid());
    snprintf(other, sizeof other, "%s-other", path);
    CHECK((file = open(path, O_RDWR | O_CREAT, 0600)) >= 0);
}

static void leave(void) { CHECK(close(file) == 0 && unlink(path) == 0); }

static void kept(void) {
    enter();
    char value[64], names[256];
    CHECK_ERROR(getxattr(path, "user.a", value, sizeof value), ENODATA);
    CHECK_ERROR(removexattr(path, "user.a"), ENODATA);
    CHECK(setxattr(path, "user.a", "one", 3, 0) == 0 && fsetxattr(file, "user.empty", "", 0, XATTR_CREATE) == 0);
    CHECK(getxattr(path, "user.a", value, sizeof value) == 3 && !memcmp(value, "one", 3));
    CHECK(fgetxattr(file, "user.a", NULL, 0) == 3 && lgetxattr(path, "user.empty", value, sizeof value) == 0);
    CHECK_ERROR(getxattr(path, "user.a", value, 2), ERANGE);
    CHECK_ERROR(setxattr(path, "user.a", "two", 3, XATTR_CREATE), EEXIST);
    CHECK_ERROR(setxattr(path, "user.b", "two", 3, XATTR_REPLACE), ENODATA);
    CHECK(lsetxattr(path, "user.a", "longer", 6, XATTR_REPLACE) == 0 && fgetxattr(file, "user.a", value, 64) == 6);
    CHECK(listxattr(path, NULL, 0) == 18 && flistxattr(file, names, sizeof names) == 18);
    CHECK(memmem(names, 18, "user.a", 7) && memmem(names, 18, "user.empty", 11));
    CHECK_ERROR(llistxattr(path, names, 17), ERANGE);
    CHECK(rename(path, other) == 0 && getxattr(other, "user.a", value, sizeof value) == 6 && rename(other, path) == 0);
    CHECK(link(path, other) == 0 && lremovexattr(other, "user.a") == 0 && unlink(other) == 0);
    CHECK(fremovexattr(file, "user.empty") == 0 && listxattr(path, names, sizeof names) == 0);
    leave();
}

static void refused(void) {
    enter();
    static char large[65537];
    char name[300] = "user.";
    memset(name + 5, 'x', 251);
    CHECK_ERROR(setxattr(path, name, "", 0, 0), ERANGE);
    CHECK_ERROR(setxattr(path, "", "", 0, 0), ERANGE);
    CHECK_ERROR(setxattr(path, "user.a", large, sizeof large, 0), E2BIG);
    CHECK_ERROR(setxattr(path, "user.a", "", 0, 4), EINVAL);
    CHECK_ERROR(setxattr(path, "user.", "", 0, 0), EINVAL);
    CHECK_ERROR(setxattr(path, "none.a", "", 0, 0), EOPNOTSUPP);
    CHECK_ERROR(getxattr(path, "none.a", NULL, 0), EOPNOTSUPP);
    CHECK_ERROR(syscall(SYS_setxattr, path, "user.a", 1L, 1L, 0), EFAULT);
    CHECK_ERROR(setxattr("/none", "user.a", "", 0, 0), ENOENT);
    CHECK(symlink(path, other) == 0);
    CHECK_ERROR(lsetxattr(other, "user.a", "", 0, 0), EPERM);
    CHECK_ERROR(lgetxattr(other, "user.a", NULL, 0), ENODATA);
    CHECK(llistxattr(other, NULL, 0) == 0 && setxattr(other, "user.a", "x", 1, 0) == 0 && unlink(other) == 0);
    int place = open(path, O_PATH);
    CHECK_ERROR(fgetxattr(place, "user.a", NULL, 0), EBADF);
    CHECK(close(place) == 0 && fgetxattr(file, "user.a", NULL, 0) == 1);
    leave();
}

static void of_directories(void) {
    enter();
    CHECK(mkdir(other, 0700) == 0 && setxattr(other, "user.a", "x", 1, 0) == 0);
    CHECK(getxattr(other, "user.a", NULL, 0) == 1 && removexattr(other, "user.a") == 0 && rmdir(other) == 0);
    struct stat before, after;
    CHECK(stat(path, &before) == 0);
    pause_a_little();
    int watcher = inotify_init1(IN_NONBLOCK);
    CHECK(inotify_add_watch(watcher, path, IN_ALL_EVENTS) == 1 && setxattr(path, "user.a", "x", 1, 0) == 0);
    struct inotify_event event;
    CHECK(read(watcher, &event, sizeof event) == sizeof event && event.mask == IN_ATTRIB && close(watcher) == 0);
    CHECK(stat(path, &after) == 0 && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    CHECK(before.st_ctim.tv_sec != after.st_ctim.tv_sec || before.st_ctim.tv_nsec != after.st_ctim.tv_nsec);
    leave();
}

const struct test attribute_tests[] = {
    {"attributes_kept", kept}, {"attributes_refused", refused}, {"attributes_of_directories", of_directories},
    {NULL, NULL},
};
