//! Listeners: the handshake without a socket. RFC 9293, 3.10.7.2; RFC 4987.

mod cookie;
mod half_open;

pub use cookie::{clock as cookie_clock, make as make_cookie, open as open_cookie};
pub use half_open::{HalfOpen, Said, TRIES, asks_for_notification};

use alloc::{collections::VecDeque, sync::Arc};
use core::{net::Ipv6Addr, time::Duration};

use packets::Instant;

use crate::{Error, Family, Handle, Settings};

/// For how long cookies are taken after the last one was sent.
pub const COOKIES_FOR: Duration = Duration::from_secs(128);

/// A socket that listens.
#[derive(Debug)]
pub struct Listener {
    pub handle: Handle,
    pub family: Family,
    pub address: Ipv6Addr,
    pub port: u16,
    pub settings: Arc<Settings>,
    pub backlog: u32,
    /// Connections that wait to be accepted.
    pub queue: VecDeque<Handle>,
    /// Handshakes under way.
    pub half_open: u32,
    /// When a cookie was sent last.
    pub cookie_sent: Option<Instant>,
    pub error: Option<Error>,
    /// It is in the list of events.
    pub told: bool,
}

impl Listener {
    /// Whether no more connections fit: Linux takes one more than the backlog says.
    pub fn is_full(&self) -> bool {
        self.queue.len() > self.backlog as usize
    }

    /// Whether an acknowledgment may be a cookie's.
    pub fn has_sent_cookies(&self, now: Instant) -> bool {
        self.cookie_sent.is_some_and(|sent| now.since(sent) < COOKIES_FOR)
    }
}
