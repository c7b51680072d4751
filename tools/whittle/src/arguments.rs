//! What may stand on the command line, with its help: one declaration, from which parsing and help come.

mod network;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rustix::process::geteuid;

pub use network::Network;

use crate::words::{Disk, Nic, Root, Share, Size, Variable};

const STYLES: &str = "\
Examples:
  whittle run apps/hello                            build a Rust program and run it
  whittle run -- /bin/busybox echo hello            run any Linux program
  whittle run --platform pc -- /bin/busybox sh      the same on a virtual machine (QEMU)
  whittle run -v .:/data -- /bin/busybox ls /data   with files of yours inside
  whittle run -p 8080:80 -- python3 -m http.server 80   with a port that others reach
  whittle inspect linux --html linux.html           where the bytes of an image come from, as a page";

/// Whittle turns a Linux program into a unikernel: the program and just the operating-system parts it needs.
#[derive(Debug, Parser)]
#[command(name = "whittle", version, about, after_help = STYLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// The command's verbs.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Run a Linux program as a unikernel
    Run(Box<Run>),
    /// Build the image that a folder's whittle.toml describes
    Build(Build),
    /// Make a folder for a program of yours, with its whittle.toml, or for a component
    New(New),
    /// Take over the program that `build` writes: it becomes a crate of yours
    Eject(Eject),
    /// List the parts an image may have
    Components {
        /// Only those that provide this contract
        contract: Option<String>,
        /// Print JSON rather than a table
        #[arg(long)]
        json: bool,
        /// Whose components are listed, too: those in [crates] of its whittle.toml [default: here, if there is one]
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Explain a component, contract, platform, kind, setting or system call
    Explain {
        /// What to explain
        name: String,
        /// Whose components are known, too: those in [crates] of its whittle.toml [default: here, if there is one]
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Answer starts whether sources have changed: what a start leaves behind
    #[command(hide = true, name = crate::fresh::WATCH)]
    WatchSources {
        /// The stamps beside what was built from those sources
        stamps: Vec<PathBuf>,
    },
    /// Choose an image's parts in a terminal menu, which edits the folder's whittle.toml
    Menu {
        /// The folder with the whittle.toml, or an image that was built from it
        #[arg(default_value = ".")]
        folder: PathBuf,
    },
    /// Show what an image is made of: its components, and where each of its bytes comes from
    Inspect(Inspect),
    /// Pack a folder's files into an image of hashed files, which a native program opens without directories
    Pack {
        /// The folder; names are paths from there
        folder: PathBuf,
        /// The image to write
        image: PathBuf,
    },
    /// List the source files that a read, a page fault or a byte of output passes in the kernel
    Walk(Walk),
    /// List the system calls and what is there of each, or what a program would miss
    Syscalls(Syscalls),
    /// Check format, lints, layers, unsafe code and the host tests
    Check,
    /// Check, then run the whole-system tests on every platform of this machine
    Test(Test),
    /// Measure
    #[command(subcommand)]
    Bench(Bench),
    /// Put the command, its images, its sources and its book below a prefix, for every user of this machine
    Install(Install),
    /// Make the same as one archive that runs wherever it is unpacked, and as a Debian package
    Dist {
        /// The folder to write both into
        #[arg(default_value = "target/dist")]
        folder: PathBuf,
    },
    /// Print a shell's completions, to be read by it: `. <(whittle completions bash)`
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages, one a verb, into a folder
    Man {
        /// The folder
        folder: PathBuf,
    },
}

/// `whittle install`.
#[derive(Debug, Args)]
pub struct Install {
    /// Where to [default: /usr/local for root, else ~/.local]
    #[arg(long, value_name = "DIR")]
    pub prefix: Option<PathBuf>,
    /// Take away what was installed there
    #[arg(long)]
    pub remove: bool,
}

impl Install {
    /// The prefix that was asked for, or the usual one.
    #[must_use]
    pub fn prefix(&self) -> PathBuf {
        let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local"));
        let usual = || if geteuid().is_root() { None } else { home() }.unwrap_or_else(|| "/usr/local".into());
        self.prefix.clone().unwrap_or_else(usual)
    }
}

/// Shells that completions are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// GNU's.
    Bash,
    /// The friendly one.
    Fish,
    /// The Z shell.
    Zsh,
}

