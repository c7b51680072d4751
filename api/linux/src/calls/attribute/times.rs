//! When a file was read and written last.

use alloc::sync::Arc;

use linux_abi::{
    Directory, Errno, FileDescriptor, UserAddress, UserPath,
    constants::{AtFlags, UTIME_NOW, UTIME_OMIT},
    structures::{TimeSpec, TimeValue, UtimeBuffer},
};
use vfs::{Change, Node, Rights, Time};
use watches::{ACCESS, ATTRIBUTES, MODIFIED};

use crate::{
    Result,
    objects::{
        errors,
        files::{self, changing},
        user,
    },
};

/// utime(2): sets times to the second.
pub fn utime(path: UserPath, times: UserAddress) -> Result {
    let times = match user::read_optional::<UtimeBuffer>(times)? {
        None => [Moment::Now; 2],
        Some(times) => [at(times.actime)?, at(times.modtime)?],
    };
    set_at(Directory::WORKING, path, AtFlags::empty(), &times)
}

fn at(seconds: i64) -> core::result::Result<Moment, Errno> {
    seconds.checked_mul(1_000_000_000).map(Moment::At).ok_or(Errno::EINVAL)
}

/// utimes(2): sets times to the microsecond.
pub fn utimes(path: UserPath, times: UserAddress) -> Result {
    let times = from_values(times)?;
    set_at(Directory::WORKING, path, AtFlags::empty(), &times)
}

/// futimesat(2): as utimes, relative to a directory; a NULL path means the open file itself.
pub fn futimesat(directory: Directory, path: UserPath, times: UserAddress) -> Result {
    let times = from_values(times)?;
    if path.is_null() {
        set_open(directory.descriptor(), &times)
    } else {
        set_at(directory, path, AtFlags::empty(), &times)
    }
}

/// utimensat(2): sets times to the nanosecond. A NULL path means the open file itself (futimens(3)).
pub fn utimensat(directory: Directory, path: UserPath, times: UserAddress, flags: AtFlags) -> Result {
    if !(AtFlags::AT_SYMLINK_NOFOLLOW | AtFlags::AT_EMPTY_PATH).contains(flags) {
        return Err(Errno::EINVAL);
    }
    let times = from_specs(times)?;
    if times == [Moment::Keep; 2] {
        return Ok(0);
    }
    if path.is_null() && directory != Directory::WORKING {
        set_open(directory.descriptor(), &times)
    } else {
        set_at(directory, path, flags, &times)
    }
}

/// What to do with one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The present moment.
    Now,
    /// Leave it alone.
    Keep,
    /// This.
    At(Time),
}

const SECOND: i64 = 1_000_000_000;

fn moment(seconds: i64, nanoseconds: i64) -> core::result::Result<Moment, Errno> {
    if !(0..SECOND).contains(&nanoseconds) {
        return Err(Errno::EINVAL);
    }
    // Linux, too, takes the next that the file system can hold (timestamp_truncate in fs/inode.c).
    const LAST: i64 = i64::MAX / SECOND;
    let held = seconds.clamp(-LAST, LAST - 1);
    Ok(Moment::At(held * SECOND + if held == seconds { nanoseconds } else { 0 }))
}

/// Two `struct timespec`; both now for NULL.
pub fn from_specs(address: UserAddress) -> core::result::Result<[Moment; 2], Errno> {
    if address.is_null() {
        return Ok([Moment::Now; 2]);
    }
    let one = |time: TimeSpec| match time.tv_nsec {
        UTIME_NOW => Ok(Moment::Now),
        UTIME_OMIT => Ok(Moment::Keep),
        nanoseconds => moment(time.tv_sec, nanoseconds),
    };
    let [accessed, modified]: [TimeSpec; 2] = user::read_struct(address)?;
    Ok([one(accessed)?, one(modified)?])
}

/// Two `struct timeval`; both now for NULL.
pub fn from_values(address: UserAddress) -> core::result::Result<[Moment; 2], Errno> {
    if address.is_null() {
        return Ok([Moment::Now; 2]);
    }
    let one = |time: TimeValue| {
        let microseconds = (0..1_000_000).contains(&time.tv_usec).then_some(time.tv_usec).ok_or(Errno::EINVAL)?;
        moment(time.tv_sec, microseconds * 1000)
    };
    let [accessed, modified]: [TimeValue; 2] = user::read_struct(address)?;
    Ok([one(accessed)?, one(modified)?])
}

/// What happens to a node by [`set`]: one time alone is set as by a read or a write (fsnotify_change of Linux).
fn events(times: &[Moment; 2]) -> u32 {
    match times {
        [Moment::Keep, Moment::Keep] => 0,
        [_, Moment::Keep] => ACCESS,
        [Moment::Keep, _] => MODIFIED,
        _ => ATTRIBUTES,
    }
}

/// Sets the times of what is at the path at `address`.
pub fn set_at(directory: Directory, address: UserPath, flags: AtFlags, times: &[Moment; 2]) -> Result {
    changing::change_at(directory, address, flags, events(times), &mut |node| set(node, times))
}

/// Sets the times of the file at a descriptor.
pub fn set_open(descriptor: FileDescriptor, times: &[Moment; 2]) -> Result {
    changing::change(&*files::usable(descriptor)?, events(times), &mut |node| set(node, times))
}

/// Sets a node's times: both to now for whoever may write it, anything else only for its owner and root.
fn set(node: &Arc<dyn Node>, &[accessed, modified]: &[Moment; 2]) -> Result {
    if [accessed, modified] == [Moment::Keep; 2] {
        return Ok(0);
    }
    files::check_change(node)?;
    let who = files::credentials();
    let metadata = node.metadata();
    if !who.owns(metadata.owner.user) {
        if [accessed, modified] != [Moment::Now; 2] {
            return Err(Errno::EPERM);
        }
        who.check(&metadata, Rights::WRITE).map_err(errors::errno)?;
    }
    let now = contracts::clock::wall() as Time;
    let chosen = |moment| match moment {
        Moment::Now => Some(now),
        Moment::Keep => None,
        Moment::At(time) => Some(time),
    };
    let change = Change { accessed: chosen(accessed), modified: chosen(modified), ..Change::default() };
    files::done(node.change(&change))
}
