//! Starting a machine on a platform, being its console, and learning how it ended.

mod emulator;
mod listeners;
mod monitor;
mod native;
mod nics;
mod outcome;
mod output;
mod outside;
pub mod passt;
mod pc;
mod process;
mod pump;
mod qemu;
mod records;
mod start;
mod symbols;
mod text;
mod wall;
mod watch;

pub use emulator::version as emulator_version;
pub use monitor::Monitor;
pub use nics::{OpenNic, open as open_nics};
pub use outcome::{End, Outcome};
pub use output::may_fill;
pub use outside::Outside;
pub use pc::run as run_on_pc;
pub use process::{PCAP, run as run_on_process};
pub use qemu::{Qemu, Served, command as qemu_command, disk as qemu_disk, nic as qemu_nic, share as qemu_share};
pub use records::{Records, Wanted};
pub use start::{Begun, Native, NativeConsole, Start};
pub use symbols::Symbols;
