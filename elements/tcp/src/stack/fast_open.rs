//! Connecting with data: sendto(2) with `MSG_FASTOPEN`, and `TCP_FASTOPEN_CONNECT` of tcp(7).

use core::net::SocketAddr;

use packets::Instant;

use super::{Tcp, places::Socket};
use crate::{Error, Handle, Network, congestion::Congestion, tuple::mapped};

impl<C: Congestion> Tcp<C> {
    /// sendto(2) with `MSG_FASTOPEN`: connects, and has the first bytes go along with the SYN if a cookie of the
    /// server's is known. How many bytes were taken.
    ///
    /// # Errors
    /// As [`Tcp::connect`]; [`Error::InProgress`] if the SYN goes alone and asks for a cookie: the bytes are to be
    /// written when the socket is ready for that.
    pub fn connect_with(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        to: SocketAddr,
        data: &[u8],
    ) -> Result<usize, Error> {
        let mut count = 0;
        self.connect_by(now, network, handle, to, |connection, cx| count = connection.open_fast(cx, data))?;
        if count == 0 { Err(Error::InProgress) } else { Ok(count) }
    }

    /// Whether connect(2) shall wait for the first write ([`crate::Settings::fast_open`]), as a cookie is known.
    pub(super) fn defers(&self, handle: Handle, to: SocketAddr) -> bool {
        let server = mapped(to.ip());
        let idle = matches!(self.places.socket(handle), Ok(Socket::Idle(idle)) if idle.settings.fast_open);
        idle && self.shared.cookies.of(server).is_some()
    }

    /// The first write of a socket whose connect has waited for it.
    pub(super) fn write_first(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        data: &[u8],
    ) -> Option<Result<usize, Error>> {
        let Ok(Socket::Idle(idle)) = self.places.socket_mut(handle) else { return None };
        let to = idle.deferred.take()?;
        Some(self.connect_with(now, network, handle, to, data))
    }
}
