//! Traces of system calls: each is answered by way of here, and told of.

pub mod memory;

use ::trace::Call;
use machine::Context;

use super::dispatch;
use crate::objects::{
    program::Wish,
    trace::{self, send, thread},
};

/// The number of execve(2).
const EXECVE: usize = 59;

/// Sets what is traced: a list of words with commas between.
pub fn set(words: &str) {
    trace::set(words);
    dispatch::trace(trace::system_calls());
}

/// Has the system call answered, and tells of it: arguments as they were before, what was read as it is behind.
#[cold]
#[inline(never)]
pub fn system_call(number: usize, arguments: dispatch::Words) -> isize {
    let needs = ::trace::needs(number);
    let mut call = Call::new(thread(), number, &arguments);
    for index in 0..arguments.len() {
        memory::before(needs.memory(index), &arguments, index, &mut call);
    }
    if needs.never_returns() {
        send(call.bytes());
    }
    let answer = dispatch::answer(number, arguments);
    let result = answer as i64;
    call.set_result(result);
    for index in 0..arguments.len() {
        memory::behind(needs.memory(index), &arguments, index, result, &mut call);
    }
    send(call.bytes());
    answer
}

/// The execve that the command stands for; `context` holds the program's first registers.
pub fn first_program(wish: &Wish, context: &Context) {
    // Behind the count, the arguments and their NULL.
    let environment = context.rsp as usize + (wish.arguments.count().max(1) + 2) * size_of::<usize>();
    let mut call = Call::new(0, EXECVE, &[0, 0, environment, 0, 0, 0]);
    call.add(0, &wish.path, false);
    memory::list(1, &wish.arguments, false, &mut call);
    memory::count(2, wish.environment.count(), false, &mut call);
    call.set_result(0);
    send(call.bytes());
}
