// main.c: mappings and threads in the thousands, what keeps memory, and what maps refuse.
//
// memory [--work PERCENT] [TEST...]
#include "tests.h"

int main(int argc, char **argv) {
    static const struct test *const families[] = {many_tests, locked_tests, row_tests, NULL};
    return run_tests("memory", families, argc, argv);
}
