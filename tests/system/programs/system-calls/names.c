// names.c: what is told about other threads, by their numbers: names, states, signals (proc(5)), and what else is one
// for all: name spaces, the domain.
#include "tests.h"

#include <dirent.h>
#include <sys/utsname.h>

// A thread that waits to be let go.
static int gate[2];
static atomic_int waiter, handled;

static void *wait_at_gate(void *unused) {
    char byte;
    waiter = (int)thread_id();
    REQUIRE(read(gate[0], &byte, 1) == 1);
    return unused;
}

static pthread_t begin(void) {
    waiter = 0;
    CHECK(pipe(gate) == 0);
    pthread_t thread = start_thread(wait_at_gate, NULL);
    AWAIT(waiter);
    return thread;
}

static void end(pthread_t thread) {
    CHECK(write(gate[1], "x", 1) == 1);
    join_thread(thread);
    CHECK(close(gate[0]) == 0 && close(gate[1]) == 0);
}

// What a file says, whose name has a number in it; empty if it is not there.
static char *text(const char *format, int number) {
    static char path[80], bytes[8192];
    snprintf(path, sizeof path, format, number);
    int file = open(path, O_RDONLY);
    ssize_t length = file < 0 ? 0 : read(file, bytes, sizeof bytes - 1);
    if (file >= 0) close(file);
    bytes[length < 0 ? 0 : length] = 0;
    return bytes;
}

static void of_threads(void) {
    pthread_t thread = begin();
    char name[16];
    CHECK(pthread_setname_np(thread, "other") == 0 && pthread_getname_np(thread, name, 16) == 0 && !strcmp(name, "other"));
    CHECK(!strcmp(text("/proc/self/task/%d/comm", waiter), "other\n"));
    CHECK(!strcmp(text("/proc/%d/comm", waiter), "other\n") && strcmp(text("/proc/self/comm", 0), "other\n"));
    char path[80];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", waiter);
    struct stat status;
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0644 && status.st_uid == geteuid());
    int file = open(path, O_RDWR);
    CHECK(file >= 0 && write(file, "more than fifteen letters", 25) == 25 && close(file) == 0);
    CHECK(pthread_getname_np(thread, name, 16) == 0 && !strcmp(name, "more than fifte"));
    CHECK((file = open("/proc/thread-self/comm", O_WRONLY)) >= 0 && write(file, "me", 2) == 2 && close(file) == 0);
    CHECK(pthread_getname_np(pthread_self(), name, 16) == 0 && !strcmp(name, "me"));
    CHECK(!strcmp(text("/proc/self/comm", 0), "me\n"));
    end(thread);
}

