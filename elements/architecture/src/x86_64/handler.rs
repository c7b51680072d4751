//! What a signal's handler and the report of a program's death want of the registers.

use crate::{Context, HandlerRegisters};

/// RFLAGS bits that a handler starts without: trap, direction, resume.
const CLEARED_FLAGS: u64 = 0x100 | 0x400 | 0x1_0000;

/// Bytes of HLT.
const HALT: u64 = 1;

impl HandlerRegisters for Context {
    /// System V ABI, AMD64 supplement, 3.2.2.
    const RED_ZONE: u64 = 128;

    fn enter_handler(&mut self, handler: u64, stack_pointer: u64, arguments: [u64; 3]) {
        [self.rdi, self.rsi, self.rdx] = arguments;
        self.rax = 0;
        self.rsp = stack_pointer;
        self.rip = handler;
        self.rflags &= !CLEARED_FLAGS;
    }

    // The handler's `ret` took the frame's first word, the address of the restorer.
    fn frame(&self) -> u64 {
        self.rsp.wrapping_sub(8)
    }

    fn skip_halt(&mut self) {
        self.rip += HALT;
    }

    fn lines(&self) -> [(&'static str, [u64; 4]); 5] {
        [
            ("  rax & rbx & rcx & rdx &", [self.rax, self.rbx, self.rcx, self.rdx]),
            ("  rsi & rdi & rbp & rsp &", [self.rsi, self.rdi, self.rbp, self.rsp]),
            ("  r8  & r9  & r10 & r11 &", [self.r8, self.r9, self.r10, self.r11]),
            ("  r12 & r13 & r14 & r15 &", [self.r12, self.r13, self.r14, self.r15]),
            ("  rip & flags &", [self.rip, self.rflags, 0, 0]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handler_gets_its_arguments_and_clean_flags() {
        let mut context = Context { rax: 7, rbx: 8, rflags: 0x1_0702, ..Context::new(0x1000, 0x2000) };
        context.enter_handler(0x5000, 0x1f00, [1, 2, 3]);
        let expected = Context { rdi: 1, rsi: 2, rdx: 3, rbx: 8, rflags: 0x202, ..Context::new(0x5000, 0x1f00) };
        assert_eq!(context, expected);
        context.rsp += 8;
        assert_eq!(context.frame(), 0x1f00);
    }

    #[test]
    fn a_report_has_each_register_once() {
        let mut context = Context { rax: 1, r15: 3, ..Context::new(0x1000, 2) };
        context.skip_halt();
        let lines = context.lines();
        assert_eq!((lines[0].1[0], lines[1].1[3], lines[3].1[3], lines[4].1[0]), (1, 2, 3, 0x1001));
        let names = lines.iter().flat_map(|(text, _)| text.split(['&', ' '])).filter(|name| !name.is_empty());
        assert_eq!(names.collect::<std::collections::BTreeSet<_>>().len(), 18);
    }
}
