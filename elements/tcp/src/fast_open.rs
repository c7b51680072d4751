//! What fast open remembers of servers: RFC 7413, 4.1.3.1. The side that connects only; nobody's SYN is taken with
//! data.

use alloc::collections::VecDeque;
use core::net::Ipv6Addr;

use packets::tcp::Cookie;

/// Servers whose cookies are kept, the latest ones.
const MOST: usize = 64;

/// What servers have told: RFC 7413, 4.1.3.1.
#[derive(Debug, Default)]
pub struct Cookies {
    /// Each with the payload of a segment that its server takes.
    all: VecDeque<(Ipv6Addr, Cookie, u16)>,
}

impl Cookies {
    pub fn of(&self, server: Ipv6Addr) -> Option<(Cookie, u16)> {
        self.all.iter().find(|entry| entry.0 == server).map(|entry| (entry.1, entry.2))
    }

    pub fn keep(&mut self, server: Ipv6Addr, cookie: Cookie, size: u16) {
        self.all.retain(|entry| entry.0 != server);
        if self.all.len() == MOST {
            self.all.pop_front();
        }
        self.all.push_back((server, cookie, size));
    }
}

/// What a connection that opens fast keeps until it is open.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// What its SYN says.
    pub cookie: Cookie,
    /// Bytes of payload in it.
    pub length: u16,
}
