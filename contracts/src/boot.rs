//! Contract `boot`: see [`machine::Boot`]. A platform's entry code calls it.

use core::marker::PhantomData;

use machine::{Begin, Stage};

slot!(machine::boot, provide_boot);

/// Provider of the contract for a platform whose stages leave each other a `Start`: a tuple of them, run in order.
#[derive(Debug, Default)]
pub struct Staged<Start, Stages>(PhantomData<fn() -> (Start, Stages)>);

impl<Start, Stages> Staged<Start, Stages> {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<Start: Begin, Stages: Stage<Start>> Boot for Staged<Start, Stages> {
    fn start(&self, handover: usize, cycles: u64) -> ! {
        let mut start = Start::begin(handover, cycles);
        Stages::run(&mut start);
        crate::kernel::main(start.boot_info())
    }
}
