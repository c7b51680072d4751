//! Everything as a Debian package: deb(5), an archive of `ar` with two archives of tar in it.

use std::path::Path;

use super::archive::{VERSION, packed};
use super::layout::{Content, Entry};
use crate::failure::{Doing, Failure};

/// The package's name and its bytes.
pub fn package(entries: &[Entry]) -> Result<(String, Vec<u8>), Failure> {
    let below_usr: Vec<Entry> =
        entries.iter().map(|entry| Entry { path: Path::new("usr").join(&entry.path), ..entry.clone() }).collect();
    let bytes: usize =
        entries.iter().map(|entry| entry.content.bytes().map(|bytes| bytes.len())).sum::<Result<_, _>>()?;
    let control = Entry::file("control", Content::Bytes(control(bytes.div_ceil(1024)).into_bytes()), 0o644);
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", packed(&[control], Path::new("."))?),
        ("data.tar.gz", packed(&below_usr, Path::new("."))?),
    ];
    let mut archive = ar::Builder::new(Vec::new());
    for (name, bytes) in &members {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mode(0o100_644);
        archive.append(&header, &bytes[..]).doing("pack the package")?;
    }
    let bytes = archive.into_inner().doing("pack the package")?;
    Ok((format!("whittle_{VERSION}_amd64.deb"), bytes))
}

/// deb-control(5).
fn control(kilobytes: usize) -> String {
    format!(
        "Package: whittle\nVersion: {VERSION}\nArchitecture: amd64\nMaintainer: The whittle maintainers <whittle@localhost>\n\
         Installed-Size: {kilobytes}\nRecommends: qemu-system-x86\nSection: utils\nPriority: optional\n\
         Description: runs programs as unikernels\n \
         A program and just the operating-system parts it needs, in one address space, on a\n \
         virtual machine or as a Linux process: unmodified Linux programs, or native Rust.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_its_three_members_and_control_its_fields() {
        let entries = [Entry::file("bin/whittle", Content::Bytes(vec![7; 3000]), 0o755)];
        let (name, bytes) = package(&entries).unwrap();
        assert_eq!(name, format!("whittle_{VERSION}_amd64.deb"));
        let mut archive = ar::Archive::new(&bytes[..]);
        let mut names = Vec::new();
        while let Some(member) = archive.next_entry() {
            names.push(String::from_utf8(member.unwrap().header().identifier().to_vec()).unwrap());
        }
        assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
        assert!(control(3).contains("\nInstalled-Size: 3\n"));
        assert_eq!(package(&entries).unwrap().1, bytes, "the same twice");
    }
}
