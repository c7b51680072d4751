//! Telling systemd how far a service is: sd_notify(3), without its library. A datagram of `NAME=value` lines goes to
//! the socket that NOTIFY_SOCKET names.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// Where it goes.
const SOCKET: &str = "NOTIFY_SOCKET";

/// Whether somebody wants to be told.
#[must_use]
pub fn is_wanted() -> bool {
    env::var_os(SOCKET).is_some_and(|place| !place.is_empty())
}

/// The service can be used, and this process is the one to signal.
pub fn ready() {
    tell(&format!("READY=1\nMAINPID={}", std::process::id()));
}

/// The service is about to end.
pub fn stopping() {
    tell("STOPPING=1");
}

/// Nothing is to be done about a supervisor that does not listen: it sees the end by itself.
fn tell(text: &str) {
    if let Some(place) = env::var_os(SOCKET).filter(|place| !place.is_empty()) {
        let _ = send(&place, text);
    }
}

fn send(place: &OsStr, text: &str) -> io::Result<()> {
    let socket = UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    let address = match place.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(place)?,
    };
    socket.send_to_addr(text.as_bytes(), &address).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_by_path_and_by_abstract_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let name = format!("whittle-test-notify-{}", std::process::id());
        let abstract_address = SocketAddr::from_abstract_name(&name).unwrap();
        let sockets = [UnixDatagram::bind(&path).unwrap(), UnixDatagram::bind_addr(&abstract_address).unwrap()];
        for (socket, place) in sockets.iter().zip([path.as_os_str(), OsStr::new(&format!("@{name}"))]) {
            send(place, "READY=1").unwrap();
            let mut text = [0; 100];
            let count = socket.recv(&mut text).unwrap();
            assert_eq!(&text[..count], b"READY=1");
        }
        assert!(send(OsStr::new("/no/such/socket"), "READY=1").is_err());
    }
}