/// `whittle build`.
#[derive(Debug, Args)]
pub struct Build {
    /// The folder with the whittle.toml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Only for this one of its platforms
    #[arg(long, value_name = "pc|process")]
    pub platform: Option<String>,
    /// Build the command's own images, those with disks too, for every platform, so that no run has to wait for one
    #[arg(long, conflicts_with_all = ["folder", "platform"])]
    pub all: bool,
    /// Leave the image as this one file, which `whittle run` starts anywhere
    #[arg(long, short, value_name = "IMAGE", conflicts_with = "all")]
    pub output: Option<PathBuf>,
    /// Say what the image is made of, and which crates are compiled, on standard error
    #[arg(long)]
    pub verbose: bool,
}

/// `whittle eject`.
#[derive(Debug, Args)]
pub struct Eject {
    /// The folder with the whittle.toml
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// Only for this one of its platforms
    #[arg(long, value_name = "pc|process")]
    pub platform: Option<String>,
}

/// `whittle new`.
#[derive(Debug, Args)]
pub struct New {
    /// The folder to make; its last part is the program's name
    pub folder: PathBuf,
    /// What is in it: a Rust program of yours, a Linux program as it is, or a component for images
    #[arg(long, value_name = "rust|linux|component", default_value = "rust", hide_possible_values = true)]
    pub kind: Kind,
}

/// What `new` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A Rust program of one's own.
    Rust,
    /// A Linux program.
    Linux,
    /// A component, and an image that has it.
    Component,
}

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
    /// What the program sees below its own files, read-only: your files (host), nothing (none), a directory's, an archive's
    /// (cpio, tar), or those on a disk's image (ext2 to ext4, FAT); what it writes there stays in memory [default: host]
    #[arg(long, value_name = "host|none|DIR|ARCHIVE|IMAGE")]
    pub root: Option<Root>,
    /// Start the program in this directory of its own file system [default: this one with --root host, else /]
    #[arg(long, short, value_name = "DIR")]
    pub workdir: Option<String>,
    /// Let the program read and write a file or directory of yours, or only read it; may be repeated
    #[arg(long = "volume", short = 'v', value_name = "HOST:GUEST[:ro]")]
    pub shares: Vec<Share>,
    /// Give the program a file of yours as a disk (/dev/vda, /dev/vdb ...); with GUEST, the file system on it stands there:
    /// FAT, with no promise about a crash, or ext2 to ext4, read-only; may be repeated
    #[arg(long = "disk", value_name = "FILE[:GUEST][:ro]")]
    pub disks: Vec<Disk>,
    /// Give a native program a network interface: a TAP device, passt's socket, a datagram socket that carries frames, or
    /// QEMU's own network (pc); may be repeated
    #[arg(long = "nic", value_name = "tap:NAME|passt:SOCKET|dgram:LOCAL,REMOTE|user")]
    pub nics: Vec<Nic>,
    /// What the program's network is, and who reaches it
    #[command(flatten)]
    pub network: Network,
    /// Write down all packets of the network interfaces, for Wireshark or tcpdump; on pc those of each but the first go to a
    /// file of their own, FILE.1 and further
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
    /// Let the kernel die before the program starts, for tests (panic or fault), or do without so many bytes of its stack;
    /// or have shares and disks be slow to read
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

/// `whittle inspect`.
#[derive(Debug, Args)]
#[command(after_help = INSPECT_NOTES)]
pub struct Inspect {
    /// The image: a file of it (.img, .elf), a folder where it was built, or the name of a ready one (linux)
    #[arg(value_name = "IMAGE")]
    pub image: PathBuf,
    /// The platform, where there is an image for each
    #[arg(long, value_name = "pc|process", hide_possible_values = true)]
    pub platform: Option<Platform>,
    /// How many functions to list
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub functions: usize,
    /// Write all of it as a page for a browser, in one file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print all of it as JSON
    #[arg(long)]
    pub json: bool,
}

