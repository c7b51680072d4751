//! What `whittle run` is told.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rewrite::{Named, Object};

use super::{Network, Service};
use crate::words::{Disk, Nic, Root, Share, Size, Variable};

/// `whittle run`.
#[derive(Debug, Clone, Default, Args)]
#[command(after_help = RUN_NOTES)]
pub struct Run {
    /// The machine underneath: pc (QEMU) or process (a Linux process) [default: pc where KVM is fast, else process]
    #[arg(long, value_name = "pc|process", hide_possible_values = true)]
    pub platform: Option<Platform>,
    /// The program's privilege ring on pc: 0 is fastest, 3 protects the kernel from it [default: 0; 3 on a slow KVM]
    #[arg(long, value_name = "0|3", value_parser = ring)]
    pub ring: Option<u8>,
    /// What becomes of system calls: each traps, or those that have trapped N times are rewritten to calls
    /// [default: rewrite; trap at ring 3 and with --gdb; N: 8]
    #[arg(long, value_name = "trap|rewrite[:N]", value_parser = system_calls)]
    pub syscalls: Option<SystemCalls>,
    /// Let the system call whose instruction stands at this offset of this file trap always, as --report syscalls names
    /// it; OBJECT is the file's path, or its last part (libc.so.6); OFFSET counts from the file's beginning, in
    /// hexadecimal behind 0x or in decimal; may be repeated
    #[arg(long, value_name = "OBJECT+OFFSET")]
    pub except: Vec<Named>,
    /// Keep at the end which system calls were rewritten, by the build id of their file, for --sites
    #[arg(long, value_name = "FILE")]
    pub record_sites: Option<PathBuf>,
    /// Rewrite the system calls in FILE, which --record-sites wrote, when they trap for the first time
    #[arg(long, value_name = "FILE")]
    pub sites: Option<PathBuf>,
    /// What was in that file
    #[arg(skip)]
    pub known_sites: Vec<Object>,
    /// What becomes of the system calls of each run, as the environment says
    #[arg(skip)]
    pub all_syscalls: Option<SystemCalls>,
    /// Say at the end what became of the system calls, object by object: how many trapped, and how many were calls; and
    /// why some trap still
    #[arg(long, value_name = "syscalls", hide_possible_values = true)]
    pub report: Option<Report>,
    /// Give a dynamic program of musl a C library whose system calls are calls from the first one on; it is built once,
    /// from Debian's source of musl
    #[arg(long)]
    pub libc: bool,
    /// How many processors the program has [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub cpus: Option<u8>,
    /// The processor's model on pc, by QEMU's words for it, as in max or Nehalem [default: all that QEMU does right]
    #[arg(long, value_name = "MODEL")]
    pub cpu: Option<String>,
    /// Memory for the program and its files, as in 64M or 1G [default: enough]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Size>,
    /// Set an environment variable (K alone takes your value); may be repeated
    #[arg(long, short, value_name = "K=V")]
    pub env: Vec<Variable>,
    /// What the program sees below its own files, read-only: your files (host), nothing (none), a directory's, an
    /// archive's (cpio, tar), or those on a disk's image (ext2 to ext4, FAT); what it writes there stays in memory
    /// [default: host]
    #[arg(long, value_name = "host|none|DIR|ARCHIVE|IMAGE")]
    pub root: Option<Root>,
    /// Start the program in this directory of its own file system [default: this one with --root host, else /]
    #[arg(long, short, value_name = "DIR")]
    pub workdir: Option<String>,
    /// Let the program read and write a file or directory of yours, or only read it; may be repeated
    #[arg(long = "volume", short = 'v', value_name = "HOST:GUEST[:ro]")]
    pub shares: Vec<Share>,
    /// Give the program a file of yours as a disk (/dev/vda, /dev/vdb ...); with GUEST, the file system on it stands
    /// there: FAT, with no promise about a crash, or ext2 to ext4, read-only; may be repeated
    #[arg(long = "disk", value_name = "FILE[:GUEST][:ro]")]
    pub disks: Vec<Disk>,
    /// Give a native program a network interface: a TAP device, passt's socket, a datagram socket that carries frames,
    /// or QEMU's own network (pc); may be repeated
    #[arg(long = "nic", value_name = "tap:NAME|passt:SOCKET|dgram:LOCAL,REMOTE|user")]
    pub nics: Vec<Nic>,
    /// What the program's network is, and who reaches it
    #[command(flatten)]
    pub network: Network,
    /// How it lives as a service
    #[command(flatten)]
    pub service: Service,
    /// Leave out what the program's profile says, which is for a few servers known by their names
    #[arg(long)]
    pub no_profile: bool,
    /// Write down all packets of the network interfaces, for Wireshark or tcpdump; on pc those of each but the first go
    /// to a file of their own, FILE.1 and further
    #[arg(long, value_name = "FILE")]
    pub pcap: Option<PathBuf>,
    /// Copied into the program's own files, as an image's whittle.toml says
    #[arg(skip)]
    pub copies: Vec<Share>,
    /// Show what the program asks of the kernel, on standard error: syscalls, faults, or both
    #[arg(long, value_name = "syscalls[,faults]", value_delimiter = ',', hide_possible_values = true)]
    pub trace: Vec<Trace>,
    /// Start stopped and print the line that attaches gdb, with the symbols of kernel and program
    #[arg(long)]
    pub gdb: bool,
    /// Say what whittle and its kernel do, on standard error
    #[arg(long)]
    pub verbose: bool,
    /// Say nothing about what the program misses, or changed and does not keep
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// The virtual machine that pc uses [default: microvm]
    #[arg(long, value_name = "microvm|q35", hide_possible_values = true)]
    pub machine: Option<Machine>,
    /// How pc executes: tcg emulates, kvm uses the processor [default: kvm where it is fast, else tcg]
    #[arg(long, value_name = "tcg|kvm", hide_possible_values = true)]
    pub accel: Option<Accelerator>,
    /// Let the kernel check its page tables when the program ends
    #[arg(long)]
    pub audit: bool,
    /// Print the kernel's figures of the run, on standard error
    #[arg(long)]
    pub figures: bool,
    /// Count instructions instead of time (pc, tcg): each takes one nanosecond
    #[arg(long, hide = true)]
    pub icount: bool,
    /// Have QEMU write the address of each executed instruction into a file (pc, tcg)
    #[arg(long, value_name = "FILE", hide = true, requires = "icount")]
    pub executed: Option<PathBuf>,
    /// Have QEMU load a plugin, by QEMU's words for it (pc, tcg)
    #[arg(long, value_name = "FILE[,NAME=VALUE]", hide = true)]
    pub plugin: Option<String>,
    /// Let the kernel die before the program starts, for tests (panic or fault), or do without so many bytes of its
    /// stack; or have shares and disks be slow to read
    #[arg(long, value_name = "panic|fault|stack-BYTES|slow", hide = true)]
    pub inject: Option<String>,
    /// The program and its arguments; options behind PROGRAM are the program's own
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    pub command: Vec<OsString>,
}

