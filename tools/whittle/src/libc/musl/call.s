98:	lea 99f(%rip), %r11
	jmp *__sysinfo(%rip)
	jmp 98b
99:
