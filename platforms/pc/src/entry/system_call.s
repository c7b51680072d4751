/* System calls, and the way out to the application. Intel syntax.

   A call costs about fifty instructions here and pushes nothing on the application's stack. Its registers are saved as
   a machine::Context; all of them, because a signal or a debugger wants all. On the way out all are restored, because
   the kernel may have changed any. Interrupts stay off from SYSCALL to the last instruction.

   The short way out serves a context whose rcx is its rip, as SYSCALL left it and native Linux's SYSRET leaves it, and
   which does not single-step. Everything else, and every exit behind pending work, goes through iretq. */

    .macro save_registers_below_frame
    push rax                            /* entry: the number */
    push rdi
    push rsi
    push rdx
    push rcx
    push rax
    push r8
    push r9
    push r10
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
    mov rdi, rsp
    call {system_call}
    mov [rsp + {RAX}], rax
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lwork
    restore_registers
    cmp rcx, [rsp + 8]
    jne .Lback_up
    test byte ptr [rsp + 25], 1         /* single step */
    jne .Lback_up
    add rsp, 24                         /* at the flags */
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
    mov rdi, rsp
    call {system_call}
    mov [rsp + {RAX}], rax
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lwork
    mov rax, [rsp + {RIP}]
    shr rax, 47                         /* SYSRET to a non-canonical address faults in the kernel */
    jne .Lwork
    restore_registers
    cmp rcx, [rsp + 8]
    jne .Lback_up
    cmp r11, [rsp + 24]                 /* SYSRET takes the flags from r11 */
    jne .Lback_up
    test r11d, 0x7100                   /* single step, I/O level, nested task */
    jne .Lback_up
    or r11d, 0x200
    mov rsp, [rsp + 32]
    swapgs
    sysretq

.Lback_up:
    sub rsp, 15 * 8                     /* what was just restored is still there: nothing else uses this stack */
.Lwork:
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
