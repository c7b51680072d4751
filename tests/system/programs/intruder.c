// A process that tries what it may not: the kernel's memory, other processes' memory, privileged instructions, forged
// signal frames, files and processes of other users. Each try is a child's, whose end the parent looks at; memory of
// the parent's must stay as it is. Prints a line for each part, and what is wrong.
#include "check.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

enum { CANARIES = 512 };
static const uint64_t WORD = 0x5afe5afe5afe5afe;
static volatile uint64_t *canaries;

static int untouched(void)
{
    for (int i = 0; i < CANARIES; i++)
        if (canaries[i] != WORD)
            return 0;
    return 1;
}

// How a child ends: its status, or 128 and the signal.
static int end_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int tried(void (*attempt)(uintptr_t), uintptr_t word)
{
    pid_t child = fork();
    if (child == 0) {
        attempt(word);
        _exit(0);
    }
    int end = end_of(child);
    CHECK(untouched());
    return end;
}

// Addresses of the kernel's half, and those that are none.
static const uintptr_t FORBIDDEN[] = {
    0xffff800000000000, 0xffff800000100000, 0xffff888000000000, 0xffffc00000000000, 0xffffff8000000000,
    0xffffffff80000000, 0xffffffff80200000, 0xfffffffffffff000, 0xfffffffffffffff8, 0x0000800000000000,
    0x1234567890abcdef, 0xfee00000,         0x1000,
};
#define COUNT(array) (sizeof array / sizeof *array)

static void loads(uintptr_t address)
{
    (void)*(volatile uint64_t *)address;
}

static void stores(uintptr_t address)
{
    *(volatile uint64_t *)address = 1;
}

static void jumps(uintptr_t address)
{
    ((void (*)(void))address)();
}

static void kernel_memory(void)
{
    for (size_t i = 0; i < COUNT(FORBIDDEN); i++) {
        int ends[] = {tried(loads, FORBIDDEN[i]), tried(stores, FORBIDDEN[i]), tried(jumps, FORBIDDEN[i])};
        for (int way = 0; way < 3; way++)
            if (ends[way] != 128 + SIGSEGV) {
                printf("%#lx way %d: %d\n", FORBIDDEN[i], way, ends[way]);
                wrong++;
            }
    }
}

// System calls that are to move bytes for the program.
static void buffers(void)
{
    int ends[2], null = open("/dev/zero", O_RDWR), file = open("/tmp/intruder", O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(pipe(ends) == 0 && write(ends[1], "12345678", 8) == 8 && write(file, "12345678", 8) == 8);
    for (size_t i = 0; i < COUNT(FORBIDDEN); i++) {
        void *bad = (void *)FORBIDDEN[i];
        CHECK(syscall(SYS_read, null, bad, 8L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_read, null, bad, 100000L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_read, ends[0], bad, 8L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_pread64, file, bad, 8L, 0L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_write, ends[1], bad, 8L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_write, file, bad, 8L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_uname, bad) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_fstat, 0L, bad) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_getcwd, bad, 64L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_open, bad, 0L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_execve, bad, NULL, NULL) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_rt_sigaction, (long)SIGUSR1, NULL, bad, 8L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_rt_sigaction, (long)SIGUSR1, bad, NULL, 8L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_clock_gettime, 0L, bad) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_pipe2, bad, 0L) == -1 && errno == EFAULT);
        struct iovec vector = {bad, 8};
        CHECK(syscall(SYS_readv, null, &vector, 1L) == -1 && errno == EFAULT);
        CHECK(syscall(SYS_readv, null, bad, 1L) == -1 && errno == EFAULT);
        int refused = syscall(SYS_mmap, bad, 4096L, 3L, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1L, 0L) == -1;
        CHECK(refused || FORBIDDEN[i] == 0xfee00000 || FORBIDDEN[i] == 0x1000);
        munmap(bad, 4096);
    }
    close(ends[0]), close(ends[1]), close(null), close(file), unlink("/tmp/intruder");
    CHECK(untouched());
}

static volatile uint64_t *own_page;

