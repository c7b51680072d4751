// main.c: deep structures: the table of contents.
//
// depths [--work PERCENT] [TEST...]
#include "tests.h"

static const struct test *const families[] = {name_tests, set_tests, right_tests, directory_tests, NULL};

int main(int argc, char **argv) { return run_tests("depths", families, argc, argv); }
