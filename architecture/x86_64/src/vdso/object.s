/* The vDSO (vdso(7)) up to its functions: an ELF shared object laid by hand, linked to 0. Its functions need no
   stack frame described; there are neither sections nor .eh_frame. Three pieces make it: this one; the platform's, with
   whittle_vdso_clock_gettime and, falling through into the third, whittle_vdso_getcpu with the processor's number in
   eax; and functions.s. */

    /* Clocks that count from 1970 and from the machine's start, a bit each, as the system call has them:
       REALTIME, REALTIME_COARSE, REALTIME_ALARM, TAI; MONOTONIC, _RAW, _COARSE, BOOTTIME, BOOTTIME_ALARM. */
    .set VDSO_WALL, 1 << 0 | 1 << 5 | 1 << 8 | 1 << 11
    .set VDSO_STEADY, 1 << 1 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9
    /* The first number behind them. */
    .set VDSO_CLOCKS, 12

    .balign 16
    .globl whittle_vdso
whittle_vdso:
    .byte 0x7f
    .ascii "ELF"
    .byte 2, 1, 1, 0            /* 64 bits, little endian, version 1, System V */
    .quad 0
    .short 3, 62                /* ET_DYN, EM_X86_64 */
    .long 1
    .quad 0, whittle_vdso_headers - whittle_vdso, 0
    .long 0
    .short 64, 56, 2, 64, 0, 0  /* bytes of this header; of a program header, and how many; no sections */

whittle_vdso_headers:
    .long 1, 5                  /* PT_LOAD, R-X */
    .quad 0, 0, 0, whittle_vdso_end - whittle_vdso, whittle_vdso_end - whittle_vdso, 4096
    .long 2, 4                  /* PT_DYNAMIC, R-- */
    .quad whittle_vdso_dynamic - whittle_vdso, whittle_vdso_dynamic - whittle_vdso
    .quad whittle_vdso_dynamic - whittle_vdso, whittle_vdso_symbols - whittle_vdso_dynamic
    .quad whittle_vdso_symbols - whittle_vdso_dynamic, 8

whittle_vdso_dynamic:
    .quad 14, whittle_vdso_name - whittle_vdso_strings          /* DT_SONAME */
    .quad 4, whittle_vdso_hash - whittle_vdso                   /* DT_HASH */
    .quad 5, whittle_vdso_strings - whittle_vdso                /* DT_STRTAB */
    .quad 6, whittle_vdso_symbols - whittle_vdso                /* DT_SYMTAB */
    .quad 10, whittle_vdso_strings_end - whittle_vdso_strings   /* DT_STRSZ */
    .quad 11, 24                                                /* DT_SYMENT */
    .quad 0x6ffffff0, whittle_vdso_versions - whittle_vdso      /* DT_VERSYM */
    .quad 0x6ffffffc, whittle_vdso_version - whittle_vdso       /* DT_VERDEF */
    .quad 0x6ffffffd, 1                                         /* DT_VERDEFNUM */
    .quad 0, 0

    .macro whittle_vdso_symbol name
    .long whittle_vdso_\name\()_name - whittle_vdso_strings
    .byte 0x12, 0               /* STB_GLOBAL, STT_FUNC; STV_DEFAULT */
    .short 1                    /* in a section, whichever: neither undefined nor absolute */
    .quad whittle_vdso_\name - whittle_vdso, whittle_vdso_\name\()_end - whittle_vdso_\name
    .endm
whittle_vdso_symbols:
    .quad 0, 0, 0
    whittle_vdso_symbol clock_gettime
    whittle_vdso_symbol gettimeofday
    whittle_vdso_symbol time
    whittle_vdso_symbol getcpu
    whittle_vdso_symbol clock_getres

whittle_vdso_hash:              /* buckets, symbols; each bucket's first symbol; each symbol's next one */
    .long 5, 6
    .long 2, 4, 0, 5, 1
    .long 0, 0, 3, 0, 0, 0

whittle_vdso_version:           /* version 1, no flags, index 2, one name; its ELF hash; where the name is */
    .short 1, 0, 2, 1
    .long 0x3ae75f6, 20, 0
    .long whittle_vdso_version_name - whittle_vdso_strings, 0

whittle_vdso_versions:          /* each symbol's index of a version */
    .short 0, 2, 2, 2, 2, 2

whittle_vdso_strings:
    .byte 0
whittle_vdso_name:
    .asciz "linux-vdso.so.1"
whittle_vdso_version_name:
    .asciz "LINUX_2.6"
whittle_vdso_clock_gettime_name:
    .asciz "__vdso_clock_gettime"
whittle_vdso_gettimeofday_name:
    .asciz "__vdso_gettimeofday"
whittle_vdso_time_name:
    .asciz "__vdso_time"
whittle_vdso_getcpu_name:
    .asciz "__vdso_getcpu"
whittle_vdso_clock_getres_name:
    .asciz "__vdso_clock_getres"
whittle_vdso_strings_end:
