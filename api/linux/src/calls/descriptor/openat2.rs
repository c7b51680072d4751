//! openat2(2).

use alloc::{borrow::Cow, sync::Arc};

use linux_abi::{
    Directory, Errno, UserAddress, UserPath,
    constants::{
        OpenFlags, RESOLVE_BENEATH, RESOLVE_CACHED, RESOLVE_IN_ROOT, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS,
        RESOLVE_NO_XDEV,
    },
};
use vfs::Confinement;

use super::open;
use crate::{
    Result,
    objects::{files::Seen, user},
};

/// Words of `struct open_how`: flags, mode, and how the path is walked.
const WORDS: usize = 3;

/// As openat, with a say in how the path is walked. Nothing is known without looking (RESOLVE_CACHED: EAGAIN).
pub fn openat2(directory: Directory, path: UserPath, how: UserAddress, size: usize) -> Result {
    if size < WORDS * user::POINTER {
        return Err(Errno::EINVAL);
    }
    if size > machine::PAGE_SIZE {
        return Err(Errno::E2BIG);
    }
    let words = user::read_array::<u8>(how, size)?;
    let (how, rest) = words.split_at(WORDS * user::POINTER);
    if rest.iter().any(|&byte| byte != 0) {
        return Err(Errno::E2BIG);
    }
    let mut how =
        how.chunks(user::POINTER).map(|word| word.iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte)));
    let [flags, mode, resolve] = [(); WORDS].map(|()| how.next().unwrap_or(0));
    let above = flags >> u32::BITS != 0;
    let flags = OpenFlags::from_bits_retain(flags as u32);
    let makes = flags.contains(OpenFlags::O_CREAT) || flags.contains(OpenFlags::O_TMPFILE);
    if above || !OpenFlags::NAMED.contains(flags) || mode & !0o7777 != 0 || mode != 0 && !makes {
        return Err(Errno::EINVAL);
    }
    let known = RESOLVE_NO_XDEV
        | RESOLVE_NO_MAGICLINKS
        | RESOLVE_NO_SYMLINKS
        | RESOLVE_BENEATH
        | RESOLVE_IN_ROOT
        | RESOLVE_CACHED;
    let scope = resolve & (RESOLVE_BENEATH | RESOLVE_IN_ROOT);
    if resolve & !known != 0 || scope == RESOLVE_BENEATH | RESOLVE_IN_ROOT {
        return Err(Errno::EINVAL);
    }
    if resolve & RESOLVE_CACHED != 0 {
        return Err(Errno::EAGAIN);
    }
    let path = user::read_path(path)?;
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    // A path from the root begins at the directory too, if that is the root of the walk.
    let first = if scope == 0 { &*path } else { b"." };
    let mut seen = Seen::new(directory, Cow::Borrowed(first))?;
    if scope != 0 {
        seen.root = Arc::clone(seen.start());
        seen.path = Cow::Borrowed(&path);
    }
    let limits = [
        (Confinement::SCOPED, scope),
        (Confinement::BENEATH, resolve & RESOLVE_BENEATH),
        (Confinement::ONE_SYSTEM, resolve & RESOLVE_NO_XDEV),
        (Confinement::NO_LINKS, resolve & RESOLVE_NO_SYMLINKS),
        (Confinement::NO_JUMPS, resolve & (RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS)),
    ];
    let asked = limits.into_iter().filter(|&(_, asked)| asked != 0);
    seen.confined = asked.map(|(limit, _)| limit).collect();
    open::open_seen(&seen, flags, mode as u32)
}
