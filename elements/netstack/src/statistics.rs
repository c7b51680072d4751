//! Counts since the start. They wrap never. The names are those of RFC 4293 and of Linux' `/proc/net`.

/// Of one interface, as in `/proc/net/dev`. Bytes are those of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct InterfaceStatistics {
    pub received_bytes: u64,
    pub received_packets: u64,
    pub receive_errors: u64,
    pub receive_dropped: u64,
    pub received_multicast: u64,
    pub sent_bytes: u64,
    pub sent_packets: u64,
    pub send_dropped: u64,
}

/// Of IP, one for each version: `Ip` and `Ip6` in `/proc/net/snmp` and `snmp6`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct IpStatistics {
    pub received: u64,
    pub header_errors: u64,
    pub address_errors: u64,
    pub unknown_protocols: u64,
    pub discarded: u64,
    pub delivered: u64,
    pub sent: u64,
    pub send_discarded: u64,
    pub no_routes: u64,
    pub reassembly_timeouts: u64,
    pub reassembly_wanted: u64,
    pub reassembled: u64,
    pub reassembly_failed: u64,
    pub fragmented: u64,
    pub fragments_made: u64,
    pub fragments_refused: u64,
}

/// Of ICMP, one for each version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct IcmpStatistics {
    pub received: u64,
    pub receive_errors: u64,
    pub bad_checksums: u64,
    pub echoes_received: u64,
    pub echo_replies_sent: u64,
    pub unreachable_received: u64,
    pub redirects_ignored: u64,
    pub sent: u64,
    pub errors_sent: u64,
    pub rate_limited: u64,
}

/// Of UDP, both versions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct UdpStatistics {
    pub received: u64,
    pub no_ports: u64,
    pub receive_errors: u64,
    pub bad_checksums: u64,
    pub queue_overflows: u64,
    pub sent: u64,
}
