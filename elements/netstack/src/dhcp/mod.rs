//! A client of DHCP for IPv4: RFC 2131, RFC 2132. Its formats are those of `smoltcp`.
//!
//! It is a machine of states that is given messages and moments, and says what is to be sent. Whoever drives it looks
//! whether somebody else uses the address that it gets (RFC 2131, 4.4.1), and has it decline then.

mod lease;

use alloc::{vec, vec::Vec};
use core::{net::Ipv4Addr, time::Duration};

use packets::{Instant, ethernet};
use smoltcp::wire::{DhcpMessageType, DhcpPacket, DhcpRepr, EthernetAddress};

use crate::secret::Random;
pub use lease::Lease;
use lease::lease;

/// The client's port.
pub const CLIENT: u16 = 68;
/// The server's port.
pub const SERVER: u16 = 67;

/// RFC 2131, 4.4.1: the first message after a random time; servers are not flooded when many machines start.
const BEGIN: Duration = Duration::from_secs(1);
/// RFC 2131, 4.1: four seconds, doubled up to 64.
const FIRST_WAIT: Duration = Duration::from_secs(4);
const LONGEST_WAIT: Duration = Duration::from_secs(64);
/// Requests without an answer before all begins anew: RFC 2131, 3.1 (5).
const REQUESTS: u8 = 4;
/// RFC 2131, 3.1 (5): behind a refused address at least.
const DECLINED: Duration = Duration::from_secs(10);
/// RFC 2131, 4.4.5: between two attempts to renew at least.
const LEAST_RENEWAL: Duration = Duration::from_secs(60);
/// What we ask for: mask, router, servers of names, domain, MTU.
const WANTED: [u8; 5] = [1, 3, 6, 15, 26];

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A message goes from our port to the server's: from an address of ours, or from nobody; to a server, or to
    /// everyone.
    Send(Vec<u8>, Ipv4Addr, Ipv4Addr),
    /// The address is ours, or stays ours.
    Bound(Lease),
    /// The address is ours no longer.
    Lost,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Selecting,
    Requesting(Ipv4Addr, Ipv4Addr),
    /// RFC 2131's bound, renewing and rebinding: the time says which.
    Bound,
}

/// The client of one interface.
#[derive(Debug)]
pub struct Client {
    address: ethernet::Address,
    random: Random,
    state: State,
    transaction: u32,
    tries: u8,
    asked: Instant,
    began: Instant,
    deadline: Instant,
    lease: Option<Lease>,
}

impl Client {
    /// One that begins soon.
    #[must_use]
    pub fn new(now: Instant, address: ethernet::Address, mut random: Random) -> Self {
        let deadline = now + random.up_to(BEGIN);
        let (state, transaction) = (State::Selecting, random.next() as u32);
        Self { address, random, state, transaction, tries: 0, asked: now, began: now, deadline, lease: None }
    }

