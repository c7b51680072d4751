//! The first contract in time: what happens between the loader's jump and [`crate::Kernel::main`].

use crate::BootInfo;

declaration::contract! {
    boot = "making the machine ready, from the loader's jump to the kernel's main";

    /// Getting a machine ready, from the platform's entry code on.
    pub trait Boot: Sync {
        /// Called once, on the boot stack. `handover` is what the loader left: on pc the physical address of the PVH
        /// start info, on process the host's stack pointer. `cycles` is the time stamp of the first instruction.
        fn start(&self, handover: usize, cycles: u64) -> !;
    }
}

/// What the stages of a platform leave for each other, and for the kernel.
pub trait Begin: Sized {
    /// Before the first stage; see [`Boot::start`].
    fn begin(handover: usize, cycles: u64) -> Self;
    /// Behind the last one.
    fn boot_info(self) -> BootInfo;
}

/// A part of the machine that is made ready at boot. `Start` is what a platform's stages leave for each other. What a
/// stage needs from others is in its component's manifest; `whittle build` orders them by it. A tuple of stages is one.
pub trait Stage<Start> {
    /// Makes the part ready.
    fn run(start: &mut Start);
}

macro_rules! tuples {
    ($(($($stage:ident)*))*) => {$(
        impl<Start, $($stage: Stage<Start>),*> Stage<Start> for ($($stage,)*) {
            fn run(_start: &mut Start) {
                $($stage::run(_start);)*
            }
        }
    )*};
}

tuples! {
    () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J)
}
