//! A kernel process held by ptrace(2): stopping at an instruction, a signal just there, a fault in the kernel.

use std::time::Duration;

use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use object::{Object, ObjectSymbol};

use crate::{Running, project_root};

/// Address of a symbol of the general image for process, from the image's start.
#[must_use]
pub fn symbol(name: &str) -> u64 {
    let bytes = std::fs::read(project_root().join("target/whittle/linux-process.elf")).expect("the image with names");
    let image = object::File::parse(&*bytes).expect("an ELF file");
    let symbol = image.symbols().find(|symbol| symbol.name() == Ok(name));
    symbol.unwrap_or_else(|| panic!("no {name}")).address()
}

/// Holds a thread of a kernel process.
#[derive(Debug)]
pub struct Tracer {
    process: Pid,
    /// Where the image lies.
    base: u64,
    /// A signal that it is to be given when it goes on.
    passed_on: Option<Signal>,
}

impl Tracer {
    /// Attaches to the kernel process of a run with `--gdb`, which has stopped itself.
    #[must_use]
    pub fn attach(running: &Running) -> Self {
        let line = running.wait_for_error("-p ", Duration::from_secs(60));
        let number = line.split("-p ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        let process = Pid::from_raw(number.expect("the process's number"));
        // The line comes first; a stop that came later would find nobody to continue it.
        let stopped = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap().contains(") T ");
        while !stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let tracer = Self::hold(process);
        kill(process, Signal::SIGCONT).unwrap();
        tracer
    }

    /// Attaches to the last of its threads while that is in the program. Let go of this one first.
    #[must_use]
    pub fn another_thread(process: i32) -> Self {
        let tasks = std::fs::read_dir(format!("/proc/{process}/task")).expect("its threads");
        let numbers = tasks.map(|task| task.unwrap().file_name().to_str().unwrap().parse().unwrap());
        let last = Pid::from_raw(numbers.max().unwrap());
        loop {
            let tracer = Self::hold(last);
            // Programs lie below the image.
            if ptrace::getregs(last).unwrap().rip < tracer.base {
                return tracer;
            }
            tracer.let_go();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The process's number.
    #[must_use]
    pub fn process(&self) -> i32 {
        self.process.as_raw()
    }

    fn hold(process: Pid) -> Self {
        ptrace::attach(process).expect("a descendant may be traced");
        let mut tracer = Self { process, base: 0, passed_on: None };
        // The stop that attaching asks for may come behind another signal.
        let mut came = tracer.wait();
        while came != Signal::SIGSTOP {
            came = tracer.go_on();
        }
        let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
        let image = maps.lines().find(|line| line.ends_with(".img")).expect("the image is mapped");
        tracer.base = u64::from_str_radix(image.split('-').next().unwrap(), 16).unwrap();
        tracer
    }

    /// Waits until the process stops; a signal that stopped it is passed on next time.
    fn wait(&mut self) -> Signal {
        match waitpid(self.process, Some(WaitPidFlag::__WALL)).unwrap() {
            WaitStatus::Stopped(_, signal) => {
                let ours = matches!(signal, Signal::SIGTRAP | Signal::SIGSTOP | Signal::SIGCONT);
                self.passed_on = (!ours).then_some(signal);
                signal
            }
            other => panic!("the kernel process ended: {other:?}"),
        }
    }

    /// Goes on until the next stop.
    fn go_on(&mut self) -> Signal {
        ptrace::cont(self.process, self.passed_on.take()).unwrap();
        self.wait()
    }

    /// The next instruction's address, from the image's start; programs lie below it.
    fn instruction(&self) -> u64 {
        ptrace::getregs(self.process).unwrap().rip.wrapping_sub(self.base)
    }

    /// Goes on until the program's next system call; answers its number.
    pub fn next_call(&mut self) -> u64 {
        while self.go_on() != Signal::SIGSYS {}
        ptrace::getregs(self.process).unwrap().rax
    }

    /// Goes on until the instruction at `address` is next.
    pub fn go_to(&mut self, address: u64) {
        let place = (self.base + address) as ptrace::AddressType;
        let word = ptrace::read(self.process, place).unwrap();
        ptrace::write(self.process, place, word & !0xff | 0xcc).unwrap();
        while self.go_on() != Signal::SIGTRAP {}
        ptrace::write(self.process, place, word).unwrap();
        let mut registers = ptrace::getregs(self.process).unwrap();
        registers.rip -= 1;
        ptrace::setregs(self.process, registers).unwrap();
        assert_eq!(self.instruction(), address);
    }

    /// Executes one instruction; answers the next one's address.
    pub fn step(&mut self) -> u64 {
        ptrace::step(self.process, self.passed_on.take()).unwrap();
        assert_eq!(self.wait(), Signal::SIGTRAP);
        self.instruction()
    }

    /// Has it go on at `address`, as if it had lost its way.
    pub fn divert(&mut self, address: u64) {
        let mut registers = ptrace::getregs(self.process).unwrap();
        registers.rip = self.base + address;
        // No system call is to be made again.
        registers.orig_rax = u64::MAX;
        ptrace::setregs(self.process, registers).unwrap();
    }

    /// Has a signal come before the next instruction.
    pub fn signal(&mut self) {
        let next = self.instruction();
        kill(self.process, Signal::SIGUSR1).unwrap();
        assert_eq!(self.go_on(), Signal::SIGUSR1);
        assert_eq!(self.instruction(), next, "the signal comes at once");
    }

    /// Lets it run by itself.
    pub fn let_go(mut self) {
        ptrace::detach(self.process, self.passed_on.take()).unwrap();
    }
}