static void of_states(void) {
    pthread_t thread = begin();
    CHECK(pthread_setname_np(thread, "waits") == 0);
    int number;
    char name[32], state;
    // It is about to sleep.
    AWAIT(sscanf(text("/proc/self/task/%d/stat", waiter), "%d (%31[^)]) %c", &number, name, &state) == 3 && state == 'S');
    CHECK(number == waiter && !strcmp(name, "waits"));
    CHECK(sscanf(text("/proc/self/stat", 0), "%d", &number) == 1 && number == getpid());
    CHECK(sscanf(text("/proc/thread-self/stat", 0), "%*d (%31[^)]) %c", name, &state) == 2 && state == 'R');
    // A thread that was joined before may still be on its way out.
    AWAIT(strstr(text("/proc/self/status", 0), "\nThreads:\t2\n"));
    char *status = text("/proc/%d/status", waiter), line[64];
    snprintf(line, sizeof line, "\nPid:\t%d\n", waiter);
    CHECK(strstr(status, "Name:\twaits\n") == status && strstr(status, "\nState:\tS (sleeping)\n") && strstr(status, line));
    snprintf(line, sizeof line, "\nTgid:\t%d\n", getpid());
    CHECK(strstr(status, line) && strstr(status, "\nThreads:\t2\n") && strstr(status, "\nSigBlk:\t0000000000000000\n"));
    mask_signal(SIG_BLOCK, SIGUSR2);
    CHECK(strstr(text("/proc/thread-self/status", 0), "\nSigBlk:\t0000000000000800\n"));
    CHECK(strstr(text("/proc/self/task/%d/status", waiter), "\nSigBlk:\t0000000000000000\n"));
    mask_signal(SIG_UNBLOCK, SIGUSR2);
    int threads = 0, found = 0, among_processes = 0;
    DIR *directory = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(directory));) {
        threads += entry->d_name[0] != '.';
        found += atoi(entry->d_name) == waiter;
    }
    CHECK(closedir(directory) == 0 && threads == 2 && found == 1 && (directory = opendir("/proc")));
    for (struct dirent *entry; (entry = readdir(directory));)
        among_processes += atoi(entry->d_name) == waiter;
    CHECK(closedir(directory) == 0 && among_processes == 0);
    end(thread);
    AWAIT(!*text("/proc/self/task/%d/stat", waiter));
    char path[80];
    snprintf(path, sizeof path, "/proc/self/task/%d", waiter);
    CHECK_ERROR(access(path, F_OK), ENOENT);
    snprintf(path, sizeof path, "/proc/%d", waiter);
    CHECK_ERROR(access(path, F_OK), ENOENT);
}

static void count(int number, siginfo_t *information, void *context) {
    (void)number, (void)context;
    handled += information->si_code == SI_USER || information->si_value.sival_int == 7;
}

// A thread's number names its process, to kill(2) and sigqueue(3).
static void of_targets(void) {
    pthread_t thread = begin();
    handle(SIGUSR1, count, SA_RESTART);
    handled = 0;
    siginfo_t information;
    memset(&information, 0, sizeof information);
    information.si_code = SI_QUEUE;
    information.si_value.sival_int = 7;
    CHECK(kill(waiter, 0) == 0 && kill(waiter, SIGUSR1) == 0);
    AWAIT(handled == 1);
    CHECK(syscall(SYS_rt_sigqueueinfo, (int)waiter, SIGUSR1, &information) == 0);
    AWAIT(handled == 2);
    CHECK_ERROR(kill(-waiter, 0), ESRCH);
    end(thread);
    AWAIT(kill(waiter, 0) == -1);
    CHECK_ERROR(kill(waiter, 0), ESRCH);
    CHECK_ERROR(syscall(SYS_rt_sigqueueinfo, (int)waiter, SIGUSR1, &information), ESRCH);
    signal(SIGUSR1, SIG_DFL);
}

static void of_spaces(void) {
    static const char *const names[] = {"cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time", "time_for_children",
                                        "user", "uts"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        char path[80], target[80] = "", kind[32];
        unsigned long number;
        snprintf(path, sizeof path, "/proc/self/ns/%s", names[index]);
        CHECK(readlink(path, target, sizeof target - 1) > 0);
        CHECK(sscanf(target, "%31[a-z]:[%lu]", kind, &number) == 2 && !strncmp(kind, names[index], strlen(kind)));
        struct stat status;
        int file = open(path, O_RDONLY);
        CHECK(file >= 0 && fstat(file, &status) == 0 && status.st_ino == number && S_ISREG(status.st_mode));
        CHECK_ERROR(read(file, target, 1), EINVAL);
        CHECK(stat(path, &status) == 0 && status.st_ino == number && close(file) == 0);
    }
    char domain[80];
    struct utsname system;
    CHECK(uname(&system) == 0 && snprintf(domain, sizeof domain, "%s\n", system.domainname) > 1);
    CHECK(!strcmp(text("/proc/sys/kernel/domainname", 0), domain));
}

const struct test name_tests[] = {
    {"names_of_threads", of_threads}, {"names_of_states", of_states}, {"names_of_targets", of_targets},
    {"names_of_spaces", of_spaces}, {NULL, NULL},
};
