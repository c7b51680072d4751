/* System calls, and the way out to the application. Intel syntax.

   A call costs about forty instructions here and pushes nothing on the application's stack. Its registers are saved as
   a machine::Context, as a signal or a debugger wants them; but those that a function keeps, and r11, are saved where
   somebody looks at them. That is before a handler of those that do, and on the long way out. The handler is called with
   the six registers that are its arguments. Interrupts stay off from SYSCALL to the last instruction.

   The short way out restores what a handler may change. It serves a context that nobody has changed: whoever does is
   in pending work, leaves by whittle_enter, or marks the context as replaced. So rcx is the context's rip, and r11 its
   flags, as SYSCALL left them and native Linux's SYSRET leaves them. A context that single-steps, and every exit behind
   pending work, goes through iretq. */

    .macro save_registers_below_frame
    push rax                            /* entry: the number */
    push rdi
    push_registers_below_rdi
    .endm

    .macro take_kernel_stack
    mov gs:[{SCRATCH}], rsp
    mov rsp, gs:[{KERNEL_STACK_TOP}]
    .endm

    .macro save_frame data, code
    take_kernel_stack
    push \data
    push gs:[{SCRATCH}]
    push r11
    push \code
    push rcx
    .endm

    .macro save_system_call data, code
    save_frame \data, \code
    save_registers_below_frame
    .endm

    .macro save_arguments data, code
    save_frame \data, \code
    push rax                            /* entry: the number */
    push rdi
    push_arguments_below_rdi
    sub rsp, {R10}
    .endm

    /* Interrupts were on, as SYSCALL would have found them. */
    .macro mend_flags
    mov r11, [rsp + {RFLAGS}]
    or r11d, 0x200
    mov [rsp + {RFLAGS}], r11
    .endm

    /* What a call leaves out at first. */
    .macro save_others
    mov [rsp + {RBX}], rbx
    mov [rsp + {RBP}], rbp
    mov [rsp + {R12}], r12
    mov [rsp + {R13}], r13
    mov [rsp + {R14}], r14
    mov [rsp + {R15}], r15
    mend_flags
    mov [rsp + {R11}], r11
    .endm

    /* The registers of a call's arguments are those of a function's, but for r10. */
    .macro answer_system_call
    mov rcx, r10
    cmp rax, [rip + {handlers}]
    jae .Lby_kernel
    call [rax * 8 + {ways}]
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lothers
    .endm

    .macro restore_arguments
    mov r10, [rsp + {R10}]
    mov r9, [rsp + {R9}]
    mov r8, [rsp + {R8}]
    mov rdx, [rsp + {RDX}]
    mov rsi, [rsp + {RSI}]
    mov rdi, [rsp + {RDI}]
    .endm

    /* What a handler may change, but rax, which has the answer, and r11. Others it keeps itself. */
    .macro restore_registers_behind_call
    restore_arguments
    mov rcx, [rsp + {RIP}]
    .endm

    .pushsection .text.whittle_entry, "ax", @progbits
    .balign 64
    .globl whittle_system_call_ring_0
whittle_system_call_ring_0:
    save_arguments {KERNEL_DATA}, {KERNEL_CODE}
.Lanswer_ring_0:
    answer_system_call
    mov r11, [rsp + {RFLAGS}]
    test r11d, {LONG_FLAGS}
    jne .Lothers
.Lleave_ring_0:
    restore_registers_behind_call
    add rsp, {RFLAGS}
    and dword ptr [rsp], {SHORT_FLAGS}
    popfq
    pop rsp
    sti                                 /* takes effect behind the next instruction */
whittle_leaving_jump:
    jmp rcx

    .balign 64
    .globl whittle_system_call_ring_3
whittle_system_call_ring_3:
    swapgs
    save_arguments {APPLICATION_DATA}, {APPLICATION_CODE}
.Lanswer_ring_3:
    answer_system_call
    mov rcx, [rsp + {RIP}]
    shr rcx, 47                         /* SYSRET to a non-canonical address faults in the kernel */
    jne .Lothers
    mov r11, [rsp + {RFLAGS}]           /* SYSRET takes the flags from r11 */
    test r11d, {LONG_FLAGS_RING_3}
    jne .Lothers
.Lleave_ring_3:
    restore_registers_behind_call
    or r11d, 0x200
    mov rsp, [rsp + {RSP}]
    swapgs
    sysretq

/* The long way out for a call whose other registers are still the application's. */
.Lothers:
    save_others
    jmp .Lanswered

/* Handlers that look at registers are called from here, in the place of the call that has come here. */
    .globl whittle_looking_call
whittle_looking_call:
    add rsp, 8
    save_others
    mov r11, [rip + {handlers} + 8]
    call [r11 + rax * 8]

/* Behind them, and behind a kernel that may have looked: the context is whole, and may be another. */
.Lanswered_whole:
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lanswered
    mov r11, [rsp + {RFLAGS}]
    test r11d, {LONG_FLAGS_RING_3}
    jne .Lanswered
    test byte ptr [rsp + {CS}], 3
    je .Lleave_ring_0
    mov rcx, [rsp + {RIP}]
    shr rcx, 47
    je .Lleave_ring_3
.Lanswered:
    mov [rsp + {RAX}], rax
    mov rdi, rsp
    call {before_application}
    jmp whittle_leave

/* Numbers without a handler of their own go by the kernel: the number is on the stack, twice, so that the stack stays
   aligned. */
.Lby_kernel:
    save_others
    push rax
    push rax
    call {system_call}
    add rsp, 16
    jmp .Lanswered_whole

/* From an empty kernel stack to the application in the context at rdi. */
    .globl whittle_enter
whittle_enter:
    mov rax, gs:[{KERNEL_STACK_TOP}]
    mov ecx, 21
    sub rax, 21 * 8
    /* Downwards copy: the context may lie below and overlap its new place, which is above. */
    lea rsi, [rdi + 20 * 8]
    lea rdi, [rax + 20 * 8]
    std
    rep movsq
    cld
    mov rdi, rax

/* The same for a context that is there already. */
    .globl whittle_leave_laid
whittle_leave_laid:
    mov rsp, rdi

/* The way out for any context, application's or kernel's. */
whittle_leave:
    test byte ptr [rsp + {CS}], 3
    jz 1f
    swapgs
1:  restore_registers
    add rsp, 8
whittle_leaving_iret:
    iretq
    .popsection
