#include "tests.h"
const struct test refusal_tests[] = {{NULL, NULL}};
