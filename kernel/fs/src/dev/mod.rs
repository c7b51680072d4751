//! `/dev`: what is in it, and what its devices are.

mod memory;

use alloc::sync::Arc;

use vfs::{
    FileError, Kind,
    MakeKind::{Directory, Link, Special},
    Node,
    ramfs::Filling,
};

use crate::{console, pseudo_terminals};
use memory::Memory;

/// What disks are called, three letters each.
static DISKS: &[u8] = b"vdavdbvdcvddvdevdfvdgvdhvdivdjvdkvdlvdmvdnvdovdpvdqvdrvdsvdtvduvdvvdwvdxvdyvdz";

/// Makes the entries; called when somebody looks into `/dev` for the first time.
pub fn fill(dev: &mut Filling<'_>) {
    // Numbers as Linux has them (Documentation/admin-guide/devices.txt).
    const DEVICES: &[(&[u8], (u32, u32))] = &[
        (b"console", console::CONSOLE),
        (b"full", Memory::FULL),
        (b"null", Memory::NULL),
        (b"random", Memory::RANDOM),
        (b"tty", console::TERMINAL),
        (b"urandom", Memory::URANDOM),
        (b"zero", Memory::ZERO),
    ];
    const LINKS: &[(&[u8], &[u8])] = &[
        (b"fd", b"/proc/self/fd"),
        (b"stderr", b"/proc/self/fd/2"),
        (b"stdin", b"/proc/self/fd/0"),
        (b"stdout", b"/proc/self/fd/1"),
    ];
    for &(name, number) in DEVICES {
        dev.add(name, Special(Kind::Character, number), if number == console::CONSOLE { 0o620 } else { 0o666 });
    }
    for &(name, target) in LINKS {
        dev.add(name, Link(target), 0o777);
    }
    dev.add(b"shm", Directory, 0o1777);
    if contracts::config().pseudo_terminals {
        dev.add(b"ptmx", Special(Kind::Character, pseudo_terminals::MAKER), 0o666);
        dev.add(b"pts", Directory, 0o755);
    }
    for (disk, name) in (0..contracts::volumes::count()).zip(DISKS.chunks_exact(3)) {
        let Some(node) = contracts::volumes::device(disk) else { continue };
        let metadata = node.metadata();
        dev.add(name, Special(Kind::Block, metadata.special), metadata.mode);
    }
}

/// Opens the device of that number: [`FileError::NoDevice`] for one that is not there.
pub fn open(kind: Kind, number: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
    if kind != Kind::Character {
        let mut disks = (0..contracts::volumes::count()).filter_map(contracts::volumes::device);
        return disks.find(|disk| disk.metadata().special == number).ok_or(FileError::NoDevice);
    }
    if let Some(memory) = Memory::of(number) {
        return Ok(Arc::new(memory));
    }
    if contracts::config().pseudo_terminals
        && let Some(opened) = pseudo_terminals::open(number)
    {
        return opened;
    }
    console::open(number).ok_or(FileError::NoDevice)
}
