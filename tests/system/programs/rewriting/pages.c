// pages.c: code that comes, changes, moves and goes.
#include "tests.h"

#include <sys/wait.h>

static int is_rewritten(char *code) { return !is_rewriting() || (unsigned char)code[AT] == 0xe9; }

static void call_often(char *code, long answer) {
    for (int turn = 0; turn < 40; turn++)
        REQUIRE(call_code(code) == answer);
}

static void other_code_at_one_place(void) {
    char *code = map_code(SYS_getppid, NULL);
    for (int turn = 0; turn < 20; turn++) {
        call_often(code, getppid());
        REQUIRE(is_rewritten(code));
        if (turn % 2)
            REQUIRE(munmap(code, CODE) == 0);
        map_code(SYS_getuid, code);
        call_often(code, getuid());
        REQUIRE(is_rewritten(code));
        map_code(SYS_getppid, code);
    }
    CHECK(munmap(code, CODE) == 0);
}

// Who makes code writable finds what the file has.
static void writable_and_back(void) {
    char *code = map_code(SYS_getppid, NULL);
    static const unsigned char first[] = {0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3};
    static const unsigned char other[] = {0xb8, SYS_getuid, 0, 0, 0, 0x0f, 0x05, 0xc3};
    for (int turn = 0; turn < 50; turn++) {
        call_often(code, turn % 2 ? (long)getuid() : (long)getppid());
        REQUIRE(is_rewritten(code));
        REQUIRE(mprotect(code, CODE, PROT_READ | PROT_WRITE) == 0);
        REQUIRE(memcmp(code + AT, turn % 2 ? other : first, sizeof first) == 0);
        memcpy(code + AT, turn % 2 ? first : other, sizeof first);
        REQUIRE(mprotect(code, CODE, PROT_READ | PROT_EXEC) == 0);
    }
    CHECK(munmap(code, CODE) == 0);
}

static void moved_and_forgotten(void) {
    char *code = map_code(SYS_getppid, NULL);
    char *room = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(room != MAP_FAILED);
    for (int turn = 0; turn < 20; turn++) {
        call_often(code, getppid());
        REQUIRE(is_rewritten(code));
        REQUIRE(madvise(code, CODE, MADV_DONTNEED) == 0);
        call_often(code, getppid());
        char *next = mremap(code, CODE, CODE, MREMAP_MAYMOVE | MREMAP_FIXED, room + (turn % 16) * CODE * 2);
        REQUIRE(next != MAP_FAILED);
        code = next;
        REQUIRE(call_code(code) == getppid());
    }
    CHECK(munmap(room, 1 << 20) == 0);
}

