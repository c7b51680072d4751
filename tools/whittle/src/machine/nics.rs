//! The network interfaces of a machine, opened before it starts: it is handed descriptors, and needs no right of its
//! own.

use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::rand::{GetRandomFlags, getrandom};

use crate::arguments::Platform;
use crate::failure::{Doing, Failure, plain};
use crate::tap;
use crate::words::{Nic, Published};

/// Above all descriptors that a machine knows by number.
const OUT_OF_THE_WAY: i32 = 256;
/// Interfaces of a machine, and queues of one at the most: more processors than that share them.
const MOST: usize = 8;
const QUEUES: usize = 8;
/// What an Ethernet carries.
const MTU: usize = 1500;

/// A network interface that a machine can be given.
#[derive(Debug)]
pub struct OpenNic {
    /// What it leads to.
    pub nic: Nic,
    /// The machine's address there.
    pub address: [u8; 6],
    /// Bytes of the longest packet behind its Ethernet header.
    pub mtu: usize,
    /// A descriptor for each queue; none where QEMU needs none.
    pub descriptors: Vec<OwnedFd>,
    /// Ports that QEMU's own network leads on.
    pub published: Vec<Published>,
    /// A socket that goes with it.
    socket: Option<PathBuf>,
}

impl Drop for OpenNic {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            // Somebody may have removed it already.
            let _ = fs::remove_file(socket);
        }
    }
}

/// Opens them, with so many queues where they can have several. Their addresses have ascending last bytes, by which a
/// machine knows their order; the rest is random, unless runs are to be repeatable.
pub fn open(nics: &[Nic], platform: Platform, queues: usize, repeatable: bool) -> Result<Vec<OpenNic>, Failure> {
    if nics.len() > MOST {
        return Err(Failure::ours(format!("a machine has {MOST} network interfaces at the most")));
    }
    let address = some_address(repeatable);
    let mut number = 0;
    let open = |nic: &Nic| {
        let address = [&address[..5], &[number]].concat().try_into().unwrap_or(address);
        number += 1;
        one(nic, platform, queues.min(QUEUES), address)
    };
    nics.iter().map(open).collect()
}

fn some_address(repeatable: bool) -> [u8; 6] {
    // Locally administered, of one interface (IEEE 802, 8.2).
    let mut address = [2, 0x5a, 0x5a, 0x5a, 0x5a, 0];
    if !repeatable {
        // Cannot fail or come short at this length (getrandom(2)).
        let _ = getrandom(&mut address[1..5], GetRandomFlags::empty());
    }
    address
}

fn one(nic: &Nic, platform: Platform, queues: usize, address: [u8; 6]) -> Result<OpenNic, Failure> {
    let (mut mtu, mut socket) = (MTU, None);
    let descriptors: Vec<OwnedFd> = match nic {
        Nic::Tap(name) => {
            mtu = tap::mtu(name)?;
            tap::open(name, queues)?
        }
        Nic::Passt(path) => {
            let hint = format!("; start it by passt --socket {}", path.display());
            let connected = UnixStream::connect(path);
            vec![connected.map_err(|error| absent("passt is not", path, &error, &hint))?.into()]
        }
        Nic::Datagram(local, remote) => {
            let bound = UnixDatagram::bind(local).doing(format!("make the socket {}", local.display()))?;
            socket = Some(local.clone());
            bound.connect(remote).map_err(|error| {
                let _ = fs::remove_file(local);
                absent("nobody is", remote, &error, "")
            })?;
            vec![bound.into()]
        }
        Nic::User if platform == Platform::Pc => Vec::new(),
        Nic::User => {
            let sentence = "--nic user is QEMU's and needs --platform pc; on process it is tap:NAME or passt:SOCKET";
            return Err(Failure::ours(sentence));
        }
    };
    descriptors.iter().try_for_each(no_waiting)?;
    Ok(OpenNic { nic: nic.clone(), address, mtu, descriptors, published: Vec::new(), socket })
}

fn no_waiting(descriptor: &OwnedFd) -> Result<(), Failure> {
    let flags = fcntl_getfl(descriptor).doing("ask how a descriptor was opened")?;
    fcntl_setfl(descriptor, flags | OFlags::NONBLOCK).doing("have a descriptor not wait")
}

/// Says that somebody is not there.
fn absent(is: &str, path: &Path, error: &std::io::Error, hint: &str) -> Failure {
    Failure::ours(format!("{is} at {}: {}{hint}", path.display(), plain(error)))
}

impl OpenNic {
    /// The one behind passt that was started for it.
    pub fn of_passt(socket: OwnedFd, repeatable: bool) -> Result<Self, Failure> {
        no_waiting(&socket)?;
        let (nic, address) = (Nic::Passt(PathBuf::new()), some_address(repeatable));
        Ok(Self { nic, address, mtu: MTU, descriptors: vec![socket], published: Vec::new(), socket: None })
    }

    /// One whose frames are datagrams of a socket that leads to another machine.
    pub fn of_datagrams(socket: OwnedFd) -> Result<Self, Failure> {
        no_waiting(&socket)?;
        let (nic, address) = (Nic::Datagram(PathBuf::new(), PathBuf::new()), some_address(false));
        Ok(Self { nic, address, mtu: MTU, descriptors: vec![socket], published: Vec::new(), socket: None })
    }

    /// Its address as people write it.
    pub fn address_text(&self) -> String {
        self.address.map(|byte| format!("{byte:02x}")).join(":")
    }

    /// What a kernel is told: see `launch::Key::Nic`.
    pub fn record(&self) -> String {
        let kind = match self.nic {
            Nic::Tap(_) => "tap",
            Nic::Passt(_) => "stream",
            Nic::Datagram(..) | Nic::User => "datagram",
        };
        format!("{kind},{},{},{}", self.address_text(), self.mtu, self.descriptors.len())
    }

    /// Its descriptors for a child, which has the first one as number `first` and the others behind it.
    pub fn passed_on(&self, first: i32) -> Result<Vec<(OwnedFd, i32)>, Failure> {
        let pass = |(descriptor, number): (&OwnedFd, i32)| {
            // Descriptors of this process could stand in each other's way.
            let passed = rustix::io::fcntl_dupfd_cloexec(descriptor.as_fd(), OUT_OF_THE_WAY);
            Ok((passed.doing("pass a network interface on")?, number))
        };
        self.descriptors.iter().zip(first..).map(pass).collect()
    }
}
