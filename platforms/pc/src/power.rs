//! The contract `power`: telling how it ended, and stopping.

use core::arch::asm;

use machine::ExitReason;

use crate::{devices::port::Port, per_cpu::smp};

/// Provider of the contract `power`.
#[derive(Debug, Default)]
pub struct Power;

impl Power {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Power for Power {
    fn exit(&self, reason: ExitReason) -> ! {
        smp::stop_others();
        virtio_devices::exit(reason);
        stop()
    }
}

/// Stops the machine. The command ends its monitor when the reason arrives; for other starters there is a reset, which
/// `-no-reboot` turns into an end: by the keyboard controller, and, where there is none, by a fault with no vectors.
/// A monitor's exit status says nothing: whoever got no reason must take it for a failure.
pub fn stop() -> ! {
    let no_vectors = [0_u16; 5];
    Port(0x64).write8(0xfe);
    // SAFETY: ends the machine; nothing runs afterwards.
    unsafe { asm!("lidt [{}]", "ud2", in(reg) &raw const no_vectors) };
    loop {
        // SAFETY: waits for ever.
        unsafe { asm!("cli", "hlt", options(nomem, nostack)) };
    }
}
