//! `TCP_INFO` in Linux' layout: include/uapi/linux/tcp.h.

use std::ffi::c_int;

use packets::Instant;
use tcp::{Info, Phase, State};

/// `TCP_CC_INFO`: what congestion control tells; ours tells nothing.
pub const TCP_CC_INFO: c_int = 26;
/// Bytes of the largest answer to it.
pub const CONGESTION: usize = 20;
/// `SO_MEMINFO`.
pub const SO_MEMINFO: c_int = 55;

/// A writer of numbers in the machine's order.
#[derive(Default)]
struct Words(Vec<u8>);

impl Words {
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    fn short(self, words: &[u32]) -> Self {
        words.iter().fold(self, |all, word| all.bytes(&word.to_ne_bytes()))
    }

    fn long(self, words: &[u64]) -> Self {
        words.iter().fold(self, |all, word| all.bytes(&word.to_ne_bytes()))
    }
}

/// The structure, up to what this library can fill, and zeros behind. `own_size` is the segment size that we have told.
pub fn bytes(info: &Info, own_size: u32, now: Instant) -> Vec<u8> {
    let micros = |span: std::time::Duration| span.as_micros() as u32;
    let since = |moment| now.since(moment).as_millis() as u32;
    let busy = [info.busy.all(now), info.busy.by_window(now), info.busy.by_queue(now)];
    let [all, by_window, by_queue] = busy.map(|span| span.as_micros() as u64);
    let (theirs, ours) = info.window_shifts.unwrap_or_default();
    let options = u8::from(info.timestamps)
        | u8::from(info.selective) << 1
        | u8::from(info.window_shifts.is_some()) << 2
        | u8::from(info.congestion_notification) << 3;
    let threshold = if info.slow_start_threshold == u32::MAX { 0x7fff_ffff } else { info.slow_start_threshold };
    let first = [state(info.state), phase(info.phase), info.retransmissions, info.probes, info.backoff, options];
    Words::default()
        .bytes(&first)
        .bytes(&[theirs | ours << 4, 0])
        .short(&[micros(info.retransmission_timeout), 0, info.send_segment, info.receive_segment])
        .short(&[info.unacknowledged, info.selectively_acknowledged, info.lost, info.retransmitted, 0])
        .short(&[since(info.data_sent), 0, since(info.data_received), since(info.heard)])
        .short(&[info.path_payload + 20, 0, micros(info.round_trip), micros(info.round_trip_variation)])
        .short(&[threshold, info.congestion_window, own_size, info.reordering])
        .short(&[0, 0, info.retransmitted_total])
        .long(&[u64::MAX, u64::MAX, info.bytes_acknowledged, info.bytes_received])
        .short(&[0, 0, info.unsent, micros(info.shortest_round_trip), 0, 0])
        .long(&[0, all, by_window, by_queue])
        .short(&[0, 0])
        .long(&[0, 0])
        .short(&[info.duplicates_told, info.reorderings, 0, info.send_window, info.receive_window, 0])
        .short(&[0; 10])
        .0
}

/// `SO_MEMINFO`: nine numbers, of which the limits and what is queued are known.
pub fn memory(info: &Info) -> Vec<u8> {
    Words::default().short(&[info.readable, info.receive_limit, 0, info.send_limit, 0, info.queued, 0, 0, 0]).0
}

/// The numbers of include/net/tcp_states.h.
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
