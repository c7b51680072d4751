//! The stages of a boot, each a component of its own.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ::sockets::Reach;
use launch::Key;
use machine::{Protection, Stage};

use super::{auxiliary, seccomp, start::Start};
use crate::{
    devices::{disks, nics, sockets},
    entry,
    host::{
        self, HostError, files,
        memory::{map_anywhere, protect},
        process, signal,
    },
    layout,
    memory::{self, ARENA},
    per_cpu::{BOOT, smp},
    power::{fail, must, refused},
    vdso,
};

const READ_ONLY: Protection = Protection { read: true, write: false, execute: false };
const NOTHING: Protection = Protection { read: false, write: false, execute: false };

/// The processor's block, guard pages, and signal handlers: faults are reported from here on.
#[derive(Debug)]
pub struct Traps;

impl Stage<Start> for Traps {
    fn run(start: &mut Start) {
        // SAFETY: the host's own stack pointer.
        let auxiliary = unsafe { auxiliary::read(start.stack as *const usize) };
        start.vdso = auxiliary.vdso;
        layout::set_host_stack(start.stack, auxiliary.end);
        let block = BOOT.block(auxiliary.base_instructions);
        let address = core::ptr::from_ref(block) as usize;
        if auxiliary.base_instructions {
            // SAFETY: the host says that the instruction exists, and the block is this processor's.
            unsafe { process::write_gs_base(address) };
        } else {
            // SAFETY: as above.
            must("set GS base", unsafe { process::set_gs_base(address) });
        }
        guard();
        let stack = block.signal_stack();
        // SAFETY: the block's signal stack is used for nothing else.
        must("set the signal stack", unsafe { signal::set_stack(stack.start, stack.len()) });
        must("set signal handlers", entry::set_handlers());
    }
}

/// The boot archive, the limit of memory, and the program's and the kernel's parts of the address space.
#[derive(Debug)]
pub struct Memory;

impl Stage<Start> for Memory {
    fn run(start: &mut Start) {
        let archive = map_archive();
        let launch = x86_64::launch::record(archive);
        limit(archive, launch.number(Key::Memory));
        vdso::set_host(start.vdso);
        ARENA.lock().open(layout::plan(start.vdso, archive.as_ptr() as usize));
        start.files.shares = launch.first(Key::Mount).is_some();
        let disks = launch.all(Key::Disk).count();
        disks::limit(disks);
        start.files.disks = disks > 0;
        start.files.nics = nics::remember(launch);
        start.files.sockets = sockets::remember(launch);
        let rewrites = |word: &[u8]| word.starts_with(b"rewrite");
        if contracts::config().rewrite && launch.first(Key::Calls).is_some_and(rewrites) {
            start.files.memory = memory::code::open();
        }
        smp::set_count(launch.number(Key::Processors).unwrap_or(1));
        (start.boot_info.archive, start.boot_info.launch) = (archive, launch);
    }
}

/// From here on the program's system calls come to us, and the host's are only those on the list.
#[derive(Debug)]
pub struct Isolation;

impl Stage<Start> for Isolation {
    fn run(start: &mut Start) {
        match process::dispatch_system_calls(&host::instructions()) {
            Ok(()) => {
                if smp::count() > 1 || start.files.shares {
                    must("set signal handlers", entry::set_handler_of_calls());
                }
                if start.files.sockets != Reach::Nothing {
                    // As many connections as the host allows; that is only a wish too.
                    let _ = process::raise_descriptors();
                }
                if start.files.shares {
                    // The kernel has taken a program's mask into account by then. More open files are only a wish.
                    process::clear_file_mask();
                    let _ = process::raise_descriptors();
                }
                must("filter system calls", seccomp::install(smp::count() > 1, start.files));
            }
            Err(HostError::INVALID) => fail(
                "this host's kernel has no Syscall User Dispatch (Linux 5.11 or later is needed); use --platform pc",
            ),
            Err(error) => refused("dispatch system calls", error),
        }
    }
}

/// Makes relocated constants read-only, and puts nothing below each stack.
fn guard() {
    // SAFETY: nobody writes relocated constants any more.
    must("protect constants", unsafe { protect(&layout::relocated(), READ_ONLY) });
    for page in BOOT.guards() {
        // SAFETY: nobody uses these pages.
        must("protect a stack", unsafe { protect(&page, NOTHING) });
    }
}

/// Offset and bytes of an archive in the image's own file, where `whittle build` has put one behind the image.
#[unsafe(export_name = "whittle_archive_place")]
#[unsafe(link_section = ".data.whittle_archive_place")]
static PLACE: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// The boot archive: the one that the command passed, else the one in this image's file, if there is one.
fn map_archive() -> &'static [u8] {
    // The compiler must not know what is written here when all is linked.
    let inside = core::hint::black_box(&PLACE).each_ref().map(|word| word.load(Relaxed));
    let (offset, length) = match (files::length(memory::ARCHIVE), inside) {
        (Ok(length), _) => (0, length),
        (Err(_), [offset, length]) if length != 0 => {
            must("open the image's own file", files::open_image(memory::ARCHIVE));
            (offset, length)
        }
        (Err(_), _) => (0, 0),
    };
    if length == 0 {
        return &[];
    }
    memory::set_archive(offset);
    let address = must("map the boot archive", map_anywhere(length, memory::ARCHIVE, offset));
    // SAFETY: a mapping of `length` bytes which nobody writes and nobody unmaps. The file changes no more.
    unsafe { core::slice::from_raw_parts(address as *const u8, length) }
}

/// Applies the memory limit of the launch record.
fn limit(archive: &[u8], limit: Option<u64>) {
    if let Some(bytes) = limit {
        must("limit memory", process::limit_memory(bytes.saturating_add(memory::SELDOM_USED)));
    }
    memory::set_archive_length(archive.len());
    memory::set_limit(limit);
}
