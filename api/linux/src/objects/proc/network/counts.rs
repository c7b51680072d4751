//! `/proc/net/{snmp,snmp6,netstat,sockstat,protocols}`: counts, by the names of RFC 4293, 4022 and 4113.

use alloc::vec::Vec;

use contracts::{
    sockets,
    sockets_element::{Counts, IpCounts},
};

use crate::objects::text::{fill, pad};

/// Two lines: names, and numbers in the same order.
fn lines(out: &mut Vec<u8>, group: &str, names: &str, numbers: &[u64]) {
    out.extend_from_slice(group.as_bytes());
    out.extend_from_slice(b": ");
    out.extend_from_slice(names.as_bytes());
    out.push(b'\n');
    out.extend_from_slice(group.as_bytes());
    out.push(b':');
    for &number in numbers {
        fill(out, " #", &[number]);
    }
    out.push(b'\n');
}

/// `snmp`.
pub fn all(_: u32, out: &mut Vec<u8>) {
    let Counts { ip: [ip, _], tcp, udp, udp_lite, .. } = sockets::counts();
    lines(
        out,
        "Ip",
        "Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors ForwDatagrams InUnknownProtos InDiscards InDelivers \
         OutRequests OutDiscards OutNoRoutes ReasmTimeout ReasmReqds ReasmOKs ReasmFails FragOKs FragFails FragCreates",
        &[
            2,
            64,
            ip.received,
            ip.header_errors,
            ip.address_errors,
            0,
            ip.unknown_protocols,
            ip.discarded,
            ip.delivered,
            ip.sent,
            ip.send_discarded,
            ip.no_routes,
            ip.reassembly_timeouts,
            ip.reassembly_wanted,
            ip.reassembled,
            ip.reassembly_failed,
            ip.fragmented,
            ip.fragments_refused,
            ip.fragments_made,
        ],
    );
    lines(
        out,
        "Icmp",
        "InMsgs InErrors InCsumErrors InDestUnreachs InEchos OutMsgs OutEchoReps",
        &[
            ip.messages_received,
            ip.message_errors,
            ip.bad_checksums,
            ip.unreachable_received,
            ip.echoes_received,
            ip.messages_sent,
            ip.echo_replies_sent,
        ],
    );
    lines(
        out,
        "Tcp",
        "RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs \
         RetransSegs InErrs OutRsts InCsumErrors",
        &[
            1,
            200,
            120_000,
            // -1: as many as there is room for.
            u64::MAX,
            tcp.active_opens,
            tcp.passive_opens,
            tcp.failed_opens,
            tcp.resets_received,
            tcp.established,
            tcp.received,
            tcp.sent,
            tcp.retransmitted,
            tcp.receive_errors,
            tcp.resets_sent,
            tcp.bad_checksums,
        ],
    );
    for (name, udp) in [("Udp", udp), ("UdpLite", udp_lite)] {
        lines(
            out,
            name,
            "InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors",
            &[udp.received, udp.no_ports, udp.receive_errors, udp.sent, udp.overflows, 0, udp.bad_checksums],
        );
    }
}

/// `snmp6`.
pub fn of_version_6(_: u32, out: &mut Vec<u8>) {
    let Counts { ip: [_, ip], .. } = sockets::counts();
    let IpCounts { received, header_errors, address_errors, unknown_protocols, discarded, delivered, .. } = ip;
    let rows: [(&[u8], u64); 14] = [
        (b"Ip6InReceives", received),
        (b"Ip6InHdrErrors", header_errors),
        (b"Ip6InAddrErrors", address_errors),
        (b"Ip6InUnknownProtos", unknown_protocols),
        (b"Ip6InDiscards", discarded),
        (b"Ip6InDelivers", delivered),
        (b"Ip6OutRequests", ip.sent),
        (b"Ip6OutDiscards", ip.send_discarded),
        (b"Ip6OutNoRoutes", ip.no_routes),
        (b"Ip6ReasmTimeout", ip.reassembly_timeouts),
        (b"Ip6ReasmOKs", ip.reassembled),
        (b"Icmp6InMsgs", ip.messages_received),
        (b"Icmp6InErrors", ip.message_errors),
        (b"Icmp6OutMsgs", ip.messages_sent),
    ];
    for (name, number) in rows {
        let start = out.len();
        out.extend_from_slice(name);
        pad(out, start + 32);
        fill(out, "\t#\n", &[number]);
    }
}

/// `netstat`: what is counted of it.
pub fn extended(_: u32, out: &mut Vec<u8>) {
    let tcp = sockets::counts().tcp;
    lines(out, "TcpExt", "ListenOverflows TCPTimeouts", &[tcp.accept_overflows, tcp.timeouts]);
}

/// `sockstat`. Memory is not counted by protocols.
pub fn sockets(_: u32, out: &mut Vec<u8>) {
    let Counts { sockets: [tcp, udp, raw, lite], lingering: [time_waits, orphans], .. } = sockets::counts();
    let numbers = [tcp + udp + raw + lite, tcp, orphans, time_waits, tcp, udp, lite, raw].map(u64::from);
    fill(
        out,
        "sockets: used #\nTCP: inuse # orphan # tw # alloc # mem 0\nUDP: inuse # mem 0\nUDPLITE: inuse #\n\
         RAW: inuse #\nFRAG: inuse 0 memory 0\n",
        &numbers,
    );
}

/// `protocols`.
pub fn protocols(_: u32, out: &mut Vec<u8>) {
    let [tcp, udp, raw, lite] = sockets::counts().sockets;
    out.extend_from_slice(
        b"protocol  size sockets  memory press maxhdr  slab module     cl co di ac io in de sh ss gs\n",
    );
    for (name, number) in [(&b"TCP"[..], tcp), (b"UDP", udp), (b"UDP-Lite", lite), (b"RAW", raw)] {
        let start = out.len();
        out.extend_from_slice(name);
        pad(out, start + 10);
        fill(out, "   0 # -1 NI 0 no kernel y y y y y y y y y y\n", &[number.into()]);
    }
}
