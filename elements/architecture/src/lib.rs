//! What differs by processor, as data: its registers, its exceptions, the signal frames that Linux lays out for it, the
//! lengths of its instructions. The instructions themselves are in the layer `architecture/`, behind the same names.
//!
//! Each architecture is a module here and fills the traits of [`interface`]; [`current`] is the one compiled for. All
//! are plain data, so each is tested on any host. What a second one has to bring is in `architecture/README.md`.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod interface;
mod trap;
pub mod x86_64;

/// The architecture that is compiled for.
#[cfg(target_arch = "x86_64")]
pub use x86_64 as current;

pub use current::{Context, SignalContext};
pub use interface::{HandlerRegisters, PageFault, Registers, SignalRegisters};
pub use trap::{Access, ExtendedState, Trap, TrapKind};

/// Each architecture's types fill what all layers above count on.
const _: () = {
    const fn registers<T: HandlerRegisters>() {}
    const fn signals<T: SignalRegisters<Context>>() {}
    const fn faults<T: PageFault>() {}
    registers::<Context>();
    signals::<SignalContext>();
    faults::<current::PageFaultCode>();
};
