//! What the host gives a signal handler, and takes back from it (`arch/x86/include/uapi/asm/sigcontext.h`,
//! `include/uapi/asm-generic/siginfo.h`).

use machine::Context;

use super::signal::Stack;

/// Flags that kernel code runs with: interrupts on (they are the host's), nothing else.
pub const CLEAN_FLAGS: u64 = 0x202;
/// The host's code and data segments for 64-bit programs.
pub const CODE_SEGMENT: u16 = 0x33;
/// See [`CODE_SEGMENT`].
pub const DATA_SEGMENT: u16 = 0x2b;

/// The start of `siginfo_t`.
#[derive(Debug)]
#[repr(C)]
pub struct Information {
    /// Signal number.
    pub signal: i32,
    _error: i32,
    /// Why: zero or less if somebody sent it.
    pub code: i32,
    _padding: i32,
    _union: [u64; 1],
    /// SIGSYS: the system call's number.
    pub call: i32,
    /// SIGSYS: AUDIT_ARCH of the system call.
    pub architecture: u32,
}

impl Information {
    /// `SYS_USER_DISPATCH`: a system call outside the allowed range.
    pub const DISPATCHED: i32 = 2;
    /// `AUDIT_ARCH_X86_64`.
    pub const X86_64: u32 = 0xc000_003e;

    /// Whether kill(2) or the like sent it.
    pub fn is_sent(&self) -> bool {
        self.code <= 0
    }
}

/// `struct ucontext`, with `struct sigcontext` in it, up to what we use.
#[derive(Debug)]
#[repr(C)]
pub struct Frame {
    _flags: u64,
    _link: u64,
    signal_stack: Stack,
    r8: u64,
    r9: u64,
    r10: u64,
    r11: u64,
    r12: u64,
    r13: u64,
    r14: u64,
    r15: u64,
    rdi: u64,
    rsi: u64,
    rbp: u64,
    rbx: u64,
    rdx: u64,
    rax: u64,
    rcx: u64,
    rsp: u64,
    rip: u64,
    rflags: u64,
    code_segment: u16,
    _gs: u16,
    _fs: u16,
    stack_segment: u16,
    error: u64,
    vector: u64,
    _old_mask: u64,
    address: u64,
}

impl Frame {
    /// The end of the signal stack, whose place the host remembers.
    pub fn signal_stack_end(&self) -> usize {
        self.signal_stack.address + self.signal_stack.size
    }

    /// The interrupted instruction.
    pub fn instruction(&self) -> usize {
        self.rip as usize
    }

    /// The interrupted stack pointer.
    pub fn stack(&self) -> usize {
        self.rsp as usize
    }

    /// The number of the system call that trapped.
    pub fn system_call(&self) -> u64 {
        self.rax
    }

    /// The vector of the last fault; only for signals that are faults.
    pub fn vector(&self) -> u8 {
        self.vector as u8
    }

    /// The error code of the last fault.
    pub fn error(&self) -> u32 {
        self.error as u32
    }

    /// The address the last page fault was about.
    pub fn address(&self) -> usize {
        self.address as usize
    }

    /// Moves the interrupted instruction back by `bytes`.
    pub fn back(&mut self, bytes: u64) {
        self.rip = self.rip.wrapping_sub(bytes);
    }

    /// Goes on at another instruction, everything else the same.
    pub fn jump(&mut self, instruction: usize) {
        self.rip = instruction as u64;
    }

    /// Goes on in kernel code with the stack pointer `stack`; the other registers do not matter there.
    pub fn go_on(&mut self, instruction: usize, stack: usize) {
        self.rip = instruction as u64;
        self.rsp = stack as u64;
        self.rflags = CLEAN_FLAGS;
        self.code_segment = CODE_SEGMENT;
        self.stack_segment = DATA_SEGMENT;
    }

    /// The interrupted registers; `system_call` is the number if that is what interrupted.
    #[inline(never)]
    pub fn save(&self, system_call: Option<u64>) -> Context {
        Context {
            r15: self.r15,
            r14: self.r14,
            r13: self.r13,
            r12: self.r12,
            rbp: self.rbp,
            rbx: self.rbx,
            r11: self.r11,
            r10: self.r10,
            r9: self.r9,
            r8: self.r8,
            rax: self.rax,
            rcx: self.rcx,
            rdx: self.rdx,
            rsi: self.rsi,
            rdi: self.rdi,
            entry: system_call.unwrap_or(Context::NO_SYSTEM_CALL),
            rip: self.rip,
            cs: u64::from(CODE_SEGMENT),
            rflags: self.rflags,
            rsp: self.rsp,
            ss: u64::from(DATA_SEGMENT),
        }
    }

    /// Goes on with all of `context`.
    pub fn load(&mut self, context: &Context) {
        self.r15 = context.r15;
        self.r14 = context.r14;
        self.r13 = context.r13;
        self.r12 = context.r12;
        self.rbp = context.rbp;
        self.rbx = context.rbx;
        self.r11 = context.r11;
        self.r10 = context.r10;
        self.r9 = context.r9;
        self.r8 = context.r8;
        self.rax = context.rax;
        self.rcx = context.rcx;
        self.rdx = context.rdx;
        self.rsi = context.rsi;
        self.rdi = context.rdi;
        self.rip = context.rip;
        self.rflags = context.rflags;
        self.rsp = context.rsp;
        self.code_segment = CODE_SEGMENT;
        self.stack_segment = DATA_SEGMENT;
    }
}
