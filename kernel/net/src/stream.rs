//! What TCP tells about a connection, in the words of sockets.

use packets::Instant;
use sockets::{Phase, State, Stream};
use tcp::Info;

/// A connection as it is now. `receive_segment` of it is the longest that the other side was told it may send.
pub fn told(info: &Info, now: Instant) -> Stream {
    let header = if info.remote.is_ipv4() { 20 } else { 40 };
    Stream {
        state: state(info.state),
        phase: phase(info.phase),
        retransmissions: info.retransmissions,
        probes: info.probes,
        backoff: info.backoff,
        timestamps: info.timestamps,
        selective: info.selective,
        congestion_notification: info.congestion_notification,
        window_shifts: info.window_shifts,
        retransmission_timeout: info.retransmission_timeout,
        send_segment: info.send_segment,
        receive_segment: info.receive_segment,
        path_mtu: if info.path_payload == 0 { 0 } else { info.path_payload + header },
        unacknowledged: info.unacknowledged,
        selectively_acknowledged: info.selectively_acknowledged,
        lost: info.lost,
        retransmitted: info.retransmitted,
        retransmitted_total: info.retransmitted_total,
        round_trip: info.round_trip,
        round_trip_variation: info.round_trip_variation,
        shortest_round_trip: info.shortest_round_trip,
        congestion_window: info.congestion_window,
        slow_start_threshold: (info.slow_start_threshold != u32::MAX).then_some(info.slow_start_threshold),
        send_window: info.send_window,
        receive_window: info.receive_window,
        unread: info.readable,
        queued: info.queued,
        unsent: info.unsent,
        send_limit: info.send_limit,
        receive_limit: info.receive_limit,
        bytes_acknowledged: info.bytes_acknowledged,
        bytes_received: info.bytes_received,
        reordering: info.reordering,
        reorderings: info.reorderings,
        duplicates_told: info.duplicates_told,
        since: [info.data_sent, info.data_received, info.heard].map(|moment| now.since(moment)),
        busy: [info.busy.all(now), info.busy.by_window(now), info.busy.by_queue(now)],
    }
}

/// What a connection does.
pub const fn state(state: tcp::State) -> State {
    match state {
        tcp::State::Established => State::Established,
        tcp::State::SynSent => State::SynSent,
        tcp::State::SynReceived => State::SynReceived,
        tcp::State::FinWait1 => State::FinWait1,
        tcp::State::FinWait2 => State::FinWait2,
        tcp::State::TimeWait => State::TimeWait,
        tcp::State::Closed => State::Closed,
        tcp::State::CloseWait => State::CloseWait,
        tcp::State::LastAck => State::LastAck,
        tcp::State::Listen => State::Listen,
        tcp::State::Closing => State::Closing,
    }
}

const fn phase(phase: tcp::Phase) -> Phase {
    match phase {
        tcp::Phase::Open => Phase::Open,
        tcp::Phase::Disorder => Phase::Disorder,
        tcp::Phase::Reduced => Phase::Reduced,
        tcp::Phase::Recovery => Phase::Recovery,
        tcp::Phase::Loss => Phase::Loss,
    }
}
