//! Formats of IGMP (RFC 2236, RFC 3376) and of MLD's bodies (RFC 2710, RFC 3810).

use alloc::vec::Vec;
use core::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

/// Kinds of IGMP's messages.
pub mod igmp {
    pub const QUERY: u8 = 0x11;
    pub const REPORT_V2: u8 = 0x16;
    pub const LEAVE_V2: u8 = 0x17;
    pub const REPORT_V3: u8 = 0x22;
}

/// Who takes reports of IGMPv3: RFC 3376, 4.2.14.
pub const REPORTS_V4: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 22);
/// Who takes reports of MLDv2: RFC 3810, 5.2.14.
pub const REPORTS_V6: Ipv6Addr = Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 0x16);
/// All routers of a link: RFC 2236, 3.
pub const ALL_ROUTERS_V4: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 2);

/// What a record of a report says: RFC 3376, 4.2.12; RFC 3810, 5.2.12. All groups here are of any source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// It is joined, as an answer: `MODE_IS_EXCLUDE`, of nobody.
    Is = 2,
    /// It is left now: `CHANGE_TO_INCLUDE_MODE`, of nobody.
    Leaves = 3,
    /// It is joined now: `CHANGE_TO_EXCLUDE_MODE`, of nobody.
    Joins = 4,
}

/// A query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// The group, or `None` for all.
    pub group: Option<IpAddr>,
    /// In which time it is answered.
    pub within: Duration,
    /// The querier speaks IGMPv2 or MLDv1 only.
    pub older: bool,
}

/// Reads a query of IGMP, whose checksum was looked at.
#[must_use]
pub fn query_v4(message: &[u8]) -> Option<Query> {
    let &[igmp::QUERY, code, _, _, a, b, c, d, ref rest @ ..] = message else { return None };
    let group = Ipv4Addr::new(a, b, c, d);
    // RFC 3376, 7.1: the length tells the version.
    let older = rest.is_empty();
    let tenths = match code {
        // IGMPv1 has no time: RFC 2236, 4 takes ten seconds.
        0 if older => 100,
        128.. if !older => u64::from((code & 15 | 16) as u32) << ((code >> 4 & 7) + 3),
        code => code.into(),
    };
    let right = older || rest.len() >= 4;
    let group = (!group.is_unspecified()).then_some(IpAddr::V4(group));
    right.then_some(Query { group, within: Duration::from_millis(tenths * 100), older })
}

/// Reads a query of MLD from its header of ICMPv6 on.
#[must_use]
pub fn query_v6(message: &[u8]) -> Option<Query> {
    let code = u16::from_be_bytes(*message.get(4..6)?.first_chunk()?);
    let group = Ipv6Addr::from(*message.get(8..)?.first_chunk::<16>()?);
    // RFC 3810, 8.1.
    let older = message.len() == 24;
    let millis = match code {
        0x8000.. if !older => u64::from(code & 0xfff | 0x1000) << ((code >> 12 & 7) + 3),
        code => code.into(),
    };
    let group = (!group.is_unspecified()).then_some(IpAddr::V6(group));
    (older || message.len() >= 28).then_some(Query { group, within: Duration::from_millis(millis), older })
}

/// Records of a report, of one family.
#[must_use]
pub fn records(groups: &[(IpAddr, Record)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (group, record) in groups {
        bytes.extend([*record as u8, 0, 0, 0]);
        match group {
            IpAddr::V4(group) => bytes.extend(group.octets()),
            IpAddr::V6(group) => bytes.extend(group.octets()),
        }
    }
    bytes
}

/// Whether groups like this one are told at all: not that of everyone on the link, nor those that never leave a machine
/// (RFC 3376, 6; RFC 3810, 6).
#[must_use]
pub fn is_told(group: IpAddr) -> bool {
    match group {
        IpAddr::V4(group) => group != crate::address::ALL_HOSTS,
        IpAddr::V6(group) => group != crate::address::ALL_NODES && crate::address::scope(group) > 1,
    }
}
