//! The contract `clock`: the time stamp counter, scaled.
//!
//! Its frequency comes from the hypervisor or the processor if they say it, else from the command, which knows its
//! host. Where none does, it is measured against the local APIC timer when somebody first asks for the time; boot
//! waits for nothing.

use core::{
    hint, ptr,
    sync::atomic::{AtomicPtr, AtomicU64, Ordering},
};

use launch::{Key, Launch};
use machine::Source;
use x86_64::{
    features::basic,
    instructions::{cpuid, maximum_leaf, scaled, time_stamp},
};

use crate::{
    apic::local,
    per_cpu::set_watching,
    vdso::{self, Words},
};

/// Frequency of the local APIC timer under QEMU and KVM, in kHz: both let it count nanoseconds.
const APIC_KILOHERTZ: u64 = 1_000_000;
/// Least nanoseconds of a measurement, for about 0.01 %.
const MEASUREMENT: u64 = 1_000_000;
/// Nanoseconds in a millisecond: kHz to ticks a nanosecond.
const MILLISECOND: u64 = 1_000_000;

/// Time stamp at the machine's start.
static START: AtomicU64 = AtomicU64::new(0);
/// Ticks a millisecond; 0 as long as nobody has found out.
static KILOHERTZ: AtomicU64 = AtomicU64::new(0);
/// Nanoseconds a tick, times 2^32; 0 as long as nobody has found out.
static SCALE: AtomicU64 = AtomicU64::new(0);
/// Nanoseconds since 1970 at the machine's start.
static WALL_START: AtomicU64 = AtomicU64::new(0);
/// The same for programs, once one has asked for them.
static SHOWN: AtomicPtr<Words> = AtomicPtr::new(ptr::null_mut());

/// Provider of the contract `clock`.
#[derive(Debug, Default)]
pub struct Clock;

impl Clock {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Clock for Clock {
    fn monotonic(&self) -> u64 {
        monotonic()
    }

    #[inline(never)]
    fn wall(&self) -> u64 {
        WALL_START.load(Ordering::Relaxed).wrapping_add(monotonic())
    }

    fn program_page(&self) -> Option<Source> {
        let words = vdso::words();
        words.start.store(START.load(Ordering::Relaxed), Ordering::Relaxed);
        words.wall.store(WALL_START.load(Ordering::Relaxed), Ordering::Relaxed);
        words.scale.store(SCALE.load(Ordering::Relaxed), Ordering::Relaxed);
        // If the compiler knew what can be stored, it would name the page where it is only asked for, and each image
        // with this clock would have it.
        SHOWN.store(hint::black_box(ptr::from_ref(words).cast_mut()), Ordering::Relaxed);
        Some(Source::Platform { address: vdso::page() })
    }
}

/// Takes over what the launch record says. `cycles`: the time stamp at the machine's start.
pub fn start(cycles: u64, launch: &Launch<'_>) {
    START.store(cycles, Ordering::Relaxed);
    WALL_START.store(launch.number(Key::WallTime).unwrap_or(0), Ordering::Relaxed);
    if let Some(kilohertz) = announced_kilohertz().or_else(|| launch.number(Key::TscKilohertz)) {
        set_kilohertz(kilohertz);
    }
}

/// The wall clock is to show this, in nanoseconds since 1970. It was true when the command said it, so a clock that
/// shows less is behind. One that shows a little more may be right: what the way here may take is no reason to set it
/// back.
pub fn set_wall(time: u64) {
    const LATE: u64 = 50 * MILLISECOND;
    let (start, shown_start) = (time.wrapping_sub(monotonic()), WALL_START.load(Ordering::Relaxed));
    let ahead = shown_start.wrapping_sub(start).cast_signed();
    if (0..LATE.cast_signed()).contains(&ahead) {
        return;
    }
    WALL_START.store(start, Ordering::Relaxed);
    if let Some(words) = shown() {
        words.wall.store(start, Ordering::Relaxed);
    }
}

/// Nanoseconds since the machine's start.
pub fn monotonic() -> u64 {
    let mut scale = SCALE.load(Ordering::Relaxed);
    if scale == 0 {
        set_kilohertz(measured_kilohertz());
        scale = SCALE.load(Ordering::Relaxed);
    }
    let ticks = time_stamp().saturating_sub(START.load(Ordering::Relaxed));
    ((u128::from(ticks) * u128::from(scale)) >> 32) as u64
}

/// Frequency of the time stamp counter in kHz; 0 if it is not known yet.
pub fn kilohertz() -> u64 {
    KILOHERTZ.load(Ordering::Relaxed)
}

/// The time stamp `nanoseconds` from now.
pub fn time_stamp_after(nanoseconds: u64) -> u64 {
    if kilohertz() == 0 {
        set_kilohertz(measured_kilohertz());
    }
    time_stamp().saturating_add(scaled(nanoseconds, kilohertz(), MILLISECOND))
}

/// Ticks of the local APIC timer that take at least so many nanoseconds.
pub fn apic_ticks(nanoseconds: u64) -> u64 {
    scaled(nanoseconds, apic_kilohertz(), MILLISECOND).saturating_add(1)
}

/// Nanoseconds in so many ticks of the local APIC timer.
fn apic_nanoseconds(ticks: u64) -> u64 {
    scaled(ticks, MILLISECOND, apic_kilohertz())
}

fn set_kilohertz(kilohertz: u64) {
    // Between 1 MHz and 1 THz: within it no scale overflows.
    let kilohertz = kilohertz.clamp(1_000, 1_000_000_000);
    KILOHERTZ.store(kilohertz, Ordering::Relaxed);
    let scale = (MILLISECOND << 32) / kilohertz;
    SCALE.store(scale, Ordering::Relaxed);
    if let Some(words) = shown() {
        words.scale.store(scale, Ordering::Relaxed);
    }
}

/// What programs see, if one has asked.
fn shown() -> Option<&'static Words> {
    // SAFETY: null, or words that last.
    unsafe { SHOWN.load(Ordering::Relaxed).as_ref() }
}

