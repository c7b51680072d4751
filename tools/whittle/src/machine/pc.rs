//! The platform `pc`: QEMU with one virtio console port, of which this command is the other end.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ExitStatus, Stdio};

use nix::sys::signal::Signal as Name;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, Signal, kill_process};

use super::emulator::{self, Version};
use super::monitor::Monitor;
use super::native::{Carriers, Plain};
use super::process::{INTERRUPTED, stop_here};
use super::pump::{Finish, Guest, Pump};
use super::qemu::{self, Qemu};
use super::start::{Begun, NativeConsole, Start, silent};
use super::{Outcome, Records, listeners};
use crate::arguments::Accelerator;
use crate::child::{out_of_the_way, prepare};
use crate::failure::{Doing, Failure, OURS};
use crate::setup;
use crate::signals::{Sender, Signals, ends_a_program, is_continued, is_ignored_from_the_start};
use crate::{debugger, terminal};

/// Descriptor numbers in QEMU.
const ARCHIVE: i32 = 3;
const SOCKET: i32 = 4;
const SERIAL: i32 = 5;
const MONITOR: i32 = 6;
/// That of the first queue of the first network interface; the others follow.
const FIRST_NIC: i32 = 32;

/// Runs the machine to its end.
pub fn run(start: Start<'_>, signals: &mut Signals) -> Result<Outcome, Failure> {
    setup::qemu()?;
    let emulated = start.accelerator == Accelerator::Tcg;
    let version = if emulated { emulator::version(Some(&start.findings)) } else { None };
    let warning = start.model.as_deref().filter(|_| emulated).and_then(|model| qemu::warning(model, version));
    if let Some(warning) = warning {
        eprintln!("whittle: {warning}");
    }
    let guard = terminal::Guard::new();
    let (ours, theirs) =
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).doing("make a socket")?;
    let (serial, its_end) = match &start.native {
        Some(native) if native.console == NativeConsole::Plain => Plain::new()?,
        _ => (None, None),
    };
    let wants_monitor = start.monitored || start.debug.is_some();
    let (monitor, its_monitor) = wants_monitor.then(Monitor::new).transpose()?.unzip();
    let (mut child, _gate) = spawn(&start, version, Ends { socket: theirs, serial: its_end, monitor: its_monitor })?;
    listeners::lengthen(Pid::from_child(&child), &start.nics);
    // Who holds the machine asks itself.
    let (monitor, keepers) = if start.debug.is_some() { (monitor, None) } else { (None, monitor) };
    (start.afterwards)(Begun { process: Pid::from_child(&child), monitor: keepers });
    let texts = texts(&mut child)?;
    let plain = serial.map(|serial| serial.start(Pid::from_child(&child))).transpose()?;
    let mut guest = Virtual { child, guard: &guard, native: start.native.is_some(), plain, monitor, ended_by: None };
    let mut records = Records::new(start.wanted, &start.symbols);
    let mut pump = Pump::console(ours, texts, &mut records);
    // Time that is counted in instructions is the same in each run.
    if !start.icount {
        pump.follow_the_wall_clock();
    }
    let finish = pump.run(signals, &mut guest);
    // A machine that has said its last word has nothing to lose.
    let _ = guest.child.kill();
    let status = guest.child.wait().doing("wait for QEMU")?;
    if let Some(plain) = guest.plain.take() {
        plain.finish();
    }
    let ended_by = guest.ended_by.or_else(|| ended_before_start(status));
    drop(guard);
    let texts = pump.into_texts();
    let early = records.serial(&texts[0]);
    let status = match finish? {
        Finish::Interrupted => INTERRUPTED,
        Finish::End(end) => records.conclude(end),
        Finish::Lost if let Some(number) = ended_by => 128 + number,
        Finish::Lost => {
            early.iter().for_each(|line| eprintln!("{line}"));
            let told = records.panicked || early.iter().any(|line| line.contains("panic"));
            if !told {
                return Err(silent("QEMU", &status.to_string(), &texts[1]));
            }
            OURS
        }
    };
    if start.wanted.debug && finish_was_quiet(status) {
        early.iter().for_each(|line| eprintln!("whittle: {line}"));
    }
    Ok(records.outcome(status))
}

/// The signal that ended QEMU before it could take it, as it would have ended a program: it has handlers of its own for
/// these later on (`os_setup_signal_handling` in its os-posix.c).
fn ended_before_start(status: ExitStatus) -> Option<u8> {
    let ends = [Signal::HUP, Signal::INT, Signal::TERM].map(Signal::as_raw);
    status.signal().filter(|number| ends.contains(number)).map(|number| number as u8)
}

/// Text that went to standard error already is not shown again.
const fn finish_was_quiet(status: u8) -> bool {
    status != OURS
}

