//! What `whittle bench` is told.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Platform;

/// `whittle bench`.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// What system calls and faults cost, beside Linux
    Calls(Compare),
    /// What threads cost, beside Linux
    Threads(Compare),
    /// What processes cost that are made, start programs and take turns, the other operations of LEBench, and two
    /// builds, beside Linux
    Processes(Compare),
    /// What files and directories cost, SQLite among them, and how fast a large file is read, beside Linux
    Files(Files),
    /// What a network's requests cost and how fast it carries streams, beside Linux
    Net(Net),
    /// What a request costs servers in the kernel and in themselves, how fast they start and serve, beside Linux
    Servers(Servers),
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

/// `whittle bench servers`.
#[derive(Clone, Debug, Args)]
#[command(after_help = SERVERS_NOTES)]
pub struct Servers {
    /// From the start to the first answer: instructions, time, and the least memory that is enough
    #[arg(long, conflicts_with_all = ["speed", "processors", "soak"])]
    pub start: bool,
    /// Requests per second on process, and how long the slowest hundredth waits at least
    #[arg(long, conflicts_with_all = ["processors", "soak"])]
    pub speed: bool,
    /// What servers with threads gain from a second processor
    #[arg(long, conflicts_with = "soak")]
    pub processors: bool,
    /// redis and nginx with two processors under full load for so many minutes, of ours alone
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u16).range(1..))]
    pub soak: Option<u16>,
    /// The one platform where that is, process or pc [default: both]
    #[arg(long, value_name = "pc|process", requires = "soak", hide_possible_values = true)]
    pub platform: Option<Platform>,
    /// Only these servers, as in redis-server or node; may be repeated
    #[arg(long = "only", value_name = "NAME")]
    pub only: Vec<String>,
    /// How often to go through all sides in turn [default: 5]
    #[arg(long, value_name = "N", value_parser = rounds)]
    pub rounds: Option<usize>,
    /// Draw the figures too, as SVG in this file
    #[arg(long, value_name = "FILE", conflicts_with = "soak")]
    pub plot: Option<PathBuf>,
    /// Whether to measure Linux too
    #[arg(long, value_name = "yes|no", default_value = "yes", hide_possible_values = true)]
    pub reference: Reference,
    /// Print JSON rather than a table
    #[arg(long)]
    pub json: bool,
}

const SERVERS_NOTES: &str = "\
Debian's packages as they are, on pc and on Debian's cloud kernel in the same QEMU, whose plugin counts instructions; what
the machine does when nobody asks is taken off. All of it is in a network namespace of its own, over a TAP device.
With --start: on pc and in such a guest, whose initial files are the server's; by time on process and this Linux too.
With --speed: on process, by -p and over a TAP device, with calls that are rewritten and that trap, beside the same
server on this Linux.
With --processors: the same server with one and two, by time on process, and by what the busiest one does for a request.";

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
    /// So many megabytes each way between pc and a Linux guest, in the same QEMU
    #[arg(long, value_name = "MEGABYTES", conflicts_with_all = ["count", "calls", "streams", "pipe"],
          value_parser = clap::value_parser!(u16).range(1..))]
    pub guest: Option<u16>,
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
        Compare {
            count: self.count,
            reference: self.reference,
            rounds: self.rounds,
            all_processors: false,
            only: Vec::new(),
            json: self.json,
        }
    }
}

const NET_NOTES: &str = "\
All of it is in a network namespace of its own, over a TAP device. With --count: on pc and on Debian's cloud kernel in
the same QEMU, whose plugin counts the kernel's instructions; what the machine does when nobody asks is taken off.
With --guest: without rights and devices, from one emulated machine to the other.
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
    /// Leave both sides all of this machine's processors, as where nobody measures, rather than one
    #[arg(long, conflicts_with = "count")]
    pub all_processors: bool,
    /// Only this operation, by its name in the table; may be repeated [default: all]
    #[arg(long, value_name = "OPERATION")]
    pub only: Vec<String>,
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
