//! tee(2).

use alloc::{sync::Arc, vec};

use linux_abi::{Errno, constants::SPLICE_F_NONBLOCK};
use vfs::{SliceSink, SliceSource};

use super::splice::{check, pipe, room};
use crate::{Call, Result, objects::files};

/// Most bytes copied by one call.
const MOST: usize = 64 << 10;

/// Copies what waits in one pipe to another, and leaves it there.
pub fn tee(call: &mut Call) -> Result {
    check(call.unsigned(3))?;
    let input = files::usable(call.int(0))?;
    let output = files::usable(call.int(1))?;
    input.check_readable()?;
    output.check_writable()?;
    let (Some(from), Some(to)) = (pipe(&input), pipe(&output)) else { return Err(Errno::EINVAL) };
    if Arc::ptr_eq(from.pipe(), to.pipe()) {
        return Err(Errno::EINVAL);
    }
    if call.argument(2) == 0 {
        return Ok(0);
    }
    let waits = call.unsigned(3) & SPLICE_F_NONBLOCK == 0;
    let mut buffer = vec![0; room(&output, waits)?.min(call.argument(2)).min(MOST)];
    let waits = waits && !input.is_nonblocking();
    let count = input.until(waits, None, |ready| ready.readable || ready.hangup, &mut || {
        from.peek(&mut SliceSink::new(&mut buffer))
    })?;
    let mut source = SliceSource::new(&buffer[..count]);
    let step = &mut |source: &mut dyn vfs::Source| output.node.write_at(0, source);
    output.write_whole(&mut source, true, None, step).map_err(files::broken_pipe)
}
