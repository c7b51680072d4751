// Pseudo-terminals as Linux has them (pty(7), pts(4), tty_ioctl(2), termios(3)). Prints a line for each part, and what
// is wrong. With words as arguments: runs a command on a terminal of its own, and types into it.
#include "check.h"
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <utmp.h>

static int master, slave;

static void makes(void)
{
    master = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    CHECK(slave >= 0);
}

static void closes(void)
{
    close(slave);
    close(master);
}

// What is there to be read within a second: bytes take a moment from one end to the other.
static const char *got(int file)
{
    static char bytes[65536];
    struct pollfd ready = {file, POLLIN, 0};
    ssize_t count = poll(&ready, 1, 1000) == 1 ? read(file, bytes, sizeof bytes - 1) : -1;
    bytes[count > 0 ? count : 0] = 0;
    return count < 0 ? "nothing" : bytes;
}

static int waits(int file, int events, int limit)
{
    struct pollfd ready = {file, events, 0};
    return poll(&ready, 1, limit) == 1 ? ready.revents : 0;
}

static int says(int file, const char *text) { return write(file, text, strlen(text)) == (ssize_t)strlen(text); }

static int is(const char *one, const char *other) { return strcmp(one, other) == 0; }

static void sets(int file, tcflag_t clear_local, tcflag_t set_local)
{
    struct termios attributes;
    CHECK(tcgetattr(file, &attributes) == 0);
    attributes.c_lflag = (attributes.c_lflag & ~clear_local) | set_local;
    CHECK(tcsetattr(file, TCSANOW, &attributes) == 0);
}

static void raw(int least, int tenths)
{
    struct termios attributes;
    CHECK(tcgetattr(slave, &attributes) == 0);
    cfmakeraw(&attributes);
    attributes.c_cc[VMIN] = least;
    attributes.c_cc[VTIME] = tenths;
    CHECK(tcsetattr(slave, TCSANOW, &attributes) == 0);
}

// Names, numbers, locks, and what a new one is like.
static void names(void)
{
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    CHECK(master >= 0 && isatty(master));
    int number = -1, locked = -1;
    CHECK(ioctl(master, TIOCGPTN, &number) == 0 && number >= 0);
    CHECK(ioctl(master, TIOCGPTLCK, &locked) == 0 && locked == 1);
    char path[64], name[64], expected[64];
    snprintf(path, sizeof path, "/dev/pts/%d", number);
    CHECK(is(ptsname(master), path));
    CHECK(open(path, O_RDWR | O_NOCTTY) == -1 && errno == EIO);
    CHECK(unlockpt(master) == 0 && ioctl(master, TIOCGPTLCK, &locked) == 0 && locked == 0);
    slave = open(path, O_RDWR | O_NOCTTY);
    CHECK(slave >= 0 && isatty(slave) && ttyname_r(slave, name, sizeof name) == 0 && is(name, path));
    struct stat by_path, by_file;
    CHECK(stat(path, &by_path) == 0 && fstat(slave, &by_file) == 0 && by_path.st_ino == by_file.st_ino);
    CHECK(S_ISCHR(by_file.st_mode) && by_file.st_rdev == (dev_t)((136 << 8) | number));
    CHECK(by_file.st_uid == geteuid() && (by_file.st_mode & 0700) == 0600);
    snprintf(expected, sizeof expected, "/proc/self/fd/%d", slave);
    CHECK(readlink(expected, name, sizeof name) == (ssize_t)strlen(path));
    // The other end, without a path.
    int peer = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
    CHECK(peer >= 0 && ttyname_r(peer, name, sizeof name) == 0 && is(name, path) && close(peer) == 0);
    struct termios attributes;
    CHECK(tcgetattr(slave, &attributes) == 0 && attributes.c_iflag == (ICRNL | IXON));
    CHECK(attributes.c_oflag == (OPOST | ONLCR) && attributes.c_cc[VINTR] == 3 && attributes.c_cc[VERASE] == 127);
    CHECK(attributes.c_lflag == (ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN));
    struct winsize size;
    CHECK(ioctl(slave, TIOCGWINSZ, &size) == 0 && size.ws_row == 0 && size.ws_col == 0);
    CHECK(lseek(slave, 0, SEEK_SET) == -1 && errno == ESPIPE);
    CHECK(ioctl(slave, TIOCGPTN, &number) == -1 && errno == ENOTTY);
    closes();
    CHECK(open(path, O_RDWR | O_NOCTTY) == -1 && errno == ENOENT);
}

