//! A client of DHCPv6 without addresses: RFC 8415, 18.2.6. It asks for servers of names where a router says that
//! there is more to know than it tells.

use alloc::vec::Vec;
use core::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};

use packets::{Instant, ethernet};

use crate::secret::Random;

/// The client's port.
pub const CLIENT: u16 = 546;
/// The servers' port.
pub const SERVER: u16 = 547;
/// All servers and relays of a link: RFC 8415, 7.1.
pub const SERVERS: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 1, 2);

const REPLY: u8 = 7;
const INFORMATION_REQUEST: u8 = 11;
const CLIENT_IDENTIFIER: u16 = 1;
const SERVER_IDENTIFIER: u16 = 2;
const WANTED: u16 = 6;
const ELAPSED: u16 = 8;
const NAME_SERVERS: u16 = 23;
const REFRESH: u16 = 32;
/// RFC 8415, 7.6: `INF_MAX_DELAY`, `INF_TIMEOUT`, `INF_MAX_RT`, and times of refreshing.
const DELAY: Duration = Duration::from_secs(1);
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
const USUAL_REFRESH: u32 = 86_400;
const LEAST_REFRESH: u32 = 600;

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Servers of names.
    pub servers: Vec<IpAddr>,
    /// When it is asked for again.
    pub refresh: Duration,
}

/// The client of one interface.
#[derive(Debug)]
pub struct Client {
    address: ethernet::Address,
    random: Random,
    transaction: [u8; 3],
    began: Instant,
    wait: Duration,
    deadline: Instant,
    asking: bool,
}

impl Client {
    /// One that begins soon.
    #[must_use]
    pub fn new(now: Instant, address: ethernet::Address, mut random: Random) -> Self {
        let deadline = now + random.up_to(DELAY);
        Self { address, random, transaction: [0; 3], began: now, wait: FIRST_WAIT, deadline, asking: false }
    }

    /// When [`Client::poll`] has something to say.
    #[must_use]
    pub const fn deadline(&self) -> Instant {
        self.deadline
    }

    /// The message that is due, for [`SERVERS`].
    pub fn poll(&mut self, now: Instant) -> Option<Vec<u8>> {
        if now < self.deadline {
            return None;
        }
        if !core::mem::replace(&mut self.asking, true) {
            let [a, b, c, ..] = self.random.next().to_be_bytes();
            (self.transaction, self.began, self.wait) = ([a, b, c], now, FIRST_WAIT);
        }
        // RFC 8415, 15: twice as long each time, a tenth more or less.
        self.deadline = now + self.wait - self.wait / 10 + self.random.up_to(self.wait / 5);
        self.wait = (self.wait * 2).min(LONGEST_WAIT);
        let hundredths = (now.since(self.began).as_millis() / 10).min(u16::MAX.into()) as u16;
        let [a, b, c] = self.transaction;
        let mut message = Vec::from([INFORMATION_REQUEST, a, b, c]);
        option(&mut message, CLIENT_IDENTIFIER, &self.identifier());
        option(&mut message, WANTED, &[NAME_SERVERS.to_be_bytes(), REFRESH.to_be_bytes()].concat());
        option(&mut message, ELAPSED, &hundredths.to_be_bytes());
        Some(message)
    }

    /// Takes a message: RFC 8415, 16.10.
    pub fn receive(&mut self, now: Instant, message: &[u8]) -> Option<Answer> {
        let &[REPLY, a, b, c, ref options @ ..] = message else { return None };
        if !self.asking || [a, b, c] != self.transaction {
            return None;
        }
        find(options, SERVER_IDENTIFIER)?;
        if find(options, CLIENT_IDENTIFIER).is_some_and(|identifier| identifier != self.identifier()) {
            return None;
        }
        let refresh = find(options, REFRESH).and_then(|bytes| bytes.first_chunk::<4>());
        let refresh = refresh.map_or(USUAL_REFRESH, |bytes| u32::from_be_bytes(*bytes)).max(LEAST_REFRESH);
        let addresses = find(options, NAME_SERVERS).unwrap_or(&[]).as_chunks::<16>().0;
        let servers = addresses.iter().map(|address| Ipv6Addr::from(*address).into()).collect();
        let refresh = Duration::from_secs(refresh.into());
        (self.asking, self.deadline) = (false, now + refresh);
        Some(Answer { servers, refresh })
    }

    /// A DUID of the link's address: RFC 8415, 11.4.
    fn identifier(&self) -> [u8; 10] {
        let [a, b, c, d, e, f] = self.address.0;
        [0, 3, 0, 1, a, b, c, d, e, f]
    }
}

fn option(message: &mut Vec<u8>, kind: u16, value: &[u8]) {
    message.extend(kind.to_be_bytes());
    message.extend((value.len() as u16).to_be_bytes());
    message.extend(value);
}

/// The value of an option. What is cut short ends the search.
fn find(mut options: &[u8], wanted: u16) -> Option<&[u8]> {
    while let &[a, b, c, d, ref rest @ ..] = options {
        let value = rest.get(..usize::from(u16::from_be_bytes([c, d])))?;
        if u16::from_be_bytes([a, b]) == wanted {
            return Some(value);
        }
        options = &rest[value.len()..];
    }
    None
}
