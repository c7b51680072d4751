// processes.c: the process as a descriptor (pidfd_open(2), pidfd_send_signal(2)).
#include "tests.h"
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

static volatile sig_atomic_t came, word;

static void handler(int signal, siginfo_t *information, void *context) {
    (void)context;
    came = signal, word = information->si_code == SI_QUEUE ? information->si_value.sival_int : information->si_pid;
}

static int opened(void) { return (int)syscall(SYS_pidfd_open, getpid(), 0); }

static void send_to_it(void) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    siginfo_t told = {.si_signo = SIGUSR1, .si_code = SI_QUEUE, .si_value.sival_int = 77};
    int process = opened();
    CHECK(process >= 0 && fcntl(process, F_GETFD) == FD_CLOEXEC && sigaction(SIGUSR1, &action, NULL) == 0);
    CHECK(syscall(SYS_pidfd_send_signal, process, 0, NULL, 0) == 0 && came == 0);
    CHECK(syscall(SYS_pidfd_send_signal, process, SIGUSR1, NULL, 0) == 0 && came == SIGUSR1 && word == getpid());
    CHECK(syscall(SYS_pidfd_send_signal, process, SIGUSR1, &told, 0) == 0 && word == 77);
    CHECK_ERROR(syscall(SYS_pidfd_send_signal, process, SIGUSR2, &told, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_pidfd_send_signal, process, SIGUSR1, NULL, 1 << 20), EINVAL);
    CHECK_ERROR(syscall(SYS_pidfd_send_signal, process, 65, NULL, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_pidfd_send_signal, 0, SIGUSR1, NULL, 0), EBADF);
    CHECK_ERROR(syscall(SYS_pidfd_send_signal, 999, SIGUSR1, NULL, 0), EBADF);
    CHECK(close(process) == 0);
    // Its directory means it as well, and no other does.
    CHECK((process = open("/proc/self", O_RDONLY | O_DIRECTORY)) >= 0);
    CHECK(syscall(SYS_pidfd_send_signal, process, SIGUSR1, NULL, 0) == 0 && word == getpid() && close(process) == 0);
    CHECK((process = open("/proc", O_RDONLY | O_DIRECTORY)) >= 0);
    CHECK_ERROR(syscall(SYS_pidfd_send_signal, process, SIGUSR1, NULL, 0), EBADF);
    CHECK(close(process) == 0);
}

static void *of_a_thread(void *unused) {
    (void)unused;
    // Newer kernels answer ENOENT.
    CHECK(syscall(SYS_pidfd_open, syscall(SYS_gettid), 0) == -1 && (errno == EINVAL || errno == ENOENT));
    return NULL;
}

static void open_it(void) {
    struct pollfd watched = {.fd = opened(), .events = POLLIN};
    char byte;
    pthread_t thread;
    CHECK(watched.fd >= 0 && poll(&watched, 1, 0) == 0);
    CHECK_ERROR(read(watched.fd, &byte, 1), EINVAL);
    CHECK(close(watched.fd) == 0);
    CHECK_ERROR(syscall(SYS_pidfd_open, 0, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_pidfd_open, -1, 0), EINVAL);
    CHECK_ERROR(syscall(SYS_pidfd_open, getpid(), 1), EINVAL);
    CHECK_ERROR(syscall(SYS_pidfd_open, 1 << 30, 0), ESRCH);
    CHECK(pthread_create(&thread, NULL, of_a_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

static void *by_its_own_id(void *unused) {
    (void)unused;
    struct rlimit limit, same;
    pid_t thread = (pid_t)syscall(SYS_gettid);
    CHECK(thread != getpid() && getpgid(thread) == getpgrp() && getsid(thread) == getsid(0));
    CHECK(syscall(SYS_prlimit64, thread, RLIMIT_NOFILE, NULL, &limit) == 0);
    CHECK(getrlimit(RLIMIT_NOFILE, &same) == 0 && limit.rlim_cur == same.rlim_cur && limit.rlim_max == same.rlim_max);
    return NULL;
}

// A thread's id stands for its process.
static void ask_by_id(void) {
    struct rlimit limit;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, by_its_own_id, NULL) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(getpgid(getpid()) == getpgrp() && getsid(getpid()) == getsid(0));
    CHECK_ERROR(getpgid(1 << 30), ESRCH);
    CHECK_ERROR(getpgid(-1), ESRCH);
    CHECK_ERROR(getsid(1 << 30), ESRCH);
    CHECK_ERROR(syscall(SYS_prlimit64, 1 << 30, RLIMIT_NOFILE, NULL, &limit), ESRCH);
}

const struct test process_tests[] = {
    {"processes_open", open_it}, {"processes_send", send_to_it}, {"processes_ask", ask_by_id}, {NULL, NULL}};
