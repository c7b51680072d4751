//! `/proc/PID/{cmdline,environ}`: arguments and environment where the program has them, for it may have written over
//! them (proc_pid_cmdline(5), setproctitle(3bsd)).

use alloc::{vec, vec::Vec};

use kernel::memory::AddressSpace;
use machine::PAGE_SIZE;

use super::{program, with_space};
use crate::objects::process::{Process, Program};

/// `cmdline`. A program that has written over the last NUL of its arguments has given itself a title, which ends by a
/// NUL and may go on in its environment, for a page at most.
pub fn command_line(process: &Process, out: &mut Vec<u8>) {
    let program = program(process);
    with_space(process, &mut |space| {
        let mut text = read(space, &program, 0, program.arguments.bytes());
        if text.last().is_some_and(|&last| last != 0) {
            let length = (text.len() + program.environment.bytes().len()).min(PAGE_SIZE);
            text.resize(length, 0);
            text = read(space, &program, 0, &text);
            text.truncate(text.iter().position(|&byte| byte == 0).map_or(length, |end| end + 1));
        }
        out.extend_from_slice(&text);
    });
}

/// `environ`.
pub fn environment(process: &Process, out: &mut Vec<u8>) {
    let program = program(process);
    with_space(process, &mut |space| {
        let behind = program.arguments.bytes().len();
        out.extend_from_slice(&read(space, &program, behind, program.environment.bytes()));
    });
}

/// What stands now so many bytes behind the program's first argument, where `first` stood; that, if it is not in
/// memory.
fn read(space: &AddressSpace, program: &Program, behind: usize, first: &[u8]) -> Vec<u8> {
    let mut text = vec![0; first.len()];
    if space.read(program.arguments_start + behind, &mut text) { text } else { first.to_vec() }
}
