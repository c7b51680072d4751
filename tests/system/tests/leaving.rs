//! The way out of the kernel on process, which a signal may interrupt at each instruction: nothing is lost, and the
//! program finds its registers. A debugger (ptrace(2)) stops at each instruction and sends a signal there.

use std::process::ExitCode;
use std::time::Duration;

use iced_x86::{Decoder, DecoderOptions};
use object::{Object, ObjectSection};
use system_tests::{Check, Guest, Platform, Running, Scope, Tracer, leaving, project_root, symbol};

fn main() -> ExitCode {
    let check = |name, body: fn(Platform)| Check::new(name, Scope::Once, body);
    system_tests::run(&[
        check("a_signal_at_each_instruction_of_the_exit", each_instruction),
        check("a_signal_at_each_instruction_of_the_exit_from_a_call", each_from_a_call),
    ])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

/// The program's system calls.
const WRITE: u64 = 1;
const RETURN_FROM_HANDLER: u64 = 15;
const GET_PARENT: u64 = 110;

/// Starts the program, which makes one system call after another and takes `wanted` signals, and holds it there.
fn held(platform: Platform, setting: &str, wanted: usize) -> (Running, Tracer) {
    let guest = Guest::new(platform).option("--gdb").option("--syscalls").option(setting);
    let running = guest.start(&[leaving().to_str().unwrap(), &wanted.to_string()]);
    let mut tracer = Tracer::attach(&running);
    while tracer.next_call() != WRITE {}
    (running, tracer)
}

fn has_handled(running: Running, wanted: usize) {
    let outcome = running.finish(Duration::from_secs(60));
    outcome.expect_status(0);
    assert_eq!(outcome.text(), format!("ready\nhandled {wanted}, wrong 0\n"));
}

fn each_instruction(platform: Platform) {
    // Whatever must be built is built here, not while the tracer waits.
    Guest::new(platform).limit(BUILD).run(&["/bin/busybox", "true"]).expect_status(0);
    let window = window("whittle_exit");
    assert!(window.len() > 15, "the way out is a check, 15 registers, and a jump");
    // At each instruction, and behind the last one, where the program goes on.
    let wanted = window.len() + 1;
    let (running, mut tracer) = held(platform, "trap", wanted);
    for &address in &window {
        tracer.go_to(address);
        comes_first(&mut tracer);
        assert_eq!(tracer.next_call(), GET_PARENT);
    }
    tracer.go_to(*window.last().unwrap());
    let program = tracer.step();
    assert!(!window.contains(&program), "behind the last instruction is the program");
    comes_first(&mut tracer);
    tracer.let_go();
    has_handled(running, wanted);
}

/// A call that was rewritten leaves by a shorter way.
fn each_from_a_call(platform: Platform) {
    Guest::new(platform).limit(BUILD).run(&["/bin/busybox", "true"]).expect_status(0);
    let window = window("whittle_exit_from_call");
    assert!(window.len() > 15, "the way out is a check, flags, 10 registers, and a jump");
    let (running, mut tracer) = held(platform, "rewrite:1", window.len());
    for &address in &window {
        tracer.go_to(address);
        comes_first(&mut tracer);
    }
    tracer.let_go();
    has_handled(running, window.len());
}

/// A signal that comes now is handled before the program goes on.
fn comes_first(tracer: &mut Tracer) {
    tracer.signal();
    assert_eq!(tracer.next_call(), RETURN_FROM_HANDLER);
}

/// Addresses of the instructions from `name` to its end, from the image's start.
fn window(name: &str) -> Vec<u64> {
    let bytes = std::fs::read(project_root().join("target/whittle/linux-process.elf")).expect("the image with names");
    let image = object::File::parse(&*bytes).unwrap();
    let (start, end) = (symbol(name), symbol(&format!("{name}_end")));
    let holds = |address, size| (address..address + size).contains(&start);
    let section = image.sections().find(|section| holds(section.address(), section.size()));
    let code = section.unwrap().data_range(start, end - start).unwrap().unwrap();
    Decoder::with_ip(64, code, start, DecoderOptions::NONE).iter().map(|instruction| instruction.ip()).collect()
}
