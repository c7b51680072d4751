//! The kernel's death: what happened, registers, and the way there, for the command to put names to.

use core::{
    arch::asm,
    fmt::{self, Write},
    panic::PanicInfo,
    sync::atomic::{AtomicBool, Ordering},
};

use machine::Context;
use x86_64::snapshot::snapshot;

use crate::{
    devices,
    layout::in_kernel_text,
    power,
    processor::{self, stacks},
};

/// Most frames of a backtrace.
const FRAMES: usize = 40;

/// Set when the kernel has begun to die: a panic in the panic only stops.
static DYING: AtomicBool = AtomicBool::new(false);

/// The image's panic handler: `#[panic_handler] fn panic(info: &PanicInfo) -> ! { pc::panic(info) }`.
pub fn panic(info: &PanicInfo<'_>) -> ! {
    die(|| {
        let here = snapshot();
        match info.location() {
            Some(place) => line(format_args!("panic at {}:{}: {}", place.file(), place.line(), info.message())),
            None => line(format_args!("panic: {}", info.message())),
        }
        registers(&here);
        backtrace(here.rbp as usize);
    })
}

/// Dies of a fault, which interrupted `context`.
pub fn with_context(what: &str, context: &Context, vector: u64, address: usize) -> ! {
    die(|| {
        line(format_args!("{what}: vector {vector}, error {:#x}, address {address:#x}", context.entry));
        registers(context);
        line(format_args!("backtrace: {:#x}", context.rip));
        backtrace(context.rbp as usize);
    })
}

/// Dies of a fault on whatever stack, by changing to the last one first.
pub fn on_last_stack(context: &Context, vector: u64, address: usize) -> ! {
    extern "C" fn die_here(context: &Context, vector: u64, address: usize) -> ! {
        with_context("the kernel faulted and cannot go on", context, vector, address)
    }
    // SAFETY: nobody else uses that stack, and the context stays where it is: on an interrupt stack, which no other
    // vector enters any more that could follow this one.
    unsafe {
        asm!("mov rsp, {}", "xor ebp, ebp", "call {}", "ud2",
             in(reg) stacks::last_stack_top(), sym die_here,
             in("rdi") context, in("rsi") vector, in("rdx") address, options(noreturn));
    }
}

fn die(tell: impl FnOnce()) -> ! {
    processor::claim_segment_base();
    if !DYING.swap(true, Ordering::Relaxed) {
        tell();
        devices::panic_exit();
    }
    power::stop()
}

/// One line of the record.
fn line(text: fmt::Arguments<'_>) {
    let mut buffer = Line { bytes: [0; 256], length: 0 };
    // What does not fit is cut off.
    let _ = buffer.write_fmt(text);
    let _ = buffer.write_str("\n");
    buffer.bytes[buffer.length - 1] = b'\n';
    devices::panic_write(core::str::from_utf8(&buffer.bytes[..buffer.length]).unwrap_or("?\n"));
}

struct Line {
    bytes: [u8; 256],
    length: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        let count = text.floor_char_boundary(room.len());
        room[..count].copy_from_slice(&text.as_bytes()[..count]);
        self.length += count;
        Ok(())
    }
}

fn registers(context: &Context) {
    let Context { rip, rsp, rflags, cs, ss, .. } = *context;
    line(format_args!("rip {rip:016x}  rsp {rsp:016x}  rflags {rflags:08x}  cs {cs:02x}  ss {ss:02x}"));
    let rows = [
        ["rax", "rbx", "rcx", "rdx"],
        ["rsi", "rdi", "rbp", "r8 "],
        ["r9 ", "r10", "r11", "r12"],
        ["r13", "r14", "r15", "fs "],
    ];
    let c = context;
    let values = [
        [c.rax, c.rbx, c.rcx, c.rdx],
        [c.rsi, c.rdi, c.rbp, c.r8],
        [c.r9, c.r10, c.r11, c.r12],
        [c.r13, c.r14, c.r15, contracts::processor::thread_pointer() as u64],
    ];
    for (names, values) in rows.iter().zip(values) {
        let [a, b, c, d] = values;
        line(format_args!(
            "{} {a:016x}  {} {b:016x}  {} {c:016x}  {} {d:016x}",
            names[0], names[1], names[2], names[3]
        ));
    }
}

/// Follows frame pointers as long as they lie on a stack of the kernel, each above the one before.
fn backtrace(mut frame: usize) {
    for _ in 0..FRAMES {
        let on_stack = |address| stacks::all().any(|(start, size)| (start..=start + size - 16).contains(&address));
        if !frame.is_multiple_of(8) || !on_stack(frame) {
            return;
        }
        // SAFETY: both words lie on a mapped stack.
        let (next, caller) = unsafe { ((frame as *const usize).read(), (frame as *const usize).add(1).read()) };
        if !in_kernel_text(caller) {
            return;
        }
        line(format_args!("backtrace: {caller:#x}"));
        if next <= frame {
            return;
        }
        frame = next;
    }
}