const INSPECT_NOTES: &str = "\
Bytes are those of the file that is started; each of them is in the table of crates once. There,
code counts for the crate of its source line, also where it was inlined elsewhere; constants and
data count for the crate of their name. In the list of functions, all bytes of a function count
for it. A component has the bytes of its crate; one that shares its crate has the modules named
like it or like a contract it provides.";

/// `whittle walk`.
#[derive(Debug, Args)]
#[command(after_help = WALK_NOTES)]
pub struct Walk {
    /// Which way: read, fault or console [default: all]
    #[arg(value_name = "WAY", hide_possible_values = true)]
    pub ways: Vec<Asked>,
    /// List what was inlined, and what is passed on the way back, too
    #[arg(long)]
    pub all: bool,
}

/// What the program that is walked with asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Asked {
    /// A read of a file on a share.
    Read,
    /// A page of memory.
    Fault,
    /// A byte to standard output.
    Console,
}

const WALK_NOTES: &str = "\
A program asks for one thing, on the ready image for pc, under QEMU, which notes each instruction. The files are those
of the functions that were passed, by the image's symbols, in the order of the way.";

/// `whittle syscalls`.
#[derive(Debug, Args)]
#[command(after_help = SYSCALLS_NOTES)]
pub struct Syscalls {
    /// Go by a log of system calls: of `whittle run --trace syscalls`, or of strace
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print JSON rather than a table
    #[arg(long)]
    pub json: bool,
    /// The program, which is looked through with its libraries
    #[arg(value_name = "PROGRAM")]
    pub program: Option<PathBuf>,
}

const SYSCALLS_NOTES: &str = "\
Without a program or a log, all system calls by family: full is as on Linux, partial says what is missing, an error is
the answer always. A program's code shows what it may ask for, a log what it did ask for.";

/// `whittle test`.
#[derive(Debug, Args)]
pub struct Test {
    /// The long versions too: fuzzing by the minute, torture
    #[arg(long)]
    pub all: bool,
    /// Name what is left to --all
    #[arg(long)]
    pub verbose: bool,
}

/// `whittle bench`.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// What system calls and faults cost, beside Linux
    Calls(Compare),
    /// What threads cost, beside Linux
    Threads(Compare),
    /// What files and directories cost, SQLite among them, and how fast a large file is read, beside Linux
    Files(Files),
    /// What a network's requests cost and how fast it carries streams, beside Linux
    Net(Net),
    /// How much whittle slows a program that only computes, beside Linux
    Compute(Compute),
    /// Cost of a free and a malloc, for every heap beside glibc's and mimalloc
    Heaps {
        /// Print JSON rather than a table
        #[arg(long)]
        json: bool,
        /// Rounds, of which the medians count
        #[arg(long, default_value_t = 7)]
        rounds: usize,
    },
    /// Bytes of the kernels, instructions and milliseconds of a start, least memory; or, behind --, what it takes to a
    /// program's first output, beside Linux
    Boot(Boot),
}

/// `whittle bench boot`.
#[derive(Clone, Debug, Args)]
pub struct Boot {
    /// How often to go through all sides in turn [default: 21]
    #[arg(long, value_name = "N", value_parser = rounds)]
    pub rounds: Option<usize>,
    /// Print JSON rather than a table
    #[arg(long)]
    pub json: bool,
    /// A program by its whole path and its arguments, as in -- /usr/bin/python3 -c 'print(1)'
    #[arg(last = true)]
    pub program: Vec<String>,
}

/// `whittle bench files`.
#[derive(Clone, Debug, Args)]
#[command(after_help = COMPARE_NOTES)]
pub struct Files {
    /// How it is compared
    #[command(flatten)]
    pub compare: Compare,
    /// Only read a large file, of so many megabytes [default: all, and a file of 1024]
    #[arg(long, value_name = "MEGABYTES", value_parser = clap::value_parser!(u16).range(1..))]
    pub large: Option<u16>,
}

