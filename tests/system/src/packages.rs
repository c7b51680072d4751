//! The host's programs that tests compare with or drive: installed when missing and possible.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// Command and the Debian package that brings it.
const PACKAGES: [(&str, &str); 20] = [
    ("busybox", "busybox-static"),
    ("cpio", "cpio"),
    ("g++", "g++"),
    ("gcc", "gcc"),
    ("gdb", "gdb"),
    ("go", "golang-go"),
    ("mcopy", "mtools"),
    ("mke2fs", "e2fsprogs"),
    ("mkfs.vfat", "dosfstools"),
    ("inotifywait", "inotify-tools"),
    ("java", "default-jre-headless"),
    ("javac", "default-jdk-headless"),
    ("musl-gcc", "musl-tools"),
    ("node", "nodejs"),
    ("php", "php-cli"),
    ("qemu-system-x86_64", "qemu-system-x86"),
    ("strace", "strace"),
    ("taskset", "util-linux"),
    ("tmux", "tmux"),
    ("xmllint", "libxml2-utils"),
];

static INSTALLING: Mutex<()> = Mutex::new(());

fn present(command: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(command).is_file())
}

fn quietly(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Makes these commands available, installing their packages on Debian and its kin when we are root.
///
/// # Panics
///
/// With the line to type, if a command is missing and cannot be installed.
pub fn need(commands: &[&str]) {
    let _turn = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for command in commands {
        if present(command) {
            continue;
        }
        let package = PACKAGES.iter().find(|entry| entry.0 == *command).map_or(*command, |entry| entry.1);
        assert!(install(package) && present(command), "{command} is missing; type: sudo apt-get install {package}");
    }
}

/// Makes a file available that this Debian package brings, as [`need`] does commands.
///
/// # Panics
///
/// With the line to type, if it is missing and cannot be installed.
pub fn need_file(path: &str, package: &str) {
    let _turn = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let there = || Path::new(path).exists();
    assert!(there() || install(package) && there(), "{path} is missing; type: sudo apt-get install {package}");
}

fn install(package: &str) -> bool {
    let words = ["apt-get", "install", "-y", "-q", "--no-install-recommends", package];
    let root = rustix::process::geteuid().is_root() && present("apt-get");
    root && (quietly(&words) || quietly(&["apt-get", "update", "-q"]) && quietly(&words))
}

/// The statically linked busybox of Debian.
#[must_use]
pub fn native_busybox() -> &'static Path {
    need(&["busybox"]);
    Path::new("/bin/busybox")
}