// Half of the mapping goes, or all of it with what lies around.
static void parts_go(void) {
    for (int turn = 0; turn < 20; turn++) {
        char *room = mmap(NULL, 8 * CODE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(room != MAP_FAILED);
        map_code(SYS_getppid, room + 2 * CODE);
        map_code(SYS_getuid, room + 3 * CODE);
        call_often(room + 2 * CODE, getppid());
        call_often(room + 3 * CODE, getuid());
        REQUIRE(munmap(room + 3 * CODE, CODE) == 0);
        call_often(room + 2 * CODE, getppid());
        REQUIRE(munmap(room, 8 * CODE) == 0);
    }
    CHECK(1);
}

// A site of which one part is in the next page.
static void across_pages(void) {
    for (int distance = 1; distance < 8; distance++) {
        int file = (int)syscall(SYS_memfd_create, "code", 0);
        unsigned char bytes[2 * CODE];
        memset(bytes, 0x90, sizeof bytes);
        const unsigned char call[] = {0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3};
        memcpy(bytes + CODE - distance, call, sizeof call);
        REQUIRE(write(file, bytes, sizeof bytes) == sizeof bytes);
        char *code = mmap(NULL, sizeof bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
        REQUIRE(code != MAP_FAILED);
        for (int turn = 0; turn < 40; turn++)
            REQUIRE(((function)(code + CODE - distance))() == getppid());
        CHECK(!is_rewriting() || (unsigned char)code[CODE - distance] == 0xe9);
        REQUIRE(munmap(code, sizeof bytes) == 0 && close(file) == 0);
    }
}

// Code that was made at run time traps, and is never changed.
static void made_at_run_time(void) {
    static const unsigned char call[] = {0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3};
    char *code = mmap(NULL, CODE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(code != MAP_FAILED);
    memset(code, 0x90, CODE);
    memcpy(code + AT, call, sizeof call);
    REQUIRE(mprotect(code, CODE, PROT_READ | PROT_EXEC) == 0);
    call_often(code, getppid());
    CHECK(memcmp(code + AT, call, sizeof call) == 0);
    CHECK(munmap(code, CODE) == 0);
}

// A table among code that reads as calls, which nobody executes. Right behind it nobody knows where instructions begin,
// so that site is left alone; one that is further from it is rewritten.
__asm__(".pushsection .text\n"
        ".globl table, table_end\n"
        "table: .rept 64\n.byte 0xb8, 39, 0, 0, 0, 0x0f, 0x05, 0x0f, 0x05, 0x48, 0x89, 0xc7, 0x0f, 0x05\n.endr\n"
        "table_end: mov $39, %eax\n"
        ".globl behind_table\n"
        "behind_table: mov %rdi, %rax\nmov %rdx, %rsi\nsyscall\nret\n"
        ".skip 128, 0x90\n"
        ".globl apart_from_table\n"
        "apart_from_table: mov %rdi, %rax\nmov %rdx, %rsi\nsyscall\nret\n"
        ".popsection\n");
extern const unsigned char table[], table_end[];
long behind_table(long number), apart_from_table(long number);

static void data_stays(void) {
    static const unsigned char row[] = {0xb8, 39, 0, 0, 0, 0x0f, 0x05, 0x0f, 0x05, 0x48, 0x89, 0xc7, 0x0f, 0x05};
    for (int turn = 0; turn < 64; turn++)
        REQUIRE(behind_table(SYS_getppid) == getppid() && apart_from_table(SYS_getppid) == getppid());
    REQUIRE((size_t)(table_end - table) == 64 * sizeof row);
    for (const unsigned char *at = table; at < table_end; at += sizeof row)
        REQUIRE(memcmp(at, row, sizeof row) == 0);
    CHECK(!is_rewriting() || *(const unsigned char *)apart_from_table == 0xe9);
}

static void shared_code_stays(void) {
    int file = (int)syscall(SYS_memfd_create, "code", 0);
    static const unsigned char call[] = {0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3};
    unsigned char bytes[CODE];
    memset(bytes, 0x90, sizeof bytes);
    memcpy(bytes + AT, call, sizeof call);
    REQUIRE(write(file, bytes, sizeof bytes) == sizeof bytes);
    char *code = mmap(NULL, CODE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    REQUIRE(code != MAP_FAILED);
    call_often(code, getppid());
    REQUIRE(pread(file, bytes, sizeof bytes, 0) == sizeof bytes);
    CHECK(memcmp(bytes + AT, call, sizeof call) == 0 && memcmp(code + AT, call, sizeof call) == 0);
    CHECK(munmap(code, CODE) == 0 && close(file) == 0);
}

// No line more or less for what has been rewritten.
static int lines_of_maps(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps != NULL);
    int lines = 0, byte;
    while ((byte = fgetc(maps)) != EOF)
        lines += byte == '\n';
    fclose(maps);
    return lines;
}

static void maps_stay(void) {
    int before = lines_of_maps();
    for (int turn = 0; turn < 40; turn++)
        for (int number = 0; number < SITES; number++)
            sites[number].call(SYS_getpid, 0, 0, 0);
    CHECK(lines_of_maps() == before);
}

const struct test page_tests[] = {
    {"other_code_at_one_place", other_code_at_one_place},
    {"writable_and_back", writable_and_back},
    {"moved_and_forgotten", moved_and_forgotten},
    {"parts_go", parts_go},
    {"across_pages", across_pages},
    {"made_at_run_time", made_at_run_time},
    {"data_stays", data_stays},
    {"shared_code_stays", shared_code_stays},
    {"maps_stay", maps_stay},
    {NULL, NULL},
};
