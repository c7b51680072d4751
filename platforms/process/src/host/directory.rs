//! Files below a directory of the host's, each reached by a descriptor and one name: never by a path, so that neither
//! `..` nor a symbolic link leads out of a share.

use core::ffi::CStr;

use super::{HostError, call::call, number};

const O_CREAT: usize = 0o100;
const O_EXCL: usize = 0o200;
const O_NONBLOCK: usize = 0o4000;
const O_NOFOLLOW: usize = 0o400_000;
const O_CLOEXEC: usize = 0o2_000_000;
const O_PATH: usize = 0o10_000_000;
const O_DIRECTORY: usize = 0o200_000;
const AT_SYMLINK_FOLLOW: usize = 0x400;
const AT_SYMLINK_NOFOLLOW: usize = 0x100;
const AT_EMPTY_PATH: usize = 0x1000;
const AT_REMOVEDIR: usize = 0x200;
/// statx(2): all basic fields.
const STATX_BASIC: usize = 0x7ff;

/// renameat2(2): what stands there is not replaced.
pub const RENAME_NO_REPLACE: usize = 1;
/// renameat2(2): both change places.
pub const RENAME_EXCHANGE: usize = 2;
/// utimensat(2): a time that stays.
pub const UTIME_OMIT: i64 = 0x3fff_fffe;

/// An open file, closed when it goes.
#[derive(Debug)]
pub struct Descriptor(i32);

impl Descriptor {
    /// One that is ours from now on.
    pub const fn own(number: i32) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn number(&self) -> i32 {
        self.0
    }

    const fn word(&self) -> usize {
        self.0 as usize
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: nobody else uses it. A host that refuses leaves nothing to do.
        let _ = unsafe { call(number::CLOSE, [self.word()]) };
    }
}

/// How a file is opened.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// For its name only: neither read nor written.
    Path,
    /// For reading.
    Read,
    /// For writing.
    Write,
    /// For both.
    Both,
}

impl Access {
    const fn flags(self) -> usize {
        match self {
            Self::Path => O_PATH | O_NOFOLLOW,
            Self::Read => 0,
            Self::Write => 1,
            Self::Both => 2,
        }
    }
}

fn opened(result: Result<usize, HostError>) -> Result<Descriptor, HostError> {
    result.map(|number| Descriptor(number as i32))
}

/// A timestamp of statx(2).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Timestamp {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds of the second.
    pub nanoseconds: u32,
    reserved: i32,
}

/// `struct statx` of statx(2).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[allow(missing_docs)] // the fields have statx(2)'s meanings
pub struct Status {
    mask: u32,
    block_size: u32,
    attributes: u64,
    pub links: u32,
    pub user: u32,
    pub group: u32,
    pub mode: u16,
    spare: u16,
    pub inode: u64,
    pub size: u64,
    pub blocks: u64,
    attributes_mask: u64,
    pub accessed: Timestamp,
    born: Timestamp,
    pub changed: Timestamp,
    pub modified: Timestamp,
    pub special_major: u32,
    pub special_minor: u32,
    pub device_major: u32,
    pub device_minor: u32,
    rest: [u64; 14],
}

/// What is known of an open file.
pub fn status(file: &Descriptor) -> Result<Status, HostError> {
    status_at(file, c"", AT_EMPTY_PATH)
}

/// What is known of the entry `name`, itself if it is a link.
pub fn status_of(directory: &Descriptor, name: &CStr) -> Result<Status, HostError> {
    status_at(directory, name, AT_SYMLINK_NOFOLLOW)
}

fn status_at(file: &Descriptor, name: &CStr, flags: usize) -> Result<Status, HostError> {
    let mut status = Status::default();
    let place = &raw mut status as usize;
    // SAFETY: the name ends with NUL; writes the status only, which is as large as the host's.
    unsafe { call(number::STATX, [file.word(), name.as_ptr() as usize, flags, STATX_BASIC, place]) }?;
    Ok(status)
}

/// Opens the entry `name`, which is not followed if it is a link.
pub fn open(directory: &Descriptor, name: &CStr, access: Access) -> Result<Descriptor, HostError> {
    let flags = access.flags() | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    // SAFETY: the name ends with NUL; nothing of ours is written.
    opened(unsafe { call(number::OPENAT, [directory.word(), name.as_ptr() as usize, flags, 0]) })
}

/// Opens the file that `name` leads to in `/proc/self/fd`, which `descriptors` is.
pub fn reopen(descriptors: &Descriptor, name: &CStr, access: Access) -> Result<Descriptor, HostError> {
    let flags = access.flags() | O_CLOEXEC | O_NONBLOCK;
    // SAFETY: the name ends with NUL; nothing of ours is written.
    opened(unsafe { call(number::OPENAT, [descriptors.word(), name.as_ptr() as usize, flags, 0]) })
}

/// `/proc/self/fd`.
pub fn open_descriptors() -> Result<Descriptor, HostError> {
    const PATH: &CStr = c"/proc/self/fd";
    // Absolute, so that the first argument does not count.
    let flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
    // SAFETY: the path ends with NUL; nothing of ours is written.
    opened(unsafe { call(number::OPENAT, [0, PATH.as_ptr() as usize, flags, 0]) })
}

/// Makes a file that is not there.
pub fn create(directory: &Descriptor, name: &CStr, mode: u32) -> Result<Descriptor, HostError> {
    let flags = 1 | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    // SAFETY: as in `open`.
    opened(unsafe { call(number::OPENAT, [directory.word(), name.as_ptr() as usize, flags, mode as usize]) })
}

/// Makes a directory.
pub fn make_directory(directory: &Descriptor, name: &CStr, mode: u32) -> Result<(), HostError> {
    // SAFETY: as in `open`.
    unsafe { call(number::MKDIRAT, [directory.word(), name.as_ptr() as usize, mode as usize]) }.map(drop)
}

/// Makes a pipe or a socket; `mode` says which.
pub fn make_special(directory: &Descriptor, name: &CStr, mode: u32) -> Result<(), HostError> {
    // SAFETY: as in `open`.
    unsafe { call(number::MKNODAT, [directory.word(), name.as_ptr() as usize, mode as usize, 0]) }.map(drop)
}

/// Makes a symbolic link.
pub fn make_link(directory: &Descriptor, name: &CStr, target: &CStr) -> Result<(), HostError> {
    // SAFETY: as in `open`.
    unsafe { call(number::SYMLINKAT, [target.as_ptr() as usize, directory.word(), name.as_ptr() as usize]) }.map(drop)
}

/// Gives the file at `name` of `/proc/self/fd` one more name.
pub fn link(descriptors: &Descriptor, file: &CStr, directory: &Descriptor, name: &CStr) -> Result<(), HostError> {
    let (file, name) = (file.as_ptr() as usize, name.as_ptr() as usize);
    // SAFETY: as in `open`.
    unsafe { call(number::LINKAT, [descriptors.word(), file, directory.word(), name, AT_SYMLINK_FOLLOW]) }.map(drop)
}

/// Removes an entry: an empty directory, or anything else.
pub fn remove(directory: &Descriptor, name: &CStr, is_directory: bool) -> Result<(), HostError> {
    let flags = if is_directory { AT_REMOVEDIR } else { 0 };
    // SAFETY: as in `open`.
    unsafe { call(number::UNLINKAT, [directory.word(), name.as_ptr() as usize, flags]) }.map(drop)
}

/// Renames an entry.
pub fn rename(
    directory: &Descriptor,
    name: &CStr,
    new_directory: &Descriptor,
    new_name: &CStr,
    flags: usize,
) -> Result<(), HostError> {
    let (name, new_name) = (name.as_ptr() as usize, new_name.as_ptr() as usize);
    // SAFETY: as in `open`.
    unsafe { call(number::RENAMEAT2, [directory.word(), name, new_directory.word(), new_name, flags]) }.map(drop)
}

/// What a symbolic link says; how many bytes of `target` that fills.
pub fn read_link(link: &Descriptor, target: &mut [u8]) -> Result<usize, HostError> {
    let (place, length) = (target.as_mut_ptr() as usize, target.len());
    // SAFETY: writes the target only.
    unsafe { call(number::READLINKAT, [link.word(), c"".as_ptr() as usize, place, length]) }
}

/// Goes on behind an entry, by the place that the host has told for it.
pub fn seek(directory: &Descriptor, place: u64) -> Result<(), HostError> {
    const SEEK_SET: usize = 0;
    // SAFETY: moves a position that nobody else uses.
    unsafe { call(number::LSEEK, [directory.word(), place as usize, SEEK_SET]) }.map(drop)
}

/// Fills `buffer` with the next entries of an open directory, as getdents64(2) does; how many bytes, 0 at the end.
pub fn entries(directory: &Descriptor, buffer: &mut [u8]) -> Result<usize, HostError> {
    // SAFETY: writes the buffer only.
    unsafe { call(number::GETDENTS64, [directory.word(), buffer.as_mut_ptr() as usize, buffer.len()]) }
}

/// Changes the permissions of the file at `name` of `/proc/self/fd`.
pub fn set_mode(descriptors: &Descriptor, name: &CStr, mode: u32) -> Result<(), HostError> {
    // SAFETY: as in `open`.
    unsafe { call(number::FCHMODAT, [descriptors.word(), name.as_ptr() as usize, mode as usize]) }.map(drop)
}

