//! What runs on the machine beside the test: programs in address spaces, and threads of the kernel. Both are functions;
//! what they panic with is the test's failure.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Mutex, PoisonError},
};

use kernel::{
    memory::AddressSpace,
    task::{self, KernelThread, Key, Resources, Thread},
};
use machine::Context;
use sync::WaitQueue;
use test_machine::application::Entry;

/// What threads of tests own: nothing.
pub(crate) static KEY: Key<()> = Key::new();

type Ending = Result<(), Box<dyn Any + Send>>;

/// How a body ended, and who waits for that.
#[derive(Default)]
struct End {
    ending: Mutex<Option<Ending>>,
    waiting: WaitQueue,
}

impl End {
    fn run(&self, body: impl FnOnce()) {
        let ending = catch_unwind(AssertUnwindSafe(body));
        *self.ending.lock().unwrap_or_else(PoisonError::into_inner) = Some(ending);
        self.waiting.wake_all();
    }

    fn take(&self) -> Option<Ending> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn join(&self) {
        let mut ending = None;
        task::sleep_on(&self.waiting, &mut || {
            ending = self.take();
            ending.is_some()
        });
        if let Some(Err(panic)) = ending {
            resume_unwind(panic);
        }
    }
}

/// A thread of an application.
pub struct Program {
    end: Arc<End>,
    /// The kernel's thread.
    pub thread: Arc<Thread>,
}

impl Program {
    /// Has `body` run as a program in `space`.
    pub fn start(space: &Arc<AddressSpace>, body: impl FnOnce() + Send + 'static) -> Self {
        let end = Arc::new(End::default());
        let told = Arc::clone(&end);
        let body: Body = Box::new(move || told.run(body));
        let begin: Entry = begin;
        let mut context = Context::new(begin as usize, 0);
        context.rdi = Box::into_raw(Box::new(body)) as u64;
        let thread = task::spawn(Arc::clone(space), Resources::new(&KEY, ()), 0, &context).expect("a stack");
        task::start(Arc::clone(&thread));
        Self { end, thread }
    }

    /// Waits for its end, and fails as it did.
    pub fn join(self) {
        self.end.join();
    }
}

type Body = Box<dyn FnOnce() + Send>;

fn begin(context: &Context) -> ! {
    // SAFETY: `Program::start` left it, and this is its one thread.
    let body = unsafe { Box::from_raw(context.rdi as *mut Body) };
    (*body)();
    task::exit()
}

/// A thread of the kernel.
pub struct KernelProgram {
    end: Arc<End>,
    /// The kernel's handle.
    pub thread: KernelThread,
}

impl KernelProgram {
    /// Has `body` run in a thread of the kernel.
    pub fn start(name: &'static str, body: impl FnOnce() + Send + 'static) -> Self {
        let end = Arc::new(End::default());
        let told = Arc::clone(&end);
        let thread = KernelThread::spawn(name, move || told.run(body)).expect("a thread of the kernel");
        Self { end, thread }
    }

    /// Waits for its end, and fails as it did.
    pub fn join(self) {
        self.thread.join();
        self.end.join();
    }
}