// What a process has at an address after fork(2) is its own.
static void other_memory(void)
{
    own_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int gate[2], back[2];
    CHECK(pipe(gate) == 0 && pipe(back) == 0);
    own_page[0] = 1;
    pid_t child = fork();
    if (child == 0) {
        char byte;
        own_page[0] = 2;
        volatile uint64_t *later = mmap((void *)0x5a0000000, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        later[0] = 77;
        for (int i = 0; i < CANARIES; i++)
            canaries[i] = 0;
        if (write(back[1], "x", 1) != 1 || read(gate[0], &byte, 1) != 1)
            _exit(1);
        _exit(own_page[0] == 2 && later[0] == 77 ? 21 : 1);
    }
    char byte;
    CHECK(read(back[0], &byte, 1) == 1);
    CHECK(own_page[0] == 1 && untouched());
    CHECK(tried(loads, 0x5a0000000) == 128 + SIGSEGV && tried(stores, 0x5a0000000) == 128 + SIGSEGV);
    own_page[0] = 3;
    // As another user: none of the ways into another process' memory is open.
    pid_t other = fork();
    if (other == 0) {
        uint64_t word = 0;
        struct iovec here = {&word, 8}, there = {(void *)own_page, 8};
        char path[64];
        if (setresgid(1234, 1234, 1234) != 0 || setresuid(1234, 1234, 1234) != 0)
            _exit(1);
        snprintf(path, sizeof path, "/proc/%d/mem", child);
        if (process_vm_readv(child, &here, 1, &there, 1, 0) >= 0 || (errno != EPERM && errno != ENOSYS))
            _exit(2);
        if (process_vm_writev(child, &here, 1, &there, 1, 0) >= 0 || (errno != EPERM && errno != ENOSYS))
            _exit(3);
        if (open(path, O_RDWR) >= 0 || (errno != EACCES && errno != ENOENT))
            _exit(4);
        if (ptrace(PTRACE_ATTACH, child, 0, 0) != -1 || (errno != EPERM && errno != ENOSYS))
            _exit(5);
        _exit(22);
    }
    CHECK(end_of(other) == 22);
    CHECK(write(gate[1], "x", 1) == 1 && end_of(child) == 21 && own_page[0] == 3 && untouched());
    close(gate[0]), close(gate[1]), close(back[0]), close(back[1]);
}

static void instruction(uintptr_t which)
{
    static uint64_t table[2];
    switch (which) {
    case 0: __asm__ volatile("cli"); break;
    case 1: __asm__ volatile("sti"); break;
    case 2: __asm__ volatile("hlt"); break;
    case 3: __asm__ volatile("mov %0, %%cr3" : : "r"(0L)); break;
    case 4: __asm__ volatile("mov %0, %%cr0" : : "r"(0L)); break;
    case 5: __asm__ volatile("mov %%cr3, %%rax" : : : "rax"); break;
    case 6: __asm__ volatile("wrmsr" : : "a"(0), "d"(0), "c"(0xc0000082)); break;
    case 7: __asm__ volatile("rdmsr" : : "c"(0xc0000080) : "rax", "rdx"); break;
    case 8: __asm__ volatile("outb %%al, %%dx" : : "a"(0xfe), "d"(0x64)); break;
    case 9: __asm__ volatile("inb %%dx, %%al" : : "d"(0x3f8) : "rax"); break;
    case 10: __asm__ volatile("lgdt %0" : : "m"(table)); break;
    case 11: __asm__ volatile("lidt %0" : : "m"(table)); break;
    case 12: __asm__ volatile("ltr %%ax" : : "a"(0x28)); break;
    case 13: __asm__ volatile("invlpg (%0)" : : "r"(table)); break;
    case 14: __asm__ volatile("wbinvd"); break;
    case 15: __asm__ volatile("swapgs"); break;
    case 16: __asm__ volatile("clts"); break;
    case 17: __asm__ volatile("lmsw %%ax" : : "a"(1)); break;
    case 18: __asm__ volatile("mov %0, %%dr7" : : "r"(0L)); break;
    case 19: __asm__ volatile("sysretq" : : : "rcx"); break;
    case 20: __asm__ volatile("iretq"); break;
    case 21: __asm__ volatile("int $0x21"); break;
    case 22: __asm__ volatile("int $0x0e"); break;
    }
}
enum { INSTRUCTIONS = 23 };

static void instructions(void)
{
    for (int which = 0; which < INSTRUCTIONS; which++) {
        int end = tried(instruction, which);
        // iretq takes what is on the stack for a frame, which is none.
        if (end != 128 + SIGSEGV && !(which == 20 && end == 128 + SIGBUS)) {
            printf("instruction %d: %d\n", which, end);
            wrong++;
        }
    }
}

static volatile int forgery;
static volatile uint64_t seen_flags;

// Changes the frame that it goes back by.
static void forges(int signal, siginfo_t *information, void *frame)
{
    (void)signal, (void)information;
    ucontext_t *context = frame;
    greg_t *registers = context->uc_mcontext.gregs;
    switch (forgery) {
    // The segments of the kernel: cs, gs, fs and ss, two bytes each.
    case 0: registers[REG_CSGSFS] = 0x0008 | (greg_t)0x0010 << 48; break;
    case 1: registers[REG_CSGSFS] = 0x0010 | (greg_t)0x0018 << 48; break;
    case 2: registers[REG_CSGSFS] = 0xffff | (greg_t)0xffff << 48; break;
    case 3: registers[REG_CSGSFS] = 0; break;
    // Rights to ports, interrupts off, virtual 8086, nested task.
    case 4: registers[REG_EFL] |= 0x3000; break;
    case 5: registers[REG_EFL] &= ~0x200L; break;
    case 6: registers[REG_EFL] |= 0x20000 | 0x4000; break;
    case 7: registers[REG_EFL] = -1L & ~0x100L; break;
    case 8: registers[REG_RIP] = (greg_t)0xffffffff80200000; break;
    case 9: registers[REG_RIP] = 0x0000800000000000; break;
    case 10: registers[REG_RIP] = 0x1234567890abcdef; break;
    case 11: registers[REG_RIP] = -1; break;
    case 12: registers[REG_RSP] = 0x1234567890abcdef; registers[REG_RIP] = 0; break;
    case 13: registers[REG_RSP] = (greg_t)0xffff800000100000; registers[REG_RIP] = 0; break;
    // Vector state: nowhere, in the kernel, without an alignment, of bits that no processor has.
    case 14: context->uc_mcontext.fpregs = (void *)0xffff800000100000; break;
    case 15: context->uc_mcontext.fpregs = (void *)0x1234567890abcdef; break;
    case 16: context->uc_mcontext.fpregs = (void *)((char *)context->uc_mcontext.fpregs + 1); break;
    case 17: context->uc_mcontext.fpregs->mxcsr = 0xffffffff; break;
    case 18: memset((char *)context->uc_mcontext.fpregs + 512, 0xff, 64); break;
    case 19: memset((char *)context->uc_mcontext.fpregs + 464, 0xff, 48); break;
    case 20: memset(context->uc_mcontext.fpregs, 0xff, 576); break;
    }
}
enum { FORGERIES = 21 };

static void goes_back(uintptr_t which)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = forges;
    sigaction(SIGUSR1, &action, NULL);
    forgery = (int)which;
    raise(SIGUSR1);
    uint64_t flags;
    __asm__ volatile("pushfq; popq %0" : "=r"(flags));
    // Whoever goes on has interrupts, and neither ports nor another mode.
    if (!(flags & 0x200) || flags & 0x23000)
        _exit(77);
    uint16_t code;
    __asm__ volatile("mov %%cs, %0" : "=r"(code));
    if ((code & 3) != 3)
        _exit(78);
    // And may do no more than before.
    if (which % 2 == 0)
        __asm__ volatile("cli");
    else
        stores(0xffff800000100000);
    _exit(79);
}

