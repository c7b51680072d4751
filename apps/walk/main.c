/*
 * One thing that a program asks of the kernel, between two marks: what `whittle walk` follows.
 *
 * The words are `read FILE OTHER ...`, `fault` or `console`. It is done before the marks too, with other files or another page, so
 * that what only a first time costs (the program's own pages, the kernel's empty heap) is not on the way.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, BYTES = 64 };

static volatile char pages[4 * PAGE] __attribute__((aligned(PAGE)));
static char bytes[BYTES];

/* Marks are functions, known by their addresses. They lie in one page of code, so that only what is marked faults. */
__attribute__((noinline, section(".text.walk"))) void walk_begin(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline, section(".text.walk"))) void walk_end(void) { __asm__ volatile("nop" ::: "memory"); }

static int do_read(const char *name, char **others)
{
    int file = open(name, O_RDONLY);
    for (; *others; others++) {
        int other = open(*others, O_RDONLY);
        for (off_t offset = 0; pread(other, bytes, BYTES, offset) == BYTES; offset += PAGE)
            ;
    }
    if (file < 0)
        return 1;
    walk_end();
    walk_begin();
    ssize_t count = read(file, bytes, BYTES);
    walk_end();
    return count != BYTES;
}

static int do_fault(void)
{
    walk_end();
    pages[0] = 1;
    walk_begin();
    pages[2 * PAGE] = 1;
    walk_end();
    return 0;
}

static int do_console(void)
{
    if (write(1, "w", 1) != 1)
        return 1;
    walk_end();
    walk_begin();
    ssize_t count = write(1, "x", 1);
    walk_end();
    return count != 1;
}

int main(int count, char **words)
{
    if (count > 2 && !strcmp(words[1], "read"))
        return do_read(words[2], words + 3);
    if (count == 2 && !strcmp(words[1], "fault"))
        return do_fault();
    if (count == 2 && !strcmp(words[1], "console"))
        return do_console();
    return 2;
}
