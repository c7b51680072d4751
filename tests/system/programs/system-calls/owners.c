// owners.c: who is sent a signal when an open file becomes ready (fcntl(2), "Managing signals").
#include "tests.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/ioctl.h>

// Blocks the signal, and answers the set of it alone.
static sigset_t blocked(int signal) {
    sigset_t set;
    CHECK(sigemptyset(&set) == 0 && sigaddset(&set, signal) == 0 && sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    return set;
}

// Waits for a signal, and answers what came with it.
static siginfo_t taken(int signal) {
    sigset_t set = blocked(signal);
    siginfo_t information;
    struct timespec long_time = {60, 0};
    CHECK(sigtimedwait(&set, &information, &long_time) == signal);
    return information;
}

// What has come meanwhile is nobody's, and the signal is not blocked any more.
static void forget(int number) {
    sigset_t set = blocked(number);
    CHECK(signal(number, SIG_IGN) != SIG_ERR && signal(number, SIG_DFL) != SIG_ERR);
    CHECK(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
}

static void comes_not(int signal) {
    sigset_t set = blocked(signal);
    struct timespec short_time = {0, 30000000};
    CHECK_ERROR(sigtimedwait(&set, NULL, &short_time), EAGAIN);
}

static void asked(int file, int signal, int owner) {
    blocked(signal == 0 ? SIGIO : signal);
    CHECK(fcntl(file, F_SETOWN, owner) == 0 && fcntl(file, F_SETSIG, signal) == 0);
    CHECK(fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_ASYNC) == 0 && (fcntl(file, F_GETFL) & O_ASYNC) != 0);
}

static void of_a_pipe(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    asked(ends[0], 0, getpid());
    CHECK(write(ends[1], "a", 1) == 1);
    siginfo_t told = taken(SIGIO);
    CHECK(told.si_code == SI_KERNEL);
    // Each time that more comes.
    CHECK(write(ends[1], "b", 1) == 1 && taken(SIGIO).si_signo == SIGIO);
    int real_time = SIGRTMIN + 3;
    asked(ends[0], real_time, getpid());
    CHECK(fcntl(ends[0], F_GETSIG) == real_time);
    CHECK(write(ends[1], "c", 1) == 1);
    told = taken(real_time);
    CHECK(told.si_code == POLL_IN && told.si_fd == ends[0] && told.si_band == (POLLIN | POLLRDNORM));
    // Nobody is told any more, and then nobody is there to be told.
    CHECK(fcntl(ends[0], F_SETFL, 0) == 0 && write(ends[1], "d", 1) == 1);
    comes_not(real_time);
    asked(ends[0], real_time, 0);
    CHECK(write(ends[1], "e", 1) == 1);
    comes_not(real_time);
    // The end of what is written can be read, too.
    asked(ends[0], real_time, getpid());
    CHECK(close(ends[1]) == 0 && taken(real_time).si_code == POLL_IN);
    CHECK(close(ends[0]) == 0);
    forget(SIGIO);
    forget(real_time);
}

static void of_a_socket(void) {
    int ends[2], on = 1;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    asked(ends[0], 0, getpid());
    CHECK(write(ends[1], "a", 1) == 1 && taken(SIGIO).si_code == SI_KERNEL);
    int owner = 0;
    // Without those who have started us.
    CHECK(getpgrp() == getpid() || setpgid(0, 0) == 0);
    CHECK(ioctl(ends[1], FIOSETOWN, &(int){-getpgrp()}) == 0 && ioctl(ends[1], SIOCGPGRP, &owner) == 0);
    CHECK(owner == -getpgrp() && ioctl(ends[1], FIOASYNC, &on) == 0);
    CHECK(write(ends[0], "b", 1) == 1 && taken(SIGIO).si_signo == SIGIO);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
    forget(SIGIO);
}

// Urgent data are told of to who owns a connection, whether asked for signals or not.
static void of_urgent_data(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), near = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    CHECK(connect(near, (struct sockaddr *)&address, length) == 0);
    int far = accept(listener, NULL, NULL);
    blocked(SIGURG);
    CHECK(far >= 0 && fcntl(far, F_SETOWN, getpid()) == 0 && send(near, "ab", 2, MSG_OOB) == 2);
    CHECK(taken(SIGURG).si_code == SI_KERNEL);
    char byte = 0;
    CHECK(recv(far, &byte, 1, MSG_OOB) == 1 && byte == 'b');
    CHECK(close(far) == 0 && close(near) == 0 && close(listener) == 0);
    forget(SIGURG);
}

