//! The page that each program gets of the platform ([`crate::vdso`]), where it can be mapped.
//!
//! A copy for each program would take a fault, and a change of its protection. So where programs follow each other, one
//! copy is in the memory file for pages of files.

use core::ptr;

use machine::PAGE_SIZE;
use sync::Mutex;

use super::file_pages;
use crate::per_cpu::seat;

/// The page, and its copy.
static COPY: Mutex<Option<(usize, usize)>> = Mutex::new(None);

/// Where the copy of the platform's page at `address` is: a descriptor, and bytes. `None` where there has been one
/// process only, or there is no room.
pub fn place(address: usize) -> Option<(i32, usize)> {
    if !seat::moves() {
        return None;
    }
    let mut copy = COPY.lock();
    if copy.is_none() {
        let page = file_pages::allocate().ok()?;
        // SAFETY: both are whole pages, the copy is nobody's yet, and the platform's does not change.
        unsafe { ptr::copy_nonoverlapping(address as *const u8, page as *mut u8, PAGE_SIZE) };
        *copy = Some((address, page));
    }
    copy.filter(|&(of, _)| of == address).and_then(|(_, page)| file_pages::place(page))
}
