/* The vDSO's reading of the clock in a Linux process: by the host's vDSO. */

    .balign 8
whittle_vdso_host:              /* the host's clock_gettime */
    .quad 0
whittle_vdso_host_call:         /* the same by a system call */
    .quad 0

    /* clock_gettime(clockid_t clock, struct timespec *time): the host's CLOCK_REALTIME or CLOCK_MONOTONIC, as the
       system call reads them. Where the host's function makes a system call after all, that comes to our kernel. */
whittle_vdso_clock_gettime:
    cmp edi, 2                  /* CLOCK_PROCESS_CPUTIME_ID: the host's is the program's, and the host counts it */
    je 3f
    mov rdx, [rip + whittle_vdso_host]
    test rdx, rdx
    jz 9f
    cmp edi, VDSO_CLOCKS
    jae 9f
    xor ecx, ecx
    mov eax, VDSO_WALL
    bt eax, edi
    jc 2f
    mov eax, VDSO_STEADY
    bt eax, edi
    jnc 9f
    inc ecx
2:  mov edi, ecx
    jmp rdx
3:  call [rip + whittle_vdso_host_call]
    test eax, eax
    jz 4f
9:  mov eax, 228
    syscall
4:  ret
whittle_vdso_clock_gettime_end:

    /* One instruction, so that the thread cannot change the processor in between. */
whittle_vdso_getcpu:
    mov eax, gs:[{number}]
