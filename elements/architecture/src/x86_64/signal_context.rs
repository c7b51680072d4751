//! `struct sigcontext_64`, the registers in a signal frame (`arch/x86/include/uapi/asm/sigcontext.h`): what a program
//! finds in its handler, and what the host's kernel leaves for ours.

use super::{CODE_SEGMENT, Context, STACK_SEGMENT};
use crate::SignalRegisters;

/// RFLAGS bits that a program may set for itself: carry, parity, adjust, zero, sign, trap, direction, overflow,
/// resume, alignment check.
const USER_FLAGS: u64 = 0x5_0dd5;

/// The `uc_mcontext` of a handler.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    zerocopy::FromBytes,
    zerocopy::IntoBytes,
    zerocopy::Immutable,
    zerocopy::KnownLayout,
)]
#[repr(C)]
#[allow(missing_docs)] // the header names the fields
pub struct SignalContext {
    pub r8: u64,
    pub r9: u64,
    pub r10: u64,
    pub r11: u64,
    pub r12: u64,
    pub r13: u64,
    pub r14: u64,
    pub r15: u64,
    pub rdi: u64,
    pub rsi: u64,
    pub rbp: u64,
    pub rbx: u64,
    pub rdx: u64,
    pub rax: u64,
    pub rcx: u64,
    pub rsp: u64,
    pub rip: u64,
    pub eflags: u64,
    pub cs: u16,
    pub gs: u16,
    pub fs: u16,
    pub ss: u16,
    pub err: u64,
    pub trapno: u64,
    pub oldmask: u64,
    pub cr2: u64,
    pub fpstate: u64,
    pub reserved: [u64; 8],
}

const _: () = assert!(size_of::<SignalContext>() == 256);

impl SignalRegisters<Context> for SignalContext {
    #[inline(always)]
    fn of(context: &Context) -> Self {
        let mut registers = Self::default();
        registers.load(context);
        registers
    }

    #[inline(always)]
    fn context(&self, entry: u64) -> Context {
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
            entry,
            rip: self.rip,
            cs: u64::from(CODE_SEGMENT),
            rflags: self.eflags,
            rsp: self.rsp,
            ss: u64::from(STACK_SEGMENT),
        }
    }

    // Register by register, so that each is copied once.
    #[inline]
    fn resume(&self, context: &mut Context) {
        context.r15 = self.r15;
        context.r14 = self.r14;
        context.r13 = self.r13;
        context.r12 = self.r12;
        context.rbp = self.rbp;
        context.rbx = self.rbx;
        context.r11 = self.r11;
        context.r10 = self.r10;
        context.r9 = self.r9;
        context.r8 = self.r8;
        context.rax = self.rax;
        context.rcx = self.rcx;
        context.rdx = self.rdx;
        context.rsi = self.rsi;
        context.rdi = self.rdi;
        context.entry = Context::NO_SYSTEM_CALL;
        context.rip = self.rip;
        context.rflags = context.rflags & !USER_FLAGS | self.eflags & USER_FLAGS;
        context.rsp = self.rsp;
    }

    #[inline(always)]
    fn load(&mut self, context: &Context) {
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
        self.eflags = context.rflags;
        self.rsp = context.rsp;
        self.cs = CODE_SEGMENT;
        self.ss = STACK_SEGMENT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_chooses_no_privileges() {
        let mut resumed = Context { cs: 0x1b, ss: 0x23, rflags: 0x202, ..Context::new(1, 2) };
        let wanted =
            SignalContext { rip: 5, rsp: 6, rax: 7, cs: 8, ss: 16, eflags: 0x3ffd7, ..SignalContext::default() };
        wanted.resume(&mut resumed);
        assert_eq!((resumed.cs, resumed.ss, resumed.rflags), (0x1b, 0x23, 0x1_0fd7));
        assert_eq!((resumed.rip, resumed.rsp, resumed.rax, resumed.entry), (5, 6, 7, Context::NO_SYSTEM_CALL));
    }

    #[test]
    fn registers_come_back_as_they_went() {
        let mut context = Context { entry: 7, cs: CODE_SEGMENT.into(), ss: STACK_SEGMENT.into(), ..Context::default() };
        let fields: [&mut u64; 18] = [
            &mut context.r15,
            &mut context.r14,
            &mut context.r13,
            &mut context.r12,
            &mut context.rbp,
            &mut context.rbx,
            &mut context.r11,
            &mut context.r10,
            &mut context.r9,
            &mut context.r8,
            &mut context.rax,
            &mut context.rcx,
            &mut context.rdx,
            &mut context.rsi,
            &mut context.rdi,
            &mut context.rip,
            &mut context.rflags,
            &mut context.rsp,
        ];
        fields.into_iter().zip(1..).for_each(|(field, number)| *field = number);
        let saved = SignalContext { fpstate: 3, ..SignalContext::of(&context) };
        assert_eq!(saved.context(7), context);
        let mut other = SignalContext { fpstate: 3, ..SignalContext::default() };
        other.load(&context);
        assert_eq!(other, saved);
    }
}
