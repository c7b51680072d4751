//! Processor features that boot turns on, and the entry for system calls.

use core::{
    arch::asm,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use x86_64::{
    features::{Structured, basic, structured},
    instructions::{cpuid, extended_control, time_stamp},
    registers::{control4, cr4, msr, set_control4, set_extended_control, write_msr},
    vector,
};

use crate::{
    entry,
    memory::set_user,
    per_cpu::features::{FS_GS_BASE, RING_3, SMAP, ring, set},
};

/// Flags that SYSCALL clears: alignment check (and SMAP's override), nested task, I/O level, direction, interrupts,
/// single step.
const CLEARED_FLAGS: u64 = 0x4_7700;

/// Turns on what the processor has and an application at `ring` needs.
pub(super) fn enable(ring: u8) {
    let emulated = ring == 3 && is_kvm() && is_emulated();
    if !emulated {
        enable_vectors();
    }
    let structured = structured();
    let mut state = enable_fs_base(structured);
    if ring == 3 {
        state |= RING_3 | if emulated { 0 } else { enable_guards(structured) };
        set_user();
    }
    set(state);
    set_system_call_entry(ring);
}

/// AVX and AVX-512 where the processor has them; AMX and protection keys stay off until somebody asks.
fn enable_vectors() {
    if basic().xsave() {
        // SAFETY: the processor has XSAVE, and the components are ones it lists (CPUID 0xD).
        unsafe {
            set_control4(cr4::OS_XSAVE);
            set_extended_control(u64::from(cpuid(0xd, 0).eax) & vector::OFFERED);
        }
    }
}

fn enable_fs_base(structured: Structured) -> u8 {
    if !structured.fs_gs_base() {
        return 0;
    }
    // SAFETY: the processor has it; at ring 3 a program may then change its own GS, which is exchanged on entry.
    unsafe { set_control4(cr4::FS_GS_BASE) };
    FS_GS_BASE
}

/// At ring 3 the kernel neither runs nor, unasked, touches what the application owns, and the application learns no
/// addresses of the processor's tables (SGDT and its relatives).
fn enable_guards(structured: Structured) -> u8 {
    let guards = [(structured.smep(), cr4::SMEP), (structured.smap(), cr4::SMAP), (structured.umip(), cr4::UMIP)];
    let bits = guards.into_iter().fold(0, |bits, (has, bit)| if has { bits | bit } else { bits });
    if bits != 0 {
        // SAFETY: the processor has them; kernel pages are supervisor pages, and copies set the flag SMAP asks for.
        unsafe { set_control4(bits) };
    }
    if structured.smap() { SMAP } else { 0 }
}

/// CR4 and XCR0 of the processor that booted, for the others.
static CONTROL_4: AtomicU64 = AtomicU64::new(0);
static EXTENDED_CONTROL: AtomicU64 = AtomicU64::new(0);

/// Notes what is on here, for [`adopt`].
pub(super) fn hand_over() {
    CONTROL_4.store(control4(), Ordering::Relaxed);
    if control4() & cr4::OS_XSAVE != 0 {
        EXTENDED_CONTROL.store(extended_control(), Ordering::Relaxed);
    }
}

/// Turns on here what is on at the processor that booted: all processors are alike.
pub(super) fn adopt() {
    let control = CONTROL_4.load(Ordering::Relaxed);
    // SAFETY: what works there works here.
    unsafe {
        set_control4(control);
        if control & cr4::OS_XSAVE != 0 {
            set_extended_control(EXTENDED_CONTROL.load(Ordering::Relaxed));
        }
    }
    set_system_call_entry(ring());
}

/// Whether system calls that trap are told.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Has system calls that trap told from now on: on this processor, and on those that are yet to start.
pub(super) fn tell_system_calls() {
    TOLD.store(true, Ordering::Relaxed);
    set_system_call_entry(ring());
}

fn set_system_call_entry(ring: u8) {
    // SYSCALL takes code and stack selectors 0x10 and 0x18; SYSRET 0x20 + 16 and 0x20 + 8, both with ring 3.
    let segments = 0x23 << 48 | 0x10 << 32;
    // SAFETY: long mode has these registers; the entries expect these segments and flags.
    unsafe {
        write_msr(msr::STAR, segments);
        write_msr(msr::LSTAR, entry::system_call_address(ring, TOLD.load(Ordering::Relaxed)) as u64);
        write_msr(msr::FMASK, CLEARED_FLAGS);
    }
}

/// Whether a KVM without hardware help emulates ring 0: it stops for ever at instructions it does not know. Those of
/// XSAVE are among them (FXSAVE is not), so programs do without AVX there; those of SMAP too. No leaf tells; but a loop
/// of two instructions takes it hundreds of cycles a turn. Measured only where it may be: under KVM with an application
/// at ring 3.
fn is_emulated() -> bool {
    const TURNS: u32 = 32;
    const CYCLES_A_TURN: u64 = 150;
    // Twice, in case the host turned to something else meanwhile.
    (0..2).all(|_| {
        let start = time_stamp();
        // SAFETY: counts a register down.
        unsafe { asm!("2:", "dec {0:e}", "jnz 2b", inout(reg) TURNS => _, options(nomem, nostack)) };
        time_stamp().wrapping_sub(start) > u64::from(TURNS) * CYCLES_A_TURN
    })
}

/// Whether the hypervisor is KVM ("KVMKVMKVM" in its first leaf).
fn is_kvm() -> bool {
    basic().hypervisor() && cpuid(0x4000_0000, 0).ebx == u32::from_le_bytes(*b"KVMK")
}
