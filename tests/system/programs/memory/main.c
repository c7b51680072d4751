// main.c: mappings and threads in the thousands.
//
// memory [--work PERCENT] [TEST...]
#include "tests.h"

int main(int argc, char **argv) {
    static const struct test *const families[] = {many_tests, NULL};
    return run_tests("memory", families, argc, argv);
}
