// tests.h: the families of this program's tests.
#pragma once
#include "../common/checks.h"

#include <fcntl.h>
#include <sys/mman.h>

extern const struct test many_tests[], locked_tests[], row_tests[];

enum { PAGE = 4096 };
