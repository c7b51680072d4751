// main.cpp: exceptions thrown and caught among threads, and the standard library's threads: the table of contents.
//
// exceptions [--work PERCENT] [TEST...]
#include "checks.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

static const char *test_name = "?";
static std::atomic<int> passed;
static int work = 100;

void check(bool holds, const char *file, int line, const char *condition) {
    if (holds) {
        passed++;
        return;
    }
    const char *slash = std::strrchr(file, '/');
    std::printf("exceptions: FAILED %s: %s:%d: %s\n", test_name, slash ? slash + 1 : file, line, condition);
    std::fflush(stdout);
    _exit(1);
}

int scaled(int rounds) {
    int count = static_cast<int>(rounds * static_cast<long long>(work) / 100);
    return count > 0 ? count : 1;
}

int main(int argc, char **argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    argc--, argv++;
    if (argc > 1 && std::strcmp(argv[0], "--work") == 0) work = std::atoi(argv[1]), argc -= 2, argv += 2;
    for (const test *family : {crossing_tests, unwinding_tests, library_tests}) {
        for (; family->name; family++) {
            bool wanted = argc == 0;
            for (int index = 0; index < argc; index++) wanted |= std::strcmp(argv[index], family->name) == 0;
            if (!wanted) continue;
            test_name = family->name;
            family->run();
            std::printf("ok %s\n", family->name);
        }
    }
    std::printf("exceptions: %d checks passed\n", passed.load());
    return passed == 0;
}
