//! What all ways of sending and receiving share.

use alloc::sync::Arc;

use linux_abi::{Errno, constants::MessageFlags};
use unix_sockets::{Form, Parcel, Received, Socket};
use vfs::{FileError, Sink, Source};

use crate::{
    Result,
    objects::{descriptors::Description, files},
};

/// Sends all of `source`, or the message that it is.
#[inline(never)]
pub fn send(
    description: &Description,
    socket: &Socket,
    source: &mut dyn Source,
    parcel: &mut Parcel,
    to: Option<&Arc<Socket>>,
    flags: MessageFlags,
) -> Result {
    if flags.contains(MessageFlags::MSG_OOB) {
        return Err(Errno::EOPNOTSUPP);
    }
    let (waits, deadline) = description.patience(true);
    let waits = waits && !flags.contains(MessageFlags::MSG_DONTWAIT);
    let sent = description.write_whole(source, waits, deadline, &mut |source| socket.send(source, parcel, to));
    let silent = flags.contains(MessageFlags::MSG_NOSIGNAL) || socket.form() != Form::Stream;
    sent.map_err(|error| if silent { error } else { files::broken_pipe(error) })
}

/// Receives once, or with MSG_WAITALL until `sink` is full or the stream ends.
#[inline(never)]
pub fn receive(
    description: &Description,
    socket: &Socket,
    sink: &mut dyn Sink,
    flags: MessageFlags,
) -> core::result::Result<Received, Errno> {
    if flags.contains(MessageFlags::MSG_OOB) {
        return Err(if socket.form() == Form::Stream { Errno::EINVAL } else { Errno::EOPNOTSUPP });
    }
    if flags.contains(MessageFlags::MSG_ERRQUEUE) {
        return Err(Errno::EAGAIN);
    }
    let (waits, deadline) = description.patience(false);
    let waits = waits && !flags.contains(MessageFlags::MSG_DONTWAIT);
    let peek = flags.contains(MessageFlags::MSG_PEEK);
    let mut all = Received::default();
    loop {
        let mut part = Received::default();
        let result = description.until(waits, deadline, |ready| ready.readable || ready.hangup, &mut || {
            part = socket.receive(sink, peek)?;
            Ok::<_, FileError>(part.count)
        });
        match result {
            Ok(count) => {
                let total = all.count + count;
                let more = flags.contains(MessageFlags::MSG_WAITALL)
                    && !peek
                    && socket.form() == Form::Stream
                    && count > 0
                    && part.rights.is_empty()
                    && sink.room() > 0;
                let whole = all.whole + part.whole;
                all = Received { count: total, whole, ..part };
                if !more {
                    return Ok(all);
                }
            }
            Err(_) if all.count > 0 => return Ok(all),
            Err(error) => return Err(error),
        }
    }
}
