//! mq_timedreceive(3): receives the oldest message of the highest priority.

use kernel::task::{self, Waited};
use linux_abi::Errno;

use crate::objects::message_queues::{deadline, errno, opened, patient};
use crate::{Call, Result, objects::user};

/// Waits for a message until a moment of the wall clock; answers its bytes.
pub fn mq_timedreceive(call: &mut Call) -> Result {
    let deadline = deadline(call.argument(4))?;
    let (description, queue) = opened(call.int(0))?;
    description.check_readable()?;
    let patient = patient(&description);
    let got = queue.post.lock().receive(call.argument(2), patient).map_err(errno)?;
    let (priority, bytes) = match got {
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
    user::write_optional(call.argument(3), &priority)?;
    user::copy_out(call.argument(1), &bytes)?;
    Ok(bytes.len())
}