/// The hypervisor's timing leaf: TSC and APIC bus in kHz (VMware's, which KVM follows).
fn hypervisor_leaf() -> Option<(u64, u64)> {
    const LEAF: u32 = 0x4000_0010;
    if !basic().hypervisor() || !(LEAF..LEAF + 0x1_0000).contains(&maximum_leaf(0x4000_0000)) {
        return None;
    }
    let answer = cpuid(LEAF, 0);
    (answer.eax != 0).then_some((u64::from(answer.eax), u64::from(answer.ebx)))
}

/// What the hypervisor or the processor (leaf 0x15: crystal and ratio) says.
fn announced_kilohertz() -> Option<u64> {
    if let Some((time_stamp, _)) = hypervisor_leaf() {
        return Some(time_stamp);
    }
    if maximum_leaf(0) < 0x15 {
        return None;
    }
    let answer = cpuid(0x15, 0);
    let (numerator, denominator, crystal) = (u64::from(answer.ebx), u64::from(answer.eax), u64::from(answer.ecx));
    (numerator * denominator * crystal != 0).then(|| crystal * numerator / denominator / 1000)
}

fn apic_kilohertz() -> u64 {
    hypervisor_leaf().map(|(_, bus)| bus).filter(|&bus| bus != 0).unwrap_or(APIC_KILOHERTZ)
}

/// Counts both for [`MEASUREMENT`].
fn measured_kilohertz() -> u64 {
    let (ticks, nanoseconds) = measure(MEASUREMENT, time_stamp);
    scaled(ticks, MILLISECOND, nanoseconds.max(1))
}

/// Counts `ticks` for at least this many nanoseconds of the local APIC timer; returns both. Only machines whose time
/// stamp counter nobody knows the frequency of get here, once. Leaves the timer stopped; the watch starts again with
/// the next wait or alarm.
fn measure(least: u64, ticks: impl Fn() -> u64) -> (u64, u64) {
    set_watching(false);
    local::set_reference();
    let (first_tick, first_count) = (ticks(), local::count());
    loop {
        let (tick, count) = (ticks(), local::count());
        let passed = apic_nanoseconds(u64::from(first_count.wrapping_sub(count)));
        if passed >= least {
            return (tick.wrapping_sub(first_tick), passed);
        }
    }
}