const RUN_NOTES: &str = "\
PROGRAM is a Linux program or a script (looked up in PATH if it has no slash), or a folder with a Cargo.toml, which is
built first, or a folder with a whittle.toml, whose image is built and run, or an image that `whittle build` made. It sees your files as they are; what it
changes stays in memory, but for what -v names. Its input, output and error are yours; so is its exit status
(128+N if signal N ended it). Of your environment it gets PATH, HOME, TERM, TZ, LANG, LC_* and what --env names.
A second Ctrl-C within a second ends the machine.

Statuses of whittle's own: 125 whittle failed, 126 PROGRAM cannot be executed, 127 there is no such PROGRAM.";

/// The machine underneath.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Platform {
    /// A virtual machine.
    Pc,
    /// A Linux process.
    Process,
}

impl Platform {
    /// The platform's name, as in the tree and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pc => "pc",
            Self::Process => "process",
        }
    }
}

fn ring(text: &str) -> Result<u8, &'static str> {
    match text {
        "0" => Ok(0),
        "3" => Ok(3),
        _ => Err("the rings are 0 and 3"),
    }
}

/// What `--syscalls` may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemCalls {
    /// Each traps.
    Trap,
    /// Those that have trapped often become calls, or so often.
    Rewrite(Option<u32>),
}

