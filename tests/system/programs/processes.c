// Processes as Linux has them: fork(2), vfork(2), clone(2), execve(2), wait(2), groups, sessions, and what children
// have of their parents. Prints a line for each part, and what is wrong. "exec STATUS" as arguments: ends with that
// status.
#include "check.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>

// What musl's headers lack, of linux/futex.h and linux/sched.h.
enum { WAIT_FOR_WORD = 0, WAKE_WORD = 1, WITH_DESCRIPTOR = 0x1000, BY_DESCRIPTOR = 3 };

struct wish {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

extern char **environ;
static const char *self;

static int status_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

static int word = 5;

static void forks(void)
{
    int on_stack = 7;
    int *on_heap = malloc(sizeof *on_heap);
    *on_heap = 9;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        int right = word == 5 && on_stack == 7 && *on_heap == 9 && getppid() == parent && getpid() != parent
            && gettid() == getpid();
        word = on_stack = *on_heap = 1;
        _exit(right ? 42 : 1);
    }
    CHECK(child > 0);
    CHECK(exit_of(child) == 42);
    CHECK(word == 5 && on_stack == 7 && *on_heap == 9);
    CHECK(waitpid(child, NULL, 0) == -1 && errno == ECHILD);
    for (int turn = 0; turn < 50; turn++) {
        child = fork();
        if (child == 0)
            _exit(turn);
        CHECK(exit_of(child) == turn);
    }
    free(on_heap);
}

static void waits(void)
{
    int status;
    struct rusage usage;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    CHECK(waitpid(child, &status, WNOHANG) == 0);
    siginfo_t told;
    memset(&told, 1, sizeof told);
    CHECK(waitid(P_PID, child, &told, WEXITED | WNOHANG) == 0 && told.si_pid == 0);
    kill(child, SIGSTOP);
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
    CHECK(waitpid(child, &status, WUNTRACED | WNOHANG) == 0);
    kill(child, SIGCONT);
    CHECK(waitid(P_PID, child, &told, WCONTINUED) == 0 && told.si_code == CLD_CONTINUED && told.si_pid == child);
    kill(child, SIGTERM);
    CHECK(waitid(P_PID, child, &told, WEXITED | WNOWAIT) == 0 && told.si_code == CLD_KILLED);
    CHECK(told.si_status == SIGTERM && told.si_signo == SIGCHLD);
    CHECK(kill(child, 0) == 0);
    CHECK(wait4(child, &status, 0, &usage) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    CHECK(kill(child, 0) == -1 && errno == ESRCH);
    CHECK(waitid(P_ALL, 0, &told, WEXITED) == -1 && errno == ECHILD);
    CHECK(wait4(-1, &status, 0x1000, NULL) == -1 && errno == EINVAL);
    pid_t children[8];
    for (int turn = 0; turn < 8; turn++)
        if ((children[turn] = fork()) == 0)
            _exit(turn);
    int seen = 0;
    for (int turn = 0; turn < 8; turn++) {
        pid_t ended = wait(&status);
        for (int index = 0; index < 8; index++)
            if (ended == children[index] && WEXITSTATUS(status) == index)
                seen |= 1 << index;
    }
    CHECK(seen == 0xff);
}

static volatile sig_atomic_t caught;
static siginfo_t caught_with;

static void note(int signal, siginfo_t *information, void *context)
{
    (void)context;
    caught = signal;
    caught_with = *information;
}

static void handle(int signal, int flags)
{
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO | flags};
    sigaction(signal, &action, NULL);
}

