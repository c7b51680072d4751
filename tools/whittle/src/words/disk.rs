//! A file as a disk: `FILE[:GUEST][:ro]`.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::failure::{Doing, Failure};

/// Bytes of a disk's sector.
const SECTOR: u64 = 512;
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
    pub fn check(&self) -> Result<(), Failure> {
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
}
