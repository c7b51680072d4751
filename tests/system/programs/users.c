// Users: whose rights a program has that somebody starts (set-user-ID), and who logged in. Prints a line for each part,
// and what is wrong.
#include "check.h"
#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

static const char *said_by(const char *path)
{
    static char text[32];
    int file = open(path, O_RDONLY);
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length < 0 ? 0 : length] = 0;
    return text;
}

static int say(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_TRUNC);
    if (file < 0)
        return errno;
    int error = write(file, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : errno;
    close(file);
    return error;
}

// Who logged in (pam_loginuid): said once, by each process of itself; and all that it starts has it.
static int login(void)
{
    static const char user[] = "/proc/self/loginuid", session[] = "/proc/self/sessionid";
    char of_parent[32];
    snprintf(of_parent, sizeof of_parent, "/proc/%d/loginuid", getppid());
    int is_first = strcmp(said_by(user), "4294967295") == 0;
    int error = say(user, "1000");
    // Where this is Linux and somebody has logged in already, that stays.
    if (error != 0)
        return is_first || error != EPERM;
    if (strcmp(said_by(user), "1000") != 0 || say(user, "nobody") != EINVAL || say(of_parent, "1") != EPERM)
        return 2;
    char before[32];
    strcpy(before, said_by(session));
    pid_t child = fork();
    if (child == 0) {
        int same = strcmp(said_by(user), "1000") == 0 && strcmp(said_by(session), before) == 0;
        // Without the capability it cannot be said again: Linux lets nobody open it, who is not root any more.
        int right = same && atoi(before) > 0 && (geteuid() != 0 || setuid(1) == 0);
        int again = say(user, "1");
        _exit(right && (again == EPERM || again == EACCES) ? 0 : 3);
    }
    return exit_of(child);
}

static void logins(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(login());
    CHECK(exit_of(child) == 0);
    CHECK(strcmp(said_by("/proc/self/setgroups"), "allow\n") == 0);
    CHECK(strstr(said_by("/proc/self/uid_map"), " 0 ") != NULL);
    CHECK(strstr(said_by("/proc/self/gid_map"), " 0 ") != NULL);
}

enum { SOMEBODY = 1000, OWNER = 65534, GROUP = 65533 };

// What the program is that somebody has started: its ids, and whether it is to trust nobody.
static int ids_are(const char *expected)
{
    uid_t user, effective_user, saved_user;
    gid_t group, effective_group, saved_group;
    getresuid(&user, &effective_user, &saved_user);
    getresgid(&group, &effective_group, &saved_group);
    char text[96];
    snprintf(text, sizeof text, "%d %d %d %d %d %d %lu%s", user, effective_user, saved_user, group, effective_group,
        saved_group, getauxval(AT_SECURE), prctl(PR_GET_DUMPABLE) == 1 ? " dumpable" : "");
    if (strcmp(text, expected) != 0)
        printf("is %s, not %s\n", text, expected);
    return strcmp(text, expected) != 0;
}

static char program_with_ids[300];

enum way { PLAINLY, WITHOUT_GAIN, BESIDE_ANOTHER };

// Somebody starts it, whose file has this mode and belongs to these.
static void started(mode_t mode, uid_t owner, gid_t group, uid_t by, enum way way, const char *expected)
{
    CHECK(chown(program_with_ids, owner, group) == 0 && chmod(program_with_ids, mode) == 0);
    // With CLONE_FS the child's root and working directory are the parent's, too.
    pid_t child = syscall(SYS_clone, SIGCHLD | (way == BESIDE_ANOTHER ? CLONE_FS : 0), NULL, NULL, NULL, NULL);
    if (child == 0) {
        if (way == WITHOUT_GAIN)
            prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (by != 0 && (setresgid(by, by, by) != 0 || setresuid(by, by, by) != 0))
            _exit(2);
        setenv("EXPECTED", expected, 1);
        execl(program_with_ids, program_with_ids, "ids", NULL);
        _exit(3);
    }
    CHECK(exit_of(child) == 0);
}

static void copy(const char *from, const char *to)
{
    char bytes[4096];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t length;
    while ((length = read(in, bytes, sizeof bytes)) > 0)
        CHECK(write(out, bytes, length) == length);
    CHECK(length == 0 && close(in) == 0 && close(out) == 0);
}

// Set-user-ID and set-group-ID programs (execve(2), inode(7)).
static void ids(void)
{
    char place[200];
    snprintf(place, sizeof place, "%s/users-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    struct statvfs where;
    CHECK(mkdtemp(place) && chmod(place, 0755) == 0 && statvfs(place, &where) == 0);
    snprintf(program_with_ids, sizeof program_with_ids, "%s/program", place);
    // Only root gives files away, and a mount may forbid such programs.
    if (geteuid() == 0 && !(where.f_flag & ST_NOSUID)) {
        copy("/proc/self/exe", program_with_ids);
        started(0755, 0, 0, SOMEBODY, PLAINLY, "1000 1000 1000 1000 1000 1000 0 dumpable");
        started(04755, 0, 0, SOMEBODY, PLAINLY, "1000 0 0 1000 1000 1000 1");
        started(04755, 0, 0, 0, PLAINLY, "0 0 0 0 0 0 0 dumpable");
        started(06755, OWNER, GROUP, 0, PLAINLY, "0 65534 65534 0 65533 65533 1");
        started(06755, OWNER, GROUP, SOMEBODY, PLAINLY, "1000 65534 65534 1000 65533 65533 1");
        // The bit is for something else where the group may not execute.
        started(02745, OWNER, GROUP, SOMEBODY, PLAINLY, "1000 1000 1000 1000 1000 1000 0 dumpable");
        // Nothing for who gave that up, nor for who could be led astray by another.
        started(06755, 0, 0, SOMEBODY, WITHOUT_GAIN, "1000 1000 1000 1000 1000 1000 0 dumpable");
        started(04755, 0, 0, SOMEBODY, BESIDE_ANOTHER, "1000 1000 1000 1000 1000 1000 1 dumpable");
        // A script's bits say nothing.
        char program[sizeof program_with_ids], line[sizeof program + 16];
        snprintf(line, sizeof line, "#!%s ids\n", strcpy(program, program_with_ids));
        strcat(program_with_ids, "-script");
        int script = open(program_with_ids, O_WRONLY | O_CREAT, 0755);
        CHECK(write(script, line, strlen(line)) == (ssize_t)strlen(line) && close(script) == 0);
        CHECK(chmod(program, 0755) == 0);
        started(04755, 0, 0, SOMEBODY, PLAINLY, "1000 1000 1000 1000 1000 1000 0 dumpable");
        CHECK(unlink(program_with_ids) == 0 && unlink(program) == 0);
    }
    CHECK(rmdir(place) == 0);
}

int main(int count, char **arguments)
{
    if (count >= 2 && strcmp(arguments[1], "ids") == 0)
        return ids_are(getenv("EXPECTED"));
    part("logins", logins);
    part("ids", ids);
    return wrong != 0;
}
