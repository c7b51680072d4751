//! Control and model-specific registers: ring 0 only.

use core::arch::asm;

/// Model-specific registers we use.
pub mod msr {
    /// Local APIC base, enable and x2APIC mode.
    pub const APIC_BASE: u32 = 0x1b;
    /// Deadline of the local APIC timer in TSC ticks.
    pub const TSC_DEADLINE: u32 = 0x6e0;
    /// First x2APIC register; a register's number is its MMIO offset / 16.
    pub const X2APIC: u32 = 0x800;
    /// Extended features: SYSCALL, long mode, NX.
    pub const EFER: u32 = 0xc000_0080;
    /// Segments of SYSCALL and SYSRET.
    pub const STAR: u32 = 0xc000_0081;
    /// Entry of SYSCALL.
    pub const LSTAR: u32 = 0xc000_0082;
    /// Flags that SYSCALL clears.
    pub const FMASK: u32 = 0xc000_0084;
    /// Base of FS.
    pub const FS_BASE: u32 = 0xc000_0100;
    /// Base of GS.
    pub const GS_BASE: u32 = 0xc000_0101;
    /// What SWAPGS exchanges GS base with.
    pub const KERNEL_GS_BASE: u32 = 0xc000_0102;
}

/// CR4 bits that boot sets when the processor has them.
pub mod cr4 {
    /// User-mode instruction prevention.
    pub const UMIP: u64 = 1 << 11;
    /// RDFSBASE and its relatives.
    pub const FS_GS_BASE: u64 = 1 << 16;
    /// XSAVE.
    pub const OS_XSAVE: u64 = 1 << 18;
    /// Supervisor-mode execution prevention.
    pub const SMEP: u64 = 1 << 20;
    /// Supervisor-mode access prevention.
    pub const SMAP: u64 = 1 << 21;
}

/// RDMSR.
///
/// # Safety
/// The register exists.
#[must_use]
pub unsafe fn read_msr(register: u32) -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: the caller's promise.
    unsafe {
        asm!("rdmsr", in("ecx") register, out("eax") low, out("edx") high, options(nomem, nostack, preserves_flags));
    }
    u64::from(high) << 32 | u64::from(low)
}

/// WRMSR.
///
/// # Safety
/// The register exists and takes the value, and what changes with it keeps the kernel's promises.
pub unsafe fn write_msr(register: u32, value: u64) {
    // SAFETY: the caller's promise. Not `nomem`: APIC registers start things that look at memory.
    unsafe {
        asm!("wrmsr", in("ecx") register, in("eax") value as u32, in("edx") (value >> 32) as u32,
             options(nostack, preserves_flags));
    }
}

/// CR2: the address of the last page fault.
#[inline(always)]
#[must_use]
pub fn fault_address() -> usize {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, cr2", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// CR3: the physical address of the page tables in force.
#[must_use]
pub fn page_tables() -> usize {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, cr3", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// Loads CR3.
///
/// # Safety
/// The tables map everything the kernel uses as the old ones did.
pub unsafe fn set_page_tables(physical: usize) {
    // SAFETY: the caller's promise.
    unsafe { asm!("mov cr3, {}", in(reg) physical, options(nostack, preserves_flags)) };
}

/// Forgets all translations but global ones.
pub fn flush_translations() {
    // SAFETY: the tables stay the same.
    unsafe { set_page_tables(page_tables()) };
}

/// INVLPG: forgets one page's translation.
#[inline(always)]
pub fn flush_page(address: usize) {
    // SAFETY: only costs time.
    unsafe { asm!("invlpg [{}]", in(reg) address, options(nostack, preserves_flags)) };
}

/// CR4.
#[must_use]
pub fn control4() -> u64 {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, cr4", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// Sets bits of CR4.
///
/// # Safety
/// The processor has them, and the kernel lives with what they do.
pub unsafe fn set_control4(bits: u64) {
    // SAFETY: the caller's promise.
    unsafe { asm!("mov cr4, {}", in(reg) control4() | bits, options(nostack, preserves_flags)) };
}

/// XSETBV of XCR0: the vector components in use.
///
/// # Safety
/// CR4.OSXSAVE is set, and the processor has the components.
pub unsafe fn set_extended_control(components: u64) {
    // SAFETY: the caller's promise.
    unsafe {
        asm!("xsetbv", in("ecx") 0, in("eax") components as u32, in("edx") (components >> 32) as u32,
             options(nomem, nostack, preserves_flags));
    }
}
