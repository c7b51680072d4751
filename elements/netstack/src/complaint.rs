//! What is kept of messages that failed, for who wants to know more than an error: `IP_RECVERR`, `MSG_ERRQUEUE`.

use alloc::collections::VecDeque;
use core::net::{IpAddr, SocketAddr};

use packets::Bytes;

use crate::{delivery::Told, error::Failure};

/// Complaints that wait in one socket: a peer must not fill memory with them.
const MOST: usize = 64;

/// One message of ours that failed.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// What has become of it.
    pub failure: Failure,
    /// Who said so; `None`: we found out by ourselves.
    pub by: Option<IpAddr>,
    /// Kind and code of the ICMP message.
    pub message: [u8; 2],
    /// Whom it was for.
    pub to: SocketAddr,
    /// The first bytes of its payload.
    pub payload: Bytes,
}

/// Those of a socket, in the order in which they came; the latest are lost when there are too many.
#[derive(Debug, Default)]
pub struct Complaints(VecDeque<Complaint>);

impl Complaints {
    /// Keeps what was said about a message to this port, whose transport's header has so many bytes.
    pub fn keep(&mut self, told: &Told, port: u16, header: usize) {
        if self.0.len() < MOST {
            self.0.push_back(Complaint {
                failure: told.failure,
                by: told.by,
                message: told.message,
                to: SocketAddr::new(told.to, port),
                payload: told.transport.slice(header.min(told.transport.len())..),
            });
        }
    }

    /// The next one.
    pub fn take(&mut self) -> Option<Complaint> {
        self.0.pop_front()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
