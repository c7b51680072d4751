/*
 * What watching costs a call of Linux' own: the word `guarded` puts the least of what whittle's processes have around
 * the calls behind it.
 *
 * They have system calls dispatched (all pass here), and a list of calls in which the arguments of mprotect count. A
 * call of whittle's to its host cannot be faster than Linux' own call is then.
 */
#define _GNU_SOURCE
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "operations.h"

/* prctl(2), since Linux 5.11: older headers lack them. */
enum { DISPATCH = 59, DISPATCH_ON = 1 };

#define LOAD(part) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, part))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define ANSWER(answer) BPF_STMT(BPF_RET | BPF_K, answer)

static void must(const char *what, int result)
{
    if (result) {
        perror(what);
        exit(1);
    }
}

void guard(void)
{
    struct sock_filter list[] = {
        LOAD(arch), UNLESS(AUDIT_ARCH_X86_64, 8),
        LOAD(nr), UNLESS(SYS_mprotect, 5),
        LOAD(args[2]), BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC), UNLESS(PROT_WRITE | PROT_EXEC, 1),
        ANSWER(SECCOMP_RET_TRAP), ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_ALLOW),
        ANSWER(SECCOMP_RET_TRAP),
    };
    struct sock_fprog program = { sizeof list / sizeof *list, list };
    must("dispatch system calls", prctl(DISPATCH, DISPATCH_ON, 0x1000ul, 0x7ffffffff000ul, 0ul));
    must("take on no more rights", prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0ul, 0ul, 0ul));
    must("filter system calls", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}
