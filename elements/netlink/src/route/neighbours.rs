//! Neighbours: `struct ndmsg`.

use alloc::vec::Vec;

use sockets::Neighbour;

use super::{family, kinds::NEW_NEIGHBOUR, octets, wants};
use crate::{Message, Request};

/// Attributes: rtnetlink(7).
const DESTINATION: u16 = 1;
const HARDWARE: u16 = 2;
/// NUD_INCOMPLETE, NUD_REACHABLE, NUD_STALE.
const STATES: [u16; 3] = [1, 2, 4];
/// NTF_ROUTER.
const ROUTER: u8 = 0x80;
/// RTN_UNICAST.
const UNICAST: u8 = 1;

/// All of a family.
pub fn all(request: &Request<'_>, neighbours: &[Neighbour]) -> impl Iterator<Item = Message> {
    let wanted = request.family();
    neighbours.iter().filter(move |neighbour| wants(wanted, neighbour.address)).map(told)
}

fn told(neighbour: &Neighbour) -> Message {
    let state = STATES[match neighbour.hardware {
        None => 0,
        Some(_) if neighbour.reachable => 1,
        Some(_) => 2,
    }];
    let mut header = Vec::from([family(neighbour.address), 0, 0, 0]);
    header.extend_from_slice(&neighbour.interface.to_ne_bytes());
    header.extend_from_slice(&state.to_ne_bytes());
    header.extend_from_slice(&[if neighbour.router { ROUTER } else { 0 }, UNICAST]);
    let message = Message::new(NEW_NEIGHBOUR, &header).with(DESTINATION, &octets(neighbour.address));
    match neighbour.hardware {
        Some(address) => message.with(HARDWARE, &address),
        None => message,
    }
}
