// checks.h: the C++ program's checks; see common/checks.h for what a program prints.
#pragma once
#include <atomic>
#include <stdexcept>
#include <string>

struct test {
    const char *name;
    void (*run)();
};

#define CHECK(condition) check((condition) ? true : false, __FILE__, __LINE__, #condition)

// Counts a condition that holds; ends the program with its text if it does not.
void check(bool holds, const char *file, int line, const char *condition);

// This many rounds at the usual work of 100 percent (`--work PERCENT`), at least one.
int scaled(int rounds);

extern const test crossing_tests[], unwinding_tests[], library_tests[];
