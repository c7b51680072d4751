//! Open files: streams, the terminal behind them, the archive, and two files of `/proc/self`.

use machine::{TERMINAL_ATTRIBUTES, TerminalAttributes, WindowSize};

use super::{HostError, call::call, number};

const AT_FDCWD: usize = -100_isize as usize;
const SEEK_END: usize = 2;
/// ioctl(2) requests of terminals, see ioctl_tty(2).
pub const TCGETS: usize = 0x5401;
/// TCSETS; TCSETSW and TCSETSF follow.
pub const TCSETS: usize = 0x5402;
/// Asks for the window's size.
pub const TIOCGWINSZ: usize = 0x5413;

/// poll(2): something to read.
pub const POLLIN: i16 = 1;
/// poll(2): room to write.
pub const POLLOUT: i16 = 4;
/// poll(2): an error waits, for pipes that nobody reads any more.
pub const POLLERR: i16 = 8;
/// poll(2): the other side is gone.
pub const POLLHUP: i16 = 16;
/// poll(2): the descriptor is not open.
pub const POLLNVAL: i16 = 32;

/// `struct pollfd` of poll(2).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Poll {
    /// Which; negative ones are passed over.
    pub descriptor: i32,
    /// The events waited for.
    pub events: i16,
    /// The events found.
    pub found: i16,
}

/// Files of `/proc/self` that may be opened. The seccomp filter knows them by their addresses, so they lie in
/// read-only memory and share the upper half of their addresses.
#[repr(C, align(64))]
pub struct OwnFiles {
    /// All mappings, proc_pid_maps(5).
    pub maps: [u8; 16],
    /// Sizes in pages, proc_pid_statm(5).
    pub sizes: [u8; 17],
    /// A word a page, proc_pid_pagemap(5).
    pub pages: [u8; 19],
    /// The memory itself, proc_pid_mem(5).
    pub memory: [u8; 15],
}

/// The paths.
pub static OWN_FILES: OwnFiles = OwnFiles {
    maps: *b"/proc/self/maps\0",
    sizes: *b"/proc/self/statm\0",
    pages: *b"/proc/self/pagemap\0",
    memory: *b"/proc/self/mem\0",
};

/// Opens one of [`OWN_FILES`] for reading.
pub fn open_own(path: &'static [u8]) -> Result<i32, HostError> {
    // SAFETY: the path ends with NUL; nothing of ours is written.
    unsafe { call(number::OPENAT, [AT_FDCWD, path.as_ptr() as usize]) }.map(|descriptor| descriptor as i32)
}

/// Opens the file that this process executes for reading, as descriptor `wanted`.
pub fn open_image(wanted: i32) -> Result<(), HostError> {
    const PATH: &core::ffi::CStr = c"/proc/self/exe";
    // SAFETY: the path ends with NUL; nothing of ours is written, and nobody has used `wanted` yet.
    unsafe {
        let descriptor = call(number::OPENAT, [AT_FDCWD, PATH.as_ptr() as usize])?;
        if descriptor != wanted as usize {
            call(number::DUP2, [descriptor, wanted as usize])?;
            call(number::CLOSE, [descriptor])?;
        }
    }
    Ok(())
}

/// Opens this process's memory for reading and writing.
pub fn open_memory() -> Result<i32, HostError> {
    const READ_AND_WRITE: usize = 2;
    // SAFETY: the path ends with NUL; nothing of ours is written.
    unsafe { call(number::OPENAT, [AT_FDCWD, OWN_FILES.memory.as_ptr() as usize, READ_AND_WRITE]) }
        .map(|file| file as i32)
}

/// Reads; may wait.
pub fn read(descriptor: i32, buffer: &mut [u8]) -> Result<usize, HostError> {
    // SAFETY: writes the buffer only.
    unsafe { call(number::READ, [descriptor as usize, buffer.as_mut_ptr() as usize, buffer.len()]) }
}

/// Reads at an offset in bytes.
pub fn read_at(descriptor: i32, buffer: &mut [u8], offset: usize) -> Result<usize, HostError> {
    // SAFETY: writes the buffer only.
    unsafe { call(number::PREAD64, [descriptor as usize, buffer.as_mut_ptr() as usize, buffer.len(), offset]) }
}

/// Writes at an offset in bytes.
///
/// # Safety
/// If the file is memory, what is written there keeps Rust's promises.
pub unsafe fn write_at(descriptor: i32, bytes: &[u8], offset: usize) -> Result<usize, HostError> {
    // SAFETY: reads the bytes; for the rest the caller's promise.
    unsafe { call(number::PWRITE64, [descriptor as usize, bytes.as_ptr() as usize, bytes.len(), offset]) }
}

/// Writes memory from `address` on at an offset in bytes.
///
/// # Safety
/// If the file is memory, what is written there keeps Rust's promises.
pub unsafe fn write_from(descriptor: i32, address: usize, length: usize, offset: usize) -> Result<usize, HostError> {
    // SAFETY: reads the bytes, if they are there; for the rest the caller's promise.
    unsafe { call(number::PWRITE64, [descriptor as usize, address, length, offset]) }
}

/// Writes; may wait.
pub fn write(descriptor: i32, bytes: &[u8]) -> Result<usize, HostError> {
    // SAFETY: reads the bytes only.
    unsafe { call(number::WRITE, [descriptor as usize, bytes.as_ptr() as usize, bytes.len()]) }
}

