//! Between pipes and memory: tee(2), vmsplice(2).

use alloc::{sync::Arc, vec};

use linux_abi::{
    Errno,
    constants::{O_ACCMODE, O_RDONLY, SPLICE_F_NONBLOCK},
};
use vfs::{SliceSink, SliceSource};

use super::splice::{check, pipe, room};
use crate::{
    Call, Result,
    objects::files::{self, vectors},
};

/// Most bytes copied by one call.
const MOST: usize = 64 << 10;

/// tee(2): copies what waits in one pipe to another, and leaves it there.
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

/// vmsplice(2): moves memory into a pipe, as much as fits, or out of it; pages are copied.
pub fn vmsplice(call: &mut Call) -> Result {
    check(call.unsigned(3))?;
    files::using(call, |call, description| {
        if pipe(description).is_none() {
            return Err(Errno::EBADF);
        }
        let waits = call.unsigned(3) & SPLICE_F_NONBLOCK == 0;
        if description.flags() & O_ACCMODE != O_RDONLY {
            let room = room(description, waits)?;
            return vectors::drain_fitting(call, description, room);
        }
        let ready = description.node.readiness();
        if !waits && !ready.readable && !ready.hangup {
            return Err(Errno::EAGAIN);
        }
        vectors::fill(call, description, None)
    })
}
