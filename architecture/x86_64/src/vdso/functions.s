/* The vDSO's functions that are alike on all platforms. A pointer that cannot be written is a SIGSEGV, as on Linux. */

    /* getcpu(unsigned *processor, unsigned *node): its end. The processor's number is in eax; there is one node. */
    test rdi, rdi
    jz 2f
    mov [rdi], eax
2:  test rsi, rsi
    jz 3f
    and dword ptr [rsi], 0
3:  xor eax, eax
    ret
whittle_vdso_getcpu_end:

    /* gettimeofday(struct timeval *time, struct timezone *zone): the zone is UTC. */
whittle_vdso_gettimeofday:
    test rsi, rsi
    jz 2f
    and qword ptr [rsi], 0
2:  xor eax, eax
    test rdi, rdi
    jz 3f
    push rdi
    mov rsi, rdi
    xor edi, edi                /* CLOCK_REALTIME */
    call whittle_vdso_clock_gettime
    pop rdi
    test rax, rax
    jnz 3f
    mov ecx, [rdi + 8]          /* nanoseconds below a second / 1000, by multiplication with 2^38 / 1000 */
    imul rcx, rcx, 274877907
    shr rcx, 38
    mov [rdi + 8], rcx
3:  ret
whittle_vdso_gettimeofday_end:

    /* time(time_t *seconds) */
whittle_vdso_time:
    push rdi
    sub rsp, 16
    mov rsi, rsp
    xor edi, edi
    call whittle_vdso_clock_gettime
    pop rax
    pop rcx
    pop rdi
    test rdi, rdi
    jz 2f
    mov [rdi], rax
2:  ret
whittle_vdso_time_end:

    /* clock_getres(clockid_t clock, struct timespec *resolution): each counts single nanoseconds. */
whittle_vdso_clock_getres:
    cmp edi, VDSO_CLOCKS
    jae 9f
    mov eax, VDSO_WALL | VDSO_STEADY
    bt eax, edi
    jnc 9f
    xor eax, eax
    test rsi, rsi
    jz 2f
    mov [rsi], rax
    mov qword ptr [rsi + 8], 1
2:  ret
9:  mov eax, 229
    syscall
    ret
whittle_vdso_clock_getres_end:

whittle_vdso_end:
