//! The platform `process`: the kernel as a child process with the program's streams.
//!
//! Descriptor 3 is the boot archive, 4 the socket on which records and the end come.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use nix::sys::signal::{SigSet, Signal as Name, raise};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, getsid, kill_process, waitid};

use super::pump::{Finish, Guest, Pump};
use super::start::{Begun, Start, silent};
use super::{Outcome, Records};
use crate::child::{out_of_the_way, prepare};
use crate::failure::{Doing, Failure};
use crate::signals::{Sender, Signals, ends_a_program, is_continued, is_ignored_from_the_start};
use crate::{debugger, terminal};

/// Status of a machine that the person ended by Ctrl-C twice.
pub const INTERRUPTED: u8 = 130;

/// Above all descriptors that the kernel process knows by number.
pub const OUT_OF_THE_WAY: i32 = 256;

/// Descriptor of the first disk; the others follow (`platforms/process/src/devices/disks.rs`).
const FIRST_DISK: i32 = 128;

/// Descriptor of the record of packets.
pub const PCAP: i32 = 191;

/// Descriptor of the first queue of the first network interface; the others follow
/// (`platforms/process/src/devices/nics/mod.rs`).
const FIRST_NIC: i32 = 192;

/// Runs the machine to its end.
pub fn run(start: Start<'_>, signals: &mut Signals) -> Result<Outcome, Failure> {
    let guard = terminal::Guard::new();
    let (ours, theirs) =
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).doing("make a socket")?;
    let child = spawn(&start, theirs)?;
    (start.afterwards)(Begun { process: Pid::from_child(&child), monitor: None });
    let mut records = Records::new(start.wanted, &start.symbols);
    let mut guest = Process {
        child,
        guard: &guard,
        debugged: start.debug.is_some(),
        native: start.native.is_some(),
        ended_by: None,
    };
    if let Some(debugged) = &start.debug {
        debugger::hold(&guest.child, &start.symbols, debugged)?;
    }
    let finish = Pump::control(ours, &mut records).run(signals, &mut guest)?;
    if finish == Finish::Interrupted {
        let _ = guest.child.kill();
    }
    let status = guest.child.wait().doing("wait for the kernel process")?;
    let ended_by = guest.ended_by;
    drop(guard);
    let status = match finish {
        Finish::Lost if let Some(number) = ended_by => 128 + number,
        Finish::Lost if start.native.is_some() => status_of(status),
        Finish::Interrupted => INTERRUPTED,
        Finish::End(end) => records.conclude(end),
        Finish::Lost if records.panicked => crate::failure::OURS,
        Finish::Lost if let Some(number) = killed_before_start(status) => 128 + number,
        Finish::Lost => return Err(silent("the kernel process", &describe(status), "")),
    };
    Ok(records.outcome(status))
}

fn spawn(start: &Start<'_>, control: OwnedFd) -> Result<Child, Failure> {
    let mut files = vec![(out_of_the_way(control.as_fd()).doing("pass the socket on")?, 4)];
    if let Some(archive) = &start.archive {
        files.push((out_of_the_way(archive).doing("pass the archive on")?, 3));
    }
    for mount in &start.mounts {
        let doing = || format!("share {}", mount.host.display());
        // Descriptors of this process could stand in each other's way.
        let opened = mount.open().doing(doing())?;
        files.push((rustix::io::fcntl_dupfd_cloexec(opened, OUT_OF_THE_WAY).doing(doing())?, mount.number));
    }
    for (number, disk) in (FIRST_DISK..).zip(&start.disks) {
        let doing = || format!("open the disk {}", disk.host.display());
        let opened = disk.open().doing(doing())?;
        files.push((rustix::io::fcntl_dupfd_cloexec(opened, OUT_OF_THE_WAY).doing(doing())?, number));
    }
    if let Some(path) = &start.pcap {
        let doing = || format!("write the packets to {}", path.display());
        let record = File::create(path).doing(doing())?;
        files.push((rustix::io::fcntl_dupfd_cloexec(record, OUT_OF_THE_WAY).doing(doing())?, PCAP));
    }
    let mut next = FIRST_NIC;
    for nic in &start.nics {
        files.extend(nic.passed_on(next)?);
        next += nic.descriptors.len() as i32;
    }
    for socket in &start.outside {
        files.push(socket.passed_on()?);
    }
    let mut command = Command::new(&start.kernel);
    command.arg0("whittle-kernel").env_clear();
    if let Some(native) = &start.native {
        let mut words = native.arguments.iter();
        command.arg0(words.next().map_or(OsStr::new(""), |name| name)).args(words);
        command.envs(native.environment.iter().filter_map(|word| variable(word)));
    }
    prepare(&mut command, files, start.debug.is_some());
    command.spawn().doing(format!("start {}", start.kernel.display()))
}

