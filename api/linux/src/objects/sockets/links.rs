//! Interfaces as programs know them: netdevice(7), and what `/sys/class/net`, `/proc/net` and netlink(7) tell too.

use contracts::{
    sockets,
    sockets_element::{Interface, Medium},
};
use linux_abi::constants as c;

/// Linux' numbers of kinds of links: ARPHRD_ETHER, ARPHRD_LOOPBACK, ARPHRD_NONE.
const KINDS: [u16; 3] = [1, 772, 0xfffe];

/// The interface of a name.
pub fn named(name: &[u8]) -> Option<Interface> {
    sockets::interfaces().into_iter().find(|interface| interface.name() == name)
}

/// The interface of a number.
pub fn numbered(number: u32) -> Option<Interface> {
    sockets::interfaces().into_iter().find(|interface| interface.number == number)
}

/// Its flags.
pub const fn flags(interface: &Interface) -> u32 {
    let up = if interface.up { c::IFF_UP | c::IFF_RUNNING | c::IFF_LOWER_UP } else { 0 };
    up | match interface.medium {
        Medium::Loopback => c::IFF_LOOPBACK,
        Medium::Ethernet(_) => c::IFF_BROADCAST | c::IFF_MULTICAST,
        Medium::PointToPoint => c::IFF_POINTOPOINT | c::IFF_NOARP | c::IFF_MULTICAST,
    }
}

/// The kind of its link.
pub const fn kind(interface: &Interface) -> u16 {
    match interface.medium {
        Medium::Ethernet(_) => KINDS[0],
        Medium::Loopback => KINDS[1],
        Medium::PointToPoint => KINDS[2],
    }
}

/// Its address on the link; zeros where there is none.
pub const fn hardware(interface: &Interface) -> [u8; 6] {
    match interface.medium {
        Medium::Ethernet(address) => address,
        Medium::Loopback | Medium::PointToPoint => [0; 6],
    }
}
