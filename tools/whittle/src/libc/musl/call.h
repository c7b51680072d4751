/* A system call as a call: whittle's C library has this before the rest of musl's syscall_arch.h.

   __sysinfo is a word of musl's own, where 32-bit x86 has the kernel's way in (AT_SYSINFO, getauxval(3)). Whittle's kernel
   gives one to programs here too, and goes on at the address in r11. Nothing is pushed: there may be no stack.

   The last jump is for the kernel, which makes a call again by going two bytes back; so did Linux' own page of 32 bits.
   xmm15 is where the way by a trap keeps the address meanwhile (defsysinfo.s): no function has anything in it here. */
#define WHITTLE_CALL \
	"98: lea 99f(%%rip), %%r11; jmp *__sysinfo(%%rip); jmp 98b; 99:"
__asm__(".hidden __sysinfo");

