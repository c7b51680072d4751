//! The way out of the kernel on process, which a signal may interrupt at each instruction: nothing is lost, and the
//! program finds its registers. A debugger (ptrace(2)) stops at each instruction and sends a signal there.

use std::process::ExitCode;
use std::time::Duration;

use iced_x86::{Decoder, DecoderOptions};
use object::{Object, ObjectSection};
use system_tests::{Check, Guest, Platform, Scope, Tracer, leaving, project_root, symbol};

fn main() -> ExitCode {
    system_tests::run(&[Check::new("a_signal_at_each_instruction_of_the_exit", Scope::Once, each_instruction)])
}

/// For building an image.
const BUILD: Duration = Duration::from_secs(900);

/// The program's system calls.
const WRITE: u64 = 1;
const RETURN_FROM_HANDLER: u64 = 15;
const GET_PARENT: u64 = 110;

fn each_instruction(platform: Platform) {
    // Whatever must be built is built here, not while the tracer waits.
    Guest::new(platform).limit(BUILD).run(&["/bin/busybox", "true"]).expect_status(0);
    let window = window();
    assert!(window.len() > 15, "the way out is a check, 15 registers, and a jump");
    // At each instruction, and behind the last one, where the program goes on.
    let wanted = window.len() + 1;
    let guest = Guest::new(platform).option("--gdb");
    let running = guest.start(&[leaving().to_str().unwrap(), &wanted.to_string()]);
    let mut tracer = Tracer::attach(&running);
    while tracer.next_call() != WRITE {}
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
    let outcome = running.finish(Duration::from_secs(60));
    outcome.expect_status(0);
    assert_eq!(outcome.text(), format!("ready\nhandled {wanted}, wrong 0\n"));
}

/// A signal that comes now is handled before the program goes on.
fn comes_first(tracer: &mut Tracer) {
    tracer.signal();
    assert_eq!(tracer.next_call(), RETURN_FROM_HANDLER);
}

/// Addresses of the window's instructions, from the image's start.
fn window() -> Vec<u64> {
    let bytes = std::fs::read(project_root().join("target/whittle/linux-process.elf")).expect("the image with names");
    let image = object::File::parse(&*bytes).unwrap();
    let (start, end) = (symbol("whittle_exit"), symbol("whittle_exit_end"));
    let holds = |address, size| (address..address + size).contains(&start);
    let section = image.sections().find(|section| holds(section.address(), section.size()));
    let code = section.unwrap().data_range(start, end - start).unwrap().unwrap();
    Decoder::with_ip(64, code, start, DecoderOptions::NONE).iter().map(|instruction| instruction.ip()).collect()
}
