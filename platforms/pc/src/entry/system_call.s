/* System calls, and the way out to the application. Intel syntax.

   A call costs about fifty instructions here and pushes nothing on the application's stack. Its registers are saved
   as a machine::Context: all of them, because a signal or a debugger wants all. The handler is called with the six that
   are its arguments. On the way out all are restored, because the kernel may have changed any. Interrupts stay off
   from SYSCALL to the last instruction.

   The short way out serves a context whose rcx is its rip, as SYSCALL left it and native Linux's SYSRET leaves it, and
   which does not single-step. Everything else, and every exit behind pending work, goes through iretq. */

    .macro save_registers_below_frame
    push rax                            /* entry: the number */
    push rdi
    push_registers_below_rdi
    .endm

    /* The registers of a call's arguments are those of a function's, but for r10; the number goes on the stack, twice,
       so that the stack stays aligned. */
    .macro answer_system_call
    mov rcx, r10
    push rax
    push rax
    call {system_call}
    .endm

    /* All but rax, which has the answer, from above the two words of the call. */
    .macro restore_registers_behind_call
    mov r15, [rsp + 16]
    mov r14, [rsp + 24]
    mov r13, [rsp + 32]
    mov r12, [rsp + 40]
    mov rbp, [rsp + 48]
    mov rbx, [rsp + 56]
    mov r11, [rsp + 64]
    mov r10, [rsp + 72]
    mov r9, [rsp + 80]
    mov r8, [rsp + 88]
    mov rcx, [rsp + 104]
    mov rdx, [rsp + 112]
    mov rsi, [rsp + 120]
    mov rdi, [rsp + 128]
    .endm

    .pushsection .text.whittle_entry, "ax", @progbits
    .balign 64
    .globl whittle_system_call_ring_0
whittle_system_call_ring_0:
    mov gs:[{SCRATCH}], rsp
    mov rsp, gs:[{KERNEL_STACK_TOP}]
    push {KERNEL_DATA}
    push gs:[{SCRATCH}]
    push r11
    push {KERNEL_CODE}
    push rcx
    save_registers_below_frame
    answer_system_call
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lanswered
    restore_registers_behind_call
    cmp rcx, [rsp + 16 + {RIP}]
    jne .Lanswered
    test byte ptr [rsp + 16 + {RFLAGS} + 1], 1  /* single step */
    jne .Lanswered
    add rsp, 16 + {RFLAGS}
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
    mov gs:[{SCRATCH}], rsp
    mov rsp, gs:[{KERNEL_STACK_TOP}]
    push {APPLICATION_DATA}
    push gs:[{SCRATCH}]
    push r11
    push {APPLICATION_CODE}
    push rcx
    save_registers_below_frame
    answer_system_call
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lanswered
    mov rcx, [rsp + 16 + {RIP}]
    shr rcx, 47                         /* SYSRET to a non-canonical address faults in the kernel */
    jne .Lanswered
    restore_registers_behind_call
    cmp rcx, [rsp + 16 + {RIP}]
    jne .Lanswered
    cmp r11, [rsp + 16 + {RFLAGS}]      /* SYSRET takes the flags from r11 */
    jne .Lanswered
    test r11d, 0x7100                   /* single step, I/O level, nested task */
    jne .Lanswered
    or r11d, 0x200
    mov rsp, [rsp + 16 + {RSP}]
    swapgs
    sysretq

.Lanswered:
    add rsp, 16
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
