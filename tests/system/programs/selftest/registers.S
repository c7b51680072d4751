// registers.S: functions that hold live data where only a careful kernel keeps it, across system calls and signals.
// The red zone is the 128 bytes below the stack pointer that a leaf function may use (x86-64 psABI, 3.2.2).

    .text

    .macro fill_red_zone
    .set slot, 1
    .rept 16
    movq $(0x5a5a0000 + slot), -8 * slot(%rsp)
    .set slot, slot + 1
    .endr
    .endm

    .macro check_red_zone wrong
    .set slot, 1
    .rept 16
    cmpq $(0x5a5a0000 + slot), -8 * slot(%rsp)
    jne \wrong
    .set slot, slot + 1
    .endr
    .endm

// int red_zone_survives(long number, long rounds): 0, or 1 if a system call changed the red zone.
    .globl red_zone_survives
    .type red_zone_survives, @function
red_zone_survives:
    mov %rsi, %r9
    fill_red_zone
1:  mov %rdi, %rax
    syscall
    check_red_zone 2f
    dec %r9
    jnz 1b
    xor %eax, %eax
    ret
2:  mov $1, %eax
    ret

// int interrupted_leaf(volatile int *count, int until): computes, without a system call, until signal handlers have
// raised the count; 0, or 1 if a register or the red zone changed meanwhile.
    .globl interrupted_leaf
    .type interrupted_leaf, @function
interrupted_leaf:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    fill_red_zone
    mov $0x1001, %eax
    mov $0x1002, %ebx
    mov $0x1003, %ecx
    mov $0x1004, %edx
    mov $0x1005, %ebp
    mov $0x1006, %r8d
    mov $0x1007, %r9d
    mov $0x1008, %r10d
    mov $0x1009, %r11d
    mov $0x100a, %r12d
    mov $0x100b, %r13d
    mov $0x100c, %r14d
    mov $0x100d, %r15d
1:  cmp $0x1001, %rax
    jne 2f
    cmp $0x1002, %rbx
    jne 2f
    cmp $0x1003, %rcx
    jne 2f
    cmp $0x1004, %rdx
    jne 2f
    cmp $0x1005, %rbp
    jne 2f
    cmp $0x1006, %r8
    jne 2f
    cmp $0x1007, %r9
    jne 2f
    cmp $0x1008, %r10
    jne 2f
    cmp $0x1009, %r11
    jne 2f
    cmp $0x100a, %r12
    jne 2f
    cmp $0x100b, %r13
    jne 2f
    cmp $0x100c, %r14
    jne 2f
    cmp $0x100d, %r15
    jne 2f
    check_red_zone 2f
    cmp %esi, (%rdi)
    jl 1b
    xor %eax, %eax
    jmp 3f
2:  mov $1, %eax
3:  pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

// long registers_survive(long number, const uint64_t before[13], uint64_t after[13]): makes a system call with the
// registers rbx rbp rdi rsi rdx r8 r9 r10 r12 r13 r14 r15 and the flags from `before`, and stores them to `after`.
    .globl registers_survive
    .type registers_survive, @function
registers_survive:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    push %rdx
    mov %rdi, %rax
    mov %rsi, %rcx
    mov 0(%rcx), %rbx
    mov 8(%rcx), %rbp
    mov 16(%rcx), %rdi
    mov 24(%rcx), %rsi
    mov 32(%rcx), %rdx
    mov 40(%rcx), %r8
    mov 48(%rcx), %r9
    mov 56(%rcx), %r10
    mov 64(%rcx), %r12
    mov 72(%rcx), %r13
    mov 80(%rcx), %r14
    mov 88(%rcx), %r15
    pushq 96(%rcx)
    popfq
    syscall
    pushfq
    mov 8(%rsp), %rcx
    mov %rbx, 0(%rcx)
    mov %rbp, 8(%rcx)
    mov %rdi, 16(%rcx)
    mov %rsi, 24(%rcx)
    mov %rdx, 32(%rcx)
    mov %r8, 40(%rcx)
    mov %r9, 48(%rcx)
    mov %r10, 56(%rcx)
    mov %r12, 64(%rcx)
    mov %r13, 72(%rcx)
    mov %r14, 80(%rcx)
    mov %r15, 88(%rcx)
    popq 96(%rcx)
    cld
    pop %rdx
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

// void <set>_rounds(const void *in, void *out, long rounds): loads the register set, makes `rounds` getppid calls
// (number 110), stores the set.
    .macro rounds
    mov %rdx, %r9
1:  mov $110, %eax
    syscall
    dec %r9
    jnz 1b
    .endm

    .macro each_register move, prefix, count, width, from_memory
    .set index, 0
    .rept \count
    one_register \move, \prefix, %index, \width, \from_memory
    .set index, index + 1
    .endr
    .endm

    .altmacro
    .macro one_register move, prefix, index, width, from_memory
    .if \from_memory
    \move \index*\width(%rdi), %\prefix\index
    .else
    \move %\prefix\index, \index*\width(%rsi)
    .endif
    .endm

    .globl sse_rounds
    .type sse_rounds, @function
sse_rounds:
    each_register movups, xmm, 16, 16, 1
    rounds
    each_register movups, xmm, 16, 16, 0
    ret

    .globl avx_rounds
    .type avx_rounds, @function
avx_rounds:
    each_register vmovups, ymm, 16, 32, 1
    rounds
    each_register vmovups, ymm, 16, 32, 0
    vzeroupper
    ret

    .globl avx512_rounds
    .type avx512_rounds, @function
avx512_rounds:
    kmovw 0(%rdi), %k1
    kmovw 64(%rdi), %k7
    each_register vmovups, zmm, 32, 64, 1
    rounds
    each_register vmovups, zmm, 32, 64, 0
    // The masks are checked by being the result's first words' equals: a wrong one is stored over the data.
    kmovw %k1, 0(%rsi)
    kmovw %k7, 64(%rsi)
    vzeroupper
    ret
    .noaltmacro

// void x87_rounds(long rounds, double out[3], uint32_t control[2]): control and stack of the x87, and MXCSR. In
// control[0] goes the control word, in control[1] the MXCSR: in and out.
    .globl x87_rounds
    .type x87_rounds, @function
x87_rounds:
    mov %rdx, %r8
    mov %rdi, %rdx
    fldcw 0(%r8)
    ldmxcsr 4(%r8)
    fld1
    fldl2e
    fldpi
    rounds
    fstpl 0(%rsi)
    fstpl 8(%rsi)
    fstpl 16(%rsi)
    fnstcw 0(%r8)
    stmxcsr 4(%r8)
    movl $0x1f80, -8(%rsp)
    ldmxcsr -8(%rsp)
    fninit
    ret

    .section .note.GNU-stack, "", @progbits
