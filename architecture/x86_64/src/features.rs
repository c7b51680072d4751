//! What this processor offers, by CPUID. Bits: Intel SDM volume 2, CPUID; AMD APM volume 3, appendix E.

use crate::instructions::{cpuid, maximum_leaf};

/// Leaf 1.
#[derive(Clone, Copy, Debug)]
pub struct Basic {
    /// ECX.
    pub ecx: u32,
    /// EDX, which is also AT_HWCAP.
    pub edx: u32,
}

/// Reads leaf 1.
#[must_use]
pub fn basic() -> Basic {
    let answer = cpuid(1, 0);
    Basic { ecx: answer.ecx, edx: answer.edx }
}

impl Basic {
    /// x2APIC.
    #[must_use]
    pub const fn x2apic(self) -> bool {
        self.ecx & (1 << 21) != 0
    }

    /// The local APIC timer's TSC-deadline mode.
    #[must_use]
    pub const fn tsc_deadline(self) -> bool {
        self.ecx & (1 << 24) != 0
    }

    /// XSAVE and its relatives exist.
    #[must_use]
    pub const fn xsave(self) -> bool {
        self.ecx & (1 << 26) != 0
    }

    /// XSAVE is switched on (CR4.OSXSAVE).
    #[must_use]
    pub const fn xsave_enabled(self) -> bool {
        self.ecx & (1 << 27) != 0
    }

    /// AVX.
    #[must_use]
    pub const fn avx(self) -> bool {
        self.ecx & (1 << 28) != 0
    }

    /// RDRAND.
    #[must_use]
    pub const fn random(self) -> bool {
        self.ecx & (1 << 30) != 0
    }

    /// A hypervisor is present, so leaves from 0x4000_0000 on mean something.
    #[must_use]
    pub const fn hypervisor(self) -> bool {
        self.ecx & (1 << 31) != 0
    }
}

/// Leaf 7, subleaf 0.
#[derive(Clone, Copy, Debug)]
pub struct Structured {
    /// EBX.
    pub ebx: u32,
    /// ECX.
    pub ecx: u32,
}

/// Reads leaf 7; nothing if there is none.
#[must_use]
pub fn structured() -> Structured {
    if maximum_leaf(0) < 7 {
        return Structured { ebx: 0, ecx: 0 };
    }
    let answer = cpuid(7, 0);
    Structured { ebx: answer.ebx, ecx: answer.ecx }
}

impl Structured {
    /// RDFSBASE and its relatives.
    #[must_use]
    pub const fn fs_gs_base(self) -> bool {
        self.ebx & 1 != 0
    }

    /// Supervisor-mode execution prevention.
    #[must_use]
    pub const fn smep(self) -> bool {
        self.ebx & (1 << 7) != 0
    }

    /// Supervisor-mode access prevention.
    #[must_use]
    pub const fn smap(self) -> bool {
        self.ebx & (1 << 20) != 0
    }

    /// User-mode instruction prevention.
    #[must_use]
    pub const fn umip(self) -> bool {
        self.ecx & (1 << 2) != 0
    }
}

/// Pages of 1 GB (leaf 0x8000_0001, EDX).
#[must_use]
pub fn huge_pages() -> bool {
    maximum_leaf(0x8000_0000) >= 0x8000_0001 && cpuid(0x8000_0001, 0).edx & (1 << 26) != 0
}

/// AT_HWCAP and AT_HWCAP2: CPUID 1 EDX; bit 1 (HWCAP2_FSGSBASE) if programs may use those instructions.
#[must_use]
pub fn hardware_capabilities(fs_gs_base_enabled: bool) -> [usize; 2] {
    [basic().edx as usize, usize::from(fs_gs_base_enabled) << 1]
}
