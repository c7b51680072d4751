//! What the host gives a signal handler, and takes back from it (`include/uapi/asm-generic/{ucontext,siginfo}.h`).

use core::arch::asm;

use architecture::{
    SignalContext, SignalRegisters as _,
    x86_64::{CODE_SEGMENT, STACK_SEGMENT},
};
use machine::Context;

use super::signal::Stack;

/// Flags that kernel code runs with: interrupts on (they are the host's), nothing else.
pub const CLEAN_FLAGS: u64 = 0x202;
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

/// The beginning of `struct _fpx_sw_bytes`.
#[repr(C)]
struct Description {
    magic: u32,
    _size: u32,
    features: u64,
}

/// `struct ucontext`, up to the registers.
#[derive(Debug)]
#[repr(C)]
pub struct Frame {
    _flags: u64,
    _link: u64,
    signal_stack: Stack,
    registers: SignalContext,
}

impl Frame {
    /// The end of the signal stack, whose place the host remembers.
    pub fn signal_stack_end(&self) -> usize {
        self.signal_stack.address + self.signal_stack.size
    }

    /// The interrupted instruction.
    pub fn instruction(&self) -> usize {
        self.registers.rip as usize
    }

    /// The interrupted stack pointer.
    pub fn stack(&self) -> usize {
        self.registers.rsp as usize
    }

    /// The number of the system call that trapped.
    pub fn system_call(&self) -> u64 {
        self.registers.rax
    }

    /// The vector of the last fault; only for signals that are faults.
    pub fn vector(&self) -> u8 {
        self.registers.trapno as u8
    }

    /// The error code of the last fault.
    pub fn error(&self) -> u32 {
        self.registers.err as u32
    }

    /// The address the last page fault was about.
    pub fn address(&self) -> usize {
        self.registers.cr2 as usize
    }

    /// Moves the interrupted instruction back by `bytes`.
    pub fn back(&mut self, bytes: u64) {
        self.registers.rip = self.registers.rip.wrapping_sub(bytes);
    }

    /// Takes the trap flag away.
    pub fn step_no_more(&mut self) {
        self.registers.eflags &= !0x100;
    }

    /// Says what comes of the system call that trapped.
    pub fn answer(&mut self, result: i64) {
        self.registers.rax = result as u64;
    }

    /// Goes on at another instruction, everything else the same.
    pub fn jump(&mut self, instruction: usize) {
        self.registers.rip = instruction as u64;
    }

    /// Goes on in kernel code with the stack pointer `stack`; the other registers do not matter there.
    pub fn go_on(&mut self, instruction: usize, stack: usize) {
        self.registers.rip = instruction as u64;
        self.registers.rsp = stack as u64;
        self.registers.eflags = CLEAN_FLAGS;
        self.registers.cs = CODE_SEGMENT;
        self.registers.ss = STACK_SEGMENT;
    }

    /// Does the same at once, and not when the handler has returned: the call of the host's that this saves is a
    /// quarter of what a trap takes. Comes back, and nothing has changed, where the host keeps vector registers in
    /// another way.
    ///
    /// # Safety
    /// As for [`Frame::go_on`]: kernel code is there, and the stack is free. The handler runs with the same signals
    /// blocked as what it has interrupted.
    pub unsafe fn go_on_at_once(&self, instruction: usize, stack: usize) {
        let Some((area, features)) = self.vectors() else { return };
        // SAFETY: the host has written the area in the form that this instruction reads (`fpu/signal.c` there), and the
        // rest is the caller's promise. The signal stack is nobody's then.
        unsafe {
            asm!(
                "xrstor64 [{area}]",
                "mov rsp, {stack}",
                "jmp {instruction}",
                area = in(reg) area,
                stack = in(reg) stack,
                instruction = in(reg) instruction,
                in("eax") features as u32,
                in("edx") (features >> 32) as u32,
                options(noreturn),
            );
        }
    }

    /// Where the interrupted vector registers are, in the standard form of XSAVE, and which parts of them: `None` if
    /// they are in the older form. See `struct _fpx_sw_bytes` of `include/uapi/asm/sigcontext.h`.
    fn vectors(&self) -> Option<(usize, u64)> {
        const DESCRIBED_AT: usize = 464;
        const MAGIC: u32 = 0x4650_5853;
        let area = self.registers.fpstate as usize;
        if area == 0 {
            return None;
        }
        let described = (area + DESCRIBED_AT) as *const Description;
        // SAFETY: the host has written the older form at least, whose last 48 bytes are this description, or zeros.
        let described = unsafe { described.read() };
        (described.magic == MAGIC).then_some((area, described.features))
    }

    /// The interrupted registers; `system_call` is the number if that is what interrupted.
    #[inline(never)]
    pub fn save(&self, system_call: Option<u64>) -> Context {
        self.registers.context(system_call.unwrap_or(Context::NO_SYSTEM_CALL))
    }

    /// Goes on with all of `context`.
    pub fn load(&mut self, context: &Context) {
        self.registers.load(context);
    }
}
