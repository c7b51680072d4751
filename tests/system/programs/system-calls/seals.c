#include "tests.h"
const struct test seal_tests[] = {{NULL, NULL}};