/// `whittle bench net`.
#[derive(Clone, Debug, Args)]
#[command(after_help = NET_NOTES)]
pub struct Net {
    /// Count instructions on pc under emulation, rather than time on process
    #[arg(long)]
    pub count: bool,
    /// What calls on sockets cost Linux programs over the machine's own loopback
    #[arg(long, conflicts_with_all = ["streams", "pipe"])]
    pub calls: bool,
    /// Streams of TCP over the device and over the machine's own loopback, in megabytes per second
    #[arg(long, conflicts_with = "count")]
    pub streams: bool,
    /// Messages to and fro from 1 byte to 1 MB, after NetPIPE
    #[arg(long, conflicts_with_all = ["count", "streams"])]
    pub pipe: bool,
    /// Draw the messages' time and speed too, as SVG in this file
    #[arg(long, value_name = "FILE", requires = "pipe")]
    pub plot: Option<PathBuf>,
    /// Whether to measure Linux too
    #[arg(long, value_name = "yes|no", default_value = "yes", hide_possible_values = true)]
    pub reference: Reference,
    /// How often to go through all sides in turn [default: 5; 1 where instructions are counted]
    #[arg(long, value_name = "N", value_parser = rounds)]
    pub rounds: Option<usize>,
    /// Print JSON with each round's value
    #[arg(long)]
    pub json: bool,
}

impl Net {
    /// How `--calls` is compared: as the other groups of calls are.
    #[must_use]
    pub fn compare(&self) -> Compare {
        Compare { count: self.count, reference: self.reference, rounds: self.rounds, json: self.json }
    }
}

const NET_NOTES: &str = "\
All of it is in a network namespace of its own, over a TAP device. With --count: on pc and on Debian's cloud kernel in
the same QEMU, whose plugin counts the kernel's instructions; what the machine does when nobody asks is taken off.
By time: on process, and on this Linux behind a TAP device of its own, to which frames are carried.
With --calls: within the machine, the same Linux program on all sides; on process through the host's sockets too.";

/// How ours is compared with a reference.
#[derive(Clone, Debug, Args)]
#[command(after_help = COMPARE_NOTES)]
pub struct Compare {
    /// Count instructions on pc under emulation, which repeat, rather than time on process
    #[arg(long)]
    pub count: bool,
    /// Whether to measure Linux too: yes, no, or again where its counts of a former run would do
    #[arg(long, value_name = "yes|no|again", default_value = "yes", hide_possible_values = true)]
    pub reference: Reference,
    /// How often to go through all sides in turn [default: 7; 1 where instructions are counted]
    #[arg(long, value_name = "N", value_parser = rounds)]
    pub rounds: Option<usize>,
    /// Print JSON with each round's value
    #[arg(long)]
    pub json: bool,
}

const COMPARE_NOTES: &str = "\
The same static program runs on both sides. By time: on process and on this Linux, on one processor, in turn. With
--count: on pc and on Debian's cloud kernel in the same QEMU, which is fetched once; its figures are kept.
Columns: the median of the rounds and the least of all samples; a ratio is ours by Linux's, the median of the rounds
with their least and most. What cannot be done yet says why in place of a figure: an error as ENOSYS, or how it ended.";

/// `whittle bench compute`.
#[derive(Clone, Debug, Args)]
pub struct Compute {
    /// A folder of C files that print `compute: NAME SECONDS s` for each of their parts [default: the house's own]
    pub folder: Option<PathBuf>,
    /// How often to run it on each side, in turn [default: 7]
    #[arg(long, value_name = "N", value_parser = rounds)]
    pub rounds: Option<usize>,
    /// Print JSON with each round's value
    #[arg(long)]
    pub json: bool,
}

/// What to do about the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reference {
    /// Measure it, or take its instructions from a former run.
    Yes,
    /// Only ours.
    No,
    /// Measure it, whatever is known.
    Again,
}

fn rounds(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|rounds| (1..=1000).contains(rounds)).ok_or("between 1 and 1000 rounds can be measured")
}

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
    use clap::CommandFactory;

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
            "p",
        ])
        .unwrap();
        assert_eq!((run.platform, run.ring, run.memory), (Some(Platform::Pc), Some(3), Some(Size(64 << 20))));
        assert_eq!((run.trace, run.machine), (vec![Trace::Syscalls, Trace::Faults], Some(Machine::Q35)));
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
            &[],
        ] {
            assert!(run(words).is_err(), "{words:?}");
        }
    }
}
