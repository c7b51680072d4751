//! What programs do with sockets that are open.

use alloc::{collections::VecDeque, vec::Vec};

use bytes::Bytes;
use packets::{Head, Instant};
use unfilled::Unfilled;

use super::{
    Tcp,
    places::{Idle, Socket},
};
use crate::{
    Error, Handle, Network, Shutdown, State, WriteFlags,
    congestion::Congestion,
    connection::{Connection, Marks},
    context::Context,
};

impl<C: Congestion> Tcp<C> {
    pub(super) fn connected(&self, handle: Handle) -> Result<&Connection<C>, Error> {
        match self.places.socket(handle)? {
            Socket::Connection(connection) => Ok(connection),
            _ => Err(Error::NotConnected),
        }
    }

    /// Does something with the connection of a handle.
    fn act<T>(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        act: impl FnOnce(&mut Connection<C>, &mut Context<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Socket::Connection(connection) = self.places.socket_mut(handle)? else { return Err(Error::NotConnected) };
        let mut cx = Context { now, network, shared: &mut self.shared };
        let result = act(connection, &mut cx);
        self.settle(now, handle.index);
        result
    }

    /// Queues bytes for sending, as many as there is room for, and says how many. They are copied, and a packet is made
    /// where they are if it can be.
    ///
    /// # Errors
    /// [`Error::WouldBlock`] without room, [`Error::Closed`] when no more may be written, or the connection's own.
    #[inline(always)]
    pub fn write(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        data: &mut Head,
        flags: WriteFlags,
    ) -> Result<usize, Error> {
        if let Ok(Socket::Connection(connection)) = self.places.socket_mut(handle)
            && !connection.path.near
        {
            let mut cx = Context { now, network, shared: &mut self.shared };
            let result = connection.write_head(&mut cx, data, flags);
            self.settle(now, handle.index);
            return result;
        }
        if self.connected(handle).is_err()
            && let Some(result) = self.write_first(now, network, handle, data.bytes())
        {
            return result;
        }
        if self.hand_over(now, network, handle, data.len(), flags, |queue| queue.push_copy(data.bytes())) {
            return Ok(data.len());
        }
        self.act(now, network, handle, |connection, cx| connection.write(cx, data.bytes(), flags))
    }

    /// As [`Tcp::write`], but the memory is kept: nothing is copied, unless it is short.
    ///
    /// # Errors
    /// As [`Tcp::write`].
    pub fn write_bytes(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        data: Bytes,
        flags: WriteFlags,
    ) -> Result<usize, Error> {
        if let Some(result) = self.write_first(now, network, handle, &data) {
            return result;
        }
        if self.hand_over(now, network, handle, data.len(), flags, |queue| queue.push(data.clone())) {
            return Ok(data.len());
        }
        self.act(now, network, handle, |connection, cx| connection.write_bytes(cx, &data, flags))
    }

    /// How many bytes a write would take now, for a caller whose bytes cost something to get. One that has to wait is
    /// among the events when there is room, as behind a write.
    ///
    /// # Errors
    /// As [`Tcp::write`]; [`Error::WouldBlock`] too while there is so little room that waiting is better.
    pub fn room(&mut self, now: Instant, network: &mut dyn Network, handle: Handle) -> Result<usize, Error> {
        self.act(now, network, handle, |connection, cx| connection.room(cx))
    }

    /// Reads what has come, and says how many bytes: none at the stream's end.
    ///
    /// # Errors
    /// [`Error::WouldBlock`], [`Error::NotConnected`], or the connection's own, once.
    pub fn read(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        to: &mut [u8],
    ) -> Result<usize, Error> {
        self.act(now, network, handle, |connection, cx| connection.read(cx, to))
    }

    /// As [`Tcp::read`], from `offset` bytes behind the next one on, and the bytes stay (`MSG_PEEK`, `SO_PEEK_OFF`).
    ///
    /// # Errors
    /// As [`Tcp::read`]; the error stays too.
    pub fn peek(&self, handle: Handle, offset: usize, to: &mut [u8]) -> Result<usize, Error> {
        self.connected(handle)?.peek(offset, to)
    }

    /// As [`Tcp::read`], but gives the memory that the bytes came in: nothing is copied. At most `most` bytes.
    ///
    /// # Errors
    /// As [`Tcp::read`].
    pub fn take(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        most: usize,
        to: &mut Vec<Bytes>,
    ) -> Result<usize, Error> {
        self.act(now, network, handle, |connection, cx| connection.take(cx, most, to))
    }

    /// Whether a read would answer [`Error::WouldBlock`]: `false` where that is not plain.
    ///
    /// # Errors
    /// [`Error::NotConnected`], [`Error::Stale`].
    pub fn is_dry(&self, handle: Handle) -> Result<bool, Error> {
        Ok(self.connected(handle)?.is_dry())
    }

    /// As [`Tcp::read`] where all that is there fits `short`, for a copy is cheaper than memory then; else as
    /// [`Tcp::take`].
    ///
    /// # Errors
    /// As [`Tcp::read`].
    pub fn read_or_take(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        most: usize,
        (short, to): (&mut Unfilled<'_>, &mut Vec<Bytes>),
    ) -> Result<(), Error> {
        self.act(now, network, handle, |connection, cx| connection.read_or_take(cx, most, short, to))
    }

    /// The urgent byte (`MSG_OOB`); with `keep` it stays (`MSG_PEEK`).
    ///
    /// # Errors
    /// [`Error::NoUrgent`] if there is none, it was read, or it is in line; [`Error::WouldBlock`] if it is on its way.
    pub fn read_urgent(&mut self, handle: Handle, keep: bool) -> Result<u8, Error> {
        self.connected(handle)?;
        self.places.connection(handle.index).ok_or(Error::Stale)?.read_urgent(keep)
    }

    /// Whether the next byte to read is the urgent one: sockatmark(3).
    ///
    /// # Errors
    /// [`Error::NotConnected`].
    pub fn at_mark(&self, handle: Handle) -> Result<bool, Error> {
        Ok(self.connected(handle)?.at_mark())
    }

    /// shutdown(2). A listener whose reading ends listens no longer; its writing never was.
    ///
    /// # Errors
    /// [`Error::NotConnected`].
    pub fn shutdown(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        how: Shutdown,
    ) -> Result<(), Error> {
        if let Socket::Listener(_) = self.places.socket(handle)? {
            if how != Shutdown::Write {
                self.end_listening(now, network, handle);
            }
            return Ok(());
        }
        let taker = if how == Shutdown::Read { None } else { self.end_taker(handle.index) };
        let result = self.act(now, network, handle, |connection, cx| {
            if connection.state == State::Closed {
                return Err(Error::NotConnected);
            }
            if how != Shutdown::Write {
                connection.marks.insert(Marks::READ_SHUT);
            }
            if how != Shutdown::Read {
                connection.close_writing(cx);
            }
            connection.tell(cx);
            Ok(())
        });
        if let Some(taker) = taker {
            self.hand_over_end(now, network, handle.index, taker);
        }
        result
    }

    /// close(2): the handle is gone at once, the connection ends by itself. It does not linger.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn close(&mut self, now: Instant, network: &mut dyn Network, handle: Handle) -> Result<(), Error> {
        self.end(now, network, handle, |connection, cx| connection.close(cx))
    }

    /// ABORT of RFC 9293, 3.10.5: resets the connection and closes the socket.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub fn abort(&mut self, now: Instant, network: &mut dyn Network, handle: Handle) -> Result<(), Error> {
        self.end(now, network, handle, |connection, cx| {
            connection.marks.insert(Marks::ORPHAN);
            connection.abort(cx, None);
        })
    }

