// main.c: signals tortured, from timers over live vector registers to faults mended in handlers: the table of contents.
//
// signals [--work PERCENT] [TEST...]
// signals --end WAY     ends as endings.c says
#include "tests.h"

static const struct test *const families[] = {
    vector_tests, queue_tests, fault_tests, context_tests, nested_tests, interrupt_tests, target_tests, stop_tests,
    growing_tests, NULL,
};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--end") == 0) return end_by(argv[2]), 100;
    return run_tests("signals", families, argc, argv);
}