static void child_signals(void)
{
    caught = 0;
    handle(SIGCHLD, 0);
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &old);
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    while (!caught)
        sigsuspend(&old);
    CHECK(caught_with.si_pid == child && caught_with.si_status == 3 && caught_with.si_code == CLD_EXITED);
    CHECK(caught_with.si_uid == getuid());
    sigprocmask(SIG_SETMASK, &old, NULL);
    CHECK(exit_of(child) == 3);
    signal(SIGCHLD, SIG_IGN);
    child = fork();
    if (child == 0)
        _exit(0);
    CHECK(waitpid(child, NULL, 0) == -1 && errno == ECHILD);
    CHECK(kill(child, 0) == -1 && errno == ESRCH);
    struct sigaction no_zombies = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    sigaction(SIGCHLD, &no_zombies, NULL);
    child = fork();
    if (child == 0)
        _exit(0);
    CHECK(wait(NULL) == -1 && errno == ECHILD);
    signal(SIGCHLD, SIG_DFL);
    handle(SIGUSR1, 0);
    child = fork();
    if (child == 0) {
        raise(SIGUSR1);
        _exit(caught == SIGUSR1 && caught_with.si_pid == getpid() ? 0 : 1);
    }
    CHECK(exit_of(child) == 0);
    signal(SIGUSR1, SIG_DFL);
}

static void executes(void)
{
    char *const arguments[] = {(char *)self, "exec", "33", NULL};
    pid_t child = fork();
    if (child == 0) {
        execv(self, arguments);
        _exit(1);
    }
    CHECK(exit_of(child) == 33);
    child = vfork();
    if (child == 0) {
        execv(self, arguments);
        _exit(1);
    }
    CHECK(exit_of(child) == 33);
    child = vfork();
    if (child == 0) {
        execv("/nowhere", arguments);
        word = errno;
        _exit(4);
    }
    CHECK(exit_of(child) == 4 && word == ENOENT);
    word = 5;
    CHECK(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0);
    CHECK(exit_of(child) == 33);
    CHECK(posix_spawn(&child, "/nowhere", NULL, NULL, arguments, environ) == ENOENT);
    int ends[2];
    CHECK(pipe2(ends, O_CLOEXEC) == 0);
    child = fork();
    if (child == 0) {
        execv(self, arguments);
        _exit(1);
    }
    close(ends[1]);
    char byte;
    CHECK(read(ends[0], &byte, 1) == 0);
    close(ends[0]);
    CHECK(exit_of(child) == 33);
    CHECK(setpgid(child, child) == -1 && errno == ESRCH);
    child = fork();
    if (child == 0) {
        char *const waits[] = {(char *)self, "wait", NULL};
        execv(self, waits);
        _exit(1);
    }
    while (setpgid(child, child) == 0)
        usleep(1000);
    CHECK(errno == EACCES);
    kill(child, SIGKILL);
    CHECK(WTERMSIG(status_of(child)) == SIGKILL);
}

static void descriptors(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(write(ends[1], "hello", 5) == 5 ? 0 : 1);
    }
    close(ends[1]);
    char bytes[8] = "";
    CHECK(read(ends[0], bytes, 8) == 5 && strcmp(bytes, "hello") == 0);
    CHECK(read(ends[0], bytes, 8) == 0);
    close(ends[0]);
    CHECK(exit_of(child) == 0);
    int file = memfd_create("shared", 0);
    CHECK(write(file, "abcdef", 6) == 6 && lseek(file, 0, SEEK_SET) == 0);
    child = fork();
    if (child == 0)
        _exit(read(file, bytes, 2) == 2 && close(file) == 0 ? 0 : 1);
    CHECK(exit_of(child) == 0);
    CHECK(lseek(file, 0, SEEK_CUR) == 2);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    CHECK(fcntl(file, F_SETLK, &lock) == 0);
    child = fork();
    if (child == 0) {
        int refused = fcntl(file, F_SETLK, &lock) == -1 && errno == EAGAIN;
        int told = fcntl(file, F_GETLK, &lock) == 0 && lock.l_pid == getppid();
        _exit(refused && told ? 0 : 1);
    }
    CHECK(exit_of(child) == 0);
    close(file);
}

