//! The reference's parts from Debian: kernels, unpacked and not installed, and busybox.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::geteuid;

use super::modules;
use crate::failure::{Doing, Failure};
use crate::setup;

/// Kernels of Debian's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// For clouds: it has little that is not needed there, and starts fastest.
    Cloud,
    /// The same, with its modules for a network.
    Network,
    /// For any machine: only this one has a module for 9p.
    Generic,
}

impl Flavour {
    /// The package that always depends on the newest one.
    const fn package(self) -> &'static str {
        match self {
            Self::Cloud | Self::Network => "linux-image-cloud-amd64",
            Self::Generic => "linux-image-amd64",
        }
    }

    const fn folder(self) -> &'static str {
        match self {
            Self::Cloud => "debian-kernel",
            Self::Network => "debian-network-kernel",
            Self::Generic => "debian-generic-kernel",
        }
    }

    /// Modules that guests load.
    const fn modules(self) -> &'static [&'static str] {
        match self {
            Self::Cloud => &[],
            Self::Network => &["virtio_pci", "virtio_net"],
            Self::Generic => &["virtio_pci", "9pnet_virtio", "9p", "virtio_blk"],
        }
    }
}

const BUSYBOX: &str = "/bin/busybox";

/// A kernel file.
pub struct Kernel {
    /// The bzImage.
    pub path: PathBuf,
    /// Its version.
    pub version: String,
    /// Modules in the order in which they are loaded.
    pub modules: Vec<PathBuf>,
}

/// The kernel that was fetched before, or else the archive's newest.
pub fn kernel(folder: &Path, flavour: Flavour) -> Result<Kernel, Failure> {
    let (name, place) = (flavour.package(), folder.join(flavour.folder()));
    let whole = |kernel: &Kernel| kernel.modules.len() >= flavour.modules().len();
    if let Some(kernel) = unpacked(&place).filter(whole) {
        return Ok(kernel);
    }
    fs::create_dir_all(&place).doing(format!("make {}", place.display()))?;
    eprintln!("whittle: fetching Debian's {name} for the reference, once");
    let package = newest(name).or_else(|| {
        update();
        newest(name)
    });
    let fetched = package.is_some_and(|package| download(&place, &package) || (update() && download(&place, &package)));
    let kernel = if fetched && unpack(&place, flavour.modules()) { unpacked(&place).filter(whole) } else { None };
    if let Some(kernel) = kernel {
        return Ok(kernel);
    }
    Err(Failure::ours(format!(
        "the reference needs Debian's {name} in {place}; on Debian: cd {place} && apt-get download \
         $(apt-cache depends {name} | sed -n 's/.*Depends: //p') && dpkg-deb -x *.deb . (or measure with --reference no)",
        place = place.display()
    )))
}

/// Debian's static busybox, installed where that is ours to do.
pub fn busybox() -> Result<PathBuf, Failure> {
    setup::things(&[BUSYBOX]).map(|()| BUSYBOX.into())
}

/// SQLite's static library, installed where that is ours to do; whether it is there.
pub fn sqlite() -> bool {
    setup::things(&["/usr/include/sqlite3.h"]).is_ok()
}

fn unpacked(place: &Path) -> Option<Kernel> {
    let files = fs::read_dir(place.join("boot")).ok()?.flatten();
    files.map(|file| file.path()).find_map(|path| {
        let version = path.file_name()?.to_str()?.strip_prefix("vmlinuz-")?.to_owned();
        Some(Kernel { path, version, modules: modules::ordered(place) })
    })
}

/// The package of the newest kernel.
fn newest(name: &str) -> Option<String> {
    let output = Command::new("apt-cache").args(["depends", name]).stdin(Stdio::null()).output().ok()?;
    depends(&String::from_utf8_lossy(&output.stdout))
}

fn depends(text: &str) -> Option<String> {
    text.lines().find_map(|line| Some(line.trim().strip_prefix("Depends: ")?.to_owned()))
}

fn download(place: &Path, package: &str) -> bool {
    quiet(Command::new("apt-get").args(["-q", "download", package]).current_dir(place))
}

fn unpack(place: &Path, wanted: &[&str]) -> bool {
    let packages = fs::read_dir(place).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut packages = packages.filter(|path| path.extension().is_some_and(|extension| extension == "deb"));
    packages.next().is_some_and(|package| {
        let done = quiet(Command::new("dpkg-deb").arg("-x").arg(&package).arg(place));
        let done = done && modules::pick(place, wanted);
        // A few files are wanted of what is some hundred megabytes of modules.
        let _ = fs::remove_dir_all(place.join("lib")).and_then(|()| fs::remove_file(package));
        done
    })
}

fn update() -> bool {
    geteuid().is_root() && quiet(Command::new("apt-get").args(["-q", "update"]))
}

fn quiet(command: &mut Command) -> bool {
    command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_kernel_is_what_the_meta_package_depends_on() {
        let text = "linux-image-cloud-amd64\n  Depends: linux-image-6.1.0-56-cloud-amd64\n";
        assert_eq!(depends(text).as_deref(), Some("linux-image-6.1.0-56-cloud-amd64"));
        assert_eq!(depends("nothing\n"), None);
    }

    #[test]
    fn an_unpacked_kernel_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(unpacked(folder.path()).is_none());
        fs::create_dir(folder.path().join("boot")).unwrap();
        fs::write(folder.path().join("boot/config-1"), "").unwrap();
        fs::write(folder.path().join("boot/vmlinuz-6.1.0-1-cloud-amd64"), "").unwrap();
        assert_eq!(unpacked(folder.path()).unwrap().version, "6.1.0-1-cloud-amd64");
    }
}
