/* System calls, and the way out to the application. Intel syntax.

   A call costs about forty-five instructions here and pushes nothing on the application's stack. Its registers are
   saved as a machine::Context: all of them, because a signal or a debugger wants all. The handler is called with the six
   that are its arguments. Interrupts stay off from SYSCALL to the last instruction.

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

    .macro save_system_call data, code
    take_kernel_stack
    push \data
    push gs:[{SCRATCH}]
    push r11
    push \code
    push rcx
    save_registers_below_frame
    .endm

    /* The registers of a call's arguments are those of a function's, but for r10. Numbers without a handler of their
       own go by the kernel: the number is on the stack, twice, so that the stack stays aligned. */
    .macro answer_system_call
    mov rcx, r10
    cmp rax, [rip + {handlers}]
    jae 2f
    mov r11, [rip + {handlers} + 8]
    call [r11 + rax * 8]
1:  cmp dword ptr gs:[{PENDING}], 0
    jne .Lanswered
    .endm

    .macro answer_by_kernel
2:  push rax
    push rax
    call {system_call}
    add rsp, 16
    jmp 1b
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
    save_system_call {KERNEL_DATA}, {KERNEL_CODE}
.Lanswer_ring_0:
    answer_system_call
    mov r11, [rsp + {RFLAGS}]
    test r11d, {LONG_FLAGS}
    jne .Lanswered
    restore_registers_behind_call
    add rsp, {RFLAGS}
    and dword ptr [rsp], {SHORT_FLAGS}
    popfq
    pop rsp
    sti                                 /* takes effect behind the next instruction */
whittle_leaving_jump:
    jmp rcx
    answer_by_kernel

    .balign 64
    .globl whittle_system_call_ring_3
whittle_system_call_ring_3:
    swapgs
    save_system_call {APPLICATION_DATA}, {APPLICATION_CODE}
.Lanswer_ring_3:
    answer_system_call
    mov rcx, [rsp + {RIP}]
    shr rcx, 47                         /* SYSRET to a non-canonical address faults in the kernel */
    jne .Lanswered
    mov r11, [rsp + {RFLAGS}]           /* SYSRET takes the flags from r11 */
    test r11d, {LONG_FLAGS_RING_3}
    jne .Lanswered
    restore_registers_behind_call
    or r11d, 0x200
    mov rsp, [rsp + {RSP}]
    swapgs
    sysretq
    answer_by_kernel

.Lanswered:
    mov [rsp + {RAX}], rax
    mov rdi, rsp
    call {before_application}
    jmp whittle_leave

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
