//! Linux' own stack behind a TAP device: a server in a network namespace of its own, and a carrier of frames between the
//! device that the client sees and the one that the server has.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use super::namespace::ip;
use super::{SERVER_ADDRESS, TAP};
use crate::child::prepare;
use crate::failure::{Doing, Failure};
use crate::tap;

/// The server's device.
const OTHER: &str = "tap1";
/// The longest frame that a device hands over, behind virtio's header: TCP in one piece.
const LONGEST: usize = 65_536 + 64;

/// A server, which ends when this is dropped; with it go its namespace and its device.
pub struct Behind(Child);

impl Drop for Behind {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program behind the TAP device.
pub fn serve(program: &Path) -> Result<Behind, Failure> {
    let script = format!(
        "until ip link show {OTHER} >/dev/null 2>&1; do sleep 0.05; done; ip link set lo up; \
         ip addr add {SERVER_ADDRESS} dev {OTHER}; ip link set {OTHER} up; exec \"$0\""
    );
    let mut command = Command::new("unshare");
    command.args(["--net", "sh", "-c", &script]).arg(program).stdin(Stdio::null()).stdout(Stdio::null());
    prepare(&mut command, Vec::new(), false);
    let server = Behind(command.spawn().doing("start unshare")?);
    ip(&["tuntap", "add", OTHER, "mode", "tap", "vnet_hdr"])?;
    let [near, far] = [TAP, OTHER].map(|name| tap::open(name, 1).map(|mut queues| queues.pop()));
    let (Some(near), Some(far)) = (near?, far?) else { return Err(Failure::ours("a TAP device has no queue")) };
    into(&server)?;
    carry(near, far)?;
    Ok(server)
}

/// Has the server's namespace have the device. The shell may not have been put into its own yet.
fn into(server: &Behind) -> Result<(), Failure> {
    let own = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/net")).doing("look at a namespace");
    let (ours, number) = (own("self")?, server.0.id().to_string());
    while own(&number)? == ours {
        thread::sleep(std::time::Duration::from_millis(10));
    }
    ip(&["link", "set", OTHER, "netns", &number])
}

/// Carries frames both ways, until one of the devices has gone.
fn carry(near: OwnedFd, far: OwnedFd) -> Result<(), Failure> {
    let pairs = [(near.try_clone(), far.try_clone()), (Ok(far), Ok(near))];
    for (from, to) in pairs {
        let (mut from, mut to) = (File::from(from.doing("share a device")?), File::from(to.doing("share a device")?));
        thread::spawn(move || {
            let mut frame = vec![0; LONGEST];
            // A device that is down refuses frames, which are lost then, as on any link.
            while let Ok(length) = from.read(&mut frame) {
                let _ = to.write(&frame[..length]);
            }
        });
    }
    Ok(())
}
