//! Interfaces by name and number: netdevice(7).

use contracts::{sockets, sockets_element::Interface};

/// The interface of a name.
pub fn named(name: &[u8]) -> Option<Interface> {
    sockets::interfaces().into_iter().find(|interface| interface.name() == name)
}

/// The interface of a number.
pub fn numbered(number: u32) -> Option<Interface> {
    sockets::interfaces().into_iter().find(|interface| interface.number == number)
}