// Lines are typed, shown, corrected and read.
static void lines(void)
{
    makes();
    int count = -1;
    CHECK(says(master, "ab\n") && is(got(slave), "ab\n") && is(got(master), "ab\r\n"));
    CHECK(says(slave, "one\ntwo\n") && is(got(master), "one\r\ntwo\r\n"));
    CHECK(says(master, "abc\177\177x\r") && is(got(slave), "ax\n") && is(got(master), "abc\b \b\b \bx\r\n"));
    CHECK(says(master, "all of it\025new\n") && is(got(slave), "new\n"));
    got(master);
    // Half a line is not there to be read yet; all of it is.
    CHECK(says(master, "half") && is(got(master), "half") && waits(slave, POLLIN, 0) == 0);
    CHECK(ioctl(slave, FIONREAD, &count) == 0 && count == 0);
    CHECK(says(master, "\nnext\n") && waits(slave, POLLIN, 1000) == POLLIN);
    CHECK(is(got(master), "\r\nnext\r\n") && ioctl(slave, FIONREAD, &count) == 0 && count == 10);
    CHECK(is(got(slave), "half\n") && is(got(slave), "next\n"));
    // A line in parts.
    char byte[3] = "";
    CHECK(says(master, "long\n") && is(got(master), "long\r\n"));
    CHECK(read(slave, byte, 2) == 2 && is(byte, "lo") && is(got(slave), "ng\n"));
    // The end of the file, at the beginning of a line and in it.
    CHECK(says(master, "\004") && waits(slave, POLLIN, 1000) == POLLIN && read(slave, byte, 2) == 0);
    CHECK(says(master, "x\004") && is(got(slave), "x") && is(got(master), "x"));
    // No echo.
    sets(slave, ECHO, 0);
    CHECK(says(master, "secret\n") && is(got(slave), "secret\n") && waits(master, POLLIN, 50) == 0);
    sets(slave, 0, ECHO);
    // Stopped and started by keys.
    CHECK(says(master, "\023") && waits(slave, POLLOUT, 100) == 0);
    CHECK(fcntl(slave, F_SETFL, O_NONBLOCK) == 0 && write(slave, "later", 5) == -1 && errno == EAGAIN);
    CHECK(says(master, "\021") && waits(slave, POLLOUT, 1000) == POLLOUT && says(slave, "now"));
    CHECK(is(got(master), "now") && read(slave, byte, 1) == -1 && errno == EAGAIN);
    closes();
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Bytes as they come: how many a read waits for, and how long.
static void bytes(void)
{
    makes();
    raw(1, 0);
    char some[16] = "";
    CHECK(says(master, "\003\r\177") && waits(slave, POLLIN, 1000) == POLLIN);
    CHECK(is(got(slave), "\003\r\177") && waits(master, POLLIN, 50) == 0);
    CHECK(says(slave, "a\nb") && is(got(master), "a\nb"));
    // So many at least.
    raw(3, 0);
    CHECK(says(master, "ab") && waits(slave, POLLIN, 50) == 0 && says(master, "c"));
    CHECK(waits(slave, POLLIN, 1000) == POLLIN && read(slave, some, 16) == 3 && memcmp(some, "abc", 3) == 0);
    // No longer than that, from the first byte on.
    raw(5, 2);
    long long begin = now();
    CHECK(says(master, "xy") && read(slave, some, 16) == 2 && now() - begin >= 190);
    // None at all.
    raw(0, 0);
    CHECK(read(slave, some, 16) == 0);
    // Or no longer than that.
    raw(0, 2);
    begin = now();
    CHECK(read(slave, some, 16) == 0 && now() - begin >= 190);
    CHECK(says(master, "z") && read(slave, some, 16) == 1);
    // Many of them, with somebody at the other end.
    raw(1, 0);
    enum { MANY = 300000 };
    pid_t child = fork();
    if (child == 0) {
        char sent[1000];
        for (int index = 0; index < MANY; index += sizeof sent) {
            for (size_t place = 0; place < sizeof sent; place++)
                sent[place] = (char)((index + place) * 7);
            for (size_t done = 0; done < sizeof sent;) {
                ssize_t count = write(master, sent + done, sizeof sent - done);
                if (count < 0)
                    _exit(1);
                done += count;
            }
        }
        _exit(0);
    }
    int index = 0;
    while (index < MANY) {
        char part[777];
        ssize_t count = read(slave, part, sizeof part);
        if (count <= 0)
            break;
        for (ssize_t place = 0; place < count; place++, index++)
            if (part[place] != (char)(index * 7)) {
                index = MANY + 1;
                break;
            }
    }
    CHECK(index == MANY && exit_of(child) == 0);
    closes();
}

static volatile sig_atomic_t heard;

static void hears(int number) { heard = number; }

// Runs `act` in a session of its own; its answer is 0 where all was well.
static int alone(int (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        if (setsid() < 0)
            _exit(100);
        _exit(act());
    }
    return exit_of(child);
}

#define NEED(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s (errno %d)\n", __LINE__, #condition, errno); \
            fflush(stdout); \
            return 1; \
        } \
    } while (0)

