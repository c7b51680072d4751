//! Where the processors other than the one that boots have what is theirs, and which of them work.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use machine::{MAX_PROCESSORS, PAGE_SIZE};

use super::{
    block::{PerProcessor, boot_block},
    stacks,
};
use crate::{apic::local, layout::PROCESSORS_BASE};

/// Bytes between two areas.
const AREA: usize = 1 << AREA_SHIFT;
/// The same as a shift, for what runs before Rust code.
pub const AREA_SHIFT: usize = 17;
const _: () = assert!(size_of::<PerProcessor>() <= PAGE_SIZE && PAGE_SIZE + stacks::INTERRUPT_AREA <= AREA);

/// A bit for each processor that works, once there is more than one.
static ONLINE: AtomicU64 = AtomicU64::new(0);
/// Their numbers for interrupt routing.
static IDENTITIES: [AtomicU32; MAX_PROCESSORS] = [const { AtomicU32::new(0) }; MAX_PROCESSORS];

/// Notes that this processor, of this number, works from now on.
pub fn join(number: usize) {
    IDENTITIES[number % MAX_PROCESSORS].store(local::identity(), Ordering::Relaxed);
    ONLINE.fetch_or(1 << number, Ordering::SeqCst);
}

/// A bit for each processor that works; 0 as long as there is one.
#[inline(always)]
pub fn online() -> u64 {
    ONLINE.load(Ordering::SeqCst)
}

/// The number for interrupt routing of a processor that works.
pub fn identity(number: usize) -> u32 {
    IDENTITIES[number % MAX_PROCESSORS].load(Ordering::Relaxed)
}

/// Where the area of processor `number` begins, which is not the one that boots.
pub const fn area(number: usize) -> usize {
    PROCESSORS_BASE + number * AREA
}

/// Where its interrupt stacks begin, with the page that is never mapped below the first.
pub const fn interrupt_area(number: usize) -> usize {
    area(number) + PAGE_SIZE
}

/// The block of this processor, found without GS.
pub fn block_here() -> *mut PerProcessor {
    let online = online();
    if online == 0 {
        return boot_block();
    }
    let here = local::identity();
    match (1..MAX_PROCESSORS).find(|&number| online >> number & 1 != 0 && identity(number) == here) {
        Some(number) => area(number) as *mut PerProcessor,
        None => boot_block(),
    }
}
