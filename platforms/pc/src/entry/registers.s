/* The general registers of a machine::Context below rdi, in its order, that a system call finds its arguments in, and its
   number. */

    .macro push_arguments_below_rdi
    push rsi
    push rdx
    push rcx
    push rax
    push r8
    push r9
    push r10
    .endm

/* All of them below rdi: what both ways in save. */

    .macro push_registers_below_rdi
    push_arguments_below_rdi
    push r11
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    .endm

    .macro restore_registers            /* leaves rsp at `entry` */
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    pop r11
    pop r10
    pop r9
    pop r8
    pop rax
    pop rcx
    pop rdx
    pop rsi
    pop rdi
    .endm
