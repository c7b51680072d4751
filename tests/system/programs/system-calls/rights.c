// rights.c: what writing, cutting, giving away and moving files does to their bits and times, for root and for others.
#include "tests.h"

#include <sys/sendfile.h>

enum { OTHER = 65534 };

// A directory of this program's own in TMPDIR, which everybody may change.
static char place[256], path[300], other[300];

static void enter(void) {
    const char *above = getenv("TMPDIR");
    snprintf(place, sizeof place, "%s/system-calls-XXXXXX", above ? above : "/tmp");
    CHECK(mkdtemp(place) && chmod(place, 0777) == 0);
    snprintf(path, sizeof path, "%s/one", place);
    snprintf(other, sizeof other, "%s/two", place);
}

static void leave(void) { CHECK(rmdir(place) == 0); }

static int make(mode_t mode) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(file >= 0 && write(file, "contents", 8) == 8 && fchmod(file, mode) == 0);
    return file;
}

static mode_t mode_of(int file) {
    struct stat status;
    CHECK(fstat(file, &status) == 0);
    return status.st_mode & 07777;
}

static void write_once(int file) { CHECK(pwrite(file, "x", 1, 0) == 1); }
static void write_vectors(int file) { CHECK(writev(file, &(struct iovec){"x", 1}, 1) == 1); }
static void cut(int file) { CHECK(ftruncate(file, 4) == 0); }
static void cut_by_name(int file) {
    (void)file;
    CHECK(truncate(path, 4) == 0);
}
static void cut_at_open(int file) {
    (void)file;
    CHECK(close(open(path, O_WRONLY | O_TRUNC)) == 0);
}
static void send_there(int file) {
    int from = make_file("bytes");
    CHECK(sendfile(file, from, &(off_t){0}, 5) == 5 && close(from) == 0);
}
static void allocate(int file) { CHECK(fallocate(file, 0, 0, 100) == 0); }

static void bits_are_lost(void) {
    if (geteuid() != 0)
        return;
    void (*const ways[])(int) = {write_once, write_vectors, cut, cut_by_name, cut_at_open, send_there, allocate};
    enter();
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        int file = make(06777);
        ways[way](file);
        CHECK(mode_of(file) == 06777);
        CHECK(seteuid(OTHER) == 0);
        ways[way](file);
        CHECK(seteuid(0) == 0 && mode_of(file) == 0777);
        CHECK(close(file) == 0);
    }
    // Nothing is written; the set-group-ID bit without the group's right to execute, for who is not in the group.
    int file = make(06766);
    CHECK(seteuid(OTHER) == 0 && write(file, "", 0) == 0 && mode_of(file) == 06766);
    CHECK(write(file, "x", 1) == 1 && mode_of(file) == 02766);
    CHECK(seteuid(0) == 0 && fchmod(file, 06766) == 0 && setegid(OTHER) == 0 && seteuid(OTHER) == 0);
    CHECK(write(file, "x", 1) == 1 && mode_of(file) == 0766);
    CHECK(seteuid(0) == 0 && setegid(0) == 0 && fchmod(file, 04666) == 0 && close(file) == 0);
    // A file that has its bits from before it is opened.
    CHECK((file = open(path, O_RDWR)) >= 0 && seteuid(OTHER) == 0);
    CHECK(write(file, "x", 1) == 1 && mode_of(file) == 0666 && seteuid(0) == 0 && close(file) == 0);
    CHECK(unlink(path) == 0);
    leave();
}

static void given_away(void) {
    if (geteuid() != 0)
        return;
    enter();
    int file = make(06700);
    CHECK(chown(path, 700, 701) == 0 && mode_of(file) == 02700);
    CHECK(fchmod(file, 06710) == 0 && fchown(file, 702, -1) == 0 && mode_of(file) == 0710);
    CHECK(fchmod(file, 0644) == 0 && seteuid(OTHER) == 0);
    CHECK(chown(path, -1, -1) == 0);
    CHECK_ERROR(chown(path, OTHER, -1), EPERM);
    CHECK_ERROR(chown(path, -1, OTHER), EPERM);
    CHECK_ERROR(chown(path, 702, -1), EPERM);
    CHECK(seteuid(0) == 0 && fchmod(file, 04755) == 0 && seteuid(OTHER) == 0);
    CHECK_ERROR(chown(path, -1, -1), EPERM);
    CHECK(seteuid(0) == 0 && mode_of(file) == 04755 && chown(path, -1, -1) == 0 && mode_of(file) == 0755);
    CHECK(close(file) == 0 && unlink(path) == 0);
    leave();
}

static int exchange(const char *one, const char *two) {
    return syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, two, 2 /* RENAME_EXCHANGE */);
}

// A directory that goes elsewhere has another `..`: only who may write it may move it there.
static void directories_move(void) {
    if (geteuid() != 0)
        return;
    enter();
    char inside[400], third[400];
    snprintf(inside, sizeof inside, "%s/inside", path);
    snprintf(third, sizeof third, "%s/third", other);
    CHECK(mkdir(path, 0777) == 0 && mkdir(other, 0777) == 0 && chmod(path, 0777) == 0 && chmod(other, 0777) == 0);
    CHECK(mkdir(inside, 0755) == 0 && seteuid(OTHER) == 0);
    CHECK_ERROR(rename(inside, third), EACCES);
    char again[400];
    snprintf(again, sizeof again, "%s/again", path);
    CHECK(rename(inside, again) == 0 && rename(again, inside) == 0 && mkdir(third, 0755) == 0);
    CHECK_ERROR(exchange(third, inside), EACCES);
    CHECK(rmdir(third) == 0 && seteuid(0) == 0 && chmod(inside, 0777) == 0 && seteuid(OTHER) == 0);
    CHECK(rename(inside, third) == 0 && seteuid(0) == 0);
    CHECK(rmdir(third) == 0 && rmdir(path) == 0 && rmdir(other) == 0);
    leave();
}

static struct timespec changed(const char *name) {
    struct stat status;
    CHECK(lstat(name, &status) == 0);
    return status.st_ctim;
}

static int differ(struct timespec one, struct timespec two) {
    return one.tv_sec != two.tv_sec || one.tv_nsec != two.tv_nsec;
}

static void moving_is_a_change(void) {
    enter();
    char third[300];
    snprintf(third, sizeof third, "%s/three", place);
    CHECK(close(make(0600)) == 0 && mkdir(other, 0700) == 0);
    struct timespec file = changed(path), directory = changed(other);
    tick();
    CHECK(rename(path, third) == 0 && differ(changed(third), file));
    CHECK(rename(other, path) == 0 && differ(changed(path), directory));
    file = changed(third), directory = changed(path);
    tick();
    CHECK(exchange(third, path) == 0);
    CHECK(differ(changed(path), file) && differ(changed(third), directory));
    CHECK(symlink("x", other) == 0);
    struct timespec link = changed(other);
    tick();
    CHECK(rename(other, path) == 0 && differ(changed(path), link));
    CHECK(unlink(path) == 0 && rmdir(third) == 0);
    leave();
}

const struct test right_tests[] = {
    {"rights_bits_are_lost", bits_are_lost}, {"rights_given_away", given_away},
    {"rights_directories_move", directories_move}, {"rights_moving_is_a_change", moving_is_a_change},
    {NULL, NULL},
};
