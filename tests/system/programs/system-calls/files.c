#include "tests.h"
const struct test file_tests[] = {{NULL, NULL}};
