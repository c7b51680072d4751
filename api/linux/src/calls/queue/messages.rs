//! Sending and receiving messages.

use alloc::vec;

use ipc::post::{PRIORITIES, Sent};
use kernel::task::{self, Waited};
use linux_abi::{Errno, FileDescriptor, UserAddress, UserInput, UserOutput, UserTime};

use crate::{
    Result,
    objects::{
        message_queues::{deadline, errno, opened, patient},
        user,
    },
};

/// mq_timedsend(3): sends a message with a priority.
///
/// Waits for room until a moment of the wall clock.
pub fn mq_timedsend(
    queue: FileDescriptor,
    message: UserInput,
    length: usize,
    priority: u32,
    deadline: UserTime,
) -> Result {
    let deadline = self::deadline(deadline)?;
    if priority >= PRIORITIES {
        return Err(Errno::EINVAL);
    }
    let (description, queue) = opened(queue)?;
    description.check_writable()?;
    if length > queue.post.lock().attributes.longest {
        return Err(Errno::EMSGSIZE);
    }
    let mut bytes = vec![0; length].into_boxed_slice();
    user::copy_in(&mut bytes, message.into())?;
    let patient = patient(&description);
    let sent = queue.post.lock().send((priority, bytes), patient).map_err(errno)?;
    let result = match sent {
        Sent::Done(notice) => {
            if let Some(notice) = notice {
                notice.tell();
            }
            Ok(0)
        }
        Sent::Wait(wait) => {
            let waited = task::sleep_until(deadline, &mut || wait.ticket.is_called());
            match queue.post.lock().give_up(&wait) {
                Some(ended) => ended.map(|_| 0).map_err(errno),
                None if waited == Waited::TimedOut => Err(Errno::ETIMEDOUT),
                None => Err(Errno::ERESTARTSYS),
            }
        }
    };
    queue.polled.wake_all();
    result
}

/// mq_timedreceive(3): receives the oldest message of the highest priority.
///
/// Waits for a message until a moment of the wall clock; answers its bytes.
pub fn mq_timedreceive(
    queue: FileDescriptor,
    message: UserOutput,
    length: usize,
    priority: UserAddress,
    deadline: UserTime,
) -> Result {
    let deadline = self::deadline(deadline)?;
    let (description, queue) = opened(queue)?;
    description.check_readable()?;
    let patient = patient(&description);
    let got = queue.post.lock().receive(length, patient).map_err(errno)?;
    let (urgency, bytes) = match got {
        Ok(letter) => letter,
        Err(wait) => {
            let waited = task::sleep_until(deadline, &mut || wait.ticket.is_called());
            match queue.post.lock().give_up(&wait) {
                Some(Ok(Some(letter))) => letter,
                Some(_) => return Err(Errno::EAGAIN),
                None if waited == Waited::TimedOut => return Err(Errno::ETIMEDOUT),
                None => return Err(Errno::ERESTARTSYS),
            }
        }
    };
    queue.polled.wake_all();
    user::write_optional(priority, &urgency)?;
    user::copy_out(message.into(), &bytes)?;
    Ok(bytes.len())
}
