//! `--gdb`: where a debugger attaches, and the line to type.

use std::fs;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use launch::FIXED_IMAGE_BASE;
use nix::sys::ptrace;
use nix::sys::signal::Signal::SIGSTOP;
use nix::sys::wait::waitpid;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::failure::{Doing, Failure};

/// What is debugged.
#[derive(Clone, Debug)]
pub struct Debugged {
    /// The program's file, if it is not the image itself.
    pub program: Option<PathBuf>,
    /// Folders of sources, and the names that they have in images.
    pub sources: [(PathBuf, &'static str); 3],
}

impl Debugged {
    /// gdb's words for finding sources, and the program's symbols.
    fn words(&self) -> String {
        let place =
            |(folder, name): &(PathBuf, &str)| format!("-ex 'set substitute-path {name} {}' ", folder.display());
        let sources: String = self.sources.iter().map(place).collect();
        sources + &self.program.as_deref().map(symbols).unwrap_or_default()
    }
}

/// A socket on which QEMU waits for gdb; its file goes when this is dropped.
#[derive(Debug)]
pub struct Gate {
    path: PathBuf,
}

impl Drop for Gate {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes QEMU start stopped and wait for gdb, and prints the line to type.
pub fn open_gate(qemu: &mut Command, kernel: &Path, debugged: &Debugged) -> Result<Gate, Failure> {
    let path = std::env::temp_dir().join(format!("whittle-{}.gdb", std::process::id()));
    let name =
        path.to_str().filter(|name| !name.contains(',')).ok_or("its name holds a comma").doing("make a socket")?;
    qemu.args(["-S", "-gdb", &format!("unix:{name},server=on,wait=off")]);
    tell(&format!("gdb {} -ex 'target remote {name}' {}", quoted(kernel), debugged.words()));
    Ok(Gate { path })
}

/// Stops a kernel process that begins traced by this one before its first instruction, and prints the line that
/// attaches gdb.
pub fn hold(child: &Child, kernel: &Path, debugged: &Debugged) -> Result<(), Failure> {
    let process = nix::unistd::Pid::from_raw(child.id().cast_signed());
    // Its exec is a trap to who traces it, whatever the image is.
    waitpid(process, None).and_then(|_| ptrace::detach(process, SIGSTOP)).doing("stop the kernel process")?;
    // What is sent to it from here on is for one that stands still.
    let changed = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(Pid::from_child(child)), changed).doing("stop the kernel process")?;
    tell_about_process(child.id(), kernel, debugged);
    Ok(())
}

fn tell_about_process(process: u32, kernel: &Path, debugged: &Debugged) {
    // Every system call of the program traps by SIGSYS. The kernel process stands still by SIGSTOP, in which gdb would
    // leave it when it lets go: SIGCONT ends that as soon as gdb has it.
    let signals = format!(
        "-ex 'handle SIGSYS nostop noprint pass' -ex 'handle SIGSTOP nostop noprint nopass' \
         -ex 'handle SIGCONT nostop noprint pass' -ex 'shell kill -CONT {process}'"
    );
    if debugged.program.is_some() {
        eprintln!("whittle: the program is not in memory yet: stop in it by hbreak rather than break");
    }
    tell(&format!("gdb {} -p {process} {signals} {}", quoted(kernel), debugged.words()));
}

fn tell(line: &str) {
    eprintln!("whittle: the machine waits for a debugger; in another terminal type\n{line}");
}

/// gdb's word for the program's symbols: moved to where the kernel loads it if it is position-independent. A script
/// has none.
fn symbols(program: &Path) -> String {
    let mut start = [0; 18];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut start));
    if read.is_err() || !start.starts_with(b"\x7fELF") {
        return String::new();
    }
    // ET_DYN
    let offset = if start[16] == 3 { format!(" -o {FIXED_IMAGE_BASE:#x}") } else { String::new() };
    format!("-ex 'add-symbol-file {}{offset}'", program.display())
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}
