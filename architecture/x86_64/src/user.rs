//! Copies across the border to the application: the range is checked first, faults on the way are survived.
//!
//! A platform wraps these as its provider of [`machine::UserMemory`] and says which addresses are the application's.
//! The range must hold canonical addresses only: a non-canonical one is a protection fault on hardware, and the
//! check here is what keeps it out.

use core::{num::NonZeroUsize, ops::Range};

use machine::{Fault, PAGE_SIZE};
use unfilled::Unfilled;

use crate::fix_up::{self, whittle_user_copy, whittle_user_exchange, whittle_user_zero};

/// Strings are fetched in pieces of this many bytes, aligned, so that a piece never reaches into a page that the
/// string does not touch.
const STRING_PIECE: usize = 64;

/// Whether `length` bytes at `address` lie within `range`.
#[inline]
pub fn check(range: &Range<usize>, address: usize, length: usize) -> Result<(), Fault> {
    match address.checked_add(length) {
        Some(end) if address >= range.start && end <= range.end => Ok(()),
        _ if length == 0 => Ok(()),
        _ => Err(Fault { address }),
    }
}

/// See [`machine::UserMemory::copy_in`].
pub fn copy_in(range: &Range<usize>, destination: &mut [u8], source: usize) -> Result<(), Fault> {
    check(range, source, destination.len())?;
    // SAFETY: the destination is ours to write, the source is the application's, and a fault there ends the copy.
    let left = unsafe { whittle_user_copy(destination.as_mut_ptr(), source as *const u8, destination.len()) };
    finished(source, destination.len(), left)
}

/// See [`machine::UserMemory::fill`].
#[inline(always)]
pub fn fill(range: &Range<usize>, to: &mut Unfilled<'_>, count: usize, source: usize) -> Result<(), Fault> {
    let count = count.min(to.room());
    if contracts::config().short_ways && is_page_inside(range, source, count) {
        // SAFETY: as below.
        if let Some(moved) = unsafe { fix_up::short_copy(to.next(), source as *const u8, count) } {
            // SAFETY: so many have been written, and not more than there is room for.
            unsafe { to.advance(moved.get()) };
            return Ok(());
        }
    }
    check(range, source, count)?;
    // SAFETY: there is room for so many bytes at the destination, the source is the application's, and a fault there
    // ends the copy.
    let left = unsafe { whittle_user_copy(to.next(), source as *const u8, count) };
    // SAFETY: the others have been written, and not more than there is room for.
    unsafe { to.advance(count - left) };
    finished(source, count, left)
}

/// See [`machine::UserMemory::copy_out`].
pub fn copy_out(range: &Range<usize>, destination: usize, source: &[u8]) -> Result<(), Fault> {
    check(range, destination, source.len())?;
    // SAFETY: the destination is the application's memory, which no Rust reference covers; a fault ends the copy.
    let left = unsafe { whittle_user_copy(destination as *mut u8, source.as_ptr(), source.len()) };
    finished(destination, source.len(), left)
}

/// See [`machine::UserMemory::copy_in_here`].
#[inline(always)]
pub fn copy_in_here(range: &Range<usize>, destination: &mut [u8], source: usize) -> Option<NonZeroUsize> {
    if !is_page_inside(range, source, destination.len()) {
        return None;
    }
    // SAFETY: the destination is ours to write, the source is the application's, and a fault there ends the copy.
    unsafe { fix_up::short_copy(destination.as_mut_ptr(), source as *const u8, destination.len()) }
}

/// See [`machine::UserMemory::copy_out_here`].
#[inline(always)]
pub fn copy_out_here(range: &Range<usize>, destination: usize, source: &[u8]) -> Option<NonZeroUsize> {
    if !is_page_inside(range, destination, source.len()) {
        return None;
    }
    // SAFETY: the destination is the application's memory, which no Rust reference covers; a fault ends the copy.
    unsafe { fix_up::short_copy(destination as *mut u8, source.as_ptr(), source.len()) }
}

/// Whether all of `length` bytes at `address`, at most a page, are there and can be stored to; nothing in them changes,
/// and nothing is brought in.
#[inline(always)]
pub fn can_be_stored_to(range: &Range<usize>, address: usize, length: usize) -> bool {
    contracts::config().short_ways
        && length > 0
        && is_page_inside(range, address, length)
        // SAFETY: both bytes are the application's.
        && unsafe { fix_up::short_probe(address as *mut u8, (address + length - 1) as *mut u8) }
}

/// Whether `length` is at most a page, and as much from `address` on surely within `range`: by one comparison each.
#[inline(always)]
const fn is_page_inside(range: &Range<usize>, address: usize, length: usize) -> bool {
    if length > PAGE_SIZE || address.wrapping_sub(range.start) > range.end - range.start - PAGE_SIZE {
        core::hint::cold_path();
        return false;
    }
    true
}

