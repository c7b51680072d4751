// Processes that share by leave of clone(2): descriptors (CLONE_FILES), the place in the tree (CLONE_FS), handlers
// (CLONE_SIGHAND), with and without the same memory. Prints a line for each part, and what is wrong.
// "exec STATUS" as arguments: ends with that status if descriptor 50 is closed; with 99 if not.
#include "check.h"
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

// A process with memory of its own.
static pid_t apart(unsigned long flags)
{
    return syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
}

static pid_t apart3(uint64_t flags)
{
    uint64_t wish[8] = {flags, 0, 0, 0, SIGCHLD, 0, 0, 0};
    return syscall(SYS_clone3, wish, sizeof wish);
}

static int is_open(int number)
{
    return fcntl(number, F_GETFD) >= 0;
}

static void descriptors(void)
{
    int null = open("/dev/null", O_RDWR);
    pid_t child = apart(CLONE_FILES);
    if (child == 0) {
        int opened = dup2(null, 50);
        close(null);
        _exit(opened == 50 && fcntl(0, F_SETFD, FD_CLOEXEC) == 0 ? 7 : 1);
    }
    CHECK(exit_of(child) == 7);
    // The child's end closes nothing.
    CHECK(is_open(50) && !is_open(null) && fcntl(0, F_GETFD) == FD_CLOEXEC);
    fcntl(0, F_SETFD, 0);

    // What the parent does is seen by the child, which clone3(2) makes.
    int gate[2];
    CHECK(pipe(gate) == 0);
    child = apart3(CLONE_FILES);
    if (child == 0) {
        char byte;
        int waited = read(gate[0], &byte, 1) == 1;
        _exit(waited && !is_open(50) && is_open(51) ? 8 : 1);
    }
    CHECK(dup2(50, 51) == 51 && close(50) == 0 && write(gate[1], "x", 1) == 1);
    CHECK(exit_of(child) == 8 && is_open(51));

    // The same numbers under /proc.
    CHECK(pipe(gate) == 0);
    child = apart(CLONE_FILES);
    if (child == 0) {
        char byte;
        _exit(read(gate[0], &byte, 1) == 1 ? 9 : 1);
    }
    CHECK(dup2(51, 52) == 52);
    char path[64], target[64] = "";
    snprintf(path, sizeof path, "/proc/%d/fd/52", child);
    CHECK(readlink(path, target, sizeof target - 1) == 9 && strcmp(target, "/dev/null") == 0);
    CHECK(write(gate[1], "x", 1) == 1 && exit_of(child) == 9);
    close(52);
}

static void unshared(void)
{
    CHECK(dup2(51, 50) == 50);
    pid_t child = apart(CLONE_FILES);
    if (child == 0) {
        int alone = unshare(CLONE_FILES) == 0;
        _exit(alone && close(50) == 0 && dup2(51, 53) == 53 ? 4 : 1);
    }
    CHECK(exit_of(child) == 4 && is_open(50) && !is_open(53));
    // Who marks to be closed by execve(2) closes nothing for others.
    child = apart(CLONE_FILES);
    if (child == 0) {
        fcntl(50, F_SETFD, FD_CLOEXEC);
        execl("/proc/self/exe", "sharing", "exec", "6", NULL);
        _exit(1);
    }
    CHECK(exit_of(child) == 6 && is_open(50) && fcntl(50, F_GETFD) == FD_CLOEXEC);
    // The maker ends first, and the child's descriptors stay: of two generations that share.
    int told[2];
    CHECK(pipe(told) == 0);
    child = fork();
    if (child == 0) {
        int end[2];
        if (pipe(end) != 0)
            _exit(1);
        pid_t second = apart(CLONE_FILES);
        if (second == 0) {
            while (getppid() == child) {}
            usleep(20000);
            char byte = is_open(50) && is_open(told[1]) ? 'y' : 'n';
            _exit(write(told[1], &byte, 1) == 1 ? 0 : 1);
        }
        _exit(second > 0 ? 3 : 1);
    }
    CHECK(exit_of(child) == 3);
    char byte = 0;
    CHECK(read(told[0], &byte, 1) == 1 && byte == 'y');
    // The last one's end closes: the pipe has no writer any more.
    close(told[1]);
    CHECK(read(told[0], &byte, 1) == 0);
    close(told[0]);
    fcntl(50, F_SETFD, 0);
}

