/* From the loader to Rust: 32-bit protected mode, paging off, ebx = physical address of the PVH start info
   (https://xenbits.xen.org/docs/unstable/misc/pvh.html). Leaves by calling whittle_start(start info, time stamp).
   AT&T syntax, because the far jump between the two worlds reads best in it. */

    .section .note.pvh, "a", @note
    .balign 4
    .long 4, 8, 18              /* length of the name, of the value; XEN_ELFNOTE_PHYS32_ENTRY */
    .asciz "Xen"
    .quad whittle_entry

    .section .boot, "ax", @progbits
    .set TABLE, 4096
    .set LARGE, 0x200000
    .set PRESENT_WRITABLE, 3
    .set LARGE_PRESENT_WRITABLE, 0x83

    .code32
    .globl whittle_entry
whittle_entry:
    cld
    rdtsc
    movl %eax, %esi
    movl %edx, %edi
    /* The third table maps all up to the image's end by 2 MB pages: where we are, where the image is linked, and in
       the direct map. */
    movl $whittle_boot_tables_physical + TABLE + PRESENT_WRITABLE, %eax
    movl %eax, whittle_boot_tables_physical
    movl %eax, whittle_boot_tables_physical + 256 * 8
    movl %eax, whittle_boot_tables_physical + 511 * 8
    addl $TABLE, %eax
    movl %eax, whittle_boot_tables_physical + TABLE
    movl %eax, whittle_boot_tables_physical + TABLE + 510 * 8
    movl $whittle_boot_tables_physical + 2 * TABLE, %ecx
    movl $LARGE_PRESENT_WRITABLE, %eax
map_large_page:
    movl %eax, (%ecx)
    addl $8, %ecx
    addl $LARGE, %eax
    cmpl $whittle_image_end_physical + LARGE, %eax
    jb map_large_page
    movl $whittle_boot_tables_physical, %eax
    movl %eax, %cr3
    movl $0x6a0, %eax           /* CR4: PAE, PGE, OSFXSR, OSXMMEXCPT */
    movl %eax, %cr4
    movl $0xc0000080, %ecx      /* EFER: SCE, LME, NXE */
    movl $0x901, %eax
    xorl %edx, %edx
    wrmsr
    movl $0x80010033, %eax      /* CR0: PG, WP, NE, ET, MP, PE */
    movl %eax, %cr0
    lgdt boot_segments_pointer
    ljmpl $0x10, $long_mode

    .code64
long_mode:
    movl $0x18, %eax
    movl %eax, %ss
    xorl %eax, %eax
    movl %eax, %ds
    movl %eax, %es
    movl %eax, %fs
    movl %eax, %gs
    shlq $32, %rdi
    orq %rdi, %rsi
    movl %ebx, %edi
    movabsq $whittle_boot_stack_top, %rsp
    xorl %ebp, %ebp
    movabsq $whittle_start, %rax
    call *%rax
    ud2

    .balign 8
    .globl whittle_boot_segments
whittle_boot_segments:
boot_segments:                  /* the same selectors as in processor/segments.rs */
    .quad 0, 0
    .quad 0x00af9b000000ffff    /* 0x10: code, 64 bits, ring 0 */
    .quad 0x00cf93000000ffff    /* 0x18: data */
boot_segments_pointer:
    .word . - boot_segments - 1
    .long boot_segments

    /* Stacks, each above a page that is never mapped once the final tables are in force. Sizes as in
       processor/stacks.rs. Those of interrupts are there only if something refers to them. */
    .section .stacks.boot, "aw", @nobits
    .balign 4096
    .skip 4096
    .skip 32768
    .globl whittle_boot_stack_top
whittle_boot_stack_top:

    .section .stacks.interrupt, "aw", @nobits
    .balign 4096
    .globl whittle_interrupt_stacks
whittle_interrupt_stacks:
    .rept 6
    .skip 4096
    .skip 4096
    .endr
    .skip 4096
    .skip 16384