/// See [`machine::UserMemory::read_word`].
#[inline]
pub fn read_word(range: &Range<usize>, address: usize) -> Result<u64, Fault> {
    check(range, address, size_of::<u64>())?;
    // SAFETY: the word is the application's, which no Rust reference covers; a fault ends the access.
    found(address, unsafe { fix_up::read_word(address as u64) })
}

/// See [`machine::UserMemory::read_half`].
#[inline]
pub fn read_half(range: &Range<usize>, address: usize) -> Result<u32, Fault> {
    check(range, address, size_of::<u32>())?;
    // SAFETY: as above.
    found(address, unsafe { fix_up::read_half(address as u64) }).map(|value| value as u32)
}

#[inline]
fn found(address: usize, [value, failed]: [u64; 2]) -> Result<u64, Fault> {
    if failed == 0 { Ok(value) } else { Err(Fault { address }) }
}

/// See [`machine::UserMemory::write_word`].
#[inline]
pub fn write_word(range: &Range<usize>, address: usize, value: u64) -> Result<(), Fault> {
    check(range, address, size_of::<u64>())?;
    // SAFETY: as above.
    let [failed] = unsafe { fix_up::write_word(address as u64, value) };
    if failed == 0 { Ok(()) } else { Err(Fault { address }) }
}

/// See [`machine::UserMemory::write_half`].
#[inline]
pub fn write_half(range: &Range<usize>, address: usize, value: u32) -> Result<(), Fault> {
    check(range, address, size_of::<u32>())?;
    // SAFETY: as above.
    let [failed] = unsafe { fix_up::write_half(address as u64, value.into()) };
    if failed == 0 { Ok(()) } else { Err(Fault { address }) }
}

/// See [`machine::UserMemory::zero`].
pub fn zero(range: &Range<usize>, destination: usize, length: usize) -> Result<(), Fault> {
    check(range, destination, length)?;
    // SAFETY: as in `copy_out`.
    let left = unsafe { whittle_user_zero(destination as *mut u8, length) };
    finished(destination, length, left)
}

/// See [`machine::UserMemory::copy_string`].
pub fn copy_string(range: &Range<usize>, destination: &mut [u8], source: usize) -> Result<Option<usize>, Fault> {
    let mut done = 0;
    while done < destination.len() {
        let address = source.checked_add(done).ok_or(Fault { address: source })?;
        let piece = (STRING_PIECE - address % STRING_PIECE).min(destination.len() - done);
        let Some(buffer) = destination.get_mut(done..done + piece) else { break };
        copy_in(range, buffer, address)?;
        if let Some(end) = first_zero(buffer) {
            return Ok(Some(done + end));
        }
        done += piece;
    }
    Ok(None)
}

