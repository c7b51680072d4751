//! Single instructions that work at any ring.

use core::arch::asm;
pub use core::arch::x86_64::CpuidResult;

/// CPUID. A leaf above the maximum answers with another leaf's values: see [`maximum_leaf`].
#[must_use]
pub fn cpuid(leaf: u32, subleaf: u32) -> CpuidResult {
    core::arch::x86_64::__cpuid_count(leaf, subleaf)
}

/// The highest leaf of the range that `base` begins: 0 basic, 0x4000_0000 hypervisor, 0x8000_0000 extended.
#[must_use]
pub fn maximum_leaf(base: u32) -> u32 {
    cpuid(base, 0).eax
}

/// RDTSC: the time stamp counter.
#[inline(always)]
#[must_use]
pub fn time_stamp() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// XGETBV of XCR0: the vector components in use. Only where [`crate::features::Basic::xsave_enabled`].
#[must_use]
pub fn extended_control() -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: reads a register.
    unsafe {
        asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack, preserves_flags));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// RDRAND; `None` if the processor has nothing just now. Only where [`crate::features::Basic::random`].
#[must_use]
pub fn random() -> Option<u64> {
    let (value, valid): (u64, u8);
    // SAFETY: reads a register.
    unsafe { asm!("rdrand {}", "setc {}", out(reg) value, out(reg_byte) valid, options(nomem, nostack)) };
    (valid != 0).then_some(value)
}

/// RDFSBASE. Only where the operating system has set CR4.FSGSBASE.
#[inline(always)]
#[must_use]
pub fn fs_base() -> u64 {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("rdfsbase {}", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// WRFSBASE. Only where the operating system has set CR4.FSGSBASE; the address must be canonical.
#[inline(always)]
pub fn set_fs_base(value: u64) {
    // SAFETY: the kernel does not use FS; it is the application's.
    unsafe { asm!("wrfsbase {}", in(reg) value, options(nomem, nostack, preserves_flags)) };
}
