//! Sockets for programs that have an executor, and so no thread for each connection. Beyond the standard library: a
//! future that tries again when a socket may be ready, and a way to run one.
//!
//! ```ignore
//! let count = asynchronous::until_ready(&stream, || (&stream).read(&mut buffer)).await?;
//! ```

use alloc_crate::{sync::Arc, task::Wake};
use core::{
    future::{Future, poll_fn},
    pin::pin,
    task::{Context, Poll, Waker},
};

use sync::{Stay, WaitQueue, Waiter};

use crate::{
    io::{ErrorKind, Result},
    thread::{self, Thread},
};

/// A socket that can be waited for.
pub trait Waits {
    /// Those who wait for it: they are woken when its readiness may have changed.
    #[doc(hidden)]
    fn queue(&self) -> &WaitQueue;
}

/// Does `attempt`, and again whenever the socket may be ready, as long as it would have to wait. The socket returns at
/// once (`set_nonblocking`): else the whole thread waits.
///
/// # Errors
/// Those of `attempt`.
pub async fn until_ready<T>(socket: &impl Waits, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    let would_block = |result: &Result<T>| result.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    let first = attempt();
    if !would_block(&first) {
        return first;
    }
    loop {
        let waker = poll_fn(|context| Poll::Ready(context.waker().clone())).await;
        let waiter = pin!(Waiter::new(socket.queue(), waker, Stay::Once));
        waiter.as_ref().enter();
        // What came before we were in the queue has woken nobody.
        let result = attempt();
        if !would_block(&result) {
            return result;
        }
        next_poll().await;
    }
}

/// Ends when it is polled again, by whatever executor: the waker may be another one by then.
async fn next_poll() {
    let mut is_again = false;
    poll_fn(|_| if core::mem::replace(&mut is_again, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// Wakes the thread that runs a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end. The thread sleeps while it waits.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}
