//! Metadata in the shapes of stat(2) and statx(2).

use linux_abi::structures::{Stat, Statx, StatxTimestamp, TimeSpec};
use vfs::{Metadata, Time};

/// Bytes of a block in `st_blocks` (stat(2)).
const BLOCK: u64 = 512;
/// What programs should read and write at a time.
const PREFERRED: u32 = 4096;
const SECOND: i64 = 1_000_000_000;

#[inline]
fn moment(time: Time) -> TimeSpec {
    match u64::try_from(time) {
        Ok(time) => TimeSpec::from_nanoseconds(time),
        Err(_) => moment_before_epoch(time),
    }
}

#[cold]
#[inline(never)]
const fn moment_before_epoch(time: Time) -> TimeSpec {
    TimeSpec { tv_sec: time.div_euclid(SECOND), tv_nsec: time.rem_euclid(SECOND) }
}

fn moment_x(time: Time) -> StatxTimestamp {
    let TimeSpec { tv_sec, tv_nsec } = moment(time);
    StatxTimestamp { tv_sec, tv_nsec: tv_nsec as u32, padding: 0 }
}

/// A device number as stat(2) packs it (makedev(3)).
#[must_use]
pub const fn packed_device((major, minor): (u32, u32)) -> u64 {
    let (major, minor) = (major as u64, minor as u64);
    (major & 0xfff) << 8 | (major & !0xfff) << 32 | minor & 0xff | (minor & !0xff) << 12
}

/// A device number as mknod(2) is given it.
#[must_use]
pub const fn unpacked_device(device: u64) -> (u32, u32) {
    let major = device >> 8 & 0xfff | device >> 32 & !0xfff;
    let minor = device & 0xff | device >> 12 & !0xff;
    (major as u32, minor as u32)
}

/// What it takes of memory, in blocks of 512 bytes: far below 2^64 bytes.
#[inline(always)]
const fn blocks(node: &Metadata) -> u64 {
    node.occupied.wrapping_add(BLOCK - 1) / BLOCK
}

/// `struct stat`.
#[must_use]
#[inline]
pub fn status_of(node: &Metadata) -> Stat {
    // What takes a branch comes after what does not: so each field goes from here to there, and none is put by.
    let mut status = Stat {
        st_dev: node.device,
        st_ino: node.inode,
        st_nlink: u64::from(node.links),
        st_mode: node.full_mode(),
        st_uid: node.owner.user,
        st_gid: node.owner.group,
        st_size: node.size as i64,
        st_blksize: i64::from(PREFERRED),
        st_blocks: blocks(node) as i64,
        ..Stat::default()
    };
    if node.special != (0, 0) {
        status.st_rdev = packed_device(node.special);
    }
    status.st_atim = moment(node.accessed);
    status.st_mtim = moment(node.modified);
    // What changes contents changes both, and a division takes longer than a look.
    status.st_ctim = if node.changed == node.modified { status.st_mtim } else { moment(node.changed) };
    status
}

/// `struct statx` with the basic fields.
#[must_use]
pub fn statx_of(node: &Metadata) -> Statx {
    Statx {
        stx_mask: linux_abi::constants::StatxMask::STATX_BASIC_STATS.bits(),
        stx_blksize: PREFERRED,
        stx_nlink: node.links,
        stx_uid: node.owner.user,
        stx_gid: node.owner.group,
        stx_mode: node.full_mode() as u16,
        stx_ino: node.inode,
        stx_size: node.size,
        stx_blocks: blocks(node),
        stx_atime: moment_x(node.accessed),
        stx_ctime: moment_x(node.changed),
        stx_mtime: moment_x(node.modified),
        stx_rdev_major: node.special.0,
        stx_rdev_minor: node.special.1,
        stx_dev_major: (node.device >> 8) as u32,
        stx_dev_minor: (node.device & 0xff) as u32,
        ..Statx::default()
    }
}
