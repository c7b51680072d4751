//! Reading and writing a file of the host's at sectors, from and to several places at once.

use blkdev::Part;

use super::{HostError, call::call, number};

/// Most parts of a request (at most UIO_MAXIOV of the host's).
pub const PARTS: usize = 64;

const SEEK_END: usize = 2;
/// fcntl(2): asks how a file was opened.
pub const F_GETFL: usize = 3;
const O_ACCMODE: usize = 3;

/// `struct iovec` of readv(2).
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Place {
    address: usize,
    length: usize,
}

/// Bytes of a file or disk.
pub fn length(descriptor: i32) -> Result<u64, HostError> {
    // SAFETY: moves a position that nobody else uses.
    unsafe { call(number::LSEEK, [descriptor as usize, 0, SEEK_END]) }.map(|length| length as u64)
}

/// Whether a file was opened for reading alone.
pub fn is_read_only(descriptor: i32) -> Result<bool, HostError> {
    // SAFETY: nothing of ours is written.
    unsafe { call(number::FCNTL, [descriptor as usize, F_GETFL]) }.map(|flags| flags & O_ACCMODE == 0)
}

/// Fills `parts`, which are of a request for reading.
pub fn read(descriptor: i32, offset: u64, parts: &[Part]) -> Result<(), HostError> {
    transfer(number::PREADV, descriptor, offset, parts)
}

/// Writes `parts`.
pub fn write(descriptor: i32, offset: u64, parts: &[Part]) -> Result<(), HostError> {
    transfer(number::PWRITEV, descriptor, offset, parts)
}

/// Makes what has been written last.
pub fn flush(descriptor: i32) -> Result<(), HostError> {
    // SAFETY: nothing of ours is written.
    unsafe { call(number::FDATASYNC, [descriptor as usize]) }.map(drop)
}

fn transfer(number: usize, descriptor: i32, offset: u64, parts: &[Part]) -> Result<(), HostError> {
    let mut places = [Place::default(); PARTS];
    let places = places.get_mut(..parts.len()).ok_or(HostError::INVALID)?;
    for (place, part) in places.iter_mut().zip(parts) {
        *place = Place { address: part.start().as_ptr() as usize, length: part.length() };
    }
    let (mut rest, mut offset) = (places, offset as usize);
    while !rest.is_empty() {
        // SAFETY: the parts are lent for this request (`blkdev::Request::new`), those of a read to be written.
        let moved = unsafe { call(number, [descriptor as usize, rest.as_ptr() as usize, rest.len(), offset]) };
        match moved {
            Err(HostError::INTERRUPTED) => {}
            Err(error) => return Err(error),
            // Somebody has cut the file.
            Ok(0) => return Err(HostError::INPUT_OUTPUT),
            Ok(count) => {
                offset += count;
                rest = behind(rest, count);
            }
        }
    }
    Ok(())
}

/// What of `places` lies behind the first `count` bytes.
fn behind(places: &mut [Place], mut count: usize) -> &mut [Place] {
    let whole = places.iter().take_while(|place| {
        let passed = place.length <= count;
        count -= if passed { place.length } else { 0 };
        passed
    });
    let whole = whole.count();
    let rest = &mut places[whole..];
    if let Some(first) = rest.first_mut() {
        first.address += count;
        first.length -= count;
    }
    rest
}
