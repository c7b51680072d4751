//! Room for clients that come faster than QEMU's own network takes them.
//!
//! Its listeners hold one connection that nobody has taken yet (`tcpx_listen` in libslirp's src/socket.c), and no
//! option says otherwise. Linux drops what comes beyond that, and the client tries again after a second. So whoever
//! opens two connections at once waits for a second. listen(2) may be called again for a longer queue, by whoever has
//! the socket: pidfd_getfd(2) gives a process those of its children.

use std::fs;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread::{self, sleep};
use std::time::Duration;

use rustix::net::{getsockname, listen, sockopt::socket_acceptconn};
use rustix::process::{ForeignRawFd, Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::nics::OpenNic;

/// Connections that wait to be taken: what Linux allows at most unless it is told otherwise (net.core.somaxconn).
const WAITING: i32 = 4096;
/// Pauses until QEMU listens, each longer than the one before: 5 s in all.
const FIRST_PAUSE: Duration = Duration::from_millis(5);
const PAUSES: u32 = 44;

/// Gives the listeners of this QEMU's network longer queues as soon as they are there. Where the system does not let a
/// process have its child's descriptors, they stay as they are.
pub fn lengthen(qemu: Pid, nics: &[OpenNic]) {
    let streams = nics.iter().flat_map(|nic| &nic.published).filter(|published| !published.udp);
    let ports: Vec<u16> = streams.map(|published| published.host).collect();
    // Taken now, while the number cannot be another's.
    if let (false, Ok(process)) = (ports.is_empty(), pidfd_open(qemu, PidfdFlags::empty())) {
        thread::spawn(move || (1..=PAUSES).any(|pause| tried(qemu, process.as_fd(), &ports) || wait(pause)));
    }
}

/// Answers that there is more to do.
fn wait(pause: u32) -> bool {
    sleep(FIRST_PAUSE * pause);
    false
}

/// Whether nothing is left to do: each port's listener was found, or the process lets nobody look.
fn tried(qemu: Pid, process: BorrowedFd<'_>, ports: &[u16]) -> bool {
    let Ok(entries) = fs::read_dir(format!("/proc/{}/fd", qemu.as_raw_nonzero())) else { return true };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let listeners = numbers.filter_map(|number| listener(process, number, ports));
    listeners.filter(|listener| listen(listener, WAITING).is_ok()).count() >= ports.len()
}

/// A descriptor of the process, if it listens at one of these ports.
fn listener(process: BorrowedFd<'_>, number: ForeignRawFd, ports: &[u16]) -> Option<OwnedFd> {
    let socket = pidfd_getfd(process, number, PidfdGetfdFlags::empty()).ok()?;
    if !socket_acceptconn(&socket).ok()? {
        return None;
    }
    let address = std::net::SocketAddr::try_from(getsockname(&socket).ok()?).ok()?;
    ports.contains(&address.port()).then_some(socket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, SocketAddr, TcpListener};

    use rustix::io::Errno;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, getpeername, socket_with};

    /// Connections, of 64, that Linux completes although nobody takes them.
    fn completed(address: SocketAddr) -> usize {
        let connect = || {
            let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
            let stream = socket_with(AddressFamily::INET, SocketType::STREAM, flags, None).unwrap();
            assert_eq!(connect(&stream, &address), Err(Errno::INPROGRESS));
            stream
        };
        let streams: Vec<OwnedFd> = (0..64).map(|_| connect()).collect();
        // Mostly the handshake is over already. One whose first packet was dropped tries again in a second.
        sleep(Duration::from_millis(300));
        streams.iter().filter(|stream| getpeername(stream).is_ok()).count()
    }

    #[test]
    fn a_listener_of_another_holds_more_that_wait() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listen(&listener, 1).unwrap();
        let address = listener.local_addr().unwrap();
        assert!(completed(address) < 10);
        let itself = rustix::process::getpid();
        let process = pidfd_open(itself, PidfdFlags::empty()).unwrap();
        assert!(!tried(itself, process.as_fd(), &[address.port(), 1]), "one of the two is not there");
        assert!(tried(itself, process.as_fd(), &[address.port()]));
        assert_eq!(completed(address), 64);
    }
}
