//! Applications of this machine: their instructions are Rust, on the kernel's stacks, and their memory is the space's.
//!
//! An instruction pointer is a function: of type [`Entry`] where a thread begins, of type [`Handler`] where a signal is
//! handled. A system call goes the way that a platform's entry goes: the registers are laid at the top of the kernel
//! stack, the slot `kernel` is called, and pending work is done on the way out. There a signal's handler may begin, or
//! the call be made again; [`system_call`] goes through both, as a processor would.

use std::panic::{AssertUnwindSafe, catch_unwind};

use machine::{Access, Context, Trap, TrapKind};

use crate::{failure::give_in, place::place, processor};

/// Where a thread begins.
pub type Entry = fn(&Context) -> !;

/// What handles a signal: its number, and the addresses of what is said about it.
pub type Handler = fn(signal: usize, information: usize, context: usize);

/// Bytes of the instruction that makes a system call.
const INSTRUCTION: u64 = 2;
/// Number of rt_sigreturn(2), which a handler's restorer calls.
const SIGRETURN: u64 = 15;
/// Number of exit(2).
const EXIT: usize = 60;

/// The instruction behind every system call. A new thread begins here too: register r12 says with what.
fn behind() -> u64 {
    let behind: Entry = begin_thread;
    behind as usize as u64
}

/// Enters an application: pending work is done, then its instruction pointer is called.
pub(crate) fn enter(context: &Context) -> ! {
    let context = go_on(*context, context.rip);
    // SAFETY: threads of this machine begin at functions of this type.
    let begin = unsafe { std::mem::transmute::<usize, Entry>(context.rip as usize) };
    begin(&context)
}

/// Makes a system call; answers what the application finds in its result register.
pub fn system_call(number: usize, words: [usize; 6]) -> isize {
    call_with(number, words, 0)
}

fn call_with(number: usize, words: [usize; 6], message: u64) -> isize {
    let [rdi, rsi, rdx, r10, r8, r9] = words.map(|word| word as u64);
    let context =
        Context { rdi, rsi, rdx, r10, r8, r9, rax: number as u64, r12: message, rip: behind(), ..processor::laid() };
    go_on(call(context), behind()).rax as isize
}

/// Into the kernel and back, up to the question whether work is pending.
fn call(context: Context) -> Context {
    let context = Context { entry: context.rax, ..context };
    processor::lay(&context);
    let [a, b, c, d, e, f] = context.arguments();
    let answer = contracts::kernel::system_call(a, b, c, d, e, f, context.number());
    Context { rax: answer as u64, ..processor::laid() }
}

/// Leaves the kernel, until the application is at `own` again: calls are made again, handlers run.
fn go_on(mut context: Context, own: u64) -> Context {
    loop {
        while processor::take_pending() {
            contracts::kernel::interrupted(&mut context);
        }
        processor::lay(&context);
        context = match context.rip {
            here if here == own => return context,
            here if here == behind() - INSTRUCTION => call(Context { rip: behind(), ..context }),
            handler => call(handle(handler, &context)),
        };
    }
}

/// Runs a handler; answers the registers with which its restorer goes back.
fn handle(handler: u64, context: &Context) -> Context {
    // SAFETY: signals of this machine's applications are handled by functions of this type.
    let handler = unsafe { std::mem::transmute::<usize, Handler>(handler as usize) };
    handler(context.rdi as usize, context.rsi as usize, context.rdx as usize);
    // It has taken the restorer's address from the stack.
    Context { rax: SIGRETURN, rsp: context.rsp + 8, rip: behind(), ..processor::laid() }
}

/// Has a page touched as an instruction would; `false` if the application was told by a signal, whose handler ran.
pub fn touch(address: usize, access: Access) -> bool {
    let resolve = || contracts::kernel::resolve_fault(address, access);
    if place(processor::active_space(), address, access, &resolve).is_some() {
        return true;
    }
    let mut context = Context { entry: Context::NO_SYSTEM_CALL, rip: behind(), ..processor::laid() };
    let error = match access {
        Access::Read => 4,
        Access::Write => 6,
        Access::Execute => 20,
    };
    contracts::kernel::trap(&mut context, Trap { kind: TrapKind::Page, vector: 14, error, address, access });
    go_on(context, behind());
    false
}

/// Takes what came meanwhile, as an interruption of an application that computes.
pub fn be_interrupted() {
    processor::mark_here();
    let context = Context { entry: Context::NO_SYSTEM_CALL, rip: behind(), ..processor::laid() };
    go_on(context, behind());
}

type Body = Box<dyn FnOnce() + Send>;

/// Makes the system call `number`, which is to make a thread that runs `body` and then calls exit(2).
pub fn make_thread(number: usize, words: [usize; 6], body: impl FnOnce() + Send + 'static) -> isize {
    let body: Box<Body> = Box::new(Box::new(body));
    let message = Box::into_raw(body);
    let answer = call_with(number, words, message as u64);
    if answer < 0 {
        // SAFETY: nobody else has it, as no thread was made.
        drop(unsafe { Box::from_raw(message) });
    }
    answer
}

fn begin_thread(context: &Context) -> ! {
    // SAFETY: `make_thread` left it for the one thread that it made.
    let body = unsafe { Box::from_raw(context.r12 as *mut Body) };
    if let Err(panic) = catch_unwind(AssertUnwindSafe(*body)) {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        give_in(text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a thread of the test panicked"))
    }
    system_call(EXIT, [0; 6]);
    unreachable!("a thread that has ended runs no more")
}
