//! Where an application's addresses lie in the host's memory.

use machine::{Access, page_align_down};

use crate::pager;

/// Where `address` of a space lies in the host's memory, as a processor finds it: what the map does not permit is a
/// fault, after which it looks once more if that was resolved.
pub fn place(number: usize, address: usize, access: Access, fault: &dyn Fn() -> bool) -> Option<usize> {
    let page = page_align_down(address);
    let look = || {
        let permits = |space: &mut pager::Space| {
            space.leaves.get(&page).filter(|leaf| leaf.allows(access)).map(|leaf| leaf.frame)
        };
        (number != 0).then(|| pager::with(number, permits)).flatten().map(|frame| frame + (address - page))
    };
    if let Some(place) = look() {
        return Some(place);
    }
    if !fault() {
        return None;
    }
    let place = look();
    assert!(place.is_some(), "a fault at {address:#x} was resolved, and the page still does not permit it");
    place
}

/// Bytes of the host's memory.
pub(crate) fn bytes_of(place: usize, count: usize) -> &'static mut [u8] {
    // SAFETY: part of a frame that its space has for itself; who asks has it for as long as nobody runs.
    unsafe { std::slice::from_raw_parts_mut(place as *mut u8, count) }
}
