//! The launch record of a run.

use std::env;
use std::ffi::OsStr;
use std::io::{IsTerminal, stderr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::{SystemTime, UNIX_EPOCH};

use launch::{Builder, Key};
use rustix::process::{getegid, geteuid};
use rustix::rand::{GetRandomFlags, getrandom};

use super::network::Link;
use super::{Program, Setting, names};
use crate::arguments::{Accelerator, Platform, Run, Trace};
use crate::host::Host;
use crate::machine::may_fill;
use crate::signals::ignored_from_the_start;
use crate::terminal;
use crate::words::{Disk, Mount, Root};

/// What the program gets of the person's environment without being told.
const INHERITED: [&str; 4] = ["PATH", "HOME", "TERM", "TZ"];

/// And this: the language, and a locale's parts (locale(7)).
#[must_use]
pub fn is_of_locale(name: &OsStr) -> bool {
    name == "LANG" || name.as_bytes().starts_with(b"LC_")
}

/// Cycles a second in thousands under `-icount shift=0`: one instruction, one cycle, one nanosecond.
const COUNTED_KILOHERTZ: u64 = 1_000_000;

/// What the program sees of the host's.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// Directories and files.
    pub mounts: &'a [Mount],
    /// Files as disks.
    pub disks: &'a [Disk],
    /// Its network.
    pub link: &'a Link,
    /// Files about names.
    pub names: &'a [(&'static str, String)],
}

/// Everything the kernel is told.
pub fn build(run: &Run, setting: Setting, program: &Program, host: &Host<'_>, memory: u64, seen: &Seen<'_>) -> Vec<u8> {
    let mut record = Builder::new();
    record.add(Key::Program, program.path.as_os_str().as_bytes());
    record.add(Key::Argument, program.name.as_bytes());
    for argument in run.command.iter().skip(1) {
        record.add(Key::Argument, argument.as_bytes());
    }
    for (name, value) in environment(run) {
        let mut variable = name;
        variable.push(b'=');
        variable.extend(value);
        record.add(Key::Environment, variable);
    }
    record.add(Key::Directory, directory(run, seen.mounts));
    for mount in seen.mounts {
        record.add(Key::Mount, mount.record());
    }
    for disk in seen.disks {
        record.add(Key::Disk, disk.record());
    }
    seen.link.tell(&mut record, run, setting.platform);
    names::tell(seen.names, &mut record);
    record.add(Key::Ring, setting.ring.to_string());
    calls(&mut record, run, &setting);
    if let Some(cpus) = run.cpus.filter(|&cpus| cpus > 1) {
        record.add(Key::Processors, cpus.to_string());
    }
    // A process has the host's memory, and a limit only where one was asked for.
    if setting.platform == Platform::Pc || run.memory.is_some() {
        record.add(Key::Memory, memory.to_string());
    }
    record.add(Key::User, format!("{},{}", geteuid().as_raw(), getegid().as_raw()));
    record.add(Key::HostName, names::host_name(run));
    switches(&mut record, run);
    clocks(&mut record, run, setting, host);
    answered(&mut record);
    // Where it prints is still the terminal of whoever starts it in the background, and a log by then.
    if !run.service.detach {
        terminals(&mut record);
    }
    record.add(Key::Seed, hexadecimal(&seed(run.icount)));
    record.finish()
}

/// What becomes of system calls.
fn calls(record: &mut Builder, run: &Run, setting: &Setting) {
    if let Some(word) = run.rewriting(setting) {
        record.add(Key::Calls, word);
        for object in &run.known_sites {
            record.add(Key::Calls, format!("sites:{object}"));
        }
    }
    for site in &run.except {
        record.add(Key::Calls, format!("except:{site}"));
    }
    for (wanted, word) in [(run.record_sites.is_some(), "record"), (run.report.is_some(), "report")] {
        if wanted {
            record.add(Key::Calls, word);
        }
    }
}

/// What a native program's kernel is told: its network interfaces, and the descriptor of a record of their packets.
pub fn of_native(nics: impl Iterator<Item = String>, pcap: Option<i32>) -> Vec<u8> {
    let mut record = Builder::new();
    if let Some(descriptor) = pcap {
        record.add(Key::Pcap, descriptor.to_string());
    }
    for nic in nics {
        record.add(Key::Nic, nic);
    }
    record.finish()
}

