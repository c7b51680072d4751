//! The first contract in time: what happens between the loader's jump and [`crate::Kernel::main`].

/// Getting a machine ready, from the platform's entry code on.
pub trait Boot: Sync {
    /// Called once, on the boot stack. `handover` is what the loader left: on pc the physical address of the PVH start
    /// info, on process the host's stack pointer. `cycles` is the time stamp of the first instruction.
    fn start(&self, handover: usize, cycles: u64) -> !;
}
