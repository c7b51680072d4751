//! The caller's memory.

use std::ffi::{c_int, c_void};
use std::slice;

use libc::{iovec, size_t};

use crate::errno::Errno;

/// Bytes to read from.
///
/// # Safety
/// The bytes are there while the slice is.
pub unsafe fn source<'a>(from: *const c_void, count: size_t) -> Result<&'a [u8], Errno> {
    if from.is_null() {
        return if count == 0 { Ok(&[]) } else { Err(Errno(libc::EFAULT)) };
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { slice::from_raw_parts(from.cast(), count) })
}

/// Bytes to write to.
///
/// # Safety
/// The bytes are there and nobody else's while the slice is.
pub unsafe fn target<'a>(to: *mut c_void, count: size_t) -> Result<&'a mut [u8], Errno> {
    if to.is_null() {
        return if count == 0 { Ok(&mut []) } else { Err(Errno(libc::EFAULT)) };
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(to.cast(), count) })
}

/// The stretches of a vector.
///
/// # Safety
/// The vector is there.
pub unsafe fn stretches<'a>(vector: *const iovec, count: c_int) -> &'a [iovec] {
    if vector.is_null() || count <= 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(vector, count as usize) }
}

/// All bytes of a vector, copied.
///
/// # Safety
/// The vector and its stretches are there.
pub unsafe fn gather(vector: *const iovec, count: c_int) -> Result<Vec<u8>, Errno> {
    let mut all = Vec::new();
    // SAFETY: the caller's promise.
    for stretch in unsafe { stretches(vector, count) } {
        // SAFETY: as above.
        all.extend(unsafe { source(stretch.iov_base, stretch.iov_len) }?);
    }
    Ok(all)
}

/// Copies bytes to the stretches of a vector, which have room for them.
///
/// # Safety
/// The vector and its stretches are there, and nobody else's.
pub unsafe fn scatter(vector: *const iovec, count: c_int, mut bytes: &[u8]) -> Result<(), Errno> {
    // SAFETY: the caller's promise.
    for stretch in unsafe { stretches(vector, count) } {
        let length = stretch.iov_len.min(bytes.len());
        // SAFETY: as above.
        unsafe { target(stretch.iov_base, length) }?.copy_from_slice(&bytes[..length]);
        bytes = &bytes[length..];
    }
    Ok(())
}

/// Whether each stretch that has bytes has an address.
///
/// # Safety
/// The vector is there.
pub unsafe fn is_there(vector: *const iovec, count: c_int) -> bool {
    // SAFETY: the caller's promise.
    unsafe { stretches(vector, count) }.iter().all(|stretch| stretch.iov_len == 0 || !stretch.iov_base.is_null())
}

/// Bytes that the stretches of a vector have room for.
///
/// # Safety
/// The vector is there.
pub unsafe fn room(vector: *const iovec, count: c_int) -> usize {
    // SAFETY: the caller's promise.
    unsafe { stretches(vector, count) }.iter().map(|stretch| stretch.iov_len).sum()
}
