//! Exceptions: what each vector means, and the error code of a page fault (Intel SDM volume 3, 6.15 and 4.7).

use crate::{Access, PageFault, TrapKind};

/// A single step or hardware breakpoint.
pub const DEBUG: u8 = 1;
/// The interrupt that cannot be masked.
pub const NOT_MASKABLE: u8 = 2;
/// A protection fault.
pub const PROTECTION: u8 = 13;
/// A page fault.
pub const PAGE: u8 = 14;

/// A vector's meaning. The x87 unit that is not there (7) is an instruction that is not there.
#[must_use]
pub const fn kind(vector: u8) -> TrapKind {
    match vector {
        0 => TrapKind::Divide,
        DEBUG => TrapKind::Debug,
        3 => TrapKind::Breakpoint,
        4 | 5 => TrapKind::Bound,
        6 | 7 => TrapKind::InvalidInstruction,
        12 => TrapKind::Stack,
        PAGE => TrapKind::Page,
        16 | 19 => TrapKind::FloatingPoint,
        17 => TrapKind::Alignment,
        _ => TrapKind::Protection,
    }
}

/// A page fault's error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageFaultCode(u32);

impl PageFaultCode {
    const PRESENT: u32 = 1;
    const WRITE: u32 = 1 << 1;
    const RESERVED: u32 = 1 << 3;
    const FETCH: u32 = 1 << 4;
    /// Present or not, write, by a program, instruction fetch: what regions explain. Other bits are of reserved bits in
    /// the tables, protection keys, shadow stacks.
    const EXPLAINED: u32 = 0b1_0111;

    /// From the processor's code.
    #[must_use]
    #[inline(always)]
    pub const fn new(code: u32) -> Self {
        Self(code)
    }

    /// Whether bits are set in a table that must not be.
    #[must_use]
    #[inline(always)]
    pub const fn is_reserved(self) -> bool {
        self.0 & Self::RESERVED != 0
    }
}

impl PageFault for PageFaultCode {
    #[inline(always)]
    fn access(self) -> Access {
        if self.0 & Self::FETCH != 0 {
            Access::Execute
        } else if self.0 & Self::WRITE != 0 {
            Access::Write
        } else {
            Access::Read
        }
    }

    #[inline(always)]
    fn is_present(self) -> bool {
        self.0 & Self::PRESENT != 0
    }

    #[inline(always)]
    fn is_explained(self) -> bool {
        self.0 & !Self::EXPLAINED == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_mean_what_the_manual_says() {
        let meant = [
            (0, TrapKind::Divide),
            (1, TrapKind::Debug),
            (3, TrapKind::Breakpoint),
            (5, TrapKind::Bound),
            (6, TrapKind::InvalidInstruction),
            (7, TrapKind::InvalidInstruction),
            (11, TrapKind::Protection),
            (12, TrapKind::Stack),
            (13, TrapKind::Protection),
            (14, TrapKind::Page),
            (16, TrapKind::FloatingPoint),
            (17, TrapKind::Alignment),
            (19, TrapKind::FloatingPoint),
        ];
        for (vector, kind) in meant {
            assert_eq!(super::kind(vector), kind, "{vector}");
        }
    }

    #[test]
    fn codes_of_page_faults() {
        assert_eq!(PageFaultCode::new(0b0_0100).access(), Access::Read);
        assert_eq!(PageFaultCode::new(0b0_0111).access(), Access::Write);
        assert_eq!(PageFaultCode::new(0b1_0101).access(), Access::Execute);
        assert!(PageFaultCode::new(1).is_present() && !PageFaultCode::new(0b1_0110).is_present());
        assert!(PageFaultCode::new(0b1_0111).is_explained() && !PageFaultCode::new(1 << 5).is_explained());
        assert!(PageFaultCode::new(1 << 3).is_reserved() && !PageFaultCode::new(1 << 3).is_explained());
    }
}
