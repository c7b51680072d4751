//! Message queues by keys.

use alloc::vec;

use ipc::message::{LONGEST, Message, Receive, Selection};
use kernel::task;
use linux_abi::{
    Errno, UserAddress,
    constants::{IpcFlags, QueueFlags},
};

use crate::{
    Result,
    objects::{
        interprocess::{QUEUES, as_caller, errno, now},
        user,
    },
};

/// msgget(2): finds or makes a message queue.
///
/// Answers its number.
pub fn msgget(key: u32, flags: IpcFlags) -> Result {
    let made = as_caller(|caller| QUEUES.lock().get(key.cast_signed(), flags.bits(), caller, now()));
    made.map(|number| number as usize).map_err(errno)
}

/// Bytes of a message's type, which stands before its text.
pub const KIND: usize = size_of::<i64>();

/// msgsnd(2): sends a message.
///
/// Waits for room, unless told not to.
pub fn msgsnd(queue: i32, message: UserAddress, size: usize, flags: QueueFlags) -> Result {
    let (number, address) = (queue, message);
    let kind = user::read_word(address)? as i64;
    if size > LONGEST || number < 0 || kind < 1 {
        return Err(Errno::EINVAL);
    }
    let mut bytes = vec![0; size].into_boxed_slice();
    user::copy_in(&mut bytes, address.wrapping_add(KIND))?;
    let mut message = Message { kind, bytes };
    loop {
        let waker = (!flags.contains(QueueFlags::IPC_NOWAIT)).then_some(task::waker);
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
pub fn msgrcv(queue: i32, message: UserAddress, size: usize, kind: i64, flags: QueueFlags) -> Result {
    let (number, address, length) = (queue, message, size);
    if number < 0 || isize::try_from(length).is_err() {
        return Err(Errno::EINVAL);
    }
    let message = if !flags.contains(QueueFlags::MSG_COPY) {
        let room = if !flags.contains(QueueFlags::MSG_NOERROR) { length } else { usize::MAX };
        let selection = Selection::new(kind, flags.contains(QueueFlags::MSG_EXCEPT));
        receive(number, Receive { selection, room }, !flags.contains(QueueFlags::IPC_NOWAIT))?
    } else {
        copy(number, length, kind, flags)?
    };
    user::write_struct(address, &message.kind)?;
    let count = message.bytes.len().min(length);
    user::copy_out(address.wrapping_add(KIND), &message.bytes[..count])?;
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
fn copy(number: i32, length: usize, place: i64, flags: QueueFlags) -> core::result::Result<Message, Errno> {
    if flags.contains(QueueFlags::MSG_EXCEPT) || !flags.contains(QueueFlags::IPC_NOWAIT) {
        return Err(Errno::EINVAL);
    }
    let place = usize::try_from(place).unwrap_or(usize::MAX);
    let message = as_caller(|caller| QUEUES.lock().copy(number, place, caller)).map_err(errno)?;
    match message.bytes.len() {
        bytes if bytes > length && !flags.contains(QueueFlags::MSG_NOERROR) => Err(Errno::E2BIG),
        bytes if bytes > length.min(LONGEST) => Err(Errno::EINVAL),
        _ => Ok(message),
    }
}
