// main.c: system calls that trap at first and are calls later do the same all the time, whatever the program does.
//
// rewriting [--work PERCENT] [TEST...]     with $REWRITTEN, each site must have been rewritten where a test says so
#include "tests.h"

__asm__(".pushsection .text\n"
        ".balign 64\n"
        ".globl number_call, number_site, number_behind, before_call, before_site, before_behind\n"
        ".globl behind_call, behind_site, behind_behind\n"
        ".skip 128, 0x90\n"
        "number_call:\n"
        "number_site: mov $39, %eax\n"
        "syscall\n"
        "number_behind: ret\n"
        ".skip 128, 0x90\n"
        "before_call:\n"
        "mov %rdi, %rax\n"
        "mov %rsi, %rdi\n"
        "before_site: mov %rdx, %rsi\n"
        "mov %rcx, %rdx\n"
        "syscall\n"
        "before_behind: ret\n"
        ".skip 128, 0x90\n"
        "behind_call:\n"
        "mov %rdi, %rax\n"
        "mov %rsi, %rdi\n"
        "mov %rdx, %rsi\n"
        "mov %rcx, %rdx\n"
        "jmp behind_site\n"
        "behind_site: syscall\n"
        "behind_behind: test %rax, %rax\n"
        "mov %rax, %rax\n"
        "ret\n"
        ".skip 128, 0x90\n"
        ".popsection\n");

const struct site sites[SITES] = {
    {"number", number_call, number_site, number_behind},
    {"before", before_call, before_site, before_behind},
    {"behind", behind_call, behind_site, behind_behind},
};

int is_rewriting(void) { return getenv("REWRITTEN") != NULL; }

int warm(const struct site *site) {
    long own = getpid();
    for (int turn = 0; turn < 64; turn++)
        REQUIRE(site->call(SYS_getpid, 0, 0, 0) == own);
    return !is_rewriting() || *site->start == 0xe9;
}

char *map_code(int number, void *address) {
    int file = (int)syscall(SYS_memfd_create, "code", 0);
    REQUIRE(file >= 0);
    unsigned char code[CODE];
    memset(code, 0x90, sizeof code);
    const unsigned char call[] = {0xb8, number & 0xff, number >> 8, 0, 0, 0x0f, 0x05, 0xc3};
    memcpy(code + AT, call, sizeof call);
    REQUIRE(write(file, code, sizeof code) == sizeof code);
    int flags = MAP_PRIVATE | (address ? MAP_FIXED : 0);
    char *mapping = mmap(address, CODE, PROT_READ | PROT_EXEC, flags, file, 0);
    REQUIRE(mapping != MAP_FAILED);
    REQUIRE(close(file) == 0);
    return mapping;
}

enum { RANGES = 64 };
static struct {
    uintptr_t start, end;
} known[RANGES];
static int count;

static void look_at_maps(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps != NULL);
    char line[512], rights[8];
    while (count < RANGES && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        REQUIRE(sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3);
        if (rights[2] == 'x') {
            known[count].start = start;
            known[count++].end = end;
        }
    }
    fclose(maps);
}

int is_known(uintptr_t address) {
    for (int number = 0; number < count; number++)
        if (known[number].start <= address && address < known[number].end)
            return 1;
    return 0;
}

static sigjmp_buf no_access;

static void on_fault(int number) { siglongjmp(no_access, number); }

// What is at the kernel's addresses can be neither read nor executed.
static int kernel_is_out_of_reach(char *const *addresses) {
    signal(SIGSEGV, on_fault);
    for (; *addresses; addresses++) {
        volatile const char *address = (const char *)strtoul(*addresses, NULL, 16);
        if (sigsetjmp(no_access, 1) == 0) {
            printf("read %d at %p\n", *address, (void *)address);
            return 1;
        }
        if (sigsetjmp(no_access, 1) == 0) {
            ((void (*)(void))address)();
            printf("called %p\n", (void *)address);
            return 1;
        }
    }
    for (int number = 0; number < SITES; number++)
        REQUIRE(warm(&sites[number]));
    puts("out of reach");
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "reach") == 0)
        return kernel_is_out_of_reach(argv + 2);
    if (argc == 2 && strcmp(argv[1], "executed") == 0) {
        for (int number = 0; number < SITES; number++)
            REQUIRE(warm(&sites[number]));
        return 33;
    }
    if (argc == 2 && strcmp(argv[1], "execute") == 0) {
        for (int number = 0; number < SITES; number++)
            REQUIRE(warm(&sites[number]));
        execl("/proc/self/exe", "rewriting", "executed", NULL);
        return 1;
    }
    look_at_maps();
    // Those about cpuid come last, behind what counts steps: their timers may leave work pending, which changes that.
    static const struct test *const families[] = {register_tests, signal_tests, page_tests, thread_tests,
                                                 cpuid_tests,    NULL};
    return run_tests("rewriting", families, argc, argv);
}
