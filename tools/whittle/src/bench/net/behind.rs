//! Linux' own stack behind a TAP device: a server in a network namespace of its own, and a carrier of frames between
//! the device that the client sees and the one that the server has.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::ioctl_fionbio;

use super::namespace::ip;
use super::{ADDRESS_OF_MACHINES, TAP};
use crate::child::prepare;
use crate::failure::{Doing, Failure};
use crate::tap;

/// The server's device.
const OTHER: &str = "tap1";
/// The longest frame that a device hands over, behind virtio's header: TCP in one piece.
const LONGEST: usize = 65_536 + 64;

/// A server, which ends when this is dropped; with it go its namespace and its device, and the carrier's hold on the
/// device that the client sees.
pub struct Behind {
    child: Child,
    carriers: Vec<JoinHandle<()>>,
    /// Its other end is closed for the carriers when this one is.
    go_on: Option<PipeWriter>,
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.go_on = None;
        // It may have ended by itself, and a carrier that panicked has told so.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.carriers.drain(..).for_each(|carrier| drop(carrier.join()));
    }
}

/// Starts a program with its arguments behind the TAP device.
pub fn serve(words: &[String]) -> Result<Behind, Failure> {
    let script = format!(
        "until ip link show {OTHER} >/dev/null 2>&1; do sleep 0.05; done; ip link set lo up; \
         ip addr add {ADDRESS_OF_MACHINES} dev {OTHER}; ip link set {OTHER} up; exec \"$@\""
    );
    let mut command = Command::new("unshare");
    command.args(["--net", "sh", "-c", &script, "sh"]).args(words).stdin(Stdio::null()).stdout(Stdio::null());
    prepare(&mut command, Vec::new(), false);
    let child = command.spawn().doing("start unshare")?;
    let mut server = Behind { child, carriers: Vec::new(), go_on: None };
    ip(&["tuntap", "add", OTHER, "mode", "tap", "vnet_hdr"])?;
    let [near, far] = [TAP, OTHER].map(|name| tap::open(name, 1).map(|mut queues| queues.pop()));
    let (Some(near), Some(far)) = (near?, far?) else { return Err(Failure::ours("a TAP device has no queue")) };
    into(&server)?;
    let (ends, go_on) = std::io::pipe().doing("make a pipe")?;
    server.go_on = Some(go_on);
    server.carriers = carry(near, far, &ends)?;
    Ok(server)
}

/// Has the server's namespace have the device. The shell may not have been put into its own yet.
fn into(server: &Behind) -> Result<(), Failure> {
    let own = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/net")).doing("look at a namespace");
    let (ours, number) = (own("self")?, server.child.id().to_string());
    while own(&number)? == ours {
        thread::sleep(std::time::Duration::from_millis(10));
    }
    ip(&["link", "set", OTHER, "netns", &number])
}

/// Carries frames both ways, until one of the devices has gone or the pipe's other end has.
fn carry(near: OwnedFd, far: OwnedFd, ends: &PipeReader) -> Result<Vec<JoinHandle<()>>, Failure> {
    let pairs = [(near.try_clone(), far.try_clone()), (Ok(far), Ok(near))];
    let start = |(from, to): (io::Result<OwnedFd>, io::Result<OwnedFd>)| {
        let (mut from, mut to) = (File::from(from?), File::from(to?));
        let ends = ends.try_clone()?;
        // While there are frames nobody waits, which would be one more call for each.
        ioctl_fionbio(&from, true)?;
        Ok(thread::spawn(move || {
            let mut frame = vec![0; LONGEST];
            loop {
                match from.read(&mut frame) {
                    // A device that is down refuses frames, which are lost then, as on any link.
                    Ok(length) => _ = to.write(&frame[..length]),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock && is_there(&from, &ends) => {}
                    Err(_) => return,
                }
            }
        }))
    };
    pairs.into_iter().map(start).collect::<io::Result<_>>().doing("share a device")
}

/// Waits for a frame; `false` if nobody wants it any more.
fn is_there(from: &File, ends: &PipeReader) -> bool {
    let mut files = [PollFd::new(from, PollFlags::IN), PollFd::new(ends, PollFlags::IN)];
    poll(&mut files, None).is_ok() && files[1].revents().is_empty()
}