// A frame made of nothing, at a bad place.
static void returns_from(uintptr_t stack)
{
    __asm__ volatile("mov %0, %%rsp; mov $15, %%eax; syscall; hlt" : : "r"(stack) : "rax", "rcx", "r11", "memory");
}

static void frames(void)
{
    for (int which = 0; which < FORGERIES; which++) {
        int end = tried(goes_back, which);
        if (end != 128 + SIGSEGV && end != 128 + SIGBUS) {
            printf("forged frame %d: %d\n", which, end);
            wrong++;
        }
    }
    for (size_t i = 0; i < COUNT(FORBIDDEN); i++)
        CHECK(tried(returns_from, FORBIDDEN[i]) == 128 + SIGSEGV);
    static unsigned char noise[8192];
    unsigned state = 1;
    for (int turn = 0; turn < 200; turn++) {
        for (size_t i = 0; i < sizeof noise; i++)
            noise[i] = (state = state * 1103515245 + 12345) >> 16;
        int end = tried(returns_from, (uintptr_t)noise + 2048 + 8 * (turn % 3));
        if (end != 128 + SIGSEGV && end != 128 + SIGBUS) {
            printf("noise %d: %d\n", turn, end);
            wrong++;
        }
    }
}

static void rights(void)
{
    int file = open("/tmp/intruder-secret", O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(file >= 0 && write(file, "secret", 6) == 6);
    close(file);
    int kept = memfd_create("kept", MFD_CLOEXEC);
    CHECK(kept >= 0);
    CHECK(mkdir("/tmp/intruder-folder", 0700) == 0 || errno == EEXIST);
    pid_t root = getpid();
    pid_t child = fork();
    if (child == 0) {
        if (setgid(1234) != 0 || setuid(1234) != 0)
            _exit(1);
        if (open("/tmp/intruder-secret", O_RDONLY) >= 0 || errno != EACCES)
            _exit(2);
        if (open("/tmp/intruder-secret", O_WRONLY) >= 0 || errno != EACCES)
            _exit(3);
        if (open("/tmp/intruder-folder/new", O_RDWR | O_CREAT, 0600) >= 0 || errno != EACCES)
            _exit(4);
        if (chmod("/tmp/intruder-secret", 0666) != -1 || errno != EPERM)
            _exit(5);
        if (chown("/tmp/intruder-secret", 1234, 1234) != -1 || errno != EPERM)
            _exit(6);
        if (kill(root, SIGTERM) != -1 || errno != EPERM || kill(root, 0) != -1 || errno != EPERM)
            _exit(7);
        char name[64];
        snprintf(name, sizeof name, "/proc/%d/environ", root);
        if (open(name, O_RDONLY) >= 0 || errno != EACCES)
            _exit(10);
        snprintf(name, sizeof name, "/proc/%d/fd", root);
        if (open(name, O_RDONLY) >= 0 || errno != EACCES)
            _exit(11);
        snprintf(name, sizeof name, "/proc/%d/fd/%d", root, kept);
        if (open(name, O_RDONLY) >= 0 || errno != EACCES)
            _exit(12);
        snprintf(name, sizeof name, "/proc/%d/maps", root);
        if (open(name, O_RDONLY) >= 0 || errno != EACCES)
            _exit(13);
        char where[64];
        static const char *const links[] = {"exe", "cwd", "root"};
        for (int i = 0; i < 3; i++) {
            snprintf(name, sizeof name, "/proc/%d/%s", root, links[i]);
            if (readlink(name, where, sizeof where) != -1 || errno != EACCES)
                _exit(14);
            if (open(name, O_RDONLY) >= 0 || errno != EACCES)
                _exit(15);
            snprintf(name, sizeof name, "/proc/self/%s", links[i]);
            if (readlink(name, where, sizeof where) <= 0)
                _exit(16);
        }
        if (open("/proc/self/maps", O_RDONLY) < 0)
            _exit(17);
        snprintf(name, sizeof name, "/proc/%d/cmdline", root);
        if (open(name, O_RDONLY) < 0)
            _exit(18);
        if (setuid(0) != -1 || errno != EPERM || setgid(0) != -1 || errno != EPERM)
            _exit(8);
        if (chroot("/tmp") != -1 || errno != EPERM)
            _exit(9);
        _exit(23);
    }
    int end = end_of(child);
    CHECK(end == 23);
    if (end != 23)
        printf("rights: %d\n", end);
    file = open("/tmp/intruder-secret", O_RDONLY);
    char text[8] = "";
    CHECK(read(file, text, 8) == 6 && strcmp(text, "secret") == 0);
    close(file);
    unlink("/tmp/intruder-secret");
    rmdir("/tmp/intruder-folder");
    close(kept);
}

static void wanted(const char *name, void (*test)(void), int count, char **words)
{
    for (int i = 1; count > 1 && i < count; i++)
        if (strcmp(words[i], name) == 0)
            count = 1;
    if (count > 1)
        return;
    int before = wrong;
    test();
    CHECK(untouched());
    if (wrong == before)
        printf("%s: ok\n", name);
    fflush(stdout);
}

// The parts to run, or all.
int main(int count, char **words)
{
    alarm(120);
    canaries = mmap(NULL, CANARIES * sizeof *canaries, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < CANARIES; i++)
        canaries[i] = WORD;
    wanted("kernel_memory", kernel_memory, count, words);
    wanted("buffers", buffers, count, words);
    wanted("other_memory", other_memory, count, words);
    wanted("instructions", instructions, count, words);
    wanted("frames", frames, count, words);
    wanted("rights", rights, count, words);
    return wrong != 0;
}
