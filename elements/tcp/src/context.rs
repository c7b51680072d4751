//! What a connection may use beside itself: the time, the way down, and what all share.

use alloc::{sync::Arc, vec::Vec};

use packets::Instant;

use crate::{Handle, Limits, Network, Settings, Statistics, fast_open::Cookies, secrets::Secrets};

/// Of one call.
pub struct Context<'a> {
    pub now: Instant,
    pub network: &'a mut dyn Network,
    pub shared: &'a mut Shared,
}

/// Of all connections.
#[derive(Debug)]
pub struct Shared {
    pub secrets: Secrets,
    pub limits: Limits,
    pub statistics: Statistics,
    /// Sockets whose readiness has changed.
    pub events: Vec<Handle>,
    /// More segments have come at the same moment, and are still to be taken: what may be sent waits for all of them.
    pub gathers: bool,
    /// Connections that wait for that, each once.
    pub gathered: Vec<Handle>,
    /// Somebody sees all segments (raw(7)): none is saved.
    pub watched: bool,
    /// Bytes held in queues.
    pub memory: usize,
    pub orphans: u32,
    /// What servers have told for a fast open.
    pub cookies: Cookies,
    /// What sockets begin with.
    pub settings: Arc<Settings>,
}

impl Shared {
    /// Whether windows and queues should stop growing.
    pub const fn is_short(&self) -> bool {
        self.memory > self.limits.memory / 2
    }

    /// Whether only who holds nothing may have more.
    pub const fn is_full(&self) -> bool {
        self.memory >= self.limits.memory
    }
}

impl Context<'_> {
    /// Milliseconds, as timestamps count: RFC 7323, 5.4 allows 1 ms to 1 s.
    pub const fn millis(&self) -> u32 {
        self.now.as_millis() as u32
    }
}
