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
#[inline(never)]
pub fn maximum_leaf(base: u32) -> u32 {
    cpuid(base, 0).eax
}

/// `value * numerator / denominator` without loss in between, rounded down; the most there is where the result is
/// more, or the denominator 0. One multiplication and one division, where the compiler would call a routine for 128
/// bits.
#[inline(never)]
#[must_use]
pub fn scaled(value: u64, numerator: u64, denominator: u64) -> u64 {
    let result;
    // SAFETY: the division overflows unless the upper half is less than the divisor, which is asked first.
    unsafe {
        asm!("mul {numerator}", "cmp rdx, {denominator}", "jae 2f", "div {denominator}", "jmp 3f",
             "2:", "mov rax, -1", "3:",
             numerator = in(reg) numerator, denominator = in(reg) denominator, inout("rax") value => result,
             out("rdx") _, options(pure, nomem, nostack));
    }
    result
}

/// RDTSC: the time stamp counter.
#[inline(always)]
#[must_use]
pub fn time_stamp() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Has this processor forget the instructions that it has fetched: `iretq` does so at each privilege, and traps
/// nowhere.
#[inline(never)]
pub fn serialize() {
    // SAFETY: it goes on behind itself, with the stack and the flags as they were.
    unsafe {
        asm!(
            "mov {scratch}, rsp",
            "push 0",
            "mov word ptr [rsp], ss",
            "push {scratch}",
            "pushfq",
            "push 0",
            "mov word ptr [rsp], cs",
            "lea {scratch}, [rip + 2f]",
            "push {scratch}",
            "iretq",
            "2:",
            scratch = out(reg) _,
        );
    }
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

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn scaling_loses_nothing_and_ends_at_the_most() {
        assert_eq!(scaled(3_000_000_007, 2_400_001, 1_000_000), 7_200_003_016);
        assert_eq!(scaled(u64::MAX, 1_000_000, 1_000_000), u64::MAX);
        assert_eq!(scaled(u64::MAX - 1, u64::MAX - 1, u64::MAX), u64::MAX - 2);
        assert_eq!((scaled(u64::MAX, 2, 1), scaled(0, 7, 0), scaled(0, 7, 3)), (u64::MAX, u64::MAX, 0));
    }
}
