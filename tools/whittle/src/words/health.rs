//! Where a program is asked whether it is well: `http://HOST:PORT/PATH`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// A page that a healthy program has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthUrl {
    /// HOST:PORT as it was said.
    pub authority: String,
    /// The addresses that HOST is.
    pub addresses: Vec<IpAddr>,
    /// The port.
    pub port: u16,
    /// The path, and what follows it.
    pub path: String,
}

impl FromStr for HealthUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "http://HOST:PORT/PATH is expected, as in http://127.0.0.1:8080/";
        let rest = text.strip_prefix("http://").ok_or(SHAPE)?;
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if text.chars().any(|letter| !letter.is_ascii_graphic()) || text.contains('#') {
            return Err("blanks, # and letters that are not ASCII have to be written as %20 and so on");
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| SHAPE)?),
            _ => (authority, 80),
        };
        let path = if path.is_empty() { "/" } else { path };
        Ok(Self { authority: authority.into(), addresses: addresses(host)?, port, path: path.into() })
    }
}

/// What a host is without asking anybody, who might not answer.
fn addresses(host: &str) -> Result<Vec<IpAddr>, &'static str> {
    if host == "localhost" {
        return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
    }
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let address = match inner {
        Some(inner) => inner.parse().ok().map(IpAddr::V6),
        None => host.parse().ok().map(IpAddr::V4),
    };
    address
        .map(|address| vec![address])
        .ok_or("HOST is an address of this machine, as 127.0.0.1 or [::1], or localhost")
}

impl HealthUrl {
    /// Where it is asked, one after the other.
    pub fn places(&self) -> impl Iterator<Item = SocketAddr> {
        self.addresses.iter().map(|&address| SocketAddr::new(address, self.port))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_a_host_a_port_and_a_path() {
        let url: HealthUrl = "http://127.0.0.1:8080/up?x=1".parse().unwrap();
        assert_eq!((&*url.authority, url.port, &*url.path), ("127.0.0.1:8080", 8080, "/up?x=1"));
        let url: HealthUrl = "http://localhost".parse().unwrap();
        assert_eq!((url.addresses.len(), url.port, &*url.path), (2, 80, "/"));
        let url: HealthUrl = "http://[::1]:81/".parse().unwrap();
        assert_eq!(url.places().next(), "[::1]:81".parse().ok());
        let url: HealthUrl = "http://[::1]/".parse().unwrap();
        assert_eq!(url.places().next(), "[::1]:80".parse().ok());
    }

    #[test]
    fn what_is_none_is_refused() {
        for wrong in ["", "http://", "127.0.0.1:80", "https://127.0.0.1/", "http://example.org/", "http://::1/"] {
            assert!(wrong.parse::<HealthUrl>().is_err(), "{wrong:?}");
        }
        for wrong in
            ["http://127.0.0.1:x/", "http://127.0.0.1:80000/", "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX"]
        {
            assert!(wrong.parse::<HealthUrl>().is_err(), "{wrong:?}");
        }
    }
}
