//! msgsnd(2): sends a message.

use alloc::vec;

use ipc::message::{LONGEST, Message};
use kernel::task;
use linux_abi::{Errno, constants::IPC_NOWAIT};

use crate::objects::interprocess::{QUEUES, as_caller, errno, now};
use crate::{Call, Result, objects::user};

/// Bytes of a message's type, which stands before its text.
pub const KIND: usize = size_of::<i64>();

/// Waits for room, unless told not to.
pub fn msgsnd(call: &mut Call) -> Result {
    let (number, address, flags) = (call.int(0), call.argument(1), call.unsigned(3));
    let kind = user::read_word(address)? as i64;
    let length = call.argument(2);
    if length > LONGEST || number < 0 || kind < 1 {
        return Err(Errno::EINVAL);
    }
    let mut bytes = vec![0; length].into_boxed_slice();
    user::copy_in(&mut bytes, address + KIND)?;
    let mut message = Message { kind, bytes };
    loop {
        let waker = (flags & IPC_NOWAIT == 0).then_some(task::waker);
        let started = as_caller(|caller| QUEUES.lock().send(number, message, caller, now(), waker)).map_err(errno)?;
        let Some(wait) = started else { return Ok(0) };
        task::sleep_until(None, &mut || wait.ticket.is_called());
        message = match QUEUES.lock().give_up(number, &wait) {
            // The queue has been changed: it is asked again.
            Some(Ok(Some(message))) => message,
            Some(ended) => return ended.map(|_| 0).map_err(errno),
            None => return Err(Errno::ERESTARTNOHAND),
        };
    }
}
