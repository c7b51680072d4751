//! Copies between kernel and application, typed. An address that does not work is EFAULT.

use alloc::{vec, vec::Vec};
use core::mem::MaybeUninit;

use linux_abi::{Errno, UserAddress, UserPath, constants::PATH_MAX};
use machine::{Fault, PAGE_SIZE};
use unfilled::Unfilled;

use super::ability;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Bytes of a pointer.
pub const POINTER: usize = size_of::<usize>();

fn bad_address(_: Fault) -> Errno {
    Errno::EFAULT
}

/// Fills `destination` from the application at `source`.
#[inline(never)]
pub fn copy_in(destination: &mut [u8], source: UserAddress) -> Result<(), Errno> {
    contracts::user_memory::copy_in(destination, source.0).map_err(bad_address)
}

/// Copies `source` to the application at `destination`.
#[inline(never)]
pub fn copy_out(destination: UserAddress, source: &[u8]) -> Result<(), Errno> {
    contracts::user_memory::copy_out(destination.0, source).map_err(bad_address)
}

/// EFAULT for a buffer that no program can have: one that wraps round or reaches into the upper half. Linux looks at
/// the whole length first, also where a call then moves less.
pub fn check_buffer(address: UserAddress, length: usize) -> Result<(), Errno> {
    let end = address.0.checked_add(length).and_then(|end| isize::try_from(end).ok());
    end.map(|_| ()).ok_or(Errno::EFAULT)
}

/// Changes an `unsigned int` in one step that other processors see whole, as `change` makes a new value of the old one;
/// the old one. `change` may be asked again, when somebody else was faster; its error ends the attempt.
pub fn update_int(address: UserAddress, change: &mut dyn FnMut(u32) -> Result<u32, Errno>) -> Result<u32, Errno> {
    let mut old = read_int(address)? as u32;
    loop {
        let new = change(old)?;
        let found = contracts::user_memory::compare_exchange(address.0, old, new).map_err(bad_address)?;
        if found == old {
            return Ok(old);
        }
        old = found;
    }
}

/// Writes zeros.
pub fn zero(destination: UserAddress, length: usize) -> Result<(), Errno> {
    contracts::user_memory::zero(destination.0, length).map_err(bad_address)
}

/// Reads a plain structure or number.
#[inline]
pub fn read_struct<T: FromBytes + IntoBytes>(address: UserAddress) -> Result<T, Errno> {
    let mut value = T::new_zeroed();
    // Which one it is, is known where it is compiled.
    match size_of::<T>() {
        8 => {
            let word = contracts::user_memory::read_word(address.0).map_err(bad_address)?;
            value.as_mut_bytes().copy_from_slice(&word.to_ne_bytes());
        }
        4 => value.as_mut_bytes().copy_from_slice(&half(address)?.to_ne_bytes()),
        _ => {
            let mut filled = Ok(());
            let value = unfilled::value(|to| filled = fill(to, address));
            return filled.and(value.ok_or(Errno::EFAULT));
        }
    }
    Ok(value)
}

/// Reads a plain structure that stays in its place.
#[inline(always)]
pub fn read_struct_in<T: FromBytes>(place: &mut MaybeUninit<T>, address: UserAddress) -> Result<&mut T, Errno> {
    let mut filled = Ok(());
    let value = unfilled::value_in(place, |to| filled = fill(to, address));
    filled.and(value.ok_or(Errno::EFAULT))
}

/// Fills all that is not filled from the application at `source`.
#[inline(never)]
fn fill(to: &mut Unfilled<'_>, source: UserAddress) -> Result<(), Errno> {
    let count = to.room();
    contracts::user_memory::fill(to, count, source.0).map_err(bad_address)
}

#[inline(never)]
fn half(address: UserAddress) -> Result<u32, Errno> {
    contracts::user_memory::read_half(address.0).map_err(bad_address)
}

/// Reads a word.
pub fn read_word(address: UserAddress) -> Result<usize, Errno> {
    read_struct(address)
}

/// Reads an `unsigned int`.
pub fn read_int(address: UserAddress) -> Result<usize, Errno> {
    Ok(half(address)? as usize)
}

/// Writes a word: what a call does that answers so.
#[inline(never)]
pub fn answer_word(address: UserAddress, value: usize) -> Result<usize, Errno> {
    answer(address, &value)
}

/// Writes an `unsigned int`: what a call does that answers so.
#[inline(never)]
pub fn answer_int(address: UserAddress, value: u32) -> Result<usize, Errno> {
    answer(address, &value)
}

/// Writes a plain structure or number.
pub fn write_struct<T: IntoBytes + Immutable>(address: UserAddress, value: &T) -> Result<(), Errno> {
    put(address, value.as_bytes())
}

/// Writes a plain structure or number: what a call does that answers so.
pub fn answer<T: IntoBytes + Immutable>(address: UserAddress, value: &T) -> crate::Result {
    answer_bytes(address, value.as_bytes())
}