static int is_taken(void)
{
    pid_t session = 0;
    NEED(open("/dev/tty", O_RDWR) == -1 && errno == ENXIO);
    NEED(tcgetpgrp(slave) == -1 && errno == ENOTTY);
    // By opening, by who leads a session and has none.
    int again = open(ptsname(master), O_RDWR);
    NEED(again >= 0 && tcgetpgrp(slave) == getpid() && tcgetsid(slave) == getpid());
    NEED(tcgetpgrp(master) == getpid());
    int own = open("/dev/tty", O_RDWR);
    NEED(own >= 0 && says(own, "own") && is(got(master), "own"));
    NEED(ioctl(slave, TIOCSCTTY, 0) == 0);
    // Another one is not taken.
    int other_master = posix_openpt(O_RDWR | O_NOCTTY);
    NEED(unlockpt(other_master) == 0);
    int other = open(ptsname(other_master), O_RDWR);
    NEED(other >= 0 && tcgetpgrp(other) == -1 && errno == ENOTTY);
    NEED(ioctl(other, TIOCSCTTY, 0) == -1 && errno == EPERM);
    // Keys are signals, to the group in the foreground.
    signal(SIGINT, hears);
    signal(SIGQUIT, hears);
    signal(SIGTSTP, hears);
    signal(SIGWINCH, hears);
    const struct { const char *key; int signal; } keys[] = {{"\003", SIGINT}, {"\034", SIGQUIT}, {"\032", SIGTSTP}};
    for (int index = 0; index < 3; index++) {
        heard = 0;
        NEED(says(master, keys[index].key));
        for (int turn = 0; turn < 1000 && heard == 0; turn++)
            usleep(1000);
        NEED(heard == keys[index].signal);
    }
    struct winsize size = {30, 90, 0, 0}, told = {0};
    heard = 0;
    NEED(ioctl(master, TIOCSWINSZ, &size) == 0 && heard == SIGWINCH);
    NEED(ioctl(slave, TIOCGWINSZ, &told) == 0 && told.ws_row == 30 && told.ws_col == 90);
    heard = 0;
    NEED(ioctl(slave, TIOCSWINSZ, &size) == 0 && heard == 0);
    size.ws_row = 31;
    NEED(ioctl(slave, TIOCSWINSZ, &size) == 0 && heard == SIGWINCH);
    NEED(ioctl(master, TIOCSIG, SIGINT) == 0 && heard == SIGINT);
    NEED(ioctl(master, TIOCSIG, SIGUSR1) == -1 && errno == EINVAL);
    // Given up.
    heard = 0;
    signal(SIGHUP, hears);
    NEED(ioctl(own, TIOCNOTTY) == 0 && heard == SIGHUP && tcgetpgrp(slave) == -1 && errno == ENOTTY);
    NEED(open("/dev/tty", O_RDWR) == -1 && errno == ENXIO);
    NEED(tcgetsid(master) == -1 && errno == ENOTTY);
    (void)session;
    return 0;
}