/// What `--syscalls` says.
pub fn system_calls(text: &str) -> Result<SystemCalls, &'static str> {
    const WORDS: &str = "it is trap, rewrite, or rewrite:N, where N is how often each traps first, from 1 on";
    match text.split_once(':') {
        None if text == "trap" => Ok(SystemCalls::Trap),
        None if text == "rewrite" => Ok(SystemCalls::Rewrite(None)),
        Some(("rewrite", number)) => match number.parse() {
            Ok(number @ 1..) => Ok(SystemCalls::Rewrite(Some(number))),
            _ => Err(WORDS),
        },
        _ => Err(WORDS),
    }
}

/// What `--report` may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Report {
    /// What became of system calls.
    Syscalls,
}

/// What `--trace` may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Trace {
    /// System calls.
    Syscalls,
    /// Page faults.
    Faults,
}

/// QEMU's machines that we know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// Devices on virtio-mmio, no firmware to speak of: starts in 20 ms.
    #[default]
    Microvm,
    /// A PC with PCI.
    Q35,
}

/// How QEMU executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Accelerator {
    /// By translation.
    Tcg,
    /// By the processor.
    Kvm,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    use crate::arguments::{Action, Arguments};

    fn run(words: &[&str]) -> Result<Run, clap::Error> {
        let words = ["whittle", "run"].iter().chain(words);
        Arguments::try_parse_from(words).map(|arguments| match arguments.action {
            Action::Run(run) => *run,
            _ => unreachable!("`run` was given"),
        })
    }

    #[test]
    fn the_declaration_holds_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_behind_the_program_are_the_programs() {
        for words in [&["--verbose", "--", "ls", "--help", "-v", "x"][..], &["--verbose", "ls", "--help", "-v", "x"]] {
            let run = run(words).unwrap();
            assert!(run.verbose && run.shares.is_empty());
            assert_eq!(run.command, ["ls", "--help", "-v", "x"]);
        }
        assert_eq!(run(&["--", "a", "--", "b"]).unwrap().command, ["a", "--", "b"]);
        assert_eq!(run(&["a", "--", "b"]).unwrap().command, ["a", "--", "b"]);
    }

    #[test]
    fn every_option_is_understood() {
        let run = run(&[
            "--platform",
            "pc",
            "--ring",
            "3",
            "--memory",
            "64M",
            "--env",
            "A=b=c",
            "--workdir",
            "/x",
            "-v",
            "/h:/g",
            "--trace",
            "syscalls,faults",
            "--gdb",
            "--verbose",
            "--machine",
            "q35",
            "--accel",
            "tcg",
            "--audit",
            "--figures",
            "--except",
            "libc.so.6+0x1f",
            "--except",
            "/bin/a+7",
            "--sites",
            "known",
            "--record-sites",
            "/tmp/new",
            "p",
        ])
        .unwrap();
        assert_eq!((run.platform, run.ring, run.memory), (Some(Platform::Pc), Some(3), Some(Size(64 << 20))));
        assert_eq!((run.trace, run.machine), (vec![Trace::Syscalls, Trace::Faults], Some(Machine::Q35)));
        assert_eq!(run.except, ["libc.so.6+31".parse().unwrap(), "/bin/a+0x7".parse().unwrap()]);
        assert_eq!((run.sites, run.record_sites), (Some("known".into()), Some("/tmp/new".into())));
        assert_eq!((run.shares[0].host.to_str(), &run.shares[0].guest[..]), (Some("/h"), "/g"));
    }

    #[test]
    fn nonsense_is_refused() {
        for words in [
            &["--nonsense", "p"][..],
            &["--ring", "7", "p"],
            &["--memory", "lots", "p"],
            &["--trace", "x", "p"],
            &["-v", "nocolon", "p"],
            &["-v", "/h:relative", "p"],
            &["--env", "=x", "p"],
            &["--except", "libc.so.6", "p"],
            &["--except", "libc.so.6+x", "p"],
            &["--except", "+0x1", "p"],
            &[],
        ] {
            assert!(run(words).is_err(), "{words:?}");
        }
    }
}
