//! Options that are kept and told, and mean nothing here: there are no queues, no marks, no filters of the host's. Most
//! sockets have none of them set, so those that differ from what they begin with are a short list.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

use linux_abi::constants as c;
use sync::Mutex;

/// Which option, what it begins with, and whether it is on or off, or else a number.
struct Row(u32, u32, u32, bool);

const ROWS: [Row; 32] = [
    Row(c::SOL_SOCKET, c::SO_DEBUG, 0, true),
    Row(c::SOL_SOCKET, c::SO_DONTROUTE, 0, true),
    Row(c::SOL_SOCKET, c::SO_PRIORITY, 0, false),
    Row(c::SOL_SOCKET, c::SO_MARK, 0, false),
    Row(c::SOL_SOCKET, c::SO_RXQ_OVFL, 0, true),
    Row(c::SOL_SOCKET, c::SO_NOFCS, 0, true),
    Row(c::SOL_SOCKET, c::SO_SELECT_ERR_QUEUE, 0, true),
    Row(c::SOL_SOCKET, c::SO_BUSY_POLL, 0, false),
    Row(c::SOL_SOCKET, c::SO_PREFER_BUSY_POLL, 0, true),
    Row(c::SOL_SOCKET, c::SO_INCOMING_CPU, u32::MAX, false),
    Row(c::SOL_IP, c::IP_RECVOPTS, 0, true),
    Row(c::SOL_IP, c::IP_RETOPTS, 0, true),
    Row(c::SOL_IP, c::IP_FREEBIND, 0, true),
    Row(c::SOL_IP, c::IP_BIND_ADDRESS_NO_PORT, 0, true),
    Row(c::SOL_IP, c::IP_RECVFRAGSIZE, 0, true),
    Row(c::SOL_IP, c::IP_RECVERR_RFC4884, 0, true),
    Row(c::SOL_IPV6, c::IPV6_FLOWINFO, 0, true),
    Row(c::SOL_IPV6, c::IPV6_FLOWINFO_SEND, 0, true),
    Row(c::SOL_IPV6, c::IPV6_RECVERR_RFC4884, 0, true),
    Row(c::SOL_IPV6, c::IPV6_RECVHOPOPTS, 0, true),
    Row(c::SOL_IPV6, c::IPV6_RECVRTHDR, 0, true),
    Row(c::SOL_IPV6, c::IPV6_RECVDSTOPTS, 0, true),
    Row(c::SOL_IPV6, c::IPV6_RECVPATHMTU, 0, true),
    Row(c::SOL_IPV6, c::IPV6_AUTOFLOWLABEL, 1, true),
    Row(c::SOL_IPV6, c::IPV6_RECVFRAGSIZE, 0, true),
    Row(c::SOL_IPV6, c::IPV6_FREEBIND, 0, true),
    Row(c::SOL_TCP, c::TCP_THIN_LINEAR_TIMEOUTS, 0, true),
    Row(c::SOL_TCP, c::TCP_THIN_DUPACK, 0, true),
    Row(c::SOL_UDP, c::UDP_NO_CHECK6_TX, 0, true),
    Row(c::SOL_UDP, c::UDP_NO_CHECK6_RX, 0, true),
    Row(c::SOL_UDP, c::UDP_SEGMENT, 0, false),
    Row(c::SOL_IPV6, c::IPV6_ADDR_PREFERENCES, 0x500, false),
];

/// The place of UDP_SEGMENT, for which each send of a datagram asks: known without a search.
pub const SEGMENT: u8 = 30;
const _: () = assert!(ROWS[SEGMENT as usize].0 == c::SOL_UDP && ROWS[SEGMENT as usize].1 == c::UDP_SEGMENT);

/// The place of an option in the table.
pub fn place(level: u32, option: u32) -> Option<u8> {
    ROWS.iter().position(|row| (row.0, row.1) == (level, option)).map(|place| place as u8)
}

/// What a socket has set of them.
#[derive(Default)]
pub struct Kept {
    set: Mutex<Vec<(u8, u32)>>,
    /// Whether that is anything.
    any: AtomicBool,
}

impl Kept {
    /// Whether any was ever set.
    pub fn is_any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// The value of the option at a place.
    pub fn get(&self, place: u8) -> u32 {
        let set = self.set.lock().iter().find(|&&(at, _)| at == place).map(|&(_, value)| value);
        set.unwrap_or_else(|| ROWS.get(usize::from(place)).map_or(0, |row| row.2))
    }

    /// Sets it.
    pub fn set(&self, place: u8, value: u32) {
        let is_switch = ROWS.get(usize::from(place)).is_some_and(|row| row.3);
        let value = if is_switch { (value != 0).into() } else { value };
        let mut all = self.set.lock();
        self.any.store(true, Ordering::Relaxed);
        match all.iter_mut().find(|(at, _)| *at == place) {
            Some((_, before)) => *before = value,
            None => all.push((place, value)),
        }
    }

    /// The same for a connection that a listener has accepted.
    pub fn inherited(&self) -> Self {
        let set = self.set.lock().clone();
        let any = AtomicBool::new(!set.is_empty());
        Self { set: Mutex::new(set), any }
    }
}
