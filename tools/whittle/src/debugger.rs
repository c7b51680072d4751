//! `--gdb`: where a debugger attaches, and the line to type.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use launch::FIXED_IMAGE_BASE;

use crate::failure::{Doing, Failure};

/// A socket on which QEMU waits for gdb; its file goes when this is dropped.
#[derive(Debug)]
pub struct Gate {
    path: PathBuf,
}

impl Drop for Gate {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Makes QEMU start stopped and wait for gdb, and prints the line to type.
pub fn open_gate(qemu: &mut Command, kernel: &Path, program: &Path) -> Result<Gate, Failure> {
    let path = std::env::temp_dir().join(format!("whittle-{}.gdb", std::process::id()));
    let name =
        path.to_str().filter(|name| !name.contains(',')).ok_or("its name holds a comma").doing("make a socket")?;
    qemu.args(["-S", "-gdb", &format!("unix:{name},server=on,wait=off")]);
    tell(&format!("gdb {} -ex 'target remote {name}' {}", quoted(kernel), symbols(program)));
    Ok(Gate { path })
}

/// Prints the line that attaches gdb to a kernel process that stopped itself.
pub fn tell_about_process(process: u32, kernel: &Path, program: &Path) {
    // Every system call of the program traps by SIGSYS. The kernel has stopped itself by SIGSTOP.
    let signals = "-ex 'handle SIGSYS nostop noprint pass' -ex 'handle SIGSTOP nostop noprint nopass'";
    eprintln!("whittle: the program is not in memory yet: stop in it by hbreak rather than break");
    tell(&format!("gdb {} -p {process} {signals} {}", quoted(kernel), symbols(program)));
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