static void locks(void)
{
    int file = open("/tmp/sharing-locks", O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    CHECK(fcntl(file, F_SETLK, &all) == 0);
    // A lock belongs to the table: who shares it is not in its own way, who does not is.
    pid_t child = apart(CLONE_FILES);
    if (child == 0)
        _exit(fcntl(file, F_SETLK, &(struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET}) == 0 ? 2 : 1);
    CHECK(exit_of(child) == 2);
    child = apart(0);
    if (child == 0)
        _exit(fcntl(file, F_SETLK, &(struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET}) == -1 ? 2 : 1);
    CHECK(exit_of(child) == 2);
    close(file);
    unlink("/tmp/sharing-locks");
}

static void places(void)
{
    char here[256];
    CHECK(chdir("/") == 0 && (umask(022), 1));
    pid_t child = apart(CLONE_FS);
    if (child == 0)
        _exit(chdir("/tmp") == 0 && umask(077) == 022 ? 5 : 1);
    CHECK(exit_of(child) == 5);
    CHECK(getcwd(here, sizeof here) && strcmp(here, "/tmp") == 0 && umask(022) == 077);
    child = apart(CLONE_FS);
    if (child == 0)
        _exit(unshare(CLONE_FS) == 0 && chdir("/") == 0 && umask(0) == 022 ? 5 : 1);
    CHECK(exit_of(child) == 5);
    CHECK(getcwd(here, sizeof here) && strcmp(here, "/tmp") == 0 && umask(022) == 022);
    child = apart(0);
    if (child == 0)
        _exit(chdir("/") == 0 ? 5 : 1);
    CHECK(exit_of(child) == 5 && getcwd(here, sizeof here) && strcmp(here, "/tmp") == 0);
    CHECK(chdir("/") == 0);
}

static void handler(int signal)
{
    (void)signal;
}

static volatile int in_memory;

static int with_handlers(void *unused)
{
    (void)unused;
    in_memory = 1;
    signal(SIGUSR1, handler);
    signal(SIGUSR2, SIG_IGN);
    // Neither may be asked for: others have them too.
    int refused = unshare(CLONE_SIGHAND) == -1 && errno == EINVAL && unshare(CLONE_VM) == -1 && errno == EINVAL;
    return refused ? 11 : 1;
}

static int becomes_another(void *unused)
{
    (void)unused;
    execl("/proc/self/exe", "sharing", "exec", "12", NULL);
    return 1;
}

static void handlers(void)
{
    CHECK(apart(CLONE_SIGHAND) == -1 && errno == EINVAL);
    CHECK(apart(CLONE_THREAD) == -1 && errno == EINVAL);
    CHECK(apart3(CLONE_VM | CLONE_SIGHAND | (uint64_t)1 << 32) == -1 && errno == EINVAL);
    size_t size = 65536;
    char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGUSR1, SIG_DFL);
    pid_t child = clone(with_handlers, stack + size, CLONE_VM | CLONE_SIGHAND | CLONE_FILES | CLONE_FS | SIGCHLD, NULL);
    CHECK(exit_of(child) == 11 && in_memory == 1);
    struct sigaction action;
    CHECK(sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler == handler);
    CHECK(sigaction(SIGUSR2, NULL, &action) == 0 && action.sa_handler == SIG_IGN);
    CHECK(unshare(CLONE_SIGHAND) == 0);
    // Without the flag they are a copy, and another program's are its own.
    child = fork();
    if (child == 0) {
        signal(SIGUSR1, SIG_DFL);
        _exit(0);
    }
    CHECK(exit_of(child) == 0 && sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler == handler);
    close(50);
    child = clone(becomes_another, stack + size, CLONE_VM | CLONE_SIGHAND | CLONE_VFORK | SIGCHLD, NULL);
    CHECK(exit_of(child) == 12 && sigaction(SIGUSR1, NULL, &action) == 0 && action.sa_handler == handler);
    signal(SIGUSR1, SIG_DFL);
    signal(SIGUSR2, SIG_DFL);
    munmap(stack, size);
}

int main(int count, char **words)
{
    if (count == 3)
        return is_open(50) ? 99 : atoi(words[2]);
    alarm(60);
    part("descriptors", descriptors);
    part("unshared", unshared);
    part("locks", locks);
    part("places", places);
    part("handlers", handlers);
    return wrong != 0;
}