/// As [`answer`], for the functions that most calls come through.
#[inline(always)]
pub fn answer_in_line<T: IntoBytes + Immutable>(address: UserAddress, value: &T) -> crate::Result {
    let bytes = value.as_bytes();
    if ability::short_ways() && contracts::user_memory::copy_out_here(address.0, bytes).is_some() {
        return Ok(0);
    }
    core::hint::cold_path();
    copy_out(address, bytes).map(|()| 0)
}

/// As [`answer`], unless the application passed NULL.
pub fn answer_optional<T: IntoBytes + Immutable>(address: UserAddress, value: &T) -> crate::Result {
    if address.is_null() {
        return Ok(0);
    }
    put(address, value.as_bytes()).map(|()| 0)
}

#[inline(never)]
fn answer_bytes(address: UserAddress, bytes: &[u8]) -> crate::Result {
    if ability::short_ways() && contracts::user_memory::copy_out_here(address.0, bytes).is_some() {
        return Ok(0);
    }
    contracts::user_memory::copy_out(address.0, bytes).map(|()| 0).map_err(bad_address)
}

/// Writes as many bytes as a number has by one access, which an application's other threads see whole.
#[inline(always)]
fn put(address: UserAddress, bytes: &[u8]) -> Result<(), Errno> {
    if let Ok(word) = bytes.try_into() {
        contracts::user_memory::write_word(address.0, u64::from_ne_bytes(word)).map_err(bad_address)
    } else if let Ok(half) = bytes.try_into() {
        contracts::user_memory::write_half(address.0, u32::from_ne_bytes(half)).map_err(bad_address)
    } else {
        copy_out(address, bytes)
    }
}

/// Reads a structure, or `None` where the application passed NULL.
pub fn read_optional<T: FromBytes + IntoBytes>(address: UserAddress) -> Result<Option<T>, Errno> {
    if address.is_null() { Ok(None) } else { read_struct(address).map(Some) }
}

/// Writes a structure unless the application passed NULL.
pub fn write_optional<T: IntoBytes + Immutable>(address: UserAddress, value: &T) -> Result<(), Errno> {
    if address.is_null() { Ok(()) } else { write_struct(address, value) }
}

/// Reads `count` structures. The caller has bounded `count`.
pub fn read_array<T: FromBytes + IntoBytes + Immutable + KnownLayout + Clone>(
    address: UserAddress,
    count: usize,
) -> Result<Vec<T>, Errno> {
    let mut values = vec![T::new_zeroed(); count];
    copy_in(values.as_mut_slice().as_mut_bytes(), address)?;
    Ok(values)
}

/// Writes structures one behind the other.
pub fn write_array<T: IntoBytes + Immutable>(address: UserAddress, values: &[T]) -> Result<(), Errno> {
    copy_out(address, values.as_bytes())
}

/// Bytes of a string that is short, as most are.
const SHORT_STRING: usize = 128;

/// Reads a string up to its NUL (not included). `too_long` if no NUL comes within `limit` bytes.
pub fn read_string(address: UserPath, limit: usize, too_long: Errno) -> Result<Vec<u8>, Errno> {
    // Most strings are short, and copying stops at the NUL: try little, then a page, then all. A program's environment
    // may have strings of 128 KB, which would be zeroed for each that is longer than a little.
    for capacity in [limit.min(SHORT_STRING), limit.min(PAGE_SIZE), limit] {
        let mut bytes = vec![0; capacity];
        if let Some(length) = contracts::user_memory::copy_string(&mut bytes, address.0).map_err(bad_address)? {
            bytes.truncate(length);
            return Ok(bytes);
        }
    }
    Err(too_long)
}

/// Does something with the path at `address`, which is kept only that long: so a short one needs no memory.
pub fn with_path<R>(address: UserPath, work: impl FnOnce(&[u8]) -> Result<R, Errno>) -> Result<R, Errno> {
    let mut short = [0; SHORT_STRING];
    match contracts::user_memory::copy_string(&mut short, address.0).map_err(bad_address)? {
        Some(length) => work(&short[..length]),
        None => work(&read_path(address)?),
    }
}

/// Whether the path at `address` is empty.
pub fn is_empty_path(address: UserPath) -> Result<bool, Errno> {
    // The word that the first byte is in lies in the same page.
    const WORD: usize = size_of::<u64>();
    let word = contracts::user_memory::read_word(address.0 & !(WORD - 1)).map_err(bad_address)?;
    Ok(word.to_ne_bytes()[address.0 % WORD] == 0)
}

/// Reads a path: ENAMETOOLONG from PATH_MAX bytes on.
#[inline(never)]
pub fn read_path(address: UserPath) -> Result<Vec<u8>, Errno> {
    read_string(address, PATH_MAX as usize, Errno::ENAMETOOLONG)
}
