//! The kernel's own death: registers and a backtrace, as records that the command adds names to.

use core::{
    fmt::{self, Write},
    panic::PanicInfo,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use machine::{Context, ExitReason, Record};
use x86_64::snapshot::snapshot;

use crate::{
    block::{self, Block},
    control,
    host::process,
    layout, power,
    signals::Frame,
};

/// Frames shown.
const DEPTH: usize = 32;

/// Set at the first panic: a second one, in here, ends the process at once.
static PANICKING: AtomicBool = AtomicBool::new(false);

/// Collects text into lines and sends each as a record.
struct Lines {
    line: [u8; 256],
    length: usize,
}

impl Lines {
    const fn new() -> Self {
        Self { line: [0; 256], length: 0 }
    }

    fn send(&mut self) {
        let line = &self.line[..core::mem::take(&mut self.length)];
        control::record(Record::Panic, line);
    }
}

impl Write for Lines {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if character == '\n' || self.length + character.len_utf8() > self.line.len() {
                self.send();
            }
            if character != '\n' {
                self.length += character.encode_utf8(&mut self.line[self.length..]).len();
            }
        }
        Ok(())
    }
}

/// What an image's `#[panic_handler]` calls.
pub fn panic(information: &PanicInfo) -> ! {
    let mut lines = begin();
    // Writing lines does not fail.
    let _ = writeln!(lines, "{information}");
    let here = snapshot();
    registers(&mut lines, &here);
    finish(lines, block::current(), here.rbp as usize)
}

/// A fault in kernel code, `signal` the host's number for it.
pub fn fault(signal: u32, frame: &Frame) -> ! {
    let mut lines = begin();
    let (vector, error, address) = (frame.vector(), frame.error(), frame.address());
    let place = frame.instruction();
    let block = frame.block();
    let guard = block.kernel_stack().start;
    let _ = if (guard..guard + machine::PAGE_SIZE).contains(&address) && vector == 14 {
        writeln!(lines, "kernel fault: stack overflow at {place:#x}")
    } else {
        let call = frame.system_call();
        match signal {
            31 => writeln!(lines, "host system call {call} is not on the list, at {place:#x}"),
            _ => {
                writeln!(lines, "kernel fault: vector {vector}, error {error:#x}, address {address:#x}, at {place:#x}")
            }
        }
    };
    registers(&mut lines, &frame.save(None));
    let _ = writeln!(lines, "backtrace: {place:#x}");
    finish(lines, block, frame.frame_pointer())
}

fn begin() -> Lines {
    if PANICKING.swap(true, Relaxed) {
        process::exit(125);
    }
    let mut lines = Lines::new();
    let _ = writeln!(lines, "kernel base {:#x}", layout::image_base());
    lines
}

fn registers(lines: &mut Lines, context: &Context) {
    let Context { rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, rip, rflags, .. } =
        *context;
    let _ = writeln!(lines, "rax {rax:016x} rbx {rbx:016x} rcx {rcx:016x} rdx {rdx:016x}");
    let _ = writeln!(lines, "rsi {rsi:016x} rdi {rdi:016x} rbp {rbp:016x} rsp {rsp:016x}");
    let _ = writeln!(lines, "r8  {r8:016x} r9  {r9:016x} r10 {r10:016x} r11 {r11:016x}");
    let _ = writeln!(lines, "r12 {r12:016x} r13 {r13:016x} r14 {r14:016x} r15 {r15:016x}");
    let _ = writeln!(lines, "rip {rip:016x} flags {rflags:08x}");
}

fn finish(mut lines: Lines, block: &Block, frame_pointer: usize) -> ! {
    backtrace(&mut lines, block, frame_pointer);
    power::exit(ExitReason::Failed)
}

/// Follows the chain of frame pointers while each lies in one of our stacks, above the one before, and its return
/// address in our text.
fn backtrace(lines: &mut Lines, block: &Block, frame_pointer: usize) {
    let stacks = [block.kernel_stack(), block.signal_stack()];
    let text = layout::kernel_text();
    let mut at = frame_pointer;
    for _ in 0..DEPTH {
        let Some(stack) = stacks.iter().find(|stack| stack.contains(&at) && stack.contains(&(at + 15))) else { return };
        // The lowest page of a stack is its guard.
        if !at.is_multiple_of(8) || at < stack.start + machine::PAGE_SIZE && stack.start == stacks[0].start {
            return;
        }
        // SAFETY: checked to be two words of a mapped stack.
        let [next, address] = unsafe { (at as *const [usize; 2]).read() };
        if !text.contains(&address) {
            return;
        }
        let _ = writeln!(lines, "backtrace: {address:#x}");
        if next <= at {
            return;
        }
        at = next;
    }
}