/// Where the program starts.
fn directory(run: &Run, mounts: &[Mount]) -> Vec<u8> {
    let here = || env::current_dir().ok().filter(|_| !mounts.is_empty() && *run.root() == Root::Host);
    let wished = run.workdir.as_ref().map(|folder| folder.clone().into_bytes());
    let here = || here().map(|folder| folder.into_os_string().into_vec());
    wished.or_else(here).unwrap_or_else(|| b"/".to_vec())
}

fn switches(record: &mut Builder, run: &Run) {
    let traces = run.trace.iter().map(|trace| match trace {
        Trace::Syscalls => "syscalls",
        Trace::Faults => "faults",
    });
    let traces: Vec<&str> = traces.collect();
    if !traces.is_empty() {
        record.add(Key::Trace, traces.join(","));
    }
    for (wanted, key) in [(run.verbose, Key::Verbose), (run.audit, Key::Audit), (run.figures, Key::Figures)] {
        if wanted {
            record.add(key, "1");
        }
    }
    // A log or a script knows what it does.
    if !run.quiet && stderr().is_terminal() {
        record.add(Key::Changes, "1");
    }
    // A debugger and a count of instructions both want the same addresses in every run.
    if run.gdb || run.icount {
        record.add(Key::Randomize, "0");
    }
    if let Some(how) = &run.inject {
        record.add(Key::Inject, how);
    }
    let ignored = ignored_from_the_start();
    if ignored != 0 {
        record.add(Key::Ignored, ignored.to_string());
    }
}

fn clocks(record: &mut Builder, run: &Run, setting: Setting, host: &Host<'_>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    record.add(Key::WallTime, now.as_nanos().to_string());
    let kilohertz = match (setting.platform, setting.accelerator) {
        (Platform::Pc, _) if run.icount => Some(COUNTED_KILOHERTZ),
        (Platform::Pc, Accelerator::Tcg | Accelerator::Kvm) => host.tsc_kilohertz(),
        (Platform::Process, _) => None,
    };
    if let Some(kilohertz) = kilohertz {
        record.add(Key::TscKilohertz, kilohertz.to_string());
    }
}

/// Streams whose writes are answered, since they may have no room.
fn answered(record: &mut Builder) {
    let answered: String = [1, 2].into_iter().filter(|&number| may_fill(number)).map(|n| n.to_string()).collect();
    if !answered.is_empty() {
        record.add(Key::Answered, answered);
    }
}

fn terminals(record: &mut Builder) {
    let streams = terminal::streams();
    if streams.is_empty() {
        return;
    }
    record.add(Key::Terminals, streams);
    if let Some(attributes) = terminal::attributes() {
        record.add(Key::TerminalAttributes, hexadecimal(&attributes));
    }
    if let Some(size) = terminal::window() {
        record.add(Key::Window, size.map(|number| number.to_string()).join(","));
    }
}

pub fn environment(run: &Run) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut variables: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut set = |name: &str, value: Vec<u8>| {
        variables.retain(|(known, _)| known != name.as_bytes());
        variables.push((name.into(), value));
    };
    let ours = |name: &str| env::var_os(name).map(|value| value.as_bytes().to_vec());
    for name in INHERITED {
        if let Some(value) = ours(name) {
            set(name, value);
        }
    }
    for (name, value) in env::vars_os() {
        if let Some(name) = name.to_str().filter(|_| is_of_locale(&name)) {
            set(name, value.into_vec());
        }
    }
    for variable in &run.env {
        let value = variable.value.as_ref().map(|value| value.clone().into_bytes());
        if let Some(value) = value.or_else(|| ours(&variable.name)) {
            set(&variable.name, value);
        }
    }
    variables
}

/// 32 random bytes, always the same where runs are to be repeatable.
fn seed(repeatable: bool) -> [u8; 32] {
    let mut seed = [0x5a; 32];
    if !repeatable {
        // Cannot fail or come short at this length (getrandom(2)).
        let _ = getrandom(&mut seed, GetRandomFlags::empty());
    }
    seed
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
