//! Devices of the machine: finding them, speaking to them, and the console they make.
//!
//! From the rest of the platform this folder takes:
//!
//! | what | for |
//! |---|---|
//! | `memory::map_device(physical: u64, length: usize) -> Option<NonNull<u8>>` | registers: uncached, never executable, for ever |
//! | `memory::allocate_frames(count: usize) -> Option<(NonNull<u8>, u64)>` | queues and buffers: contiguous, with their physical address |
//! | `interrupts::route(line: u32, trigger: bootinfo::Trigger, handler: fn()) -> bool` | a global interrupt line |
//! | `interrupts::allocate_message(handler: fn()) -> Option<Message>` | `Message { address: u64, data: u32 }` for MSI-X |
//! | `processor::mark_pending()` | from handlers (interrupts off, the platform sends the EOI after them) |
//! | `processor::idle()` | as [`machine::Processor::idle`] |

mod console;
mod discovery;
mod disks;
mod pci;
pub(crate) mod port;
mod shares;
mod transport;
pub(crate) mod uart;
mod window;

use bootinfo::CommandLine;
pub use console::Console;
pub(crate) use discovery::remember;
pub use disks::Disks;
use launch::Launch;
use machine::ExitReason;
pub use shares::Shares;

use crate::memory::Physical;

/// What the boot found that leads to devices, and what the console is to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'a> {
    /// The kernel command line.
    pub(crate) command_line: &'a str,
    /// Physical address of ACPI's root pointer; 0 if there is none.
    pub(crate) rsdp: u64,
    /// The launch record.
    pub(crate) launch: &'a Launch<'a>,
}

/// Finds the console and takes it over. Needs device mappings, frames and interrupt routing, not the kernel's heap.
/// Without a console (`false`), everything stays on the serial port.
pub(crate) fn start(found: &Found<'_>) -> bool {
    let command_line = CommandLine::new(found.command_line);
    let sources = discovery::Sources { command_line, rsdp: found.rsdp, memory: &Physical };
    sources.find(virtio::device::CONSOLE).is_some_and(|device| console::connect(device, found.launch))
}

/// Writes text to the serial port, any time after the first instruction; silent if there is none.
pub(crate) fn early_write(text: &str) {
    uart::write(text.as_bytes());
}

/// Tells the host how it ended, and returns when the console device has taken all output.
pub(crate) fn exit(reason: ExitReason) {
    console::exit(reason);
}

/// Writes a line of a panic message, from any context.
pub(crate) fn panic_write(line: &[u8]) {
    console::last_words(machine::Record::Panic, line);
}

/// Writes a record of a kernel that cannot go on, from any context.
pub(crate) fn last_words(record: machine::Record, line: &[u8]) {
    console::last_words(record, line);
}

/// Tells the host how it ended; from any context, takes a bounded time.
pub(crate) fn panic_exit(reason: ExitReason) {
    console::panic_exit(reason);
}
