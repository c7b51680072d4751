/* Where system calls go: to what AT_SYSINFO says, which musl writes here when it starts; until then, and where there is
   none, to the instruction. This is how musl has it for 32-bit x86.

   The instruction takes r11 and rcx, and everything else is the caller's, so the way back waits in xmm15. It is the
   caller's to lose: each place that calls says so, and a thread's first call returns with the registers of its maker.

   A cancellation point has an instruction of its own, right before __cp_end: the handler of a cancellation looks where the
   thread is. */
	.hidden __cp_end
	.text
1:	lea __cp_end(%rip), %rcx
	cmp %rcx, %r11
	je 2f
	movq %r11, %xmm15
	syscall
	movq %xmm15, %r11
	jmp *%r11
2:	sub $2, %r11
	jmp *%r11

	.data
	.balign 8
	.hidden __sysinfo
	.global __sysinfo
__sysinfo:
	.quad 1b
