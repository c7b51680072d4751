// library.c: a library with system calls of its own, which comes and goes.
#include <sys/syscall.h>

long ask(void);
long identify(void);
extern const unsigned char ask_site[];

__asm__(".pushsection .text\n"
        ".skip 64, 0x90\n"
        ".globl ask, ask_site, identify\n"
        ".type ask, @function\n.type identify, @function\n"
        "ask:\n"
        "ask_site: mov $110, %eax\n" // getppid
        "syscall\nret\n"
        ".skip 64, 0x90\n"
        "identify: mov $102, %eax\n" // getuid
        "syscall\nret\n"
        ".skip 64, 0x90\n"
        ".popsection\n");
_Static_assert(SYS_getppid == 110 && SYS_getuid == 102, "x86-64");
