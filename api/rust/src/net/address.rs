//! What stands for addresses.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use crate::{
    io::{Error, ErrorKind, Message, Result},
    option, slice,
    string::String,
    vec,
};

const NO_ADDRESS: Message = Message { kind: ErrorKind::InvalidInput, text: "could not resolve to any addresses" };
const NO_PORT: Message = Message { kind: ErrorKind::InvalidInput, text: "invalid socket address" };

/// What stands for one address, or for some: names too, which the network's servers are asked for.
pub trait ToSocketAddrs {
    /// The addresses.
    type Iter: Iterator<Item = SocketAddr>;

    /// Gives them.
    ///
    /// # Errors
    /// It is no address.
    fn to_socket_addrs(&self) -> Result<Self::Iter>;
}

/// Declares what is one address by itself.
macro_rules! addresses {
    ($($type:ty,)*) => {
        $(
            impl ToSocketAddrs for $type {
                type Iter = option::IntoIter<SocketAddr>;

                fn to_socket_addrs(&self) -> Result<Self::Iter> {
                    Ok(Some(SocketAddr::from(self.clone())).into_iter())
                }
            }
        )*
    };
}

addresses!(SocketAddr, SocketAddrV4, SocketAddrV6, (IpAddr, u16), (Ipv4Addr, u16), (Ipv6Addr, u16),);

impl ToSocketAddrs for (&str, u16) {
    type Iter = vec::IntoIter<SocketAddr>;

    fn to_socket_addrs(&self) -> Result<Self::Iter> {
        let (name, port) = *self;
        let addresses =
            name.parse().map_or_else(|_| super::names::look_up(name), |address: IpAddr| Ok(vec![address]))?;
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect::<vec::Vec<_>>().into_iter())
    }
}

impl ToSocketAddrs for (String, u16) {
    type Iter = vec::IntoIter<SocketAddr>;

    fn to_socket_addrs(&self) -> Result<Self::Iter> {
        (&*self.0, self.1).to_socket_addrs()
    }
}

impl ToSocketAddrs for str {
    type Iter = vec::IntoIter<SocketAddr>;

    fn to_socket_addrs(&self) -> Result<Self::Iter> {
        if let Ok(address) = self.parse() {
            return Ok(vec![address].into_iter());
        }
        let (name, port) = self.rsplit_once(':').ok_or_else(|| NO_PORT.error())?;
        let port = port.parse().map_err(|_| NO_PORT.error())?;
        (name, port).to_socket_addrs()
    }
}

impl ToSocketAddrs for String {
    type Iter = vec::IntoIter<SocketAddr>;

    fn to_socket_addrs(&self) -> Result<Self::Iter> {
        (**self).to_socket_addrs()
    }
}

impl<'a> ToSocketAddrs for &'a [SocketAddr] {
    type Iter = core::iter::Cloned<slice::Iter<'a, SocketAddr>>;

    fn to_socket_addrs(&self) -> Result<Self::Iter> {
        Ok(self.iter().cloned())
    }
}

impl<T: ToSocketAddrs + ?Sized> ToSocketAddrs for &T {
    type Iter = T::Iter;

    fn to_socket_addrs(&self) -> Result<Self::Iter> {
        (**self).to_socket_addrs()
    }
}

/// The first success that `attempt` has with one of the addresses, or its last error.
pub(super) fn each<A: ToSocketAddrs, T>(addresses: A, mut attempt: impl FnMut(SocketAddr) -> Result<T>) -> Result<T> {
    let mut last: Option<Error> = None;
    for address in addresses.to_socket_addrs()? {
        match attempt(address) {
            Ok(done) => return Ok(done),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| NO_ADDRESS.error()))
}
