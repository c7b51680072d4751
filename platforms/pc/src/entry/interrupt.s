/* Vectors. The processor has switched to an interrupt stack and pushed ss, rsp, flags, cs, rip and perhaps an error
   code, which lies where a machine::Context has `entry`. Registers are saved there, Rust says where the context
   belongs and moves it, and the interrupt stack is free again before anything can fault. */

    .pushsection .text.whittle_entry, "ax", @progbits
    .balign 16
    .globl whittle_vectors
whittle_vectors:
    .set vector, 0
    .rept {VECTORS}
    .balign {STUB}
    push vector
    /* Vectors 8, 10 to 14, 17, 21, 29 and 30 come with an error code. */
    .if vector == 8
    jmp .Lfatal
    .elseif vector == 2
    jmp .Lfatal_without_code
    .elseif vector == 18
    jmp .Lfatal_without_code
    .elseif vector >= 32
    jmp .Linterrupt_without_code
    .elseif ((0x60227d00 >> vector) & 1) == 0
    jmp .Linterrupt_without_code
    .else
    jmp .Linterrupt
    .endif
    .set vector, vector + 1
    .endr
    .balign {STUB}

    .macro put_error_code_below_vector
    push [rsp]
    mov qword ptr [rsp + 8], 0
    .endm

    .macro save_registers_around_vector /* rdi: the vector, whose place takes rdi */
    xchg rdi, [rsp]
    push_registers_below_rdi
    cld
    .endm

.Linterrupt_without_code:
    put_error_code_below_vector
.Linterrupt:
    save_registers_around_vector
    test byte ptr [rsp + {CS}], 3
    jnz 2f
    /* Leaving the kernel may fault when the context holds an impossible address. The fault is the application's. */
    lea rax, [rip + whittle_leaving_jump]
    cmp [rsp + {RIP}], rax
    je 4f
    lea rax, [rip + whittle_leaving_iret]
    cmp [rsp + {RIP}], rax
    jne 3f
    mov rcx, [rsp + {RSP}]
    mov rax, [rcx]
    mov [rsp + {RIP}], rax
    mov rax, [rcx + 8]
    mov [rsp + {CS}], rax
    mov rax, [rcx + 16]
    mov [rsp + {RFLAGS}], rax
    mov rax, [rcx + 32]
    mov [rsp + {SS}], rax
    mov rax, [rcx + 24]
    mov [rsp + {RSP}], rax
    test byte ptr [rsp + {CS}], 3
    jz 3f
2:  swapgs
3:  mov ebx, edi
    mov esi, edi
    mov rdi, rsp
    sub rsp, 8
    call {leave_interrupt_stack}
    mov rsp, rax
    mov rdi, rax
    mov esi, ebx
    call {interrupt}
    jmp whittle_leave
4:  mov rax, [rsp + {RCX}]
    mov [rsp + {RIP}], rax
    jmp 3b

/* What may come in the middle of an entry, and ends the kernel: whose GS this is nobody knows. */
.Lfatal_without_code:
    put_error_code_below_vector
.Lfatal:
    save_registers_around_vector
    mov esi, edi
    mov rdi, rsp
    and rsp, -16
    call {fatal}
    ud2
    .popsection
