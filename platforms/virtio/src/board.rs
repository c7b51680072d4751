//! What a board does for its devices: a slot, so that neither side names the other and no call is more than a jump.

use virtio::transport::pci::Configuration;

/// Where a device writes to raise a message-signalled interrupt, and what (PCI local bus specification 3.0, 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The address.
    pub address: u64,
    /// The data.
    pub data: u32,
}

declaration::contract! {
    crate board = "what a board does for its devices";

    /// The machine as its devices see it.
    pub trait Board {
        /// Maps device registers for ever: uncached, never executable.
        fn map_device(&self, physical: u64, length: usize) -> Option<core::ptr::NonNull<u8>>;
        /// Page frames in a row for queues and buffers, for ever, with their physical address.
        fn allocate_frames(&self, count: usize) -> Option<(core::ptr::NonNull<u8>, u64)>;
        /// The physical address of bytes that the kernel's heap and files' pages are in; `None` for others, which may
        /// not be in one piece.
        fn physical(&self, bytes: core::ptr::NonNull<u8>, length: usize) -> Option<u64>;
        /// As [`Board::physical`], also for bytes of the image.
        fn physical_of_any(&self, bytes: core::ptr::NonNull<u8>, length: usize) -> Option<u64>;
        /// Tables that firmware has left.
        fn firmware(&self) -> &'static dyn bootinfo::Memory;
        /// Asks `wanted` about each function of the PCI bus until it says `true`; whether it did.
        fn find_function(&self, wanted: &mut dyn FnMut(&dyn Configuration) -> bool) -> bool;
        /// Routes a line to `handler`, which runs with interrupts off; `false` if there is no such line.
        fn route(&self, line: u32, trigger: bootinfo::Trigger, handler: fn()) -> bool;
        /// A message that raises an interrupt for `handler`.
        fn allocate_message(&self, handler: fn()) -> Option<Message>;
        /// From now on, this processor leaves [`Board::idle`] after each interrupt of a device, or does so no more.
        fn listen(&self, on: bool);
        /// As [`machine::Processor::idle`].
        fn idle(&self);
        /// Makes the kernel look at what came from outside before the application goes on. Also for handlers.
        fn mark_pending(&self);
        /// Nanoseconds since some moment.
        fn monotonic(&self) -> u64;
        /// The clock on the wall is to show this, in nanoseconds since 1970.
        fn set_wall_clock(&self, time: u64);
        /// Writes text where it is seen without a console: a serial port.
        fn write_text(&self, text: &[u8]);
    }
}

contracts::slot!(board, provide_board, ::virtio_devices);

/// Listens as long as it lives.
#[derive(Debug)]
#[must_use]
pub struct Listening(());

impl Listening {
    /// Begins.
    pub fn begin() -> Self {
        listen(true);
        Self(())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        listen(false);
    }
}