/// Where the first zero is: word by word, since each path and name is looked through.
fn first_zero(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest byte that is marked is a zero: borrows go up.
        let marks = word.wrapping_sub(ONES) & !word & ONES << 7;
        if marks != 0 {
            return Some(8 * index + marks.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&byte| byte == 0).map(|at| 8 * words.len() + at)
}

/// See [`machine::UserMemory::compare_exchange`].
pub fn compare_exchange(range: &Range<usize>, address: usize, expected: u32, new: u32) -> Result<u32, Fault> {
    check(range, address, size_of::<u32>())?;
    // SAFETY: the word is the application's, which no Rust reference covers; a fault ends the exchange.
    let found = unsafe { whittle_user_exchange(address as *mut u32, expected, new) };
    u32::try_from(found).map_err(|_| Fault { address })
}

/// Brings in the pages of `length` bytes at `address`, for stores; nothing in them changes.
pub fn bring_in(range: &Range<usize>, address: usize, length: usize) -> Result<(), Fault> {
    check(range, address, length)?;
    let pages = (address & !(PAGE_SIZE - 1)..address + length).step_by(PAGE_SIZE);
    // Zero is only written where zero was.
    pages.into_iter().try_for_each(|page| compare_exchange(range, page, 0, 0).map(drop))
}

fn finished(address: usize, length: usize, left: usize) -> Result<(), Fault> {
    if left == 0 { Ok(()) } else { Err(Fault { address: address + (length - left) }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Range<usize> = 0x1000..0x7fff_ffff_f000;

    #[test]
    fn the_first_zero_is_found() {
        for length in 0..30 {
            let mut bytes = [0x80_u8; 30];
            let bytes = &mut bytes[..length];
            assert_eq!(first_zero(bytes), None);
            for at in (0..length).rev() {
                bytes[at] = 0;
                assert_eq!(first_zero(bytes), Some(at));
                bytes[at..].fill(1);
            }
        }
    }

    #[test]
    fn copies_every_length() {
        let source: [u8; 40] = core::array::from_fn(|index| index as u8 + 1);
        for length in 0..=source.len() {
            let mut destination = [0; 40];
            copy_in(&ALL, &mut destination[..length], source.as_ptr() as usize).unwrap();
            assert_eq!(destination[..length], source[..length]);
            assert!(destination[length..].iter().all(|&byte| byte == 0));
            zero(&ALL, destination.as_mut_ptr() as usize, length).unwrap();
            assert_eq!(destination, [0; 40]);
        }
    }

    #[test]
    fn copies_what_is_here() {
        let source: [u8; 40] = core::array::from_fn(|index| index as u8 + 1);
        for length in 0..=source.len() {
            let (mut copied, mut back) = ([0; 40], [0; 40]);
            let moved = copy_in_here(&ALL, &mut copied[..length], source.as_ptr() as usize);
            assert_eq!(moved, NonZeroUsize::new(length));
            assert_eq!(copy_out_here(&ALL, back.as_mut_ptr() as usize, &copied[..length]), moved);
            assert_eq!((&back[..length], &back[length..]), (&source[..length], &[0; 40][length..]));
        }
        for address in [0, 0xfff, 0x7fff_ffff_e001, 0x7fff_ffff_f000, 0x8000_0000_0000_0000, usize::MAX] {
            assert!(copy_out_here(&ALL, address, &[1]).or(copy_in_here(&ALL, &mut [1], address)).is_none());
        }
        assert_eq!(copy_out_here(&ALL, 0x1000, &[0; PAGE_SIZE + 1]), None);
        assert!(is_page_inside(&ALL, 0x7fff_ffff_e000, PAGE_SIZE));
    }

    #[test]
    fn strings_end_at_their_nul() {
        let mut text = [b'x'; 200];
        text[150] = 0;
        let mut buffer = [0; 200];
        assert_eq!(copy_string(&ALL, &mut buffer, text.as_ptr() as usize), Ok(Some(150)));
        assert_eq!(buffer[..150], text[..150]);
        assert_eq!(copy_string(&ALL, &mut buffer[..150], text.as_ptr() as usize), Ok(None));
        assert_eq!(copy_string(&ALL, &mut buffer[..151], text.as_ptr() as usize), Ok(Some(150)));
    }

    #[test]
    fn words_go_through_at_any_alignment() {
        let mut bytes = [0_u8; 24];
        let place = bytes.as_mut_ptr() as usize;
        for address in place..place + 9 {
            write_word(&ALL, address, 0x0102_0304_0506_0708).unwrap();
            assert_eq!(read_word(&ALL, address), Ok(0x0102_0304_0506_0708));
            write_half(&ALL, address + 8, 0x0a0b_0c0d).unwrap();
            assert_eq!(read_half(&ALL, address + 8), Ok(0x0a0b_0c0d));
            assert_eq!(read_word(&ALL, address), Ok(0x0102_0304_0506_0708));
        }
        for address in [0, 0xffc, 0x7fff_ffff_effd, usize::MAX] {
            assert_eq!(read_half(&ALL, address), Err(Fault { address }));
            assert_eq!(read_word(&ALL, address), Err(Fault { address }));
            assert_eq!(write_half(&ALL, address, 1), Err(Fault { address }));
            assert_eq!(write_word(&ALL, address, 1), Err(Fault { address }));
        }
    }

    #[test]
    fn words_are_exchanged_where_they_are_as_expected() {
        let mut word = 7_u32;
        let address = &raw mut word as usize;
        assert_eq!(compare_exchange(&ALL, address, 8, 9), Ok(7));
        assert_eq!(compare_exchange(&ALL, address, 7, u32::MAX), Ok(7));
        assert_eq!(compare_exchange(&ALL, address, u32::MAX, 1), Ok(u32::MAX));
        assert!(compare_exchange(&ALL, 0, 0, 1).is_err());
    }

    #[test]
    fn addresses_outside_the_range_are_refused() {
        let mut byte = [0];
        for address in [0, 0xfff, 0x7fff_ffff_f000, 0x8000_0000_0000_0000, usize::MAX] {
            assert_eq!(copy_in(&ALL, &mut byte, address), Err(Fault { address }));
            assert_eq!(copy_out(&ALL, address, &byte), Err(Fault { address }));
            assert_eq!(copy_in(&ALL, &mut [], address), Ok(()));
        }
        assert!(check(&ALL, 0x7fff_ffff_e000, 0x1001).is_err());
        assert!(check(&ALL, 0x7fff_ffff_e000, 0x1000).is_ok());
        assert!(check(&ALL, 0x1000, usize::MAX).is_err());
    }
}
