//! The machine's start, and the tests that it runs one after the other on its first thread.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};

use machine::BootInfo;

use crate::{
    application,
    failure::{self, give_in},
    kernel_memory::pages_in_use,
    pager, processor,
};

/// A test.
pub type Body = Box<dyn FnOnce() + Send>;

struct Job {
    name: String,
    body: Body,
    tell: Sender<Result<(), Box<dyn Any + Send>>>,
}

static JOBS: Mutex<Option<Sender<Job>>> = Mutex::new(None);
static INBOX: Mutex<Option<Receiver<Job>>> = Mutex::new(None);

/// How long a test may take that takes a second: who hangs is to be named.
const PATIENCE: Duration = Duration::from_secs(60);

/// Bytes of the first thread's stack: what a test prints when it fails takes more than the kernel's own calls.
const STACK: usize = 8 << 20;

/// Runs a test on the machine's first thread, alone; fails as it does. The first of all has the machine boot with what
/// `given` makes; its application then calls [`serve`].
pub fn on_the_machine(given: fn() -> BootInfo, body: impl FnOnce() + Send + 'static) {
    let (tell, told) = channel();
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let sent = jobs.get_or_insert_with(|| boot(given)).send(Job { name, body: Box::new(body), tell });
    sent.expect("the machine runs");
    match told.recv_timeout(PATIENCE) {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => {
            eprintln!("{}", failure::said());
            resume_unwind(panic)
        }
        Err(_) => give_in("it does not end: somebody waits in a loop for what never comes"),
    }
}

fn boot(given: fn() -> BootInfo) -> Sender<Job> {
    let (jobs, inbox) = channel();
    *INBOX.lock().unwrap_or_else(PoisonError::into_inner) = Some(inbox);
    let power_on = move || {
        processor::enter_by(application::enter);
        processor::be(0);
        contracts::kernel::main(given())
    };
    let first = std::thread::Builder::new().name("processor 0".into()).stack_size(STACK);
    first.spawn(power_on).expect("a thread of the host");
    jobs
}

/// Runs all tests that come, each by `run`, which may look at what is there before and behind it.
pub fn serve(run: fn(Body)) -> ! {
    let inbox = INBOX.lock().unwrap_or_else(PoisonError::into_inner).take().expect("it was put there");
    while let Ok(job) = inbox.recv() {
        failure::begin(job.name);
        let result = catch_unwind(AssertUnwindSafe(|| run(job.body)));
        // A test that hears nothing of it has ended.
        let _ = job.tell.send(result);
    }
    unreachable!("the sender is kept for ever")
}

/// Frames, pages of the kernel's, and address spaces: what must be as before when a test has passed.
#[must_use]
pub fn in_use() -> [usize; 3] {
    [pager::frames_in_use(), pages_in_use(), pager::spaces_in_use()]
}
