//! Linux guests that use what the host shares: Debian's generic kernel, whose modules have 9p.

use std::path::Path;

use super::machine::{BEGIN_LINE, Linux};
use super::package::{self, Flavour};
use super::{figures_of, work_folder};
use crate::bench::program::{Program, readings};
use crate::bench::rounds::Reading;
use crate::failure::Failure;
use crate::house::House;
use crate::words::{Disk, Mount};

/// Bytes of these guests' memory, and of ours beside them.
pub const MEMORY: u64 = 512 << 20;
/// The longest messages that Linux' virtio transport takes.
const OPTIONS: &str = "trans=virtio,version=9p2000.L,msize=512000,ro";

/// How a file comes into the guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In a shared directory.
    Share,
    /// As a disk.
    Disk,
}

fn mount(folder: &Path) -> Mount {
    Mount { number: 0, host: folder.to_owned(), file: None, guest: String::new(), read_only: true }
}

/// Reads `file` from its beginning to its end, `words` being told to the program.
pub fn read_in_order(
    house: &House,
    program: &Program,
    file: &Path,
    way: Way,
    words: &[String],
) -> Result<Vec<(String, Reading)>, Failure> {
    let folder = work_folder(house)?;
    let kernel = package::kernel(&folder, Flavour::Generic)?;
    let busybox = package::busybox()?;
    let name = file.file_name().unwrap_or_default().display();
    let (ready, path) = match way {
        // Linux reads fastest past its own cache, which is what it does unless told otherwise.
        Way::Share => {
            (format!("/bin/busybox mkdir /mnt\n/bin/busybox mount -t 9p -o {OPTIONS} 0 /mnt"), format!("/mnt/{name}"))
        }
        Way::Disk => (String::new(), "/dev/vda".to_owned()),
    };
    let script = format!("{ready}\n{BEGIN_LINE}\n/bench share={path} {}", words.join(" "));
    let mut linux = Linux { busybox: &busybox, program: &program.path, memory: MEMORY, ..Linux::new(&kernel, script) };
    match way {
        Way::Share => linux.mounts.extend(file.parent().map(mount)),
        Way::Disk => linux.disks.push(Disk { host: file.to_owned(), guest: None, read_only: true }),
    }
    Ok(readings(&linux.run(&folder)?, 1.0))
}

/// Instructions from reset to a program's start, to its first output, its root being the host's over 9p, and where the
/// figures are from.
pub fn first_output(house: &House, program: &Program, words: &[String]) -> Result<([Option<f64>; 2], String), Failure> {
    let folder = work_folder(house)?;
    let kernel = package::kernel(&folder, Flavour::Generic)?;
    let busybox = package::busybox()?;
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let script = format!(
        "/bin/busybox mkdir /mnt\n/bin/busybox mount -t 9p -o {OPTIONS},cache=loose 0 /mnt\n{BEGIN_LINE}\n\
         /bench first /mnt {}",
        quoted.join(" ")
    );
    let linux = Linux {
        busybox: &busybox,
        program: &program.path,
        icount: true,
        spins: true,
        memory: MEMORY,
        mounts: vec![mount(Path::new("/"))],
        ..Linux::new(&kernel, script)
    };
    let (lines, note) = figures_of(&linux, &folder, &folder.join("linux-first-output.json"))?;
    let figure = |wanted: &str| {
        readings(&lines, 1.0).into_iter().find_map(|(name, reading)| match reading {
            Reading::Samples(counts) if name == wanted => counts.first().copied(),
            _ => None,
        })
    };
    Ok((["program-start", "first-output"].map(figure), note))
}
