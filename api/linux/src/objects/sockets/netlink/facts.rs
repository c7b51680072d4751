//! What the image's network tells.

use alloc::vec::Vec;

use contracts::{
    sockets,
    sockets_element::{Assigned, Interface, Neighbour, Route},
};

/// It.
pub struct Facts;

impl netlink::route::Facts for Facts {
    fn interfaces(&self) -> Vec<Interface> {
        sockets::interfaces()
    }

    fn addresses(&self) -> Vec<Assigned> {
        sockets::addresses()
    }

    fn routes(&self) -> Vec<Route> {
        sockets::routes()
    }

    fn neighbours(&self) -> Vec<Neighbour> {
        sockets::neighbours()
    }
}
