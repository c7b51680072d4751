//! The stages of a boot, each a component of its own.

use machine::Stage;

use super::{Start, address_space, found::Found, ram};
use crate::{
    clock, entropy, interrupts,
    memory::{Physical, direct},
    processor,
};

/// Segments and vectors: faults are reported from here on.
#[derive(Debug)]
pub struct Traps;

impl Stage<Start> for Traps {
    fn run(_: &mut Start) {
        processor::prepare_segments();
    }
}

/// RAM as the loader describes it, page frames, and the final page tables. Finds the boot archive.
#[derive(Debug)]
pub struct Memory;

impl Stage<Start> for Memory {
    fn run(start: &mut Start) {
        let found = Found::read(start.start_info as u64).unwrap_or_else(|reason| panic!("cannot start: {reason}"));
        ram::adopt(&found);
        let root = address_space::build(&found.ram);
        // SAFETY: the new tables map the image at the same addresses, with the rights its parts need.
        unsafe { x86_64::registers::set_page_tables(root) };
        start.rsdp = found.rsdp;
        start.boot_info.archive = archive(&found);
        start.boot_info.launch = x86_64::launch::record(start.boot_info.archive);
        start.boot_info.command_line = command_line(&found);
    }
}

/// The processor's features, and its entry for system calls from the ring that the launch record says.
#[derive(Debug)]
pub struct SystemCalls;

impl Stage<Start> for SystemCalls {
    fn run(start: &mut Start) {
        processor::start(start.boot_info.launch, start.rsdp);
    }
}

/// The clock's start and, where somebody says it, its frequency.
#[derive(Debug)]
pub struct Time;

impl Stage<Start> for Time {
    fn run(start: &mut Start) {
        clock::start(start.boot_info.entry_cycles, start.boot_info.launch);
    }
}

/// The seed of random bytes.
#[derive(Debug)]
pub struct Entropy;

impl Stage<Start> for Entropy {
    fn run(start: &mut Start) {
        entropy::start(start.boot_info.launch);
    }
}

/// The interrupt controllers.
#[derive(Debug)]
pub struct Interrupts;

impl Stage<Start> for Interrupts {
    fn run(_: &mut Start) {
        interrupts::start();
    }
}

/// The virtio console.
#[derive(Debug)]
pub struct Devices;

impl Stage<Start> for Devices {
    fn run(start: &mut Start) {
        virtio_devices::remember(start.boot_info.command_line, start.rsdp);
        virtio_devices::start(start.boot_info.launch);
    }
}

/// Where to look for shares when one is opened.
#[derive(Debug)]
pub struct Shares;

impl Stage<Start> for Shares {
    fn run(start: &mut Start) {
        virtio_devices::remember(start.boot_info.command_line, start.rsdp);
    }
}

/// Where to look for disks when the first one is asked for.
#[derive(Debug)]
pub struct Disks;

impl Stage<Start> for Disks {
    fn run(start: &mut Start) {
        virtio_devices::remember(start.boot_info.command_line, start.rsdp);
    }
}

/// Where to look for network interfaces when they are asked for.
#[derive(Debug)]
pub struct Nics;

impl Stage<Start> for Nics {
    fn run(start: &mut Start) {
        virtio_devices::remember(start.boot_info.command_line, start.rsdp);
    }
}

/// The boot archive in the direct map.
fn archive(found: &Found) -> &'static [u8] {
    let (start, length) = found.archive;
    if length == 0 {
        return &[];
    }
    // SAFETY: `Found::read` checked that it lies in RAM behind the kernel; its frames are never given out, and the
    // application is shown them read-only.
    unsafe { core::slice::from_raw_parts(direct(start), length) }
}

/// The kernel command line, wherever the loader has left it: QEMU's lies among its option ROMs, not in RAM.
fn command_line(found: &Found) -> &'static str {
    let (start, length) = found.command_line;
    let bytes = if length == 0 { None } else { Physical.lasting(start as u64, length) };
    bytes.and_then(|bytes| core::str::from_utf8(bytes).ok()).unwrap_or("")
}
