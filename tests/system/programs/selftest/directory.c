// directory.c: directories, symbolic links, and paths relative to them.
#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

static const char *make_and_remove(void) {
    struct stat status;
    REQUIRE(mkdir("directory", 0755) == 0 && stat("directory", &status) == 0 && S_ISDIR(status.st_mode));
    REQUIRE(status.st_nlink == 2 && (status.st_mode & 07777) == 0755);
    REQUIRE_ERROR(mkdir("directory", 0755), EEXIST);
    REQUIRE(mkdir("directory/inner", 0700) == 0 && stat("directory", &status) == 0 && status.st_nlink == 3);
    REQUIRE_ERROR(rmdir("directory"), ENOTEMPTY);
    REQUIRE_ERROR(unlink("directory"), EISDIR);
    REQUIRE_ERROR(rmdir("directory/inner/."), EINVAL);
    REQUIRE(rename("directory/inner", "moved") == 0 && rmdir("moved") == 0);
    REQUIRE_ERROR(rename("directory", "directory/below"), EINVAL);
    REQUIRE(rmdir("directory") == 0);
    REQUIRE_ERROR(rmdir("directory"), ENOENT);
    return NULL;
}

static const char *reading(void) {
    enum { COUNT = 500 };
    static char seen[COUNT];
    char name[32];
    REQUIRE(mkdir("many", 0755) == 0);
    for (int index = 0; index < COUNT; index++) {
        snprintf(name, sizeof name, "many/entry-%d", index);
        REQUIRE(close(open(name, O_CREAT | O_WRONLY, 0600)) == 0);
    }
    DIR *directory = opendir("many");
    REQUIRE(directory);
    for (int round = 0; round < 2; round++) {
        int count = 0, dots = 0, index;
        memset(seen, 0, sizeof seen);
        struct dirent *entry;
        while ((entry = readdir(directory))) {
            if (sscanf(entry->d_name, "entry-%d", &index) == 1) {
                REQUIRE(index >= 0 && index < COUNT && !seen[index]++ && entry->d_type == DT_REG && entry->d_ino);
                count++;
            } else {
                REQUIRE((!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) && entry->d_type == DT_DIR);
                dots++;
            }
        }
        REQUIRE(count == COUNT && dots == 2);
        rewinddir(directory);
    }
    // Removal while reading: all must go, as `rm -r` wants it.
    struct dirent *entry;
    while ((entry = readdir(directory)))
        if (entry->d_name[0] != '.') REQUIRE(unlinkat(dirfd(directory), entry->d_name, 0) == 0);
    REQUIRE(closedir(directory) == 0 && rmdir("many") == 0);
    return NULL;
}

static const char *symbolic_links(void) {
    char text[64] = {0};
    struct stat status;
    REQUIRE(mkdir("target", 0755) == 0 && symlink("target", "link") == 0);
    REQUIRE(readlink("link", text, sizeof text) == 6 && strcmp(text, "target") == 0);
    REQUIRE(lstat("link", &status) == 0 && S_ISLNK(status.st_mode) && status.st_size == 6);
    REQUIRE(stat("link", &status) == 0 && S_ISDIR(status.st_mode));
    int file = open("link/../link/file", O_CREAT | O_WRONLY, 0600);
    REQUIRE(file >= 0 && close(file) == 0 && access("target/file", F_OK) == 0);
    REQUIRE_ERROR(open("link", O_RDONLY | O_NOFOLLOW), ELOOP);
    REQUIRE_ERROR(readlink("target", text, sizeof text), EINVAL);
    REQUIRE(symlink("loop-b", "loop-a") == 0 && symlink("loop-a", "loop-b") == 0);
    REQUIRE_ERROR(open("loop-a", O_RDONLY), ELOOP);
    REQUIRE(symlink("nowhere", "dangling") == 0);
    REQUIRE_ERROR(stat("dangling", &status), ENOENT);
    REQUIRE((file = open("dangling", O_CREAT | O_WRONLY, 0600)) >= 0 && close(file) == 0);
    REQUIRE(access("nowhere", F_OK) == 0);
    REQUIRE_ERROR(symlink("target", "link"), EEXIST);
    REQUIRE(unlink("link") == 0 && access("target/file", F_OK) == 0);
    REQUIRE(readlink("/proc/self/exe", text, sizeof text) > 0 && text[0] == '/');
    return NULL;
}

static const char *relative_paths(void) {
    char before[4096], path[4096];
    REQUIRE(getcwd(before, sizeof before) && mkdir("relative", 0755) == 0 && mkdir("relative/deep", 0755) == 0);
    int directory = open("relative", O_RDONLY | O_DIRECTORY);
    REQUIRE(directory >= 0);
    int file = openat(directory, "deep/../file", O_CREAT | O_RDWR, 0600);
    REQUIRE(file >= 0 && close(file) == 0 && access("relative/file", F_OK) == 0);
    struct stat status;
    REQUIRE(fstatat(directory, "file", &status, 0) == 0 && fstatat(directory, "", &status, AT_EMPTY_PATH) == 0);
    REQUIRE(S_ISDIR(status.st_mode));
    REQUIRE(mkdirat(directory, "more", 0700) == 0 && unlinkat(directory, "more", AT_REMOVEDIR) == 0);
    REQUIRE(renameat(directory, "file", AT_FDCWD, "came-out") == 0 && access("came-out", F_OK) == 0);
    REQUIRE(chdir("relative/deep") == 0 && getcwd(path, sizeof path));
    REQUIRE(strncmp(path, before, strlen(before)) == 0 && strcmp(path + strlen(before), "/relative/deep") == 0);
    REQUIRE(chdir("..") == 0 && fchdir(directory) == 0 && getcwd(path, sizeof path));
    REQUIRE(strcmp(path + strlen(before), "/relative") == 0);
    REQUIRE_ERROR(getcwd(path, 2) ? 0 : -1, ERANGE);
    REQUIRE_ERROR(chdir("/absent"), ENOENT);
    REQUIRE_ERROR(openat(999, "file", O_RDONLY), EBADF);
    REQUIRE(chdir(before) == 0 && close(directory) == 0);
    return NULL;
}

static const char *the_root(void) {
    struct stat root, above;
    REQUIRE(stat("/", &root) == 0 && stat("/..", &above) == 0 && root.st_ino == above.st_ino);
    REQUIRE(S_ISDIR(root.st_mode));
    struct stat status;
    REQUIRE(stat("/tmp", &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & 07777) == 01777);
    return NULL;
}

const struct test directory_tests[] = {
    {"make_and_remove", make_and_remove}, {"reading", reading},   {"symbolic_links", symbolic_links},
    {"relative_paths", relative_paths},   {"the_root", the_root}, {NULL, NULL},
};
