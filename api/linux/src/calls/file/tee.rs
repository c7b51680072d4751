//! Between pipes and memory: tee(2), vmsplice(2).

use alloc::{sync::Arc, vec};

use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{OpenFlags, SpliceFlags},
};
use vfs::{Readiness, SliceSink, SliceSource};

use super::splice::{check, pipe, room};
use crate::{
    Result,
    objects::files::{self, vectors},
};

/// Most bytes copied by one call.
const MOST: usize = 64 << 10;

/// tee(2): copies what waits in one pipe to another, and leaves it there.
pub fn tee(input: FileDescriptor, output: FileDescriptor, length: usize, flags: SpliceFlags) -> Result {
    check(flags)?;
    let input = files::usable(input)?;
    let output = files::usable(output)?;
    input.check_readable()?;
    output.check_writable()?;
    let (Some(from), Some(to)) = (pipe(&input), pipe(&output)) else { return Err(Errno::EINVAL) };
    if Arc::ptr_eq(from.pipe(), to.pipe()) {
        return Err(Errno::EINVAL);
    }
    if length == 0 {
        return Ok(0);
    }
    let waits = !flags.contains(SpliceFlags::SPLICE_F_NONBLOCK);
    let mut buffer = vec![0; room(&output, waits)?.min(length).min(MOST)];
    let waits = waits && !input.is_nonblocking();
    let count = input.until(waits, None, Readiness::may_read, &mut || from.peek(&mut SliceSink::new(&mut buffer)))?;
    let mut source = SliceSource::new(&buffer[..count]);
    let step = &mut |source: &mut dyn vfs::Source| output.node.write_at(0, source);
    output.write_whole(&mut source, true, None, step).map_err(files::broken_pipe)
}

/// vmsplice(2): moves memory into a pipe, as much as fits, or out of it; pages are copied.
pub fn vmsplice(descriptor: FileDescriptor, vectors: UserAddress, count: usize, flags: SpliceFlags) -> Result {
    check(flags)?;
    let description = &files::usable(descriptor)?;
    if pipe(description).is_none() {
        return Err(Errno::EBADF);
    }
    let waits = !flags.contains(SpliceFlags::SPLICE_F_NONBLOCK);
    if description.flags().access() != OpenFlags::O_RDONLY {
        let room = room(description, waits)?;
        return vectors::drain_fitting((vectors, count), description, room);
    }
    let ready = description.node.readiness();
    if !waits && !ready.may_read() {
        return Err(Errno::EAGAIN);
    }
    vectors::fill((vectors, count), description, None)
}
