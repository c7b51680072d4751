//! The longest that a process may make a file (RLIMIT_FSIZE in getrlimit(2)).

use core::sync::atomic::Ordering;

use linux_abi::{Errno, constants::SIGXFSZ};
use unfilled::Unfilled;
use vfs::{Kind, Node, Source};

use super::set_id;
use crate::{
    objects::{ability, process::process_in_line, signals},
    process,
};

/// EFBIG, with SIGXFSZ, if a file is to have `length` bytes that it may not have.
pub fn check(node: &dyn Node, length: u64) -> Result<(), Errno> {
    let limit = process().longest_file.load(Ordering::Relaxed);
    if length <= limit || length <= node.metadata().size {
        return Ok(());
    }
    Err(too_long())
}

/// Whether a write of a regular file has more to look at than its bytes: a limit, or bits of its mode that go.
#[inline]
pub fn may_be_limited() -> bool {
    set_id::is_seen() || process_in_line().longest_file.load(Ordering::Relaxed) != u64::MAX
}

fn too_long() -> Errno {
    signals::raise(SIGXFSZ);
    Errno::EFBIG
}

/// Has `write` take what of `source` may go to `offset` of a file, or behind its end: EFBIG, with SIGXFSZ, if nothing.
#[inline(always)]
pub fn limited<T>(
    node: &dyn Node,
    kind: Kind,
    offset: Option<u64>,
    source: &mut dyn Source,
    write: impl FnOnce(&mut dyn Source) -> Result<T, Errno>,
) -> Result<T, Errno> {
    if ability::files() && set_id::is_seen() && source.left() > 0 {
        set_id::drop_bits(node, kind)?;
    }
    let limit = process().longest_file.load(Ordering::Relaxed);
    if limit == u64::MAX || kind != Kind::Regular {
        return write(source);
    }
    let mut first = first(node, offset, source, limit)?;
    write(&mut first)
}

#[cold]
fn first<'a>(node: &dyn Node, offset: Option<u64>, source: &'a mut dyn Source, limit: u64) -> Result<First<'a>, Errno> {
    let room = limit.saturating_sub(offset.unwrap_or_else(|| node.metadata().size));
    if room == 0 && source.left() > 0 {
        return Err(too_long());
    }
    Ok(First::new(source, usize::try_from(room).unwrap_or(usize::MAX)))
}

/// The first bytes of a source.
pub struct First<'a> {
    source: &'a mut dyn Source,
    /// Bytes at its end that are not given.
    kept: usize,
}

impl<'a> First<'a> {
    /// The first `most` bytes of `source`, or all.
    pub fn new(source: &'a mut dyn Source, most: usize) -> Self {
        Self { kept: source.left().saturating_sub(most), source }
    }
}

impl Source for First<'_> {
    fn left(&self) -> usize {
        self.source.left().saturating_sub(self.kept)
    }

    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize) {
        let most = most.min(self.left());
        self.source.fill(to, most);
    }

    fn take(&mut self, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.left());
        self.source.take(&mut buffer[..count])
    }

    fn give_back(&mut self, count: usize) {
        self.source.give_back(count);
    }

    fn place(&self) -> Option<usize> {
        self.source.place()
    }

    fn pass(&mut self, count: usize) {
        self.source.pass(count);
    }

    fn skip(&mut self) -> usize {
        let left = self.left();
        while self.take(&mut [0; 64]) > 0 {}
        left - self.left()
    }
}