/// The 16550's text and QEMU's own words.
fn texts(child: &mut Child) -> Result<[File; 2], Failure> {
    let (Some(serial), Some(words)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Failure::ours("QEMU has no output"));
    };
    Ok([OwnedFd::from(serial).into(), OwnedFd::from(words).into()])
}

/// QEMU's ends of connections.
struct Ends {
    socket: OwnedFd,
    serial: Option<OwnedFd>,
    monitor: Option<OwnedFd>,
}

fn spawn(start: &Start<'_>, version: Option<Version>, ends: Ends) -> Result<(Child, Option<debugger::Gate>), Failure> {
    let mut files = vec![(out_of_the_way(ends.socket.as_fd()).doing("pass the socket on")?, SOCKET)];
    let mut command = qemu::command(Qemu {
        kernel: &start.kernel,
        memory: start.memory,
        processors: start.processors,
        machine: start.machine,
        accelerator: start.accelerator,
        icount: start.icount,
        executed: start.executed.as_deref(),
        plugin: start.plugin.as_deref(),
        model: start.model.as_deref(),
        version,
    });
    match &start.native {
        None => qemu::console(&mut command, start.machine, SOCKET),
        Some(native) => {
            qemu::port(&mut command, SOCKET);
            command.arg("-append").arg(native.command_line()?);
        }
    }
    for mount in &start.mounts {
        qemu::share(&mut command, start.machine, mount, start.slow)?;
    }
    for (number, disk) in start.disks.iter().enumerate() {
        let served = qemu::Served { queues: start.processors, slow: start.slow };
        qemu::disk(&mut command, start.machine, number, disk, served)?;
    }
    let mut next = FIRST_NIC;
    for (number, nic) in start.nics.iter().enumerate() {
        let numbers: Vec<i32> = (next..).take(nic.descriptors.len()).collect();
        qemu::nic(&mut command, start.machine, number, nic, &numbers);
        files.extend(nic.passed_on(next)?);
        next += numbers.len() as i32;
        if let Some(record) = &start.pcap {
            qemu::record(&mut command, number, record)?;
        }
    }
    match ends.serial {
        None => qemu::early(&mut command),
        Some(serial) => {
            files.push((out_of_the_way(serial.as_fd()).doing("pass the socket on")?, SERIAL));
            qemu::serial(&mut command, SERIAL);
        }
    }
    if let Some(monitor) = ends.monitor {
        files.push((out_of_the_way(monitor.as_fd()).doing("pass the socket on")?, MONITOR));
        qemu::monitor(&mut command, MONITOR);
    }
    if let Some(archive) = &start.archive {
        files.push((out_of_the_way(archive).doing("pass the archive on")?, ARCHIVE));
        command.arg("-initrd").arg(format!("/proc/self/fd/{ARCHIVE}"));
    }
    let gate = match &start.debug {
        Some(debugged) => Some(debugger::open_gate(&mut command, &start.symbols, debugged)?),
        None => None,
    };
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    prepare(&mut command, files, false);
    Ok((command.spawn().doing("start QEMU")?, gate))
}

struct Virtual<'a> {
    child: Child,
    guard: &'a terminal::Guard,
    /// The image hears no signals.
    native: bool,
    /// Its serial port, if that is its console.
    plain: Option<Carriers>,
    /// Tells whether a debugger has let it begin.
    monitor: Option<Monitor>,
    /// The signal that ended it, as it would have ended a program.
    ended_by: Option<u8>,
}

impl Virtual<'_> {
    fn kill(&self, signal: Signal) {
        // Not reaped yet, so the number is still QEMU's; that it just died is no error.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }
}

impl Guest for Virtual<'_> {
    fn signal(&mut self, number: u8, _sender: Sender) -> bool {
        // Before its first instruction a machine hears nothing, and no program has said what it does about signals.
        let is_held = self.monitor.as_mut().is_some_and(Monitor::is_held);
        if (is_held || self.native && !is_ignored_from_the_start(number)) && ends_a_program(number) {
            self.ended_by = Some(number);
            self.kill(Signal::KILL);
        }
        is_held || self.native
    }

    fn stop(&mut self) {
        self.kill(Signal::STOP);
        stop_here(self.guard, Name::SIGSTOP);
        self.kill(Signal::CONT);
    }

    fn stop_command(&mut self, signal: i32) -> bool {
        // The others that stop a program are the terminal's: the host has one for us that it takes back from orphans.
        let signal = if signal == Name::SIGSTOP as i32 { Name::SIGSTOP } else { Name::SIGTSTP };
        stop_here(self.guard, signal);
        is_continued()
    }

    fn wants_input(&mut self) -> bool {
        self.plain.as_mut().map(Carriers::start_input).is_some()
    }

    /// QEMU's end shows as the end of the connection.
    fn child_changed(&mut self) {}
}
