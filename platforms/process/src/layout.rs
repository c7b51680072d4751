//! What lies where: the program's addresses, the kernel's, and the host's.
//!
//! | addresses, ascending | what |
//! |---|---|
//! | 64 KB to the arena | the program's |
//! | 64 GB | the arena: pages for the kernel ([`crate::memory`]) |
//! | | the boot archive, the host's vDSO, this image; further up the host's stack |
//!
//! The host places image, vDSO and archive next to each other (top-down below the stack, or, with an unlimited stack,
//! bottom-up at a third of the address space), and places nothing afterwards: every later mapping names its address.

use core::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use machine::page_align_down;

/// Below this the host lets nobody map: `vm.mmap_min_addr`'s usual value.
const LOWEST: usize = 0x1_0000;
/// Addresses for the kernel's own pages.
const ARENA: usize = 64 << 30;
/// Room for the host's data pages below its vDSO.
const VDSO_DATA: usize = 0x2_0000;

/// The host maps less than this of a new stack below what it passes (`setup_arg_pages`), and leaves a megabyte free
/// below.
const HOST_STACK_ROOM: usize = 256 << 10;

static USER_END: AtomicUsize = AtomicUsize::new(0);

/// What the host's stack is mapped at, at most.
static HOST_STACK: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

unsafe extern "C" {
    static __image_start: u8;
    static __text_start: u8;
    static __text_end: u8;
    static __relro_start: u8;
    static __relro_end: u8;
    static __data_start: u8;
    static __data_end: u8;
    static __bss_end: u8;
}

/// Lays the address space out around what the host has placed: `vdso` (0 if there is none) and `archive`. Returns the
/// arena.
pub fn plan(vdso: usize, archive: usize) -> Range<usize> {
    let vdso = if vdso == 0 { usize::MAX } else { vdso.saturating_sub(VDSO_DATA) };
    let lowest = page_align_down(image_base().min(vdso).min(archive));
    let arena = lowest.saturating_sub(ARENA)..lowest;
    USER_END.store(arena.start, Relaxed);
    arena
}

/// See [`machine::Translations::user_range`].
pub fn user_range() -> Range<usize> {
    LOWEST..USER_END.load(Relaxed)
}

/// Notes where the host's stack is: from where it was at our start to `end`, 0 if that is not known.
pub fn set_host_stack(start: usize, end: usize) {
    let range = page_align_down(start).saturating_sub(HOST_STACK_ROOM)..whole(end);
    if end > start {
        HOST_STACK[0].store(range.start, Relaxed);
        HOST_STACK[1].store(range.end, Relaxed);
    }
}

/// Where the host's stack is, with room below it that has nothing. Empty if it is not known.
pub fn host_stack() -> Range<usize> {
    HOST_STACK[0].load(Relaxed)..HOST_STACK[1].load(Relaxed)
}

/// Where the host loaded us.
pub fn image_base() -> usize {
    &raw const __image_start as usize
}

/// The kernel's instructions.
pub fn kernel_text() -> Range<usize> {
    &raw const __text_start as usize..&raw const __text_end as usize
}

/// The kernel's instructions and all that is never written: [`relocated`] follows them.
pub fn constant() -> Range<usize> {
    kernel_text().start..relocated().end
}

/// Addresses from the first instruction on in which there is nothing else of the image's.
pub fn room_of_constant() -> Range<usize> {
    kernel_text().start..data().start
}

/// What is read-only once relocated.
pub fn relocated() -> Range<usize> {
    &raw const __relro_start as usize..&raw const __relro_end as usize
}

/// The pages of what is written: the image's data, and zeros behind them.
pub fn data() -> Range<usize> {
    &raw const __data_start as usize..whole(&raw const __bss_end as usize)
}

/// Those of them that hold something before they are written.
pub fn data_of_image() -> Range<usize> {
    &raw const __data_start as usize..whole(&raw const __data_end as usize)
}

const fn whole(end: usize) -> usize {
    end.next_multiple_of(machine::PAGE_SIZE)
}
