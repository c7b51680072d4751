//! Streams: sockets of TCP.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use netstack::Parts;
use nic::Nics;
use packets::{Bytes, Head};
use sockets::{Error, Moments, Readiness, Receiving, Sending, Sink, Socket, Source, Stamp};
use tcp::WriteFlags;
use unfilled::Unfilled;

use crate::{errors::of_stream, network::Network, state::State};

/// Bytes that are copied to the send queue by way of the packet that they go with: below that memory of their own would
/// cost more. As many as a full segment on an Ethernet has.
const SHORT: usize = 1448;
/// Bytes that are copied out of the receive queue by way of the stack, for the same reason: as many as a frame brings
/// that lies in one buffer of a device.
const ROOM: usize = 2048;
/// Bytes of memory of their own, that the send queue holds as they are: as many as a packet may have, for shorter
/// packets are more of them, and each costs the same.
const PIECE: usize = 64 << 10;
/// Bytes that are taken out of the receive queue at a time.
const MOST: usize = 256 << 10;

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Takes bytes from `source` until there is no room, or none are left.
    pub(crate) fn write(&self, socket: Socket, source: &mut dyn Source, sending: &Sending) -> Result<usize, Error> {
        let mut total = 0;
        loop {
            let left = source.left();
            let mut flags = WriteFlags::empty();
            flags.set(WriteFlags::MORE, sending.more);
            flags.set(WriteFlags::URGENT, sending.urgent && left <= PIECE);
            let result = if left <= SHORT {
                self.write_short(socket, source, flags)
            } else {
                self.write_piece(socket, source, flags)
            };
            match result {
                Ok((taken, written)) => {
                    total += written;
                    if written < taken || taken == 0 || source.left() == 0 {
                        return Ok(total);
                    }
                }
                Err(_) if total > 0 => return Ok(total),
                // A stream that leads nowhere is as one that has ended: send(2).
                Err(Error::NotConnected) => return Err(Error::Closed),
                Err(error) => return Err(error),
            }
        }
    }

    /// How many bytes were taken, and how many of them written. The others are given back.
    fn write_short(&self, socket: Socket, source: &mut dyn Source, flags: WriteFlags) -> Result<(usize, usize), Error> {
        let wanted = source.left();
        let mut bytes = Head::filled(wanted, |bytes| source.fill(bytes, wanted));
        let taken = bytes.len();
        if taken == 0 && wanted > 0 {
            return Err(Error::BadAddress);
        }
        let result = self.with(|state, now| {
            let handle = state.table.stream(socket)?;
            let (stack, network) = (&mut state.stack.tcp, &mut state.stack.ip);
            stack.write(now, network, handle, &mut bytes, flags).map_err(of_stream)
        });
        source.give_back(taken - result.unwrap_or(0));
        Ok((taken, result?))
    }

    fn write_piece(&self, socket: Socket, source: &mut dyn Source, flags: WriteFlags) -> Result<(usize, usize), Error> {
        // Asked first: memory and a copy for nothing would be dear.
        let room = self.with(|state, now| {
            let handle = state.table.stream(socket)?;
            let (stack, network) = (&mut state.stack.tcp, &mut state.stack.ip);
            stack.room(now, network, handle).map_err(of_stream)
        })?;
        // Where memory is short or in pieces, little by little.
        let bytes = taken(source, room.min(PIECE)).or_else(|_| taken(source, room.min(SHORT)))?;
        let length = bytes.len();
        let result = self.with(|state, now| {
            let handle = state.table.stream(socket)?;
            let (stack, network) = (&mut state.stack.tcp, &mut state.stack.ip);
            stack.write_bytes(now, network, handle, bytes, flags).map_err(of_stream)
        });
        source.give_back(length - result.unwrap_or(0));
        Ok((length, result?))
    }

    /// Gives `sink` what has come.
    pub(crate) fn read(&self, socket: Socket, sink: &mut dyn Sink, how: Receiving) -> Result<usize, Error> {
        if how.contains(Receiving::URGENT) {
            let keep = how.contains(Receiving::PEEK);
            let byte = self.with(|state, _| {
                let handle = state.table.stream(socket)?;
                state.stack.tcp.read_urgent(handle, keep).map_err(of_stream)
            })?;
            return Ok(sink.put(&[byte]));
        }
        if how.contains(Receiving::PEEK) {
            return self.peek(socket, sink);
        }
        // Whoever gets less than it has room for takes it that no more is there, and waits for the next edge
        // (epoll(7)): so nothing that is there may be left. An error behind the bytes is the next call's.
        let mut total = 0;
        loop {
            let piece = match self.read_piece(socket, sink) {
                Err(error) if total == 0 => return Err(error),
                result => result.unwrap_or(0),
            };
            total += piece;
            if piece < MOST || sink.room() == 0 || !self.has_bytes(socket) {
                return Ok(total);
            }
        }
    }

    fn has_bytes(&self, socket: Socket) -> bool {
        let readable =
            |state: &State<P>| Ok(state.stack.tcp.info(state.table.stream(socket)?).map_err(of_stream)?.readable);
        self.ask(readable).is_ok_and(|readable| readable > 0)
    }

    /// Gives `sink` some of what has come: how many bytes.
    #[inline]
    fn read_piece(&self, socket: Socket, sink: &mut dyn Sink) -> Result<usize, Error> {
        let mut place = [const { MaybeUninit::uninit() }; ROOM];
        let (mut short, mut pieces) = (Unfilled::new(&mut place), Vec::new());
        let room = sink.room().min(MOST);
        let check = |state: &State<P>| {
            let handle = state.table.stream(socket)?;
            if state.stack.tcp.is_dry(handle).map_err(of_stream)? { Err(Error::WouldBlock) } else { Ok(handle) }
        };
        self.with_if(check, |state, now, handle| {
            let (stack, network) = (&mut state.stack.tcp, &mut state.stack.ip);
            stack.read_or_take(now, network, handle, room, (&mut short, &mut pieces)).map_err(of_stream)
        })?;
        Ok(if pieces.is_empty() {
            sink.put(short.into_filled())
        } else {
            put(pieces.iter().map(|piece| &**piece), sink)
        })
    }

    fn peek(&self, socket: Socket, sink: &mut dyn Sink) -> Result<usize, Error> {
        let room = sink.room().min(MOST);
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(room).map_err(|_| Error::Full)?;
        bytes.resize(room, 0);
        let count = self.ask(|state| {
            let handle = state.table.stream(socket)?;
            state.stack.tcp.peek(handle, 0, &mut bytes).map_err(of_stream)
        })?;
        Ok(sink.put(&bytes[..count]))
    }
}

