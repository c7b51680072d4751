//! What `/proc` tells: the texts behind its files (proc(5)). The files themselves are in `kernel/fs`.
//!
//! Each function writes the whole text as it is at this moment.

mod machine_texts;
mod maps;
mod process_texts;

pub use machine_texts::{cpuinfo, loadavg, meminfo, stat as machine_stat, uptime, version};
pub use maps::maps;
pub use process_texts::{auxiliary, command_line, environment, executable, limits, name, stat, statm, status};
