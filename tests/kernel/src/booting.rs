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

use contracts::application::Application;
use kernel::{memory::AddressSpace, task};
use launch::Launch;
use machine::{Access, BootInfo, Context, Trap};

use crate::{
    failure::{self, give_in},
    kernel_memory::pages_in_use,
    pager, processor,
    program::KEY,
};

/// Fills the slot `application`: it runs tests.
#[derive(Debug)]
pub struct Tests;

struct Job {
    name: String,
    body: Box<dyn FnOnce() + Send>,
    tell: Sender<Result<(), Box<dyn Any + Send>>>,
}

static JOBS: Mutex<Option<Sender<Job>>> = Mutex::new(None);
static INBOX: Mutex<Option<Receiver<Job>>> = Mutex::new(None);

/// How long a test may take that takes a second: who hangs is to be named.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs a test on the machine's first thread, alone; fails as it does.
pub fn on_the_machine(body: impl FnOnce() + Send + 'static) {
    let (tell, told) = channel();
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    let mut jobs = JOBS.lock().unwrap_or_else(PoisonError::into_inner);
    let sent = jobs.get_or_insert_with(boot).send(Job { name, body: Box::new(body), tell });
    sent.expect("the machine runs");
    match told.recv_timeout(PATIENCE) {
        Ok(Ok(())) => {}
        Ok(Err(panic)) => resume_unwind(panic),
        Err(_) => give_in("it does not end: somebody waits in a loop for what never comes"),
    }
}

fn boot() -> Sender<Job> {
    let (jobs, inbox) = channel();
    *INBOX.lock().unwrap_or_else(PoisonError::into_inner) = Some(inbox);
    let power_on = || {
        processor::be(0);
        let launch = Box::leak(Box::new(Launch::new(&[])));
        contracts::kernel::main(BootInfo { archive: &[], launch, command_line: "", entry_cycles: 0 })
    };
    std::thread::Builder::new().name("processor 0".into()).spawn(power_on).expect("a thread of the host");
    jobs
}

/// What must be as before when a test has passed.
fn in_use() -> [usize; 3] {
    [pager::frames_in_use(), pages_in_use(), pager::spaces_in_use()]
}

fn run(body: Box<dyn FnOnce() + Send>) {
    /// Threads that have been joined may still be on their way out on another processor.
    const LOOKS: usize = 100_000;
    let before = in_use();
    body();
    for _ in 0..LOOKS {
        if in_use() == before {
            return;
        }
        task::yield_now();
        std::thread::yield_now();
    }
    assert_eq!(in_use(), before, "the test leaves frames, pages or spaces behind");
}

impl Application for Tests {
    fn start(&self, _: BootInfo) -> ! {
        task::start_first(&KEY, (), AddressSpace::new(false).expect("the first space"));
        let inbox = INBOX.lock().unwrap_or_else(PoisonError::into_inner).take().expect("it was put there");
        while let Ok(job) = inbox.recv() {
            failure::begin(job.name);
            let result = catch_unwind(AssertUnwindSafe(|| run(job.body)));
            // A test that hears nothing of it has ended.
            let _ = job.tell.send(result);
        }
        unreachable!("the sender is kept for ever")
    }

    fn system_call(&self, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize) -> isize {
        unreachable!("programs of tests call the kernel's functions")
    }

    fn trap(&self, context: &mut Context, trap: Trap) {
        give_in(&format!("a trap that nobody raises: {trap:?} in {context:x?}"))
    }

    fn page_resolved(&self, _: usize, _: Access) {}

    fn resuming(&self, _: &mut Context) {}

    fn work(&self) {}

    fn out_of_memory(&self) -> ! {
        panic!("the machine is out of memory")
    }
}
