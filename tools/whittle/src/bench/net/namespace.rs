//! A network namespace for this process and all that it starts, with TAP devices: no other network is loaded, and
//! nobody else's traffic is measured.

use std::fs;
use std::process::{Command, Stdio};

use nix::sched::{CloneFlags, unshare};
use rustix::process::{getegid, geteuid};

use crate::failure::{Doing, Failure};
use crate::setup;

/// Moves this process to a network namespace of its own, whose loopback is up. It must have one thread.
pub fn enter() -> Result<(), Failure> {
    setup::things(&["ip"])?;
    let (user, group) = (geteuid(), getegid());
    let flags =
        if user.is_root() { CloneFlags::CLONE_NEWNET } else { CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWUSER };
    unshare(flags).doing("make a network namespace")?;
    if !user.is_root() {
        // Inside we are root, and nobody else is there (user_namespaces(7)).
        let write = |name: &str, text: String| {
            fs::write(format!("/proc/self/{name}"), text).doing("become root of a namespace")
        };
        write("setgroups", "deny".into())?;
        write("uid_map", format!("0 {} 1", user.as_raw()))?;
        write("gid_map", format!("0 {} 1", group.as_raw()))?;
    }
    ip(&["link", "set", "lo", "up"])
}

/// Makes a TAP device whose Linux end has an address.
pub fn tap(name: &str, address: &str) -> Result<(), Failure> {
    ip(&["tuntap", "add", name, "mode", "tap", "vnet_hdr"])?;
    up(name, address)
}

/// The same, of as many queues as its machine has.
pub fn tap_of_queues(name: &str, address: &str) -> Result<(), Failure> {
    ip(&["tuntap", "add", name, "mode", "tap", "vnet_hdr", "multi_queue"])?;
    up(name, address)
}

fn up(name: &str, address: &str) -> Result<(), Failure> {
    ip(&["addr", "add", address, "dev", name])?;
    ip(&["link", "set", name, "up"])
}

/// ip(8).
pub fn ip(words: &[&str]) -> Result<(), Failure> {
    let output = Command::new("ip").args(words).stdin(Stdio::null()).output().doing("start ip")?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::ours(format!("ip {}: {}", words.join(" "), said.trim())))
}
