//! The extension headers of IPv6: RFC 8200, 4.

use packets::ipv6::{self, extension};
use zerocopy::FromBytes;

/// Extension headers of a packet; more are an attack.
const MOST: usize = 8;
/// Options of a packet, padding excepted: RFC 8504, 5.3 allows a limit.
const MOST_OPTIONS: usize = 8;

/// What stands before the protocol's header.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// The protocol, [`extension::NONE`], or [`extension::FRAGMENT`].
    pub protocol: u8,
    /// Bytes of the headers; that of a fragment is counted.
    pub length: usize,
    /// Where the number of the protocol stands, from the packet's beginning.
    pub told_at: usize,
    /// The header of a fragment, which ends the walk.
    pub fragment: Option<ipv6::Fragment>,
}

/// Why there is no way through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is dropped without a word.
    Discard,
    /// It ends before its headers do.
    Short,
    /// The sender is told: code and place of a parameter problem. `true`: even if it was for a group.
    Problem(u8, u32, bool),
}

/// Whether a number is that of an extension header which [`walk`] knows.
#[must_use]
pub const fn is_extension(number: u8) -> bool {
    matches!(
        number,
        extension::HOP_BY_HOP | extension::ROUTING | extension::FRAGMENT | extension::DESTINATION | extension::NONE
    )
}

/// Walks over the headers from `first` on. `bytes` is what follows the fixed header, or that of a fragment.
pub fn walk(bytes: &[u8], first: u8) -> Result<Chain, Wrong> {
    let mut chain = Chain { protocol: first, length: 0, told_at: 6, fragment: None };
    let mut options = MOST_OPTIONS;
    for count in 0.. {
        let rest = &bytes[chain.length..];
        let place = ipv6::HEADER + chain.length;
        match chain.protocol {
            _ if count > MOST => return Err(Wrong::Discard),
            extension::FRAGMENT => {
                let (fragment, _) = ipv6::Fragment::read_from_prefix(rest).map_err(|_| Wrong::Short)?;
                (chain.length, chain.fragment) = (chain.length + size_of_val(&fragment), Some(fragment));
                return Ok(chain);
            }
            // RFC 8200, 4.1: only directly behind the fixed header.
            extension::HOP_BY_HOP if count > 0 => return Err(Wrong::Problem(1, chain.told_at as u32, false)),
            extension::HOP_BY_HOP | extension::DESTINATION => look_at_options(header(rest)?, place, &mut options)?,
            // RFC 8200, 4.4: a type that nobody knows, and that still has segments. RFC 5095 took type 0 away.
            extension::ROUTING if header(rest)?[3] != 0 => return Err(Wrong::Problem(0, place as u32 + 2, false)),
            extension::ROUTING => {}
            _ => return Ok(chain),
        }
        (chain.protocol, chain.told_at) = (rest[0], place);
        chain.length += header(rest)?.len();
    }
    Err(Wrong::Discard)
}

/// One whole extension header.
fn header(rest: &[u8]) -> Result<&[u8], Wrong> {
    let length = rest.get(1).map(|&units| 8 + usize::from(units) * 8).ok_or(Wrong::Short)?;
    rest.get(..length).ok_or(Wrong::Short)
}

/// RFC 8200, 4.2: what the two highest bits of an option that is not known ask for.
fn look_at_options(header: &[u8], place: usize, left: &mut usize) -> Result<(), Wrong> {
    const PAD: u8 = 0;
    const PAD_MORE: u8 = 1;
    const ROUTER_ALERT: u8 = 5;
    let mut at = 2;
    while at < header.len() {
        let kind = header[at];
        if kind == PAD {
            at += 1;
            continue;
        }
        let length = header.get(at + 1).map(|&length| usize::from(length)).ok_or(Wrong::Discard)?;
        if at + 2 + length > header.len() {
            return Err(Wrong::Problem(0, (place + at + 1) as u32, false));
        }
        if !matches!(kind, PAD_MORE | ROUTER_ALERT) {
            *left = left.checked_sub(1).ok_or(Wrong::Discard)?;
            match kind >> 6 {
                0 => {}
                1 => return Err(Wrong::Discard),
                both => return Err(Wrong::Problem(2, (place + at) as u32, both == 2)),
            }
        }
        at += 2 + length;
    }
    Ok(())
}
