//! From the loader's jump to the kernel's main, in order.

mod address_space;
mod found;
mod ram;

use archive::Archive;
use launch::Launch;
use machine::BootInfo;
use sync::Once;

use crate::{
    clock, devices, entropy, interrupts, layout,
    memory::{Physical, direct},
    processor,
};
use found::Found;

/// The first Rust code, called by `boot/entry.s` on the boot stack: `start_info` is the physical address of the PVH
/// start info, `cycles` the time stamp of the first instruction.
#[unsafe(export_name = "whittle_start")]
extern "C" fn start(start_info: u64, cycles: u64) -> ! {
    processor::prepare_segments();
    let found = Found::read(start_info).unwrap_or_else(|reason| panic!("cannot start: {reason}"));
    ram::adopt(&found);
    let root = address_space::build(&found.ram);
    // SAFETY: the new tables map the image at the same addresses, with the rights its parts need.
    unsafe { x86_64::registers::set_page_tables(root) };

    let archive = archive(&found);
    let launch = launch_record(archive);
    processor::start(launch);
    clock::start(cycles, launch);
    entropy::start(launch);
    interrupts::start();
    let command_line = command_line(&found);
    devices::start(&devices::Found { command_line, rsdp: found.rsdp, launch });
    contracts::kernel::main(BootInfo { archive, launch, command_line, entry_cycles: cycles })
}

/// The boot archive in the direct map.
fn archive(found: &Found) -> &'static [u8] {
    let (start, length) = found.archive;
    if length == 0 {
        return &[];
    }
    // SAFETY: `Found::read` checked that it lies in RAM behind the kernel; its frames are never given out, and the
    // pager maps them read-only.
    unsafe { core::slice::from_raw_parts(direct(start), length) }
}

/// The kernel command line, wherever the loader has left it: QEMU's lies among its option ROMs, not in RAM.
fn command_line(found: &Found) -> &'static str {
    let (start, length) = found.command_line;
    let bytes = if length == 0 { None } else { Physical.lasting(start as u64, length) };
    bytes.and_then(|bytes| core::str::from_utf8(bytes).ok()).unwrap_or("")
}

/// The launch record, the archive's first entry; an empty one if there is none.
fn launch_record(archive: &'static [u8]) -> &'static Launch<'static> {
    #[inline(never)]
    fn read(archive: &'static [u8]) -> Launch<'static> {
        let first = Archive::new(archive).entries().next().and_then(Result::ok);
        let record = first.filter(|entry| entry.name == launch::ARCHIVE_NAME.as_bytes());
        Launch::new(record.map_or(&[], |entry| entry.contents))
    }
    static RECORD: Once<Launch<'static>> = Once::new();
    RECORD.call_once(|| read(archive))
}

/// Bytes of the image in physical memory.
fn image() -> core::ops::Range<usize> {
    layout::IMAGE_START..layout::image_physical(layout::image_end())
}
