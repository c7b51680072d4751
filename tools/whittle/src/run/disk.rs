//! Files as disks: `--disk FILE[:GUEST][:ro]`, and `--root FILE` where that is a disk's image.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::str::FromStr;

use super::Root;
use crate::arguments::{Machine, Platform, Run};
use crate::failure::{Doing, Failure};

/// Bytes of a disk's sector.
const SECTOR: u64 = 512;
/// Devices that each machine has room for, one of them the console: QEMU's microvm, its q35 (slots of the PCI bus, a few of
/// them its own), and a process (descriptors between the first share's and the first disk's).
const MOST_ON_MICROVM: usize = 8;
const MOST_ON_Q35: usize = 25;
const MOST_ON_PROCESS: usize = 100;
/// Letters for disks.
const MOST: usize = 26;

/// A file as a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disk {
    /// The file on the host.
    pub host: PathBuf,
    /// Where the file system on it stands in the guest, if it is to stand anywhere.
    pub guest: Option<String>,
    /// Nothing is written to it.
    pub read_only: bool,
}

impl FromStr for Disk {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (text, read_only) = match text.strip_suffix(":ro") {
            Some(text) => (text, true),
            None => (text.strip_suffix(":rw").unwrap_or(text), false),
        };
        let (host, guest) = match text.rsplit_once(':') {
            Some((host, guest)) if guest.starts_with('/') => (host, Some(guest)),
            _ => (text, None),
        };
        match (host, guest) {
            ("", _) => Err("FILE, FILE:GUEST or FILE:ro is expected, as in disk.img:/data"),
            (_, Some("/")) => Err("a disk below everything else is --root FILE"),
            (_, Some(guest)) if guest.contains(',') => Err("the guest's path must have no comma"),
            _ => Ok(Self { host: host.into(), guest: guest.map(str::to_owned), read_only }),
        }
    }
}

impl Disk {
    /// What the kernel is told: see `launch::Key::Disk`.
    pub fn record(&self) -> Vec<u8> {
        let rights = if self.read_only { "ro" } else { "rw" };
        let mut record = format!("{rights},{},", self.guest.as_deref().unwrap_or_default()).into_bytes();
        record.extend(self.host.as_os_str().as_bytes());
        record
    }

    /// What people are told of disk `number`.
    pub fn sentence(&self, number: usize) -> String {
        let letter = char::from(b'a' + number as u8);
        let rights = if self.read_only { "read-only" } else { "where the program may write" };
        let stands = self.guest.as_ref().map(|guest| format!("; its file system stands at {guest}"));
        format!("/dev/vd{letter} is {}, {rights}{}", self.host.display(), stands.unwrap_or_default())
    }

    /// Opens it as the machine will use it.
    pub fn open(&self) -> io::Result<File> {
        File::options().read(true).write(!self.read_only).open(&self.host)
    }

    /// Refuses what is no disk.
    fn check(&self) -> Result<(), Failure> {
        let name = self.host.display();
        let metadata = fs::metadata(&self.host).doing(format!("use {name} as a disk"))?;
        let is_device = metadata.file_type().is_block_device();
        if !metadata.is_file() && !is_device {
            return Err(Failure::ours(format!("{name} cannot be a disk: it is neither a file nor a block device")));
        }
        let rights = if self.read_only { "" } else { " for writing (say :ro to only read it)" };
        self.open().doing(format!("open the disk {name}{rights}"))?;
        match metadata.len() {
            _ if is_device => Ok(()),
            0 => Err(Failure::ours(format!("{name} cannot be a disk: it is empty"))),
            length if length.is_multiple_of(SECTOR) => Ok(()),
            length => Err(Failure::ours(format!(
                "{name} cannot be a disk: its {length} bytes are no whole sectors of {SECTOR}, so it may have been cut off"
            ))),
        }
    }
}

/// All disks of a run, the one below everything else first.
pub fn disks(run: &Run) -> Result<Vec<Disk>, Failure> {
    let root = match run.root() {
        Root::Image(image) => Some(Disk { host: image.clone(), guest: Some("/".into()), read_only: true }),
        _ => None,
    };
    let disks: Vec<Disk> = root.into_iter().chain(run.disks.iter().cloned()).collect();
    disks.iter().try_for_each(Disk::check)?;
    if disks.len() > MOST {
        return Err(Failure::ours(format!("a machine has {MOST} disks at the most")));
    }
    Ok(disks)
}

/// Refuses more devices than the machine has places for.
pub fn check_room(run: &Run, platform: Platform, mounts: usize, disks: usize) -> Result<(), Failure> {
    let (name, most, hint) = match (platform, run.machine.unwrap_or_default()) {
        (Platform::Process, _) => ("a process", MOST_ON_PROCESS, "share a directory above"),
        (Platform::Pc, Machine::Microvm) => ("microvm", MOST_ON_MICROVM, "give --machine q35 for more"),
        (Platform::Pc, Machine::Q35) => ("q35", MOST_ON_Q35, "share a directory above"),
    };
    if 1 + mounts + disks <= most {
        return Ok(());
    }
    let room = most - 1;
    Err(Failure::ours(format!("{name} has room for {room} disks and shares in all, the root among them; {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_are_files_that_may_stand_somewhere() {
        let disk = |host: &str, guest: Option<&str>, read_only| {
            Ok(Disk { host: host.into(), guest: guest.map(str::to_owned), read_only })
        };
        assert_eq!("a.img".parse(), disk("a.img", None, false));
        assert_eq!("a.img:ro".parse(), disk("a.img", None, true));
        assert_eq!("a:b.img:/data:ro".parse(), disk("a:b.img", Some("/data"), true));
        assert_eq!("a:b.img".parse(), disk("a:b.img", None, false));
        assert!("".parse::<Disk>().is_err() && ":ro".parse::<Disk>().is_err() && "a:/".parse::<Disk>().is_err());
        assert_eq!("x:/d:ro".parse::<Disk>().unwrap().record(), b"ro,/d,x");
        assert_eq!("x".parse::<Disk>().unwrap().record(), b"rw,,x");
        let told = "x:/d".parse::<Disk>().unwrap().sentence(1);
        assert_eq!(told, "/dev/vdb is x, where the program may write; its file system stands at /d");
    }

    #[test]
    fn what_is_no_disk_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |name: &str, length: Option<u64>| {
            let host = folder.path().join(name);
            if let Some(length) = length {
                File::create(&host).unwrap().set_len(length).unwrap();
            }
            let run = Run { disks: vec![Disk { host, guest: None, read_only: true }], ..Run::default() };
            disks(&run).map(|disks| disks.len()).map_err(|failure| failure.sentence)
        };
        assert_eq!(refusal("good", Some(1024)), Ok(1));
        assert!(refusal("none", None).unwrap_err().ends_with("none as a disk: no such file or directory"));
        assert!(refusal("empty", Some(0)).unwrap_err().ends_with("empty cannot be a disk: it is empty"));
        assert!(refusal("cut", Some(1000)).unwrap_err().contains("so it may have been cut off"));
        assert!(refusal("", None).unwrap_err().ends_with("it is neither a file nor a block device"));
    }

    #[test]
    fn a_small_machine_has_few_places() {
        let run = Run::default();
        assert!(check_room(&run, Platform::Pc, 1, 6).is_ok() && check_room(&run, Platform::Process, 1, 20).is_ok());
        assert!(check_room(&run, Platform::Pc, 8, 0).is_err() && check_room(&run, Platform::Process, 100, 0).is_err());
        assert!(check_room(&run, Platform::Pc, 2, 6).unwrap_err().sentence.contains("--machine q35"));
    }
}