static int is_in_the_background(void)
{
    NEED(ioctl(slave, TIOCSCTTY, 0) == 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        setpgid(0, 0);
        _exit(read(slave, &byte, 1) == 1 && byte == 'x' ? 0 : 1);
    }
    int status;
    NEED(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTIN);
    signal(SIGTTOU, SIG_IGN);
    NEED(tcsetpgrp(slave, child) == 0 && tcgetpgrp(master) == child);
    NEED(kill(child, SIGCONT) == 0 && says(master, "x\n") && exit_of(child) == 0);
    NEED(tcsetpgrp(slave, getpid()) == 0);
    // Who may stop those who write.
    sets(slave, 0, TOSTOP);
    child = fork();
    if (child == 0) {
        signal(SIGTTOU, SIG_DFL);
        setpgid(0, 0);
        _exit(says(slave, "x") ? 0 : 1);
    }
    NEED(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTOU);
    NEED(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    return 0;
}

static void sessions(void)
{
    makes();
    CHECK(alone(is_taken) == 0);
    closes();
    makes();
    CHECK(alone(is_in_the_background) == 0);
    closes();
}

static int loses_its_master(void)
{
    char byte;
    NEED(ioctl(slave, TIOCSCTTY, 0) == 0);
    signal(SIGHUP, hears);
    close(master);
    while (heard != SIGHUP)
        usleep(1000);
    NEED(read(slave, &byte, 1) == 0);
    NEED(write(slave, "x", 1) == -1 && errno == EIO);
    NEED(waits(slave, POLLIN | POLLOUT, 0) == (POLLIN | POLLOUT | POLLERR | POLLHUP));
    NEED(open("/dev/tty", O_RDWR) == -1 && errno == ENXIO);
    return 0;
}

static int kept[2];

// Leaves one behind in the foreground, who is told.
static int leads_and_ends(void)
{
    NEED(ioctl(slave, TIOCSCTTY, 0) == 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGHUP, SIG_DFL);
        sleep(1000);
        _exit(1);
    }
    return child < 0;
}

// One end goes.
static void ends(void)
{
    char byte;
    makes();
    // The slave: what it wrote is still there. It may come again.
    CHECK(says(slave, "last") && close(slave) == 0 && is(got(master), "last"));
    CHECK(read(master, &byte, 1) == -1 && errno == EIO && waits(master, POLLIN, 0) == POLLHUP);
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    CHECK(slave >= 0 && waits(master, POLLIN, 0) == 0 && says(master, "again\n") && is(got(slave), "again\n"));
    closes();
    // The master, with a session that has the terminal, and one that opened it only. This process is to have no master.
    makes();
    pid_t child = fork();
    if (child == 0) {
        setsid();
        _exit(loses_its_master());
    }
    close(master);
    CHECK(exit_of(child) == 0);
    CHECK(read(slave, &byte, 1) == 0 && write(slave, "x", 1) == -1 && errno == EIO);
    struct termios attributes;
    CHECK(tcgetattr(slave, &attributes) == -1 && errno == EIO);
    close(slave);
    // The session's leader. The terminal is nobody's then, but not gone.
    makes();
    CHECK(pipe(kept) == 0 && alone(leads_and_ends) == 0 && close(kept[1]) == 0);
    CHECK(read(kept[0], &byte, 1) == 0 && close(kept[0]) == 0);
    pid_t session = tcgetsid(master);
    CHECK(session == -1 && errno == ENOTTY && says(slave, "x") && is(got(master), "x"));
    closes();
}

