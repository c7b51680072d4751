/* Where another processor starts: real mode, at the beginning of page zero, where this is copied. It goes to long mode
   in one step, by the boot code's tables and segments, and on in the image (arrival.rs). AT&T syntax, as boot/entry.s. */

    .pushsection .rodata.whittle_trampoline, "a", @progbits
    .code16
    .globl whittle_trampoline
whittle_trampoline:
    cli
    cld
    xorl %eax, %eax
    movw %ax, %ds
    movl $0x6a0, %eax           /* the same values as in boot/entry.s, which says what they are */
    movl %eax, %cr4
    movl $whittle_boot_tables_physical, %eax
    movl %eax, %cr3
    movl $0xc0000080, %ecx
    movl $0x901, %eax
    xorl %edx, %edx
    wrmsr
    lgdtl trampoline_segments - whittle_trampoline
    movl $0x80010033, %eax
    movl %eax, %cr0
    ljmpl $0x10, $trampoline_long_mode - whittle_trampoline

    .code64
trampoline_long_mode:
    movl $0x18, %eax
    movl %eax, %ss
    xorl %eax, %eax
    movl %eax, %ds
    movl %eax, %es
    movl %eax, %fs
    movl %eax, %gs
    movabsq $whittle_arrive, %rax
    jmp *%rax

    .balign 4
    .word 0
trampoline_segments:
    .word 31
    .long whittle_boot_segments
    .globl whittle_trampoline_end
whittle_trampoline_end:
    .popsection
