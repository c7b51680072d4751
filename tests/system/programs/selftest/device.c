// device.c: the devices in /dev and the process's own files in /proc.
#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char *null_and_zero(void) {
    static char page[5000];
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR), full = open("/dev/full", O_RDWR);
    REQUIRE(null >= 0 && zero >= 0 && full >= 0);
    memset(page, 1, sizeof page);
    REQUIRE(read(null, page, 5) == 0 && write(null, page, sizeof page) == sizeof page);
    REQUIRE(read(zero, page, sizeof page) == sizeof page && page[0] == 0 && page[4999] == 0);
    REQUIRE(write(zero, page, sizeof page) == sizeof page);
    REQUIRE_ERROR(write(full, page, 1), ENOSPC);
    REQUIRE(read(full, page, 1) == 1);
    struct stat status;
    REQUIRE(fstat(null, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == 0x103);
    return close(null) == 0 && close(zero) == 0 && close(full) == 0 ? NULL : "close";
}

static const char *random_bytes(void) {
    static const char *const names[] = {"/dev/random", "/dev/urandom"};
    unsigned char bytes[2][256];
    for (int index = 0; index < 2; index++) {
        int file = open(names[index], O_RDONLY), ones = 0;
        REQUIRE(file >= 0 && read(file, bytes[index], 256) == 256 && close(file) == 0);
        for (int byte = 0; byte < 256; byte++) ones += __builtin_popcount(bytes[index][byte]);
        REQUIRE(ones > 800 && ones < 1248);
    }
    REQUIRE(memcmp(bytes[0], bytes[1], 256) != 0);
    return NULL;
}

// A whole small file as text.
static char *contents(const char *name) {
    static char text[1 << 16];
    int file = open(name, O_RDONLY);
    if (file < 0) return NULL;
    size_t length = 0;
    ssize_t count;
    while ((count = read(file, text + length, sizeof text - 1 - length)) > 0) length += count;
    text[length] = 0;
    close(file);
    return count < 0 ? NULL : text;
}

static const char *proc_self(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    REQUIRE(length > 0);
    path[length] = 0;
    struct stat by_path, by_link;
    REQUIRE(stat(path, &by_path) == 0 && stat("/proc/self/exe", &by_link) == 0);
    REQUIRE(by_path.st_ino == by_link.st_ino && S_ISREG(by_path.st_mode) && (by_path.st_mode & 0111));
    char *text = contents("/proc/self/stat");
    int process, parent;
    char state;
    REQUIRE(text && sscanf(text, "%d (%*[^)]) %c %d", &process, &state, &parent) == 3);
    REQUIRE(process == getpid() && state == 'R' && parent == getppid());
    return NULL;
}

static const char *proc_maps(void) {
    char *text = contents("/proc/self/maps");
    uintptr_t code = (uintptr_t)proc_maps, stack = (uintptr_t)&text;
    int code_seen = 0, stack_seen = 0;
    REQUIRE(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long start, end;
        char rights[8];
        REQUIRE(sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && start < end && strlen(rights) == 4);
        REQUIRE(!(rights[1] == 'w' && rights[2] == 'x'));
        if (code >= start && code < end) code_seen = rights[2] == 'x' && strchr(line, '/');
        if (stack >= start && stack < end) stack_seen = rights[1] == 'w' && strstr(line, "[stack]");
    }
    REQUIRE(code_seen && stack_seen);
    return NULL;
}

static const char *proc_machine(void) {
    char *text = contents("/proc/meminfo"), *field;
    unsigned long total, unused;
    REQUIRE(text && (field = strstr(text, "MemTotal:")) && sscanf(field, "MemTotal: %lu kB", &total) == 1);
    REQUIRE((field = strstr(text, "MemFree:")) && sscanf(field, "MemFree: %lu kB", &unused) == 1);
    REQUIRE(total > 1024 && unused <= total);
    REQUIRE((text = contents("/proc/cpuinfo")) && strstr(text, "processor\t: 0"));
    return NULL;
}

const struct test device_tests[] = {
    {"null_and_zero", null_and_zero}, {"random_bytes", random_bytes}, {"proc_self", proc_self},
    {"proc_maps", proc_maps},         {"proc_machine", proc_machine}, {NULL, NULL},
};
