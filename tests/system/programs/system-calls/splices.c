#include "tests.h"
const struct test splice_tests[] = {{NULL, NULL}};