/// Bytes of `source`, at most `most`, in memory of their own. Nothing is taken if it fails.
pub(crate) fn taken(source: &mut dyn Source, most: usize) -> Result<Bytes, Error> {
    let wanted = source.left().min(most);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(wanted).map_err(|_| Error::Full)?;
    let count = source.append(&mut bytes, wanted);
    if count == 0 && wanted > 0 { Err(Error::BadAddress) } else { Ok(bytes.into()) }
}

/// Gives `sink` these bytes, as many as it takes.
pub(crate) fn put<'a>(pieces: impl Iterator<Item = &'a [u8]>, sink: &mut dyn Sink) -> usize {
    let mut count = 0;
    for piece in pieces {
        let put = sink.put(piece);
        count += put;
        if put < piece.len() {
            break;
        }
    }
    count
}

/// A moment as the contract has it.
pub(crate) const fn stamp(stamp: tcp::Stamp) -> Stamp {
    let moment = Moments::from_bits_truncate(stamp.moment.bits());
    Stamp { moment, at: stamp.at.as_nanos(), byte: stamp.byte }
}

/// What a socket of TCP is ready for.
pub(crate) const fn readiness(ready: tcp::Readiness) -> Readiness {
    // Both are the bits of poll(2) in the same order; the assertions below say so.
    Readiness::from_bits_truncate(ready.bits())
}

const _: () = {
    assert!(Readiness::READABLE.bits() == tcp::Readiness::READABLE.bits());
    assert!(Readiness::WRITABLE.bits() == tcp::Readiness::WRITABLE.bits());
    assert!(Readiness::URGENT.bits() == tcp::Readiness::URGENT.bits());
    assert!(Readiness::ENDED.bits() == tcp::Readiness::READ_CLOSED.bits());
    assert!(Readiness::HANGUP.bits() == tcp::Readiness::HANGUP.bits());
    assert!(Readiness::ERROR.bits() == tcp::Readiness::ERROR.bits());
};
