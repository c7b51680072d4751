//! The local APIC (Intel SDM volume 3, chapter 11): by model-specific registers where the processor has x2APIC, else
//! by memory.

use core::{
    ptr::without_provenance_mut,
    sync::atomic::{AtomicUsize, Ordering},
};

use x86_64::{
    features::basic,
    registers::{msr, read_msr, write_msr},
};

use super::{Map, SPURIOUS, TIMER};

/// Registers by their offset in memory.
#[derive(Clone, Copy)]
enum Register {
    Identity = 0x20,
    EndOfInterrupt = 0xb0,
    Spurious = 0xf0,
    Command = 0x300,
    CommandTarget = 0x310,
    Timer = 0x320,
    Line0 = 0x350,
    Line1 = 0x360,
    InitialCount = 0x380,
    CurrentCount = 0x390,
    Divide = 0x3e0,
}

const ENABLE: u32 = 1 << 8;
const MASKED: u32 = 1 << 16;
const TSC_DEADLINE: u32 = 2 << 17;
const DIVIDE_BY_1: u32 = 0b1011;
const BASE_ENABLE: u64 = 1 << 11;
const BASE_X2APIC: u64 = 1 << 10;
const BASE_ADDRESS: u64 = 0x000f_ffff_ffff_f000;

/// Where the registers are mapped; 0 when they are reached by x2APIC.
static REGISTERS: AtomicUsize = AtomicUsize::new(0);

/// Switches it on, with the timer stopped and the legacy lines masked.
pub fn start(map: Map) {
    // SAFETY: every processor with long mode has the register.
    let base = unsafe { read_msr(msr::APIC_BASE) };
    let x2apic = basic().x2apic();
    // SAFETY: enabling (in x2APIC mode if the processor has it) changes how we reach it, and we follow.
    unsafe { write_msr(msr::APIC_BASE, base | BASE_ENABLE | if x2apic { BASE_X2APIC } else { 0 }) };
    if !x2apic {
        let registers = map(base & BASE_ADDRESS, machine::PAGE_SIZE).expect("memory for one page table");
        REGISTERS.store(registers.as_ptr() as usize, Ordering::Relaxed);
    }
    write(Register::Spurious, ENABLE | SPURIOUS as u32);
    write(Register::Line0, MASKED);
    write(Register::Line1, MASKED);
    write(Register::Divide, DIVIDE_BY_1);
    write(Register::Timer, MASKED | TIMER as u32);
}

/// Lets the timer count down from 2^32 - 1 without firing: a reference for other clocks.
pub fn set_reference() {
    write(Register::Timer, MASKED | TIMER as u32);
    write(Register::InitialCount, u32::MAX);
}

/// This processor's number for interrupt routing.
pub fn identity() -> u32 {
    let value = read(Register::Identity);
    if is_x2apic() { value } else { value >> 24 }
}

fn is_x2apic() -> bool {
    REGISTERS.load(Ordering::Relaxed) == 0
}

/// What one processor does to others (Intel SDM volume 3, 11.6.1).
#[derive(Clone, Copy, Debug)]
pub enum Command {
    /// Raises this vector.
    Vector(usize),
    /// Raises the interrupt that cannot be masked.
    NotMaskable,
    /// Has it wait for [`Command::Start`].
    Reset,
    /// Has it start in real mode at this page.
    Start(usize),
}

/// Whom a [`Command`] is for.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// The processor with this [`identity`].
    One(u32),
    /// All but this one.
    Others,
}

/// Sends a command. Interrupts are off.
pub fn send(target: Target, command: Command) {
    const PENDING: u32 = 1 << 12;
    const ASSERT: u32 = 1 << 14;
    const ALL_BUT_SELF: u32 = 0b11 << 18;
    let low = ASSERT
        | match command {
            Command::Vector(vector) => vector as u32,
            Command::NotMaskable => 0x400,
            Command::Reset => 0x500,
            Command::Start(page) => 0x600 | page as u32,
        };
    let (identity, low) = match target {
        Target::One(identity) => (identity, low),
        Target::Others => (0, low | ALL_BUT_SELF),
    };
    if is_x2apic() {
        // What was written before must be seen by whom the interrupt makes look (SDM 11.12.3).
        // SAFETY: x2APIC is on, where this register is one of 64 bits; the vectors sent have gates.
        unsafe {
            core::arch::asm!("mfence", "lfence", options(nostack, preserves_flags));
            write_msr(msr::X2APIC + Register::Command as u32 / 16, u64::from(identity) << 32 | u64::from(low));
        }
        return;
    }
    while read(Register::Command) & PENDING != 0 {
        core::hint::spin_loop();
    }
    write(Register::CommandTarget, identity << 24);
    write(Register::Command, low);
}

/// Lets the next interrupt come.
pub fn end_of_interrupt() {
    write(Register::EndOfInterrupt, 0);
}

/// Fires the timer after this many ticks, or never for 0.
pub fn set_count(ticks: u32) {
    write(Register::Timer, TIMER as u32);
    write(Register::InitialCount, ticks);
}

/// Ticks left of [`set_count`] or [`set_reference`].
pub fn count() -> u32 {
    read(Register::CurrentCount)
}

/// Whether the timer can fire at a time stamp.
pub fn has_deadline() -> bool {
    basic().tsc_deadline()
}

/// Fires the timer at this time stamp, or never for 0.
pub fn set_deadline(time_stamp: u64) {
    write(Register::Timer, TIMER as u32 | TSC_DEADLINE);
    // SAFETY: the caller saw `has_deadline`. The fence: SDM 11.5.4.1, for memory-mapped timers.
    unsafe {
        core::arch::asm!("mfence", options(nostack, preserves_flags));
        write_msr(msr::TSC_DEADLINE, time_stamp);
    }
}

fn read(register: Register) -> u32 {
    match REGISTERS.load(Ordering::Relaxed) {
        // SAFETY: x2APIC is on and has this register.
        0 => unsafe { read_msr(msr::X2APIC + register as u32 / 16) as u32 },
        // SAFETY: mapped by `start`, for ever.
        base => unsafe { without_provenance_mut::<u32>(base + register as usize).read_volatile() },
    }
}

#[inline(never)]
fn write(register: Register, value: u32) {
    match REGISTERS.load(Ordering::Relaxed) {
        // SAFETY: x2APIC is on and has this register; interrupts it raises have gates.
        0 => unsafe { write_msr(msr::X2APIC + register as u32 / 16, u64::from(value)) },
        // SAFETY: as above.
        base => unsafe { without_provenance_mut::<u32>(base + register as usize).write_volatile(value) },
    }
}
