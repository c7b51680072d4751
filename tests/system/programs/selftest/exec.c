// exec.c: a chain of programs that replace each other in place, and what each must and must not inherit (execve(2)).
//
// selftest --exec            prepares handlers, masks and descriptors, then becomes ...
// selftest --exec-second FD  which checks them and becomes a script, whose interpreter line makes it ...
// selftest --exec-script     which checks its arguments and becomes, by a descriptor of a file without a name, ...
// selftest --exec-memory P   which checks what it is called and becomes, many times ...
// selftest --exec-loop N     itself, until N is 0.
#include "check.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

// Which musl does not know.
static int execute_at(int directory, const char *path, char **arguments, char **environment, int flags) {
    return syscall(SYS_execveat, directory, path, arguments, environment, flags);
}

static char own_path[4096];

static int trouble(const char *sentence) {
    printf("FAIL exec: %s (errno %d)\n", sentence, errno);
    return 1;
}

static int become(char **arguments) {
    char *environment[] = {"CHAIN=one two", "PATH=/bin", NULL};
    fflush(stdout);
    execve(arguments[0][0] == '/' ? arguments[0] : own_path, arguments, environment);
    return trouble("execve came back");
}

static void ignore(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
}

// Of this process alone: on Linux the same may run beside it.
static char *script_path(void) {
    static char path[40];
    snprintf(path, sizeof path, "/tmp/exec-script-%d", getpid());
    return path;
}

static int first(void) {
    static char number[16];
    int kept = open("/dev/zero", O_RDONLY);
    if (open("/dev/null", O_RDONLY | O_CLOEXEC) != kept + 1) return trouble("descriptors are not given in order");
    // Its end is told to who watches, and asks for the descriptor that it was opened by.
    char by_number[32];
    snprintf(by_number, sizeof by_number, "/proc/self/fd/%d", kept);
    int watcher = inotify_init();
    if (inotify_add_watch(watcher, "/tmp", IN_CLOSE | IN_EXCL_UNLINK) < 0) return trouble("inotify_add_watch");
    if (open(by_number, O_RDONLY | O_CLOEXEC) != watcher + 1) return trouble("a file cannot be opened by its number");
    handle(SIGUSR1, ignore, 0);
    signal(SIGUSR2, SIG_IGN);
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGHUP);
    if (chdir("/tmp")) return trouble("chdir");
    snprintf(number, sizeof number, "%d", kept);
    return become((char *[]){"a-name", "--exec-second", number, NULL});
}

static int second(const char *number) {
    int kept = atoi(number);
    char byte = 1, directory[64];
    struct sigaction action;
    sigset_t set;
    if (strcmp(start_argv[0], "a-name")) return trouble("argv[0]");
    if (!getenv("CHAIN") || strcmp(getenv("CHAIN"), "one two") || getenv("HOME")) return trouble("environment");
    if (read(kept, &byte, 1) != 1 || byte != 0) return trouble("a descriptor was lost");
    if (fcntl(kept + 1, F_GETFD) != -1 || errno != EBADF) return trouble("a close-on-exec descriptor was kept");
    if (sigaction(SIGUSR1, NULL, &action) || action.sa_handler != SIG_DFL) return trouble("a handler was kept");
    if (sigaction(SIGUSR2, NULL, &action) || action.sa_handler != SIG_IGN) return trouble("SIG_IGN was lost");
    sigprocmask(SIG_SETMASK, NULL, &set);
    if (!sigismember(&set, SIGHUP)) return trouble("the signal mask was lost");
    sigpending(&set);
    if (!sigismember(&set, SIGHUP)) return trouble("the pending signal was lost");
    if (!getcwd(directory, sizeof directory) || strcmp(directory, "/tmp")) return trouble("the directory was lost");
    printf("ok exec_keeps_and_drops\n");

    FILE *script = fopen(script_path(), "w");
    if (!script || fprintf(script, "#! %s \t --exec-script \nnot read\n", own_path) < 0 || fclose(script))
        return trouble("writing the script");
    chmod(script_path(), 0755);
    return become((char *[]){script_path(), "argument one", "", NULL});
}

static int script(int argc, char **argv) {
    unlink(script_path());
    if (argc != 5 || strcmp(argv[0], own_path) || strcmp(argv[2], script_path()) ||
        strcmp(argv[3], "argument one") || strcmp(argv[4], ""))
        return trouble("a script's arguments");
    printf("ok exec_script\n");
    int memory = memfd_create("program", MFD_CLOEXEC), file = open(own_path, O_RDONLY);
    struct stat status;
    if (memory < 0 || file < 0 || fstat(file, &status)) return trouble("opening its own file");
    if (sendfile(memory, file, NULL, status.st_size) != status.st_size) return trouble("copying its own file");
    if (execute_at(memory, "", (char *[]){own_path, NULL}, NULL, 0) != -1 || errno != ENOENT) return trouble("no name");
    fflush(stdout);
    execute_at(memory, "", (char *[]){"selftest", "--exec-memory", own_path, NULL}, NULL, AT_EMPTY_PATH);
    return trouble("execveat came back");
}

static int from_memory(const char *path) {
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (strcmp(own_path, "/memfd:program (deleted)")) return trouble("the path of a file without a name");
    if (strncmp(name, "/dev/fd/", 8) || fcntl(atoi(name + 8), F_GETFD) != -1) return trouble("AT_EXECFN");
    strcpy(own_path, path);
    printf("ok exec_memory\n");
    return become((char *[]){"selftest", "--exec-loop", "100", NULL});
}

static int loop(int left) {
    // Touched memory of each program must be given back: 100 times 16 MB is more than the machine has by default.
    memset(malloc(16 << 20), 1, 16 << 20);
    static char number[16];
    snprintf(number, sizeof number, "%d", left - 1);
    if (left) return become((char *[]){"selftest", "--exec-loop", number, NULL});
    printf("ok exec_many_times\nPASS 4\n");
    return 0;
}

int exec_chain(int argc, char **argv) {
    ssize_t length = readlink("/proc/self/exe", own_path, sizeof own_path - 1);
    if (length < 0) return trouble("readlink /proc/self/exe");
    own_path[length] = 0;
    if (strcmp(argv[1], "--exec") == 0) return first();
    if (strcmp(argv[1], "--exec-second") == 0 && argc == 3) return second(argv[2]);
    if (strcmp(argv[1], "--exec-script") == 0) return script(argc, argv);
    if (strcmp(argv[1], "--exec-memory") == 0 && argc == 3) return from_memory(argv[2]);
    if (strcmp(argv[1], "--exec-loop") == 0 && argc == 3) return loop(atoi(argv[2]));
    return trouble("unknown step");
}