/* A page that each child stores into, and the parent too, in turn, under rights that change. */
static void same_pages(void)
{
    volatile int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int round = 1; round <= 6; round++) {
        if (round % 2)
            *page = round;
        int before = *page;
        pid_t child = fork();
        if (child == 0) {
            int seen = *page;
            *page = -round;
            _exit(seen == before && *page == -round ? 0 : 1);
        }
        CHECK(exit_of(child) == 0);
        CHECK(*page == before);
    }
    mprotect((void *)page, 4096, PROT_READ);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        *page = 1;
        _exit(0);
    }
    int status = status_of(child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    child = fork();
    if (child == 0) {
        mprotect((void *)page, 4096, PROT_READ | PROT_WRITE);
        *page = 9;
        _exit(*page == 9 ? 0 : 1);
    }
    CHECK(exit_of(child) == 0);
    mprotect((void *)page, 4096, PROT_READ | PROT_WRITE);
    CHECK(*page == 5);
    *page = 7;
    child = fork();
    if (child == 0)
        _exit(*page == 7 ? 0 : 1);
    CHECK(exit_of(child) == 0);
    munmap((void *)page, 4096);
}

static void memory(void)
{
    int *shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *private = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    int *attached = shmat(segment, NULL, 0);
    *private = 1;
    pid_t child = fork();
    if (child == 0) {
        *shared = *attached = 11;
        shared[1024] = 12;
        *private = 13;
        struct shmid_ds told;
        shmctl(segment, IPC_STAT, &told);
        _exit(told.shm_nattch);
    }
    CHECK(exit_of(child) == 2);
    CHECK(*shared == 11 && shared[1024] == 12 && *attached == 11 && *private == 1);
    struct shmid_ds told;
    CHECK(shmctl(segment, IPC_STAT, &told) == 0 && told.shm_nattch == 1);
    shmdt(attached);
    shmctl(segment, IPC_RMID, NULL);
    *shared = 0;
    child = fork();
    if (child == 0) {
        while (syscall(SYS_futex, shared, WAKE_WORD, 1, NULL, NULL, 0) == 0)
            usleep(1000);
        _exit(0);
    }
    CHECK(syscall(SYS_futex, shared, WAIT_FOR_WORD, 0, NULL, NULL, 0) == 0);
    CHECK(exit_of(child) == 0);
    munmap(shared, 8192);
    munmap(private, 8192);
    same_pages();
    int set = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf up = {.sem_op = 1, .sem_flg = SEM_UNDO};
    child = fork();
    if (child == 0)
        _exit(semop(set, &up, 1) == 0 && semctl(set, 0, GETVAL) == 1 ? 0 : 1);
    CHECK(exit_of(child) == 0);
    CHECK(semctl(set, 0, GETVAL) == 0);
    semctl(set, 0, IPC_RMID);
}

static void groups(void)
{
    pid_t child = fork();
    if (child == 0) {
        int right = getpgrp() == getpgid(getppid()) && setpgid(0, 0) == 0 && getpgrp() == getpid()
            && setsid() == -1 && errno == EPERM;
        while (right)
            pause();
        _exit(1);
    }
    while (getpgid(child) != child)
        usleep(1000);
    pid_t second = fork();
    if (second == 0)
        for (;;)
            pause();
    CHECK(setpgid(second, child) == 0 && getpgid(second) == child);
    CHECK(setpgid(second, 999999) == -1 && errno == EPERM);
    int status;
    CHECK(waitpid(-child, &status, WNOHANG) == 0);
    CHECK(kill(-child, SIGKILL) == 0);
    CHECK(waitpid(-child, &status, 0) > 0 && waitpid(-child, &status, 0) > 0);
    CHECK(waitpid(-child, &status, 0) == -1 && errno == ECHILD);
    CHECK(kill(-child, SIGKILL) == -1 && errno == ESRCH);
    child = fork();
    if (child == 0)
        _exit(setsid() == getpid() && getsid(0) == getpid() && getpgrp() == getpid() ? 0 : 1);
    CHECK(exit_of(child) == 0);
}

