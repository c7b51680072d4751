//! `TCP_INFO` in Linux' layout: `include/uapi/linux/tcp.h`.

use alloc::vec::Vec;
use core::time::Duration;

use contracts::sockets_element::{Phase, State, Stream};

/// A writer of numbers in the machine's order.
#[derive(Default)]
struct Words(Vec<u8>);

impl Words {
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn short(self, words: &[u32]) -> Self {
        words.iter().fold(self, |all, word| all.bytes(&word.to_ne_bytes()))
    }

    fn long(self, words: &[u64]) -> Self {
        words.iter().fold(self, |all, word| all.bytes(&word.to_ne_bytes()))
    }
}

fn micros(span: Duration) -> u32 {
    span.as_micros() as u32
}

/// `struct tcp_info`, up to what a network tells, and zeros behind.
pub fn bytes(stream: &Stream) -> Vec<u8> {
    let [sent, received, heard] = stream.since.map(|span| span.as_millis() as u32);
    let [all, by_window, by_queue] = stream.busy.map(|span| span.as_micros() as u64);
    let (theirs, ours) = stream.window_shifts.unwrap_or_default();
    let options = u8::from(stream.timestamps)
        | u8::from(stream.selective) << 1
        | u8::from(stream.window_shifts.is_some()) << 2
        | u8::from(stream.congestion_notification) << 3;
    let first =
        [state(stream.state), phase(stream.phase), stream.retransmissions, stream.probes, stream.backoff, options];
    // Who listens tells how many connections wait, and how many may.
    let listens = stream.state == State::Listen;
    let (unacknowledged, selective) =
        if listens { (stream.unread, stream.queued) } else { (stream.unacknowledged, stream.selectively_acknowledged) };
    Words::default()
        .bytes(&first)
        .bytes(&[theirs | ours << 4, 0])
        .short(&[micros(stream.retransmission_timeout), 0, stream.send_segment, stream.receive_segment])
        .short(&[unacknowledged, selective, stream.lost, stream.retransmitted, 0])
        .short(&[sent, 0, received, heard])
        .short(&[stream.path_mtu, 0, micros(stream.round_trip), micros(stream.round_trip_variation)])
        .short(&[stream.slow_start_threshold.unwrap_or(0x7fff_ffff), stream.congestion_window])
        .short(&[stream.receive_segment, stream.reordering])
        .short(&[0, 0, stream.retransmitted_total])
        .long(&[u64::MAX, u64::MAX, stream.bytes_acknowledged, stream.bytes_received])
        .short(&[0, 0, stream.unsent, micros(stream.shortest_round_trip), 0, 0])
        .long(&[0, all, by_window, by_queue])
        .short(&[0, 0])
        .long(&[0, 0])
        .short(&[stream.duplicates_told, stream.reorderings, 0, stream.send_window, stream.receive_window, 0, 0, 0])
        .0
}

/// The numbers of `include/net/tcp_states.h`.
pub const fn state(state: State) -> u8 {
    match state {
        State::Established => 1,
        State::SynSent => 2,
        State::SynReceived => 3,
        State::FinWait1 => 4,
        State::FinWait2 => 5,
        State::TimeWait => 6,
        State::Closed => 7,
        State::CloseWait => 8,
        State::LastAck => 9,
        State::Listen => 10,
        State::Closing => 11,
    }
}

/// The numbers of `enum tcp_ca_state`.
const fn phase(phase: Phase) -> u8 {
    match phase {
        Phase::Open => 0,
        Phase::Disorder => 1,
        Phase::Reduced => 2,
        Phase::Recovery => 3,
        Phase::Loss => 4,
    }
}
