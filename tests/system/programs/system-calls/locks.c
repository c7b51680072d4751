#include "tests.h"
const struct test lock_tests[] = {{NULL, NULL}};
