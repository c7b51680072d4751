//! The interrupt controllers, and the vectors they raise. Their registers are mapped by who starts them.

pub mod io;
pub mod local;

/// First vector of devices, and how many there are.
pub const FIRST_DEVICE: usize = 0x30;
/// See [`FIRST_DEVICE`].
pub const DEVICES: usize = 16;
/// The local APIC timer's.
pub const TIMER: usize = 0x40;
/// Another processor has work for this one.
pub const NOTICE: usize = 0x41;
/// Another processor waits until this one has done what `memory::serve` does.
pub const SERVICE: usize = 0x42;
/// The local APIC's spurious one: it wants no end of interrupt.
pub const SPURIOUS: usize = 0x4f;

/// How registers are mapped: physical address and bytes.
pub type Map = fn(u64, usize) -> Option<core::ptr::NonNull<u8>>;
