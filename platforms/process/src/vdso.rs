//! The vDSO: a page of functions that tell a program the time, and its processor, without a system call (vdso(7)).
//!
//! It reads the host's clocks by the host's own vDSO. That one would not do as it is: it has more clocks than we tell
//! apart, and the host's numbers of processors.

use core::{
    arch::global_asm,
    cell::UnsafeCell,
    mem::offset_of,
    ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use machine::PAGE_SIZE;

use crate::{
    host::{clock, vdso},
    per_cpu::Block,
};

global_asm!(
    ".pushsection .rodata.whittle_vdso, \"a\", @progbits",
    include_str!("../../../architecture/x86_64/src/vdso/object.s"),
    include_str!("vdso.s"),
    include_str!("../../../architecture/x86_64/src/vdso/functions.s"),
    ".popsection",
    number = const offset_of!(Block, number),
);

unsafe extern "C" {
    static whittle_vdso: u8;
    static whittle_vdso_host: u8;
    static whittle_vdso_host_call: u8;
    static whittle_vdso_end: u8;
}

/// Address of the host's vDSO, 0 if there is none.
static HOST: AtomicUsize = AtomicUsize::new(0);

/// The page as programs get it.
#[repr(C, align(16))]
struct Page(UnsafeCell<[u8; PAGE_SIZE]>);

// SAFETY: `page` writes the same bytes each time; nobody else writes, and only programs' pages are copied from it.
unsafe impl Sync for Page {}

static PAGE: Page = Page(UnsafeCell::new([0; PAGE_SIZE]));

/// The host's function that reads its clocks without a system call.
pub fn clock_function() -> Option<usize> {
    // SAFETY: the host's own object.
    unsafe { vdso::function(HOST.load(Relaxed), c"__vdso_clock_gettime") }
}

/// Takes note of where the host's vDSO is.
pub fn set_host(address: usize) {
    HOST.store(address, Relaxed);
}

/// The page's address, filled in.
pub fn page() -> usize {
    let start = &raw const whittle_vdso;
    let place = &raw const whittle_vdso_host as usize - start as usize;
    let call = &raw const whittle_vdso_host_call as usize - start as usize;
    let length = (&raw const whittle_vdso_end as usize - start as usize).min(PAGE_SIZE);
    let page = PAGE.0.get().cast::<u8>();
    let function = clock_function();
    // SAFETY: the page is ours, and holds the object with both places, which are aligned.
    unsafe {
        ptr::copy_nonoverlapping(start, page, length);
        page.add(place).cast::<usize>().write(function.unwrap_or(0));
        page.add(call).cast::<usize>().write(clock().start);
    }
    page as usize
}