/// Writes all of `bytes`, waiting as long as it takes.
pub fn write_all(descriptor: i32, mut bytes: &[u8]) -> Result<(), HostError> {
    while !bytes.is_empty() {
        match write(descriptor, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(HostError::INTERRUPTED) => {}
            Err(HostError::AGAIN) => {
                let mut wanted = [Poll { descriptor, events: POLLOUT, found: 0 }];
                let _ = poll(&mut wanted, None);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A time of a poll that does not wait.
pub const NOW: [u64; 2] = [0; 2];

/// What events are there now, without waiting.
pub fn poll_now(descriptor: i32, events: i16) -> i16 {
    let mut wanted = [Poll { descriptor, events, found: 0 }];
    match poll(&mut wanted, Some(NOW)) {
        Ok(_) => wanted[0].found,
        Err(_) => 0,
    }
}

/// Waits for an event, a signal, or for a time (seconds, nanoseconds); `None` waits for ever. Returns how many
/// descriptors have something.
fn poll(wanted: &mut [Poll], mut time: Option<[u64; 2]>) -> Result<usize, HostError> {
    let time = time.as_mut().map_or(0, |time| time.as_mut_ptr() as usize);
    // SAFETY: writes `wanted`, and what is left of the time.
    unsafe { call(number::PPOLL, [wanted.as_mut_ptr() as usize, wanted.len(), time]) }
}

/// As [`poll`], with no signal blocked, whatever is blocked outside. A signal that is pending ends it, even where the
/// time is 0.
pub fn poll_unblocked(wanted: &mut [Poll], mut time: Option<[u64; 2]>) -> Result<usize, HostError> {
    let time = time.as_mut().map_or(0, |time| time.as_mut_ptr() as usize);
    let mask = 0_u64;
    let mask = &raw const mask as usize;
    let arguments = [wanted.as_mut_ptr() as usize, wanted.len(), time, mask, super::signal::SET_BYTES];
    // SAFETY: writes `wanted`, and what is left of the time; the mask is put back before the call returns.
    unsafe { call(number::PPOLL, arguments) }
}

/// Waits for a signal.
pub fn wait_for_signal() {
    let _ = poll(&mut [], None);
}

/// A file in memory without a name, of so many bytes of zeros.
pub fn memory_file(length: usize) -> Result<i32, HostError> {
    const NAME: &core::ffi::CStr = c"whittle";
    const CLOSE_ON_EXECUTE: usize = 1;
    // SAFETY: the name ends with NUL; nothing of ours is written.
    let descriptor = unsafe { call(number::MEMFD_CREATE, [NAME.as_ptr() as usize, CLOSE_ON_EXECUTE]) }?;
    // SAFETY: nobody else has the file.
    unsafe { call(number::FTRUNCATE, [descriptor, length]) }?;
    Ok(descriptor as i32)
}

/// Bytes of a file.
pub fn length(descriptor: i32) -> Result<usize, HostError> {
    // SAFETY: moves a position that nobody else uses.
    unsafe { call(number::LSEEK, [descriptor as usize, 0, SEEK_END]) }
}

/// Bytes of memory that a memory file takes.
pub fn bytes_of(descriptor: i32) -> usize {
    // `struct stat` of stat(2); st_blocks, of 512 bytes each, is the word at 64.
    let mut status = [0_usize; 18];
    // SAFETY: writes the status only.
    let result = unsafe { call(number::FSTAT, [descriptor as usize, status.as_mut_ptr() as usize]) };
    result.map_or(0, |_| status[8] * 512)
}

/// Closes a descriptor that nobody uses any more.
pub fn close(descriptor: i32) {
    // SAFETY: does nothing to memory.
    let _ = unsafe { call(number::CLOSE, [descriptor as usize]) };
}

/// Whether a descriptor is a regular file, on which reads and writes never wait.
pub fn is_regular(descriptor: i32) -> bool {
    // `struct stat` of stat(2); st_mode is its 32 bits at 24.
    let mut status = [0_u32; 36];
    // SAFETY: writes the status only.
    let result = unsafe { call(number::FSTAT, [descriptor as usize, status.as_mut_ptr() as usize]) };
    result.is_ok() && status[6] & 0o170_000 == 0o100_000
}

/// A terminal's attributes.
#[inline(never)]
pub fn attributes(descriptor: i32) -> Result<TerminalAttributes, HostError> {
    let mut attributes = [0; TERMINAL_ATTRIBUTES];
    // SAFETY: writes as many bytes as the kernel's `struct termios` has.
    unsafe { call(number::IOCTL, [descriptor as usize, TCGETS, attributes.as_mut_ptr() as usize]) }?;
    Ok(attributes)
}

/// Sets a terminal's attributes; `when` is 0 (now), 1 (drained) or 2 (drained and flushed).
pub fn set_attributes(descriptor: i32, when: usize, attributes: &TerminalAttributes) -> Result<(), HostError> {
    // SAFETY: reads the attributes only.
    unsafe { call(number::IOCTL, [descriptor as usize, TCSETS + when, attributes.as_ptr() as usize]) }.map(drop)
}

/// A terminal's window size.
pub fn window_size(descriptor: i32) -> Result<WindowSize, HostError> {
    let mut words = [0_u16; 4];
    // SAFETY: writes a `struct winsize`: four 16-bit words.
    unsafe { call(number::IOCTL, [descriptor as usize, TIOCGWINSZ, words.as_mut_ptr() as usize]) }?;
    let [rows, columns, pixels_x, pixels_y] = words;
    Ok(WindowSize { rows, columns, pixels_x, pixels_y })
}