static void orphans(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    pid_t child = fork();
    if (child == 0) {
        pid_t orphan = fork();
        if (orphan == 0) {
            char byte;
            close(ends[1]);
            // Until the parent has ended.
            CHECK(read(ends[0], &byte, 1) == 0);
            _exit(55);
        }
        _exit(0);
    }
    CHECK(exit_of(child) == 0);
    close(ends[1]);
    close(ends[0]);
    int status;
    CHECK(wait(&status) > 0 && WEXITSTATUS(status) == 55);
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 0) == 0);
    child = fork();
    if (child == 0) {
        pid_t second = fork();
        if (second == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                pause();
        }
        usleep(20000);
        _exit(second > 0 ? 0 : 1);
    }
    CHECK(exit_of(child) == 0);
}

static void by_descriptor(void)
{
    struct wish arguments = {.flags = WITH_DESCRIPTOR, .exit_signal = SIGCHLD};
    int descriptor = -1;
    arguments.pidfd = (uintptr_t)&descriptor;
    pid_t child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0)
        for (;;)
            pause();
    CHECK(child > 0 && descriptor >= 0);
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    CHECK(poll(&polled, 1, 0) == 0);
    CHECK(syscall(SYS_pidfd_send_signal, descriptor, SIGTERM, NULL, 0) == 0);
    CHECK(poll(&polled, 1, 10000) == 1 && polled.revents == POLLIN);
    siginfo_t told;
    CHECK(waitid((idtype_t)BY_DESCRIPTOR, descriptor, &told, WEXITED) == 0 && told.si_pid == child);
    CHECK(syscall(SYS_pidfd_send_signal, descriptor, SIGTERM, NULL, 0) == -1 && errno == ESRCH);
    close(descriptor);
}

static void *sleeps(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void *forks_too(void *nothing)
{
    for (int turn = 0; turn < 20; turn++) {
        pid_t child = fork();
        if (child == 0)
            _exit(turn);
        CHECK(exit_of(child) == turn);
    }
    return nothing;
}

static void threads(void)
{
    pthread_t others[4];
    for (int index = 0; index < 4; index++)
        pthread_create(&others[index], NULL, index < 2 ? sleeps : forks_too, NULL);
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleeps, NULL);
        kill(getpid(), SIGKILL);
    }
    CHECK(WTERMSIG(status_of(child)) == SIGKILL);
    child = fork();
    if (child == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleeps, NULL);
        exit(6);
    }
    CHECK(exit_of(child) == 6);
    pthread_join(others[2], NULL);
    pthread_join(others[3], NULL);
}

static void many(void)
{
    enum { COUNT = 100 };
    pid_t children[COUNT];
    int ends[2];
    CHECK(pipe(ends) == 0);
    for (int index = 0; index < COUNT; index++)
        if ((children[index] = fork()) == 0) {
            char byte;
            close(ends[1]);
            _exit(read(ends[0], &byte, 1) == 0 ? index : 255);
        }
    close(ends[1]);
    for (int index = COUNT; index-- > 0;)
        CHECK(exit_of(children[index]) == index);
    close(ends[0]);
}

static const struct part {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"forks", forks}, {"waits", waits}, {"child_signals", child_signals}, {"executes", executes},
    {"descriptors", descriptors}, {"memory", memory}, {"groups", groups}, {"orphans", orphans},
    {"by_descriptor", by_descriptor}, {"threads", threads}, {"many", many},
};

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "exec") == 0)
        return atoi(arguments[2]);
    if (count == 2 && strcmp(arguments[1], "wait") == 0)
        for (;;)
            pause();
    self = arguments[0];
    setvbuf(stdout, NULL, _IONBF, 0);
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
        if (count > 1 && strcmp(arguments[1], parts[index].name) != 0)
            continue;
        int before = wrong;
        parts[index].run();
        printf("%s: %s\n", parts[index].name, wrong == before ? "ok" : "wrong");
    }
    return wrong != 0;
}
