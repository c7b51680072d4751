//! The reference beside pc: Debian's cloud kernel with a busybox around the measured program, in the same QEMU.
//!
//! Instructions repeat, so its figures are kept for each kernel, QEMU and program, and not measured again.

mod kept;
mod machine;
mod modules;
mod networked;
mod package;
mod shared;

pub use networked::{Programs, SYMBOLS_END, Served, ask, begin, fetch, serve};
pub use package::busybox;
pub use shared::{MEMORY as SHARED_MEMORY, Way, first_output, read_in_order};

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::program::{Program, readings, work_folder};
use super::rounds::Reading;
use crate::failure::{Doing, Failure};
use crate::house::House;
use kept::Kept;
use machine::Linux;
use package::Flavour;

/// The reference's figures and where they come from.
pub struct Figures {
    /// Each operation's.
    pub readings: Vec<(String, Reading)>,
    /// A sentence for the reader.
    pub note: String,
}

/// Figures of one group's operations in instructions, `words` being told to the program.
pub fn figures(house: &House, program: &Program, group: &str, words: &[String]) -> Result<Figures, Failure> {
    let folder = work_folder(house)?;
    let kernel = package::kernel(&folder, Flavour::Cloud)?;
    let busybox = package::busybox()?;
    let words = [words, &[group.to_owned()]].concat();
    // Files are measured where whittle has its own: in memory, under the same path.
    let loopback = if group == "sockets" { "/bin/busybox ifconfig lo 127.0.0.1 up\n" } else { "" };
    let script = format!(
        "/bin/busybox mkdir -p /dev/shm\n/bin/busybox mount -t tmpfs none /dev/shm\n{loopback}{}\n/bench {}",
        machine::BEGIN_LINE,
        words.join(" ")
    );
    let linux = Linux { busybox: &busybox, program: &program.path, icount: true, ..Linux::new(&kernel, script) };
    let kept = figures_of(&linux, &folder, &folder.join(format!("linux-{group}.json")))?;
    Ok(Figures { readings: readings(&kept.0, 1.0), note: kept.1 })
}

/// The lines that a guest prints whose instructions repeat, and where they come from: a former run, if it was the same.
fn figures_of(linux: &Linux<'_>, folder: &Path, place: &Path) -> Result<(String, String), Failure> {
    let key = linux.key()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).doing("read the clock")?.as_secs();
    let version = &linux.kernel.version;
    if let Some(kept) = Kept::read(place, &key) {
        let hours = now.saturating_sub(kept.seconds) as f64 / 3600.0;
        let note = format!(
            "Linux {version}: figures of a former run on this machine, {hours:.1} hours ago (--reference again \
             makes them anew)."
        );
        return Ok((kept.lines, note));
    }
    let lines = linux.run(folder)?;
    Kept { key, seconds: now, lines: lines.clone() }.write(place)?;
    Ok((lines, format!("Linux {version}: measured now, kept for later runs.")))
}

/// Whether SQLite can be linked into the measured program; installs it where that is ours to do.
pub fn has_sqlite() -> bool {
    package::sqlite()
}

/// Forgets the figures of a group.
pub fn forget(house: &House, group: &str) -> Result<(), Failure> {
    let place = work_folder(house)?.join(format!("linux-{group}.json"));
    match std::fs::remove_file(&place) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).doing(format!("remove {}", place.display()))
        }
        _ => Ok(()),
    }
}
