//! What a machine needs to start, whatever it is.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use rustix::process::Pid;

use super::{Monitor, OpenNic, Outside, Wanted};
use crate::arguments::{Accelerator, Machine};
use crate::debugger::Debugged;
use crate::failure::Failure;
use crate::words::{Disk, Mount};

/// A machine's process, which has just been started.
pub struct Begun {
    /// Its number. It is this process's child.
    pub process: Pid,
    /// The way to ask its QEMU things, if there is one.
    pub monitor: Option<Monitor>,
}

/// A machine to be started.
pub struct Start<'a> {
    /// The boot archive, an in-memory file; `None` for an image that has its application in itself.
    pub archive: Option<File>,
    /// What the program sees of the host's files.
    pub mounts: Vec<Mount>,
    /// Files of the host's as disks.
    pub disks: Vec<Disk>,
    /// Network interfaces, in the order of their numbers.
    pub nics: Vec<OpenNic>,
    /// Sockets with published ports (process).
    pub outside: Vec<Outside>,
    /// The file that gets a record of their packets.
    pub pcap: Option<PathBuf>,
    /// What a native image gets instead.
    pub native: Option<Native>,
    /// The kernel that is started.
    pub kernel: PathBuf,
    /// The same kernel with names and lines.
    pub symbols: PathBuf,
    /// Bytes of memory (pc).
    pub memory: u64,
    /// The virtual machine (pc).
    pub machine: Machine,
    /// How many processors (pc).
    pub processors: u8,
    /// How QEMU executes (pc).
    pub accelerator: Accelerator,
    /// Count instructions (pc).
    pub icount: bool,
    /// Where to write the address of each executed instruction (pc).
    pub executed: Option<PathBuf>,
    /// A plugin of QEMU's, by its words (pc).
    pub plugin: Option<String>,
    /// Have shares and disks answer few reads a second (pc).
    pub slow: bool,
    /// The processor's model, if somebody asks for one (pc).
    pub model: Option<String>,
    /// The folder where what was found out about this host is kept.
    pub findings: PathBuf,
    /// Start stopped, and say how to attach a debugger.
    pub debug: Option<Debugged>,
    /// Whether who keeps the machine wants to ask its QEMU things (pc).
    pub monitored: bool,
    /// What is to be done once the machine runs: nobody waits for it.
    pub afterwards: Box<dyn FnOnce(Begun) + 'a>,
    /// Records to print.
    pub wanted: Wanted,
}

/// A native image: no launch record, and a console of its own choice.
#[derive(Clone, Debug, Default)]
pub struct Native {
    /// How it speaks on pc.
    pub console: NativeConsole,
    /// Its name and arguments.
    pub arguments: Vec<OsString>,
    /// `NAME=value` words.
    pub environment: Vec<OsString>,
}

/// How a native image speaks on pc. On process it has the standard streams itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NativeConsole {
    /// Frames on port 0xE9.
    #[default]
    Port,
    /// Text on the serial port.
    Plain,
}

impl Native {
    /// Both as a kernel command line: `word 1F word 1E variable 1F variable 1E`, see
    /// `platforms/pc/src/bare/arguments.rs`.
    pub fn command_line(&self) -> Result<OsString, Failure> {
        let mut line = Vec::new();
        for words in [&self.arguments, &self.environment] {
            for (index, word) in words.iter().enumerate() {
                if word.as_bytes().iter().any(|byte| matches!(byte, 0x1e | 0x1f | 0)) {
                    return Err(Failure::ours(
                        "an argument with the control characters 1E or 1F cannot be passed to pc",
                    ));
                }
                if index > 0 {
                    line.push(0x1f);
                }
                line.extend(word.as_bytes());
            }
            line.push(0x1e);
        }
        if line.len() >= COMMAND_LINE {
            return Err(Failure::ours(format!("arguments and environment are longer than {COMMAND_LINE} bytes")));
        }
        Ok(OsString::from_vec(line))
    }
}

/// Bytes that every machine takes as its kernel's command line.
const COMMAND_LINE: usize = 2048;

/// What to say when a machine ended without a word from its kernel.
pub fn silent(what: &str, how: &str, words: &str) -> Failure {
    let words = words.trim();
    let said = if words.is_empty() { String::new() } else { format!(":\n{words}") };
    Failure::ours(format!("{what} ended without a word from the kernel ({how}){said}"))
}
