//! What the loader tells: RAM, the boot archive, the command line.

use core::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use bootinfo::{CommandLine, MemoryKind, Module, StartInfo, StartInfoError};

use super::image;
use crate::{layout::DIRECT_SIZE, memory::BootMap};
use machine::{PAGE_SIZE, page_align_down, page_align_up};

/// Most stretches of RAM that are used. QEMU has three at most; what a longer map lists beyond is left alone.
const RANGES: usize = 8;

/// The loader's tidings, copied out of its structures.
#[derive(Debug, Default)]
pub struct Found {
    /// RAM in whole pages, without page zero.
    pub ram: Ranges,
    /// Physical address and bytes of the boot archive; 0 bytes if there is none.
    pub archive: (usize, usize),
    /// Physical address and bytes of the command line.
    pub command_line: (usize, usize),
    /// Physical address of ACPI's root pointer, 0 if there is none.
    pub rsdp: u64,
}

/// Stretches of physical memory.
#[derive(Debug, Default)]
pub struct Ranges {
    ranges: [Range<usize>; RANGES],
    count: usize,
}

impl Ranges {
    /// All of them, in the loader's order.
    pub fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        self.ranges.iter().take(self.count).cloned()
    }

    fn add(&mut self, range: Range<usize>) {
        if !range.is_empty()
            && let Some(place) = self.ranges.get_mut(self.count)
        {
            *place = range;
            self.count += 1;
        }
    }
}

impl Found {
    /// Reads the loader's structures; a sentence why the machine cannot start on failure.
    pub fn read(start_info: u64) -> Result<Self, &'static str> {
        let info = StartInfo::read(&BootMap, start_info).map_err(explain)?;
        let mut found = Self { rsdp: info.rsdp, ..Self::default() };
        for range in info.memory_map(&BootMap).filter(|range| range.kind == MemoryKind::Ram) {
            let start = usize::try_from(range.start).unwrap_or(usize::MAX);
            let end = usize::try_from(range.end()).unwrap_or(usize::MAX).min(DIRECT_SIZE);
            found.ram.add(page_align_up(start.max(PAGE_SIZE)).unwrap_or(end)..page_align_down(end));
        }
        let inside = inside();
        if let Some(module) = info.modules(&BootMap).next() {
            found.archive = found.check_archive(module)?;
        } else if inside.length != 0 {
            found.archive = found.check_archive(inside)?;
        }
        if let Some(line) = CommandLine::read(&BootMap, info.command_line).filter(|_| info.command_line != 0) {
            found.command_line = (info.command_line as usize, line.text().len());
        }
        Ok(found)
    }

    /// QEMU checks the module against nothing: it must lie in RAM, apart from the image and its .bss.
    fn check_archive(&self, module: Module) -> Result<(usize, usize), &'static str> {
        let (start, length) = (module.address as usize, module.length as usize);
        let end = start.checked_add(length).ok_or("the boot archive has no end")?;
        if !start.is_multiple_of(PAGE_SIZE) {
            return Err("the boot archive does not start on a page boundary");
        }
        if start < image().end {
            return Err("the boot archive and the kernel overlap: the machine has too little memory");
        }
        if !self.ram.iter().any(|range| range.start <= start && end <= range.end) {
            return Err("the boot archive does not lie in memory");
        }
        Ok((start, length))
    }
}

/// Physical address and bytes of an archive in the image's own file: `whittle build` writes them here, and a program
/// header that has the loader bring it behind the image. A loader's archive goes before.
#[unsafe(export_name = "whittle_archive_place")]
#[unsafe(link_section = ".data.whittle_archive_place")]
static PLACE: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

fn inside() -> Module {
    // The compiler must not know what is written here when all is linked.
    let [address, length] = core::hint::black_box(&PLACE).each_ref().map(|word| word.load(Ordering::Relaxed));
    Module { address, length }
}

const fn explain(error: StartInfoError) -> &'static str {
    match error {
        StartInfoError::Unreadable => "the PVH start info cannot be read",
        StartInfoError::Magic(_) => "not started by the PVH boot protocol",
        StartInfoError::NoMemoryMap => "the loader's PVH start info has no memory map",
    }
}
