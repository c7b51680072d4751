//! The rules, against what sysvipc(7) and Linux say.

extern crate std;

mod messages;
mod posts;
mod segments;
mod semaphores;
mod tables;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Wake, Waker},
};

use crate::Caller;

/// Counts how often it is woken.
#[derive(Default)]
struct Bell(AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn bell() -> Waker {
    Waker::from(Arc::new(Bell::default()))
}

const ROOT: Caller<'static> =
    Caller { process: 1, user: 0, group: 0, file_group: 0, groups: &[], passes: true, administers: true };

const fn user(process: u32) -> Caller<'static> {
    let groups: &[u32] = if process == 13 { &[10] } else { &[] };
    Caller { process, user: process, group: process, file_group: process, groups, passes: false, administers: false }
}
