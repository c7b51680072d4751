// main.c: files that are mapped, shared and private, while they are read, written, cut and made longer.
//
// mappings [--work PERCENT] [TEST...]     with $MAPPED, in files of that directory
#include "tests.h"

static sigjmp_buf back;

static void on_fault(int number, siginfo_t *information, void *context) {
    (void)information, (void)context;
    siglongjmp(back, number);
}

int touch_signals(volatile char *address, int store) {
    // Not counted: who calls this may do so more often in one place than in another.
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_NODEFER | SA_SIGINFO};
    REQUIRE(sigaction(SIGBUS, &action, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0);
    int number = sigsetjmp(back, 1);
    if (number == 0) {
        if (store)
            *address = '!';
        else
            (void)*address;
    }
    signal(SIGBUS, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
    return number;
}

int new_file(int pages) {
    const char *directory = getenv("MAPPED");
    int file;
    if (directory) {
        char name[256];
        snprintf(name, sizeof name, "%s/mapped-XXXXXX", directory);
        file = mkstemp(name);
        CHECK(file >= 0 && unlink(name) == 0);
    } else {
        file = (int)syscall(SYS_memfd_create, "mapped", 0);
        CHECK(file >= 0);
    }
    char page[PAGE];
    for (int number = 0; number < pages; number++) {
        memset(page, 'a' + number, sizeof page);
        REQUIRE(write(file, page, sizeof page) == sizeof page);
    }
    return file;
}

char *map_file(int file, int pages, int protection, int flags) {
    char *mapping = mmap(NULL, (size_t)pages * PAGE, protection, flags, file, 0);
    CHECK(mapping != MAP_FAILED);
    return mapping;
}

int main(int argc, char **argv) {
    static const struct test *const families[] = {shared_tests, private_tests, length_tests, NULL};
    return run_tests("mappings", families, argc, argv);
}
