/* System calls that come as calls, from stubs of an application's at ring 0: see machine::CallEntries. Intel syntax.

   A stub has turned interrupts off. Others that call by an `open` entry have not: the entry does. An interrupt before
   that finds the application's own place (`step_back`). The application goes on at r11, and rcx is free; everything else is the
   application's, its stack among it. What may come between a stub and the kernel's stack is a single step, whose flag
   is saved with the others and then taken away (dispatch.rs). On the way out that flag takes effect at `sti`,
   where all but the last jump is done.

   An image without rewriting has none of this: nobody names the section.

   Whoever asks for registers finds those that were saved. A plain call leaves those that a function keeps where they
   are, unless its handler looks at them, and until it has to go the long way out. A brief one has no context at all. */

    /* Trap, direction, nested task and alignment check are not for the kernel's code. */
    .macro clean_flags
    push 2
    popfq
    .endm

    .macro save_call name
    take_kernel_stack
    push {KERNEL_DATA}
    push gs:[{SCRATCH}]
    pushfq
    .globl \name\()_flags
\name\()_flags:
    push {KERNEL_CODE}
    push r11
    mov rcx, r11
    save_registers_below_frame
    mend_flags
    mov [rsp + {R11}], r11
    test r11d, {UNCLEAN}
    je 9f
    clean_flags
9:
    .endm

    .macro load_arguments
    mov rax, [rsp + {ENTRY}]
    restore_arguments
    .endm

    .pushsection .text.whittle_call, "ax", @progbits
    .balign 64
    .globl whittle_open_counted_call
whittle_open_counted_call:
    cli
    .globl whittle_counted_call
whittle_counted_call:
    save_call whittle_counted_call
    mov rdi, rsp
    call {called}
    load_arguments
    jmp .Lanswer_ring_0

    .balign 64
    .globl whittle_open_call
whittle_open_call:
    cli
    .globl whittle_plain_call
whittle_plain_call:
    take_kernel_stack
    push {KERNEL_DATA}
    push gs:[{SCRATCH}]
    pushfq
    .globl whittle_plain_call_flags
whittle_plain_call_flags:
    push {KERNEL_CODE}
    push r11
    push rax
    push rdi
    push rsi
    push rdx
    push r11                            /* rcx */
    push rax
    push r8
    push r9
    push r10
    sub rsp, {R10}
    mov rcx, r10
    test dword ptr [rsp + {RFLAGS}], {UNCLEAN}
    jne 4f
5:  cmp rax, [rip + {handlers}]
    jae .Lby_kernel
    call [rax * 8 + {ways}]
    cmp dword ptr gs:[{PENDING}], 0
    jne .Lothers
    restore_registers_behind_call
    add rsp, {RFLAGS}
    mov r11, [rsp]
    or r11d, 0x200
    popfq
    pop rsp
    .globl whittle_plain_call_leaves
whittle_plain_call_leaves:
    sti                                 /* takes effect behind the next instruction */
    jmp rcx
4:  clean_flags
    jmp 5b

    .balign 64
    .globl whittle_brief_call
whittle_brief_call:
    take_kernel_stack
    pushfq
    .globl whittle_brief_call_flags
whittle_brief_call_flags:
    mov gs:[{BACK}], r11
    push rdi
    push rsi
    push rdx
    push r8
    push r9
    push r10
    cld
    call [rax * 8 + {ways}]
    pop r10
    pop r9
    pop r8
    pop rdx
    pop rsi
    pop rdi
    mov rcx, gs:[{BACK}]
    mov r11, [rsp]
    or r11d, 0x200
    popfq
    mov rsp, gs:[{SCRATCH}]
    .globl whittle_brief_call_leaves
whittle_brief_call_leaves:
    sti
    jmp rcx
    .globl whittle_call_end
whittle_call_end:

/* SYSCALL, where those that trap are told. */
    .balign 64
    .globl whittle_told_system_call_ring_0
whittle_told_system_call_ring_0:
    save_system_call {KERNEL_DATA}, {KERNEL_CODE}
    mov rdi, rsp
    call {trapped}
    load_arguments
    jmp .Lanswer_ring_0

    .balign 64
    .globl whittle_told_system_call_ring_3
whittle_told_system_call_ring_3:
    swapgs
    save_system_call {APPLICATION_DATA}, {APPLICATION_CODE}
    mov rdi, rsp
    call {trapped}
    load_arguments
    jmp .Lanswer_ring_3
    .popsection