    /// What listened is what it was before listen(2), and keeps its port. Who waits to be accepted is reset, and who
    /// waits for them is told. Linux does so (`inet_shutdown`).
    fn end_listening(&mut self, now: Instant, network: &mut dyn Network, handle: Handle) {
        let Ok(socket) = self.places.socket_mut(handle) else { return };
        let Socket::Listener(listener) = socket else { return };
        let (waiting, port, told) = (core::mem::take(&mut listener.queue), listener.port, listener.told);
        let idle = Idle {
            handle,
            family: listener.family,
            settings: listener.settings.clone(),
            bound: Some((listener.address, port)),
            error: listener.error.take(),
            deferred: None,
        };
        *socket = Socket::Idle(idle.into());
        self.places.ports.end_listening(port, handle);
        if !told {
            self.shared.events.push(handle);
        }
        self.reset_waiting(now, network, waiting);
    }

    /// Connections that nobody accepts any more.
    fn reset_waiting(&mut self, now: Instant, network: &mut dyn Network, waiting: VecDeque<Handle>) {
        for accepted in waiting {
            self.orphan(now, network, accepted, |connection, cx| {
                connection.marks.insert(Marks::ORPHAN);
                connection.abort(cx, None);
            });
        }
    }

    fn end(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        close: impl FnOnce(&mut Connection<C>, &mut Context<'_>),
    ) -> Result<(), Error> {
        match self.places.socket_mut(handle)? {
            Socket::Connection(_) => self.orphan(now, network, handle, close),
            Socket::Listener(listener) => {
                let port = listener.port;
                let waiting = core::mem::take(&mut listener.queue);
                self.places.ports.unbind(port, handle);
                self.places.all.sockets.remove(handle.index);
                self.reset_waiting(now, network, waiting);
            }
            Socket::Idle(idle) => {
                let bound = idle.bound;
                self.places.all.sockets.remove(handle.index);
                if let Some((_, port)) = bound {
                    self.places.ports.unbind(port, handle);
                }
            }
        }
        Ok(())
    }

    /// A connection's owner goes: its handle is of nobody, though the connection may live on.
    fn orphan(
        &mut self,
        now: Instant,
        network: &mut dyn Network,
        handle: Handle,
        close: impl FnOnce(&mut Connection<C>, &mut Context<'_>),
    ) {
        let generation = self.generation();
        let Some(connection) = self.places.connection(handle.index) else { return };
        connection.handle.generation = generation;
        let (port, owns) = (connection.tuple.local_port, connection.is(Marks::OWNS_PORT));
        if owns {
            self.places.ports.unbind(port, handle);
        }
        self.shared.orphans += 1;
        let taker = self.end_taker(handle.index);
        self.with(now, network, handle.index, close);
        if let Some(taker) = taker {
            self.hand_over_end(now, network, handle.index, taker);
        }
    }
}