/// Changes owner and group; `u32::MAX` leaves one alone.
pub fn set_owner(file: &Descriptor, user: u32, group: u32) -> Result<(), HostError> {
    let arguments = [file.word(), c"".as_ptr() as usize, user as usize, group as usize, AT_EMPTY_PATH];
    // SAFETY: as in `open`.
    unsafe { call(number::FCHOWNAT, arguments) }.map(drop)
}

/// Sets the times of last access and change of the file at `name` of `/proc/self/fd`: seconds and nanoseconds each.
pub fn set_times(descriptors: &Descriptor, name: &CStr, times: &[[i64; 2]; 2]) -> Result<(), HostError> {
    let arguments = [descriptors.word(), name.as_ptr() as usize, times.as_ptr() as usize, 0];
    // SAFETY: as in `open`; reads the times.
    unsafe { call(number::UTIMENSAT, arguments) }.map(drop)
}

/// Reads at an offset; fewer bytes than asked for only at the file's end or before an error.
pub fn read_at(file: &Descriptor, address: usize, length: usize, offset: u64) -> Result<usize, HostError> {
    // SAFETY: the caller's buffer, or the program's memory, in which nothing of Rust's lies.
    unsafe { call(number::PREAD64, [file.word(), address, length, offset as usize]) }
}

/// The same of an open file, by its number.
pub fn read_descriptor(descriptor: i32, address: usize, length: usize, offset: u64) -> Result<usize, HostError> {
    // SAFETY: as above.
    unsafe { call(number::PREAD64, [descriptor as usize, address, length, offset as usize]) }
}

/// As [`read_at`], but only what is in the host's memory: [`HostError::AGAIN`] if that is nothing,
/// [`HostError::UNSUPPORTED`] where the file system cannot tell.
pub fn read_at_once(file: &Descriptor, address: usize, length: usize, offset: u64) -> Result<usize, HostError> {
    const RWF_NOWAIT: usize = 8;
    let place = [address, length];
    // SAFETY: as above; the place is a `struct iovec`.
    unsafe { call(number::PREADV2, [file.word(), place.as_ptr() as usize, 1, offset as usize, 0, RWF_NOWAIT]) }
}

/// Writes at an offset.
pub fn write_at(file: &Descriptor, address: usize, length: usize, offset: u64) -> Result<usize, HostError> {
    // SAFETY: reads memory of the caller's, or the program's.
    unsafe { call(number::PWRITE64, [file.word(), address, length, offset as usize]) }
}

/// Writes behind the end, whoever else does so (RWF_APPEND of pwritev2(2)).
pub fn append(file: &Descriptor, address: usize, length: usize) -> Result<usize, HostError> {
    const APPEND: usize = 0x10;
    let vector = [address, length];
    let arguments = [file.word(), vector.as_ptr() as usize, 1, 0, 0, APPEND];
    // SAFETY: as above, and the vector.
    unsafe { call(number::PWRITEV2, arguments) }
}

/// Sets the length.
pub fn set_length(file: &Descriptor, length: u64) -> Result<(), HostError> {
    // SAFETY: a program that has mapped what is cut finds a SIGBUS there.
    unsafe { call(number::FTRUNCATE, [file.word(), length as usize]) }.map(drop)
}

/// Makes part of a file a hole, without changing its length.
pub fn erase(file: &Descriptor, offset: u64, length: u64) -> Result<(), HostError> {
    const KEEP_SIZE_AND_PUNCH_HOLE: usize = 3;
    let arguments = [file.word(), KEEP_SIZE_AND_PUNCH_HOLE, offset as usize, length as usize];
    // SAFETY: as in `set_length`.
    unsafe { call(number::FALLOCATE, arguments) }.map(drop)
}

/// Brings a file to its device; without `metadata`, only what is needed to read its contents.
pub fn synchronize(file: &Descriptor, metadata: bool) -> Result<(), HostError> {
    let number = if metadata { number::FSYNC } else { number::FDATASYNC };
    // SAFETY: nothing of ours changes.
    unsafe { call(number, [file.word()]) }.map(drop)
}

/// The file system of an open file: `struct statfs` of statfs(2), as words.
pub fn file_system(file: &Descriptor) -> Result<[u64; 15], HostError> {
    let mut words = [0; 15];
    // SAFETY: writes the words, as many bytes as the host's structure has.
    unsafe { call(number::FSTATFS, [file.word(), words.as_mut_ptr() as usize]) }?;
    Ok(words)
}
