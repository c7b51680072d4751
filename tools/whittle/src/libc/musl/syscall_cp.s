	lea __cp_end(%rip), %r11
	jmp *__sysinfo(%rip)
	syscall
