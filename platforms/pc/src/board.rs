//! What this machine does for its virtio devices.

use core::ptr::NonNull;

use bootinfo::{Memory, Trigger};
use virtio_devices::{Configuration, Message};

use crate::{
    clock,
    devices::{pci, uart},
    interrupts,
    memory::{self, Physical},
    per_cpu, processor,
};

/// A PC.
struct Board;

virtio_devices::provide_board!(Board = Board);

impl virtio_devices::Board for Board {
    fn map_device(&self, physical: u64, length: usize) -> Option<NonNull<u8>> {
        memory::map_device(physical, length)
    }

    fn allocate_frames(&self, count: usize) -> Option<(NonNull<u8>, u64)> {
        memory::allocate_frames(count)
    }

    fn physical(&self, bytes: NonNull<u8>, length: usize) -> Option<u64> {
        memory::physical(bytes, length)
    }

    fn physical_of_any(&self, bytes: NonNull<u8>, length: usize) -> Option<u64> {
        memory::physical_of_any(bytes, length)
    }

    fn firmware(&self) -> &'static dyn Memory {
        &Physical
    }

    fn find_function(&self, wanted: &mut dyn FnMut(&dyn Configuration) -> bool) -> bool {
        pci::find(|function| wanted(&function).then_some(())).is_some()
    }

    fn route(&self, line: u32, trigger: Trigger, handler: fn()) -> bool {
        interrupts::route(line, trigger, handler)
    }

    fn allocate_message(&self, handler: fn()) -> Option<Message> {
        interrupts::allocate_message(handler)
    }

    fn listen(&self, on: bool) {
        interrupts::listen(on);
    }

    fn idle(&self) {
        processor::idle();
    }

    fn mark_pending(&self) {
        per_cpu::mark_pending();
    }

    fn monotonic(&self) -> u64 {
        clock::monotonic()
    }

    fn set_wall_clock(&self, time: u64) {
        clock::set_wall(time);
    }

    fn write_text(&self, text: &[u8]) {
        uart::write(text);
    }
}