// What happens to the slave is told at the master.
static void packets(void)
{
    makes();
    int on = 1;
    CHECK(ioctl(master, TIOCPKT, &on) == 0 && ioctl(master, TIOCGPKT, &on) == 0 && on == 1);
    char some[16] = "";
    CHECK(says(slave, "data") && read(master, some, 16) == 5 && some[0] == TIOCPKT_DATA && is(some + 1, "data"));
    CHECK(tcflush(slave, TCIFLUSH) == 0 && waits(master, POLLIN | POLLPRI, 1000) == (POLLIN | POLLPRI));
    CHECK(read(master, some, 16) == 1 && some[0] == TIOCPKT_FLUSHREAD);
    CHECK(tcflow(slave, TCOOFF) == 0 && read(master, some, 16) == 1 && some[0] == TIOCPKT_STOP);
    CHECK(tcflow(slave, TCOON) == 0 && read(master, some, 16) == 1 && some[0] == TIOCPKT_START);
    struct termios attributes;
    CHECK(tcgetattr(slave, &attributes) == 0);
    attributes.c_iflag &= ~IXON;
    CHECK(tcsetattr(slave, TCSANOW, &attributes) == 0 && read(master, some, 16) == 1 && some[0] == TIOCPKT_NOSTOP);
    attributes.c_iflag |= IXON;
    CHECK(tcsetattr(slave, TCSANOW, &attributes) == 0 && read(master, some, 16) == 1 && some[0] == TIOCPKT_DOSTOP);
    on = 0;
    CHECK(ioctl(master, TIOCPKT, &on) == 0 && says(slave, "plain") && is(got(master), "plain"));
    closes();
}

// What was not taken goes.
static void flushes(void)
{
    makes();
    CHECK(says(master, "old\n") && is(got(master), "old\r\n") && waits(slave, POLLIN, 1000) == POLLIN);
    CHECK(tcflush(slave, TCIFLUSH) == 0 && waits(slave, POLLIN, 50) == 0);
    // What has arrived at the master is not the slave's to drop.
    CHECK(says(slave, "old") && waits(master, POLLIN, 1000) == POLLIN);
    CHECK(tcflush(slave, TCOFLUSH) == 0 && is(got(master), "old"));
    CHECK(ioctl(slave, TCFLSH, 3) == -1 && errno == EINVAL && ioctl(slave, TCXONC, 4) == -1 && errno == EINVAL);
    CHECK(tcdrain(slave) == 0 && tcsendbreak(slave, 0) == 0);
    closes();
}

// Many at once, each with the lowest number that is free.
static void many(void)
{
    enum { MANY = 100 };
    int masters[MANY], numbers[MANY], number;
    for (int index = 0; index < MANY; index++) {
        masters[index] = posix_openpt(O_RDWR | O_NOCTTY);
        CHECK(masters[index] >= 0 && ioctl(masters[index], TIOCGPTN, &numbers[index]) == 0);
    }
    close(masters[50]);
    masters[50] = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(ioctl(masters[50], TIOCGPTN, &number) == 0 && number == numbers[50]);
    for (int index = 0; index < MANY; index++)
        close(masters[index]);
}

// Has this command run on a terminal of its own, and prints what is shown. The words before "--" are pairs: what is to
// be shown, and the keys that are typed then.
static int runs(char **words)
{
    struct winsize size = {40, 80, 0, 0};
    char **command = words, shown[65536] = "", *from = shown;
    while (!is(*command++, "--")) {}
    pid_t child = forkpty(&master, NULL, NULL, &size);
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    for (;;) {
        size_t length = strlen(shown);
        ssize_t count = read(master, shown + length, sizeof shown - 1 - length);
        if (count <= 0 || write(1, shown + length, count) != count)
            break;
        shown[length + count] = 0;
        char *sign;
        while (!is(words[0], "--") && (sign = strstr(from, words[0])) != NULL) {
            from = sign + strlen(words[0]);
            if (!says(master, words[1]))
                return 126;
            words += 2;
        }
    }
    close(master);
    return exit_of(child);
}

int main(int argument_count, char **arguments)
{
    if (argument_count > 1)
        return runs(arguments + 1);
    part("names", names);
    part("lines", lines);
    part("bytes", bytes);
    part("sessions", sessions);
    part("ends", ends);
    part("packets", packets);
    part("flushes", flushes);
    part("many", many);
    return wrong != 0;
}
