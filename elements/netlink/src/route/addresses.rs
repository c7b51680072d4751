//! Addresses: `struct ifaddrmsg`.

use alloc::vec::Vec;
use core::net::IpAddr;

use sockets::{Assigned, Interface, Medium, Standing};

use super::{Facts, family, kinds::NEW_ADDRESS, octets, wants};
use crate::{Message, Request};

/// Attributes: `include/uapi/linux/if_addr.h`.
mod attribute {
    pub const ADDRESS: u16 = 1;
    pub const LOCAL: u16 = 2;
    pub const LABEL: u16 = 3;
    pub const BROADCAST: u16 = 4;
    pub const TIMES: u16 = 6;
    pub const FLAGS: u16 = 8;
}

/// All of a family, and of one interface if `strict` says that the header counts.
pub fn all(request: &Request<'_>, strict: bool, facts: &dyn Facts) -> impl Iterator<Item = Message> {
    let (wanted, only) = (request.family(), if strict { request.word(4) } else { 0 });
    let interfaces = facts.interfaces();
    facts.addresses().into_iter().filter_map(move |own| {
        let interface = interfaces.iter().find(|interface| interface.number == own.interface)?;
        let is = wants(wanted, own.address) && (only == 0 || only == own.interface);
        is.then(|| told(&own, interface))
    })
}

fn told(own: &Assigned, interface: &Interface) -> Message {
    /// IFA_F_PERMANENT, IFA_F_TENTATIVE, and IFA_F_DADFAILED.
    const FLAGS: [u8; 3] = [0x80, 0x40, 0x8];
    let mut flags = if own.lasting { FLAGS[0] } else { 0 };
    flags |= match own.standing {
        Standing::Ours => 0,
        Standing::Tentative => FLAGS[1],
        Standing::Duplicate => FLAGS[2],
    };
    let bytes = octets(own.address);
    let mut header = Vec::from([family(own.address), own.length, flags, scope(own.address)]);
    header.extend_from_slice(&own.interface.to_ne_bytes());
    let mut message = Message::new(NEW_ADDRESS, &header).with(attribute::ADDRESS, &bytes);
    if let IpAddr::V4(address) = own.address {
        message = message.with(attribute::LOCAL, &bytes);
        if matches!(interface.medium, Medium::Ethernet(_)) && own.length < 31 {
            let rest = u32::MAX.checked_shr(own.length.into()).unwrap_or(0);
            message = message.with(attribute::BROADCAST, &(u32::from(address) | rest).to_be_bytes());
        }
        let mut label = interface.name().to_vec();
        label.push(0);
        message = message.with(attribute::LABEL, &label);
    }
    // Preferred, valid, made, changed. What ends by itself is asked for again before it does.
    let times = [u32::MAX, u32::MAX, 0, 0].map(u32::to_ne_bytes).concat();
    message.with_word(attribute::FLAGS, flags.into()).with(attribute::TIMES, &times)
}

/// RT_SCOPE_HOST, RT_SCOPE_LINK, RT_SCOPE_UNIVERSE.
pub fn scope(address: IpAddr) -> u8 {
    let is_of_link = match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    match () {
        () if address.is_loopback() => 254,
        () if is_of_link => 253,
        () => 0,
    }
}