static void owners(void) {
    int ends[2];
    CHECK(pipe(ends) == 0 && fcntl(ends[0], F_GETOWN) == 0 && fcntl(ends[0], F_GETSIG) == 0);
    struct f_owner_ex owner = {F_OWNER_TID, gettid()};
    CHECK(fcntl(ends[0], F_SETOWN_EX, &owner) == 0);
    owner = (struct f_owner_ex){9, 9};
    CHECK(fcntl(ends[0], F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_TID && owner.pid == gettid());
    CHECK(fcntl(ends[0], F_SETOWN, -getpgrp()) == 0 && fcntl(ends[0], F_GETOWN_EX, &owner) == 0);
    CHECK(owner.type == F_OWNER_PGRP && owner.pid == getpgrp());
    owner = (struct f_owner_ex){3, getpid()};
    CHECK_ERROR(fcntl(ends[0], F_SETOWN_EX, &owner), EINVAL);
    owner = (struct f_owner_ex){F_OWNER_PID, 1 << 29};
    CHECK_ERROR(fcntl(ends[0], F_SETOWN_EX, &owner), ESRCH);
    CHECK_ERROR(fcntl(ends[0], F_SETOWN, 1 << 29), ESRCH);
    CHECK_ERROR(fcntl(ends[0], F_SETOWN, -(1 << 29)), ESRCH);
    CHECK_ERROR(fcntl(ends[0], F_SETSIG, 65), EINVAL);
    // A duplicate is the same open file, and another one is not.
    int again = dup(ends[0]);
    CHECK(fcntl(again, F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_PGRP && owner.pid == getpgrp());
    CHECK(fcntl(ends[1], F_GETOWN) == 0);
    CHECK(fcntl(again, F_SETOWN, 0) == 0 && fcntl(ends[0], F_GETOWN) == 0);
    CHECK(close(again) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0);
    // What has nothing to tell is asked in vain.
    int file = make_file("text"), on = 1, off = 0;
    CHECK(fcntl(file, F_SETFL, O_ASYNC) == 0 && (fcntl(file, F_GETFL) & O_ASYNC) == 0);
    CHECK_ERROR(ioctl(file, FIOASYNC, &on), ENOTTY);
    CHECK(ioctl(file, FIOASYNC, &off) == 0 && close(file) == 0);
}

// More than one signal of a kind waits only where it is told by number; where there is no room, SIGIO says so.
static void many(void) {
    enum { FILES = 50 };
    int ends[FILES][2], signal = SIGRTMIN + 4, seen[FILES] = {0};
    for (int i = 0; i < FILES; i++) {
        CHECK(pipe(ends[i]) == 0);
        asked(ends[i][0], signal, getpid());
    }
    for (int i = 0; i < FILES; i++)
        CHECK(write(ends[i][1], "x", 1) == 1);
    for (int told = 0; told < FILES; told++) {
        int file = taken(signal).si_fd;
        for (int i = 0; i < FILES; i++)
            if (ends[i][0] == file)
                seen[i]++;
    }
    for (int i = 0; i < FILES; i++)
        CHECK(seen[i] == 1 && close(ends[i][0]) == 0 && close(ends[i][1]) == 0);
    comes_not(signal);
    forget(signal);
}

const struct test owner_tests[] = {
    {"owners_of_files", owners},
    {"signals_of_a_pipe", of_a_pipe},
    {"signals_of_a_socket", of_a_socket},
    {"signals_of_many_files", many},
    {"signals_of_urgent_data", of_urgent_data},
    {NULL, NULL},
};