/// A word `NAME=value`.
fn variable(word: &OsStr) -> Option<(&OsStr, &OsStr)> {
    let bytes = word.as_bytes();
    let equals = bytes.iter().position(|&byte| byte == b'=')?;
    Some((OsStr::from_bytes(&bytes[..equals]), OsStr::from_bytes(&bytes[equals + 1..])))
}

/// The status a shell shows for a process that ended so.
fn status_of(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, number) => 128 + number.unwrap_or_default() as u8,
    }
}

/// The signal that came before the kernel could take it, and ended its process as it would have ended the program.
fn killed_before_start(status: ExitStatus) -> Option<u8> {
    status.signal().map(|number| number as u8).filter(|&number| ends_a_program(number))
}

fn describe(status: ExitStatus) -> String {
    match status.signal() {
        Some(number) => match Name::try_from(number) {
            Ok(name) => format!("killed by {name}"),
            Err(_) => format!("killed by signal {number}"),
        },
        None => format!("exit status {}", status.code().unwrap_or_default()),
    }
}

struct Process<'a> {
    child: Child,
    guard: &'a terminal::Guard,
    debugged: bool,
    /// The image hears no signals.
    native: bool,
    /// The signal that ended it, as it would have ended a program.
    ended_by: Option<u8>,
}

impl Process<'_> {
    fn kill(&self, signal: Signal) {
        // Not reaped yet, so the number is still the child's; that it just died is no error.
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Whether it stands still where [`debugger::hold`] has left it: a debugger that has come would trace it, which
    /// shows otherwise (proc_pid_stat(5)).
    fn is_held(&self) -> bool {
        self.debugged && {
            let status = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
            status.rsplit_once(") ").is_some_and(|(_, fields)| fields.starts_with('T'))
        }
    }
}

impl Guest for Process<'_> {
    fn signal(&mut self, number: u8, sender: Sender) -> bool {
        // A native program with handlers of the machine's hears no signal, and would rest for ever.
        let is_deaf = self.native && !is_ignored_from_the_start(number);
        if ends_a_program(number) && (is_deaf || self.is_held()) {
            // As on pc, whatever it has inherited: a script's background job begins with SIGINT ignored.
            self.ended_by = Some(number);
            self.kill(Signal::KILL);
            return true;
        }
        match Signal::from_named_raw(i32::from(number)) {
            Some(signal) if sender == Sender::Process || concerns_leader_alone(signal) => self.kill(signal),
            // The terminal sent it to the kernel process too, which is of the same group.
            _ => {}
        }
        true
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

    fn child_changed(&mut self) {
        // The program stopped itself: so does its command. Under a debugger, stops are the debugger's.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
        let stopped = waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
        if !self.debugged && matches!(stopped, Ok(Some(status)) if status.stopped()) {
            self.stop();
        }
    }
}

/// Whether the terminal sent this signal to the leader of its session only, and that is us: it does so when it goes
/// away (`tty_signal_session_leader` in Linux' drivers/tty/tty_jobctrl.c).
fn concerns_leader_alone(signal: Signal) -> bool {
    matches!(signal, Signal::HUP | Signal::CONT) && getsid(None).is_ok_and(|leader| leader == getpid())
}

/// Stops this process by a signal with the terminal as it was found, and sets the program's attributes again
/// afterwards. By SIGTSTP it is not stopped if its group is orphaned: nobody could continue it.
pub fn stop_here(guard: &terminal::Guard, signal: Name) {
    let attributes = guard.suspend();
    let set = SigSet::from(signal);
    // Nothing of this can fail: the signal is valid. It waits until it is no longer blocked.
    let _ = raise(signal);
    let _ = set.thread_unblock();
    let _ = set.thread_block();
    guard.resume(attributes);
}
