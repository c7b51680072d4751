//! The family of routes: rtnetlink(7).

mod addresses;
mod links;
mod neighbours;
mod routes;

use alloc::vec::Vec;
use core::net::IpAddr;

use sockets::{Assigned, Interface, Neighbour, Route};

use crate::{Answers, Request, error, flag, kind, requests};

/// Linux' numbers of families.
pub(crate) const V4: u8 = 2;
/// See above.
pub(crate) const V6: u8 = 10;

/// Kinds of requests and answers.
#[expect(missing_docs, reason = "the names are those of the manual page")]
pub mod kinds {
    pub const NEW_LINK: u16 = 16;
    pub const GET_LINK: u16 = 18;
    pub const NEW_ADDRESS: u16 = 20;
    pub const GET_ADDRESS: u16 = 22;
    pub const NEW_ROUTE: u16 = 24;
    pub const GET_ROUTE: u16 = 26;
    pub const NEW_NEIGHBOUR: u16 = 28;
    pub const GET_NEIGHBOUR: u16 = 30;
}

/// Who knows what there is.
pub trait Facts {
    /// The interfaces, by their numbers.
    fn interfaces(&self) -> Vec<Interface>;
    /// Their addresses.
    fn addresses(&self) -> Vec<Assigned>;
    /// The routes, in the order in which they are looked at.
    fn routes(&self) -> Vec<Route>;
    /// The neighbours.
    fn neighbours(&self) -> Vec<Neighbour>;
}

/// Answers all requests of a datagram. `strict`: lists are of what their header names alone (NETLINK_GET_STRICT_CHK).
pub fn answer(datagram: &[u8], port: u32, strict: bool, facts: &dyn Facts) -> Answers {
    let mut answers = Answers::new(port);
    for request in requests(datagram) {
        // Those of the transport's own, and what is no request, are nobody's: netlink(7).
        if request.kind < kind::FIRST || !request.has(flag::REQUEST) {
            if request.has(flag::ACK) {
                answers.result(&request, 0);
            }
            continue;
        }
        let result = one(&request, strict, facts, &mut answers);
        match result {
            Err(error) => answers.result(&request, error),
            // A list has its own end.
            Ok(()) if request.has(flag::ACK) && !request.has(flag::DUMP) => answers.result(&request, 0),
            Ok(()) => {}
        }
    }
    answers
}

fn one(request: &Request<'_>, strict: bool, facts: &dyn Facts, answers: &mut Answers) -> Result<(), i32> {
    // Each family of messages has four: new, delete, get and set.
    const GET: u16 = 2;
    if request.kind % 4 != GET {
        return Err(error::PERMISSION);
    }
    if request.payload().is_empty() {
        return Err(error::INVALID);
    }
    let lists = request.has(flag::DUMP) || request.flags & flag::DUMP != 0;
    match request.kind {
        kinds::GET_LINK if lists => answers.list(request, links::all(&facts.interfaces())),
        kinds::GET_LINK => answers.one(request, links::one(request, &facts.interfaces())?),
        kinds::GET_ADDRESS if lists => answers.list(request, addresses::all(request, strict, facts)),
        kinds::GET_ROUTE if lists => answers.list(request, routes::all(request, facts)),
        kinds::GET_ROUTE => answers.one(request, routes::one(request, facts)?),
        kinds::GET_NEIGHBOUR if lists => answers.list(request, neighbours::all(request, &facts.neighbours())),
        _ => return Err(error::UNSUPPORTED),
    }
    Ok(())
}

/// The family of an address.
pub(crate) const fn family(address: IpAddr) -> u8 {
    if address.is_ipv4() { V4 } else { V6 }
}

/// Its bytes.
pub(crate) fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().into(),
        IpAddr::V6(address) => address.octets().into(),
    }
}

/// Whether a request for a family, or for any (0), is about this one.
pub(crate) const fn wants(wanted: u8, address: IpAddr) -> bool {
    wanted == 0 || wanted == family(address)
}
