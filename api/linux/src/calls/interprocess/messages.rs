//! Message queues by keys.

use alloc::vec;

use ipc::message::{LONGEST, Message, Receive, Selection};
use kernel::task;
use linux_abi::{
    Errno,
    constants::{IPC_NOWAIT, MSG_COPY, MSG_EXCEPT, MSG_NOERROR},
};

use crate::{
    Call, Result,
    objects::{
        interprocess::{QUEUES, as_caller, errno, now},
        user,
    },
};

/// msgget(2): finds or makes a message queue.
///
/// Answers its number.
pub fn msgget(call: &mut Call) -> Result {
    let made = as_caller(|caller| QUEUES.lock().get(call.int(0), call.unsigned(1), caller, now()));
    made.map(|number| number as usize).map_err(errno)
}

/// Bytes of a message's type, which stands before its text.
pub const KIND: usize = size_of::<i64>();

/// msgsnd(2): sends a message.
///
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

/// msgrcv(2): receives a message.
///
/// Waits for a message, unless told not to; answers its bytes.
pub fn msgrcv(call: &mut Call) -> Result {
    let (number, address, length) = (call.int(0), call.argument(1), call.argument(2));
    let (kind, flags) = (call.argument(3) as i64, call.unsigned(4));
    if number < 0 || isize::try_from(length).is_err() {
        return Err(Errno::EINVAL);
    }
    let message = if flags & MSG_COPY == 0 {
        let room = if flags & MSG_NOERROR == 0 { length } else { usize::MAX };
        let selection = Selection::new(kind, flags & MSG_EXCEPT != 0);
        receive(number, Receive { selection, room }, flags & IPC_NOWAIT == 0)?
    } else {
        copy(number, length, kind, flags)?
    };
    user::write_struct(address, &message.kind)?;
    let count = message.bytes.len().min(length);
    user::copy_out(address + KIND, &message.bytes[..count])?;
    Ok(count)
}

fn receive(number: i32, wanted: Receive, waits: bool) -> core::result::Result<Message, Errno> {
    loop {
        let waker = waits.then_some(task::waker);
        let got = as_caller(|caller| QUEUES.lock().receive(number, wanted, caller, now(), waker)).map_err(errno)?;
        let wait = match got {
            Ok(message) => return Ok(message),
            Err(wait) => wait,
        };
        task::sleep_until(None, &mut || wait.ticket.is_called());
        match QUEUES.lock().give_up(number, &wait) {
            Some(Ok(Some(message))) => return Ok(message),
            // The queue has been changed: it is asked again.
            Some(Ok(None) | Err(ipc::Error::WouldBlock)) => {}
            Some(Err(error)) => return Err(errno(error)),
            None => return Err(Errno::ERESTARTNOHAND),
        }
    }
}

/// The message of that place, which stays. Linux copies to a buffer that has its whole length, and no less.
fn copy(number: i32, length: usize, place: i64, flags: u32) -> core::result::Result<Message, Errno> {
    if flags & MSG_EXCEPT != 0 || flags & IPC_NOWAIT == 0 {
        return Err(Errno::EINVAL);
    }
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    let message = as_caller(|caller| QUEUES.lock().copy(number, place, caller)).map_err(errno)?;
    match message.bytes.len() {
        bytes if bytes > length && flags & MSG_NOERROR == 0 => Err(Errno::E2BIG),
        bytes if bytes > length.min(LONGEST) => Err(Errno::EINVAL),
        _ => Ok(message),
    }
}
