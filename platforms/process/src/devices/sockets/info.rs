//! What the host tells of a connection: `struct tcp_info` in its include/uapi/linux/tcp.h.

use core::time::Duration;

use sockets::{Phase, State, Stream};

/// Bytes of what is read of it; a host that knows less tells less.
pub const LENGTH: usize = 240;

/// The numbers of `include/net/tcp_states.h`, from 1 on.
const STATES: [State; 11] = [
    State::Established,
    State::SynSent,
    State::SynReceived,
    State::FinWait1,
    State::FinWait2,
    State::TimeWait,
    State::Closed,
    State::CloseWait,
    State::LastAck,
    State::Listen,
    State::Closing,
];
/// The numbers of `enum tcp_ca_state`.
const PHASES: [Phase; 5] = [Phase::Open, Phase::Disorder, Phase::Reduced, Phase::Recovery, Phase::Loss];
/// "Infinite" (`TCP_INFINITE_SSTHRESH`).
const NO_THRESHOLD: u32 = 0x7fff_ffff;

/// What was told, of which 0 stands for what was not.
struct Told<'a>(&'a [u8]);

impl Told<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    fn word(&self, at: usize) -> u32 {
        self.0.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u32::from_ne_bytes)
    }

    fn long(&self, at: usize) -> u64 {
        self.0.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u64::from_ne_bytes)
    }

    fn millis(&self, at: usize) -> Duration {
        Duration::from_millis(self.word(at).into())
    }

    fn micros(&self, at: usize) -> Duration {
        Duration::from_micros(self.word(at).into())
    }
}

/// The connection. `limits`: bytes that its queues hold, to send and to receive.
pub fn stream(told: &[u8], queued: usize, unread: usize, limits: [u32; 2]) -> Stream {
    let told = Told(told);
    let options = told.byte(5);
    let state = STATES.get(usize::from(told.byte(0)).wrapping_sub(1)).copied().unwrap_or_default();
    // Of who listens these words are how many connections wait, and how many may.
    let listens = state == State::Listen;
    let bytes = |count: usize, waiting: u32| if listens { waiting } else { u32::try_from(count).unwrap_or(u32::MAX) };
    Stream {
        state,
        phase: PHASES.get(usize::from(told.byte(1))).copied().unwrap_or_default(),
        retransmissions: told.byte(2),
        probes: told.byte(3),
        backoff: told.byte(4),
        timestamps: options & 1 != 0,
        selective: options & 2 != 0,
        congestion_notification: options & 8 != 0,
        window_shifts: (options & 4 != 0).then(|| (told.byte(6) & 15, told.byte(6) >> 4)),
        retransmission_timeout: told.micros(8),
        send_segment: told.word(16),
        receive_segment: told.word(20),
        unacknowledged: if listens { 0 } else { told.word(24) },
        selectively_acknowledged: if listens { 0 } else { told.word(28) },
        lost: told.word(32),
        retransmitted: told.word(36),
        since: [told.millis(44), told.millis(52), told.millis(56)],
        path_mtu: told.word(60),
        round_trip: told.micros(68),
        round_trip_variation: told.micros(72),
        slow_start_threshold: Some(told.word(76)).filter(|&segments| segments < NO_THRESHOLD),
        congestion_window: told.word(80),
        reordering: told.word(88),
        retransmitted_total: told.word(100),
        bytes_acknowledged: told.long(120),
        bytes_received: told.long(128),
        unsent: told.word(144),
        shortest_round_trip: told.micros(148),
        busy: [168, 176, 184].map(|at| Duration::from_micros(told.long(at))),
        duplicates_told: told.word(216),
        reorderings: told.word(220),
        send_window: told.word(228),
        receive_window: told.word(232),
        unread: bytes(unread, told.word(24)),
        queued: bytes(queued, told.word(28)),
        send_limit: limits[0],
        receive_limit: limits[1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value at a place of the layout.
    fn with(mut told: Vec<u8>, at: usize, value: &[u8]) -> Vec<u8> {
        told[at..at + value.len()].copy_from_slice(value);
        told
    }

    #[test]
    fn a_connection_is_as_the_host_says() {
        let told = with(vec![0; LENGTH], 0, &[1, 3, 2, 0, 1, 0b0111, 0x7a, 0]);
        let told = with(told, 68, &1500_u32.to_ne_bytes());
        let told = with(told, 76, &NO_THRESHOLD.to_ne_bytes());
        let told = with(told, 120, &(1_u64 << 40).to_ne_bytes());
        let told = with(told, 232, &65_536_u32.to_ne_bytes());
        let stream = stream(&told, 7, 9, [11, 13]);
        assert_eq!((stream.state, stream.phase, stream.retransmissions), (State::Established, Phase::Recovery, 2));
        assert_eq!((stream.window_shifts, stream.congestion_notification), (Some((10, 7)), false));
        assert_eq!((stream.round_trip, stream.slow_start_threshold), (Duration::from_micros(1500), None));
        assert_eq!((stream.bytes_acknowledged, stream.receive_window), (1 << 40, 65_536));
        assert_eq!((stream.queued, stream.unread, stream.receive_limit), (7, 9, 13));
    }

    #[test]
    fn who_listens_tells_who_waits() {
        let told = with(vec![0; LENGTH], 0, &[10]);
        let told = with(with(told, 24, &3_u32.to_ne_bytes()), 28, &128_u32.to_ne_bytes());
        let stream = stream(&told, 0, 0, [0; 2]);
        assert_eq!((stream.state, stream.unread, stream.queued, stream.unacknowledged), (State::Listen, 3, 128, 0));
    }

    #[test]
    fn what_an_older_host_does_not_know_is_zero() {
        let stream = stream(&[1; 104], 0, 0, [0; 2]);
        assert_eq!((stream.state, stream.bytes_received, stream.receive_window), (State::Established, 0, 0));
        assert_eq!(super::stream(&[], 0, 0, [0; 2]).state, State::Closed);
        assert_eq!(super::stream(&[255; LENGTH], 0, 0, [0; 2]).phase, Phase::Open);
    }
}
