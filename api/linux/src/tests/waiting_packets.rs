//! Packets that a device has no room for, over a device for tests: it takes none until it is told to.

use contracts::{
    nic_element::{Attributes, Burst, Error, Interrupts, Nics, Offloads},
    sockets_element::{Family, Form, Sending, Sockets, Waiting},
};
use core::{
    net::SocketAddr,
    sync::atomic::{
        AtomicBool, AtomicUsize,
        Ordering::{Relaxed, SeqCst},
    },
};

use super::machine::on_linux;

static HAS_ROOM: AtomicBool = AtomicBool::new(false);
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// One interface without Ethernet.
struct Narrow;

impl Nics for Narrow {
    fn count(&self) -> usize {
        1
    }

    fn attributes(&self, nic: usize) -> Option<Attributes> {
        let (mtu, offloads) = (1500, Offloads::empty());
        (nic == 0).then_some(Attributes { address: None, mtu, queues: 1, offloads, largest: 0 })
    }

    fn receive(&self, _nic: usize, _queue: usize, _packets: &mut Burst, _most: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn send(&self, _nic: usize, _queue: usize, packets: &mut Burst) -> Result<usize, Error> {
        if !HAS_ROOM.load(SeqCst) {
            return Ok(0);
        }
        let count = packets.len();
        packets.clear();
        TAKEN.fetch_add(count, Relaxed);
        Ok(count)
    }

    fn set_interrupts(&self, _nic: usize, _queue: usize, _wanted: Interrupts) -> bool {
        true
    }
}

type Everything = net::Chosen<true, true, true, true, false, false, net::Cubic>;

#[test]
fn packets_go_when_the_device_tells_of_room() {
    on_linux(|| {
        let network: net::Network<Everything, Narrow> = net::Network::new(Narrow, "10.0.2.15/24", "", "");
        let socket = network.open(Form::Datagrams(Family::V4), Waiting::default()).unwrap();
        let to: SocketAddr = "10.0.2.9:7".parse().unwrap();
        network
            .send(socket, &mut vfs::SliceSource::new(b"late"), &Sending { to: Some(to), ..Sending::default() })
            .unwrap();
        // What the network has to do of itself is done.
        while network.look() {}
        assert_eq!(TAKEN.load(Relaxed), 0);
        HAS_ROOM.store(true, SeqCst);
        // As an interrupt has somebody do; nothing has come.
        network.look();
        assert_eq!(TAKEN.load(Relaxed), 1);
        network.close(socket);
    });
}
