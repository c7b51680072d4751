/* The vDSO's reading of the clock on a PC: see `clock.rs`, which computes the same. */

    .balign 8
    .globl whittle_vdso_words
whittle_vdso_words:             /* `vdso::Words` */
    .quad 0, 0, 0

    /* clock_gettime(clockid_t clock, struct timespec *time) */
whittle_vdso_clock_gettime:
    cmp edi, VDSO_CLOCKS
    jae 9f
    mov r8, [rip + whittle_vdso_words + 16]
    mov eax, VDSO_WALL
    bt eax, edi
    jc 2f
    xor r8d, r8d
    mov eax, VDSO_STEADY
    bt eax, edi
    jnc 9f
2:  mov rcx, [rip + whittle_vdso_words + 8]
    test rcx, rcx               /* the system call finds out how fast the counter is */
    jz 9f
    lfence                      /* nothing before is still to come when the counter is read */
    rdtsc
    shl rdx, 32
    or rax, rdx
    xor edx, edx
    sub rax, [rip + whittle_vdso_words]
    cmovb rax, rdx
    mul rcx
    shrd rax, rdx, 32
    add r8, rax
    mov rax, r8                 /* / 10^9, by multiplication with 2^75 / (10^9 / 2^9) (Granlund and Montgomery 1994) */
    shr rax, 9
    movabs rdx, 0x44b82fa09b5a53
    mul rdx
    shr rdx, 11
    mov [rsi], rdx
    imul rdx, rdx, 1000000000
    sub r8, rdx
    mov [rsi + 8], r8
    xor eax, eax
    ret
9:  mov eax, 228
    syscall
    ret
whittle_vdso_clock_gettime_end:

    /* The limit of a segment that each processor has of its own is its number. */
whittle_vdso_getcpu:
    mov eax, {segment}
    lsl eax, eax