    /// What it has, if it has something.
    #[must_use]
    pub const fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }

    /// When [`Client::poll`] has something to do; `None`: never again, for it has a lease for ever.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        (self.deadline.as_nanos() != u64::MAX).then_some(self.deadline)
    }

    /// What is due.
    pub fn poll(&mut self, now: Instant) -> Option<Action> {
        if now < self.deadline {
            return None;
        }
        match self.state {
            State::Selecting => Some(self.discover(now)),
            State::Requesting(..) if self.tries >= REQUESTS => {
                self.begin(now);
                Some(self.discover(now))
            }
            State::Requesting(address, server) => Some(self.request(now, address, server)),
            State::Bound => self.renew(now),
        }
    }

    /// Takes a message from a server.
    pub fn receive(&mut self, now: Instant, message: &[u8]) -> Option<Action> {
        let packet = DhcpPacket::new_checked(message).ok()?;
        let told = DhcpRepr::parse(&packet).ok()?;
        let ours = told.transaction_id == self.transaction && told.client_hardware_address.0 == self.address.0;
        match (&self.state, told.message_type) {
            _ if !ours => None,
            (State::Selecting, DhcpMessageType::Offer) if self.tries > 0 => {
                let server = told.server_identifier?;
                lease(&packet, &told, server, now)?;
                (self.state, self.tries) = (State::Requesting(told.your_ip, server), 0);
                Some(self.request(now, told.your_ip, server))
            }
            (State::Requesting(address, server), DhcpMessageType::Ack) if *address == told.your_ip => {
                self.bind(lease(&packet, &told, *server, self.asked)?)
            }
            (State::Requesting(..), DhcpMessageType::Nak) => {
                self.begin(now);
                None
            }
            // The lease itself says when nobody was asked: an answer counts only to a question.
            (State::Bound, DhcpMessageType::Ack) if self.tries > 0 => {
                let held = self.lease.as_ref()?;
                let server = told.server_identifier.unwrap_or(held.server);
                let new = lease(&packet, &told, server, self.asked).filter(|new| new.address == held.address)?;
                self.bind(new)
            }
            (State::Bound, DhcpMessageType::Nak) if self.tries > 0 => {
                self.begin(now);
                self.lease.take().map(|_| Action::Lost)
            }
            _ => None,
        }
    }

    /// Somebody else has the address: the server is told, and all begins anew. `None` if there is no lease.
    pub fn decline(&mut self, now: Instant) -> Option<Action> {
        let lease = self.lease.take()?;
        let (address, server) = (Some(lease.address), Some(lease.server));
        let (from, to) = (Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST);
        let message = self.message(now, DhcpMessageType::Decline, address, server, from, to);
        self.begin(now);
        self.deadline = now + DECLINED;
        Some(message)
    }

    fn begin(&mut self, now: Instant) {
        (self.state, self.tries, self.began) = (State::Selecting, 0, now);
        self.transaction = self.random.next() as u32;
        self.deadline = now + self.random.up_to(BEGIN);
    }

    fn bind(&mut self, lease: Lease) -> Option<Action> {
        (self.state, self.tries) = (State::Bound, 0);
        self.deadline = lease.duration.map_or(Instant::from_nanos(u64::MAX), |_| lease.since + lease.renew);
        self.lease = Some(lease.clone());
        Some(Action::Bound(lease))
    }

    fn discover(&mut self, now: Instant) -> Action {
        if self.tries == 0 {
            self.began = now;
        }
        self.wait(now);
        self.message(now, DhcpMessageType::Discover, None, None, Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST)
    }

    fn request(&mut self, now: Instant, address: Ipv4Addr, server: Ipv4Addr) -> Action {
        if self.tries == 0 {
            self.asked = now;
        }
        self.wait(now);
        let (address, server) = (Some(address), Some(server));
        self.message(now, DhcpMessageType::Request, address, server, Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST)
    }

    /// RFC 2131, 4.4.5: from T1 on the server is asked, from T2 on everyone, and at the end the address is gone.
    fn renew(&mut self, now: Instant) -> Option<Action> {
        let lease = self.lease.clone()?;
        let duration = lease.duration?;
        let (rebind, end) = (lease.since + lease.rebind, lease.since + duration);
        if now >= end {
            self.lease = None;
            self.begin(now);
            return Some(Action::Lost);
        }
        if self.tries == 0 {
            (self.transaction, self.began) = (self.random.next() as u32, now);
        }
        (self.tries, self.asked) = (self.tries.saturating_add(1), now);
        let next = if now < rebind { rebind } else { end };
        self.deadline = next.min(now + (next.since(now) / 2).max(LEAST_RENEWAL));
        let to = if now < rebind { lease.server } else { Ipv4Addr::BROADCAST };
        Some(self.message(now, DhcpMessageType::Request, None, None, lease.address, to))
    }

    fn wait(&mut self, now: Instant) {
        let wait = (FIRST_WAIT * (1 << self.tries.min(4))).min(LONGEST_WAIT);
        self.tries = self.tries.saturating_add(1);
        // RFC 2131, 4.1: a second more or less.
        self.deadline = now + wait - Duration::from_secs(1) + self.random.up_to(Duration::from_secs(2));
    }

    fn message(
        &self,
        now: Instant,
        kind: DhcpMessageType,
        requested: Option<Ipv4Addr>,
        server: Option<Ipv4Addr>,
        from: Ipv4Addr,
        to: Ipv4Addr,
    ) -> Action {
        // RFC 2131, table 5: who declines wants nothing.
        let declines = kind == DhcpMessageType::Decline;
        let message = DhcpRepr {
            message_type: kind,
            transaction_id: self.transaction,
            secs: now.since(self.began).as_secs().min(u16::MAX.into()) as u16,
            client_hardware_address: EthernetAddress(self.address.0),
            client_ip: from,
            your_ip: Ipv4Addr::UNSPECIFIED,
            server_ip: Ipv4Addr::UNSPECIFIED,
            router: None,
            subnet_mask: None,
            relay_agent_ip: Ipv4Addr::UNSPECIFIED,
            broadcast: false,
            requested_ip: requested,
            client_identifier: Some(EthernetAddress(self.address.0)),
            server_identifier: server,
            parameter_request_list: (!declines).then_some(&WANTED[..]),
            dns_servers: None,
            max_size: (!declines).then_some(1500),
            lease_duration: None,
            renew_duration: None,
            rebind_duration: None,
            additional_options: &[],
        };
        // RFC 1542, 2.1: some relays drop what is shorter than 300 bytes.
        let mut bytes = vec![0; message.buffer_len().max(300)];
        let emitted = message.emit(&mut DhcpPacket::new_unchecked(&mut bytes[..]));
        debug_assert!(emitted.is_ok(), "it has as many bytes as it asked for");
        Action::Send(bytes, from, to)
    }
}
