// main.c: runs the self-test's families and prints a line for each test: the program's table of contents.
//
// selftest             all tests; the last line is PASS and their number
// selftest TEST...     only these
// selftest --show A... prints arguments, directory and environment
// selftest --window    prints the terminal's size and each new one, until the input ends
// selftest --exec      replaces itself several times, see exec.c
#include "check.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/time.h>

int start_argc;
char **start_argv;
char **start_environment;

static const struct test *const families[] = {
    start_tests,  heap_tests,  mapping_tests, memory_tests,   file_tests,  directory_tests, descriptor_tests, device_tests,
    time_tests,   fault_tests, signal_tests,  altstack_tests, register_tests,  vector_tests,     process_tests,
};

const char *failed(const char *file, int line, const char *condition) {
    static char sentence[512];
    int number = errno;
    snprintf(sentence, sizeof sentence, "%s:%d: %s (errno %d)", file, line, condition, number);
    return sentence;
}

void handle(int signal, information_handler *handler, int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

void tick(int microseconds) {
    struct itimerval interval = {.it_interval = {0, microseconds}, .it_value = {0, microseconds}};
    setitimer(ITIMER_REAL, &interval, NULL);
}

static int wanted(const char *name, int argc, char **argv) {
    for (int index = 1; index < argc; index++)
        if (strcmp(argv[index], name) == 0) return 1;
    return argc < 2;
}

static int show(char **arguments) {
    for (; *arguments; arguments++) printf("argument %s\n", *arguments);
    char directory[4096];
    printf("directory %s\n", getcwd(directory, sizeof directory) ? directory : strerror(errno));
    for (char **variable = start_environment; *variable; variable++) printf("environment %s\n", *variable);
    printf("address %p\ncode %p\n", (void *)directory, (void *)(uintptr_t)show);
    return 0;
}

static volatile int resized;

static void note_size(int signal, siginfo_t *information, void *state) {
    (void)signal, (void)information, (void)state;
    resized = 1;
}

// The signal comes only inside ppoll(2): between the text and a read(2) it would be taken, and the read would stay.
static int window(void) {
    sigset_t blocked, waiting;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGWINCH);
    sigprocmask(SIG_BLOCK, &blocked, &waiting);
    handle(SIGWINCH, note_size, 0);
    for (;;) {
        struct winsize size = {0};
        char byte;
        resized = 0;
        ioctl(0, TIOCGWINSZ, &size);
        printf("window %d %d\n", size.ws_row, size.ws_col);
        fflush(stdout);
        struct pollfd input = {.fd = 0, .events = POLLIN};
        int ready = ppoll(&input, 1, NULL, &waiting);
        if (ready < 0 && !(errno == EINTR && resized)) return 1;
        if (ready > 0 && read(0, &byte, 1) == 0) return 0;
    }
}

int main(int argc, char **argv, char **environment) {
    start_argc = argc;
    start_argv = argv;
    start_environment = environment;
    if (argc > 1 && strcmp(argv[1], "--show") == 0) return show(argv + 2);
    if (argc > 1 && strcmp(argv[1], "--window") == 0) return window();
    if (argc > 1 && strncmp(argv[1], "--exec", 6) == 0) return exec_chain(argc, argv);

    // A line is written as soon as it is known: what came before a crash must be seen.
    setvbuf(stdout, NULL, _IOLBF, 0);
    int passed = 0, failures = 0;
    const char *trouble = enter_scratch();
    for (size_t family = 0; family < sizeof families / sizeof *families; family++) {
        for (const struct test *test = families[family]; test->name; test++) {
            if (!wanted(test->name, argc, argv)) continue;
            errno = 0;
            const char *reason = test->run();
            if (reason) {
                printf("FAIL %s: %s\n", test->name, reason);
                failures++;
            } else {
                printf("ok %s\n", test->name);
                passed++;
            }
        }
    }
    if (!trouble) trouble = leave_scratch();
    if (trouble) printf("FAIL scratch directory: %s\n", trouble);
    if (failures || !passed || trouble) {
        printf("FAILED %d of %d\n", failures, passed + failures);
        return 1;
    }
    printf("PASS %d\n", passed);
    return 0;
}
