// tests.h: the families of this program's tests, a file each.
#pragma once
#include "../common/calls.h"

enum { MANY = 64 };

// The same body for many threads, each with its index; all are joined. What a body returns is NULL or a sentence.
void run_many(int count, void *(*body)(void *));

extern const struct test mutex_tests[], robust_tests[], lock_tests[], condition_tests[], local_tests[], cancel_tests[],
    life_tests[], place_tests[], futex_tests[], inherit_tests[], clone_tests[];
