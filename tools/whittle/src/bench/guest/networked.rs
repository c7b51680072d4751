//! Linux guests on a network: Debian's cloud kernel with its modules for one.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::machine::{BEGIN, BEGIN_LINE, Linux};
use super::package::{self, Flavour};
use super::work_folder;
use crate::failure::Failure;
use crate::house::House;
use crate::machine::OpenNic;
use crate::pack::Tree;

/// The line behind the symbols: the other end closes then, for which the guest's nc waits.
pub const SYMBOLS_END: &str = "end";

/// A guest that serves, until it is dropped.
pub struct Served {
    child: Child,
    /// When its machine was started.
    pub since: Instant,
    begun: Receiver<()>,
}

impl Served {
    fn of(linux: &Linux<'_>, folder: &Path) -> Result<Self, Failure> {
        let mut child = linux.start(folder)?;
        let since = Instant::now();
        let (sender, begun) = channel();
        if let Some(output) = child.stdout.take() {
            // Somebody must take what it says, or it waits.
            std::thread::spawn(move || {
                let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
                // When nobody listens any more, it is said in vain.
                lines.filter(|line| line.trim_ascii_end() == BEGIN.as_bytes()).for_each(|_| _ = sender.send(()));
            });
        }
        Ok(Self { child, since, begun })
    }

    /// Waits until its programs are about to start; whether they are.
    pub fn begins(&self, patience: Duration) -> bool {
        self.begun.recv_timeout(patience).is_ok()
    }

    /// Whether it has not ended yet.
    pub fn is_there(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has nothing to lose, and may have gone by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Fetches what a guest needs, which must be done where there is a network.
pub fn fetch(house: &House) -> Result<(), Failure> {
    package::kernel(&work_folder(house)?, Flavour::Network)?;
    package::busybox().map(drop)
}

/// What a guest runs.
pub struct Programs<'a> {
    /// A static program, `/bench`, and another one, `/other`.
    pub program: &'a Path,
    pub other: Option<&'a Path>,
    /// Other files.
    pub files: Tree,
    /// The shell's lines that start them; the last one does not end.
    pub start: String,
    /// Bytes.
    pub memory: u64,
}

/// Starts a guest at 10.0.2.15 with these programs, a QEMU plugin and a network interface. It first
/// sends its kernel's symbols to port `symbols` of 10.0.2.2 (`/proc/kallsyms`, all of it).
pub fn serve(
    house: &House,
    programs: Programs<'_>,
    nic: OpenNic,
    plugin: String,
    symbols: u16,
) -> Result<Served, Failure> {
    let folder = work_folder(house)?;
    let kernel = package::kernel(&folder, Flavour::Network)?;
    let busybox = package::busybox()?;
    let script = format!(
        "/bin/busybox mkdir /proc\n/bin/busybox mount -t proc none /proc\n/bin/busybox ip link set lo up\n\
         /bin/busybox ip addr add 10.0.2.15/24 dev eth0\n/bin/busybox ip link set eth0 up\n\
         (/bin/busybox cat /proc/kallsyms; echo {SYMBOLS_END}) | /bin/busybox nc 10.0.2.2 {symbols}\n{}",
        programs.start
    );
    let linux = Linux {
        busybox: &busybox,
        program: programs.program,
        other: programs.other,
        files: programs.files,
        memory: programs.memory,
        nics: vec![nic],
        plugin: Some(plugin),
        ..Linux::new(&kernel, script)
    };
    Served::of(&linux, &folder)
}

/// The same without symbols: from its beginning nothing is done but what the programs want.
pub fn begin(house: &House, programs: Programs<'_>, nic: OpenNic, plugin: Option<String>) -> Result<Served, Failure> {
    let folder = work_folder(house)?;
    let kernel = package::kernel(&folder, Flavour::Network)?;
    let busybox = package::busybox()?;
    let script = format!(
        "/bin/busybox mkdir /proc\n/bin/busybox mount -t proc none /proc\n/bin/busybox ip link set lo up\n\
         /bin/busybox ip addr add 10.0.2.15/24 dev eth0\n/bin/busybox ip link set eth0 up\n{BEGIN_LINE}\n{}",
        programs.start
    );
    let linux = Linux {
        busybox: &busybox,
        program: programs.program,
        files: programs.files,
        memory: programs.memory,
        nics: vec![nic],
        plugin,
        ..Linux::new(&kernel, script)
    };
    Served::of(&linux, &folder)
}

/// Has a guest at 10.0.2.2, whose TCP is CUBIC's, ask the server at 10.0.2.15 for streams of so many bytes
/// (`apps/echo`'s client): what it says of them.
pub fn ask(house: &House, client: &Path, nic: OpenNic, bytes: u64) -> Result<String, Failure> {
    let folder = work_folder(house)?;
    let kernel = package::kernel(&folder, Flavour::Network)?;
    let busybox = package::busybox()?;
    let script = format!(
        "/bin/busybox mkdir /proc\n/bin/busybox mount -t proc none /proc\n\
         echo cubic > /proc/sys/net/ipv4/tcp_congestion_control\n/bin/busybox ip addr add 10.0.2.2/24 dev eth0\n\
         /bin/busybox ip link set eth0 up\n{BEGIN_LINE}\n/bench client 10.0.2.15 {bytes}"
    );
    Linux { busybox: &busybox, program: client, nics: vec![nic], ..Linux::new(&kernel, script) }.run(&folder)
}
