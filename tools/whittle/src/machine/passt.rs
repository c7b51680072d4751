//! passt, which carries a machine's packets to this machine's sockets without rights: one is started for each machine.

use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use crate::arguments::Network;
use crate::child::{out_of_the_way, prepare};
use crate::failure::{Doing, Failure};
use crate::words::Published;

/// Its program.
const PROGRAM: &str = "passt";
/// The descriptor of its end.
const SOCKET: i32 = 3;
/// The machine's address, and its router's, where none are asked for: as QEMU's own network has them.
const ADDRESS: [&str; 3] = ["10.0.2.15", "24", "10.0.2.2"];

/// One that runs.
#[derive(Debug)]
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It ends by itself when the machine has gone, and otherwise now.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts it; the other end is the machine's.
pub fn start(options: &Network) -> Result<(Running, OwnedFd), Failure> {
    options.published.iter().try_for_each(Published::check)?;
    let (ours, theirs) = UnixStream::pair().doing("make a socket")?;
    let mut command = Command::new(PROGRAM);
    // Addresses are what we say, and its gateway is nobody: else it would be this machine's loopback.
    command.args(["--foreground", "--quiet", "--no-map-gw", "--fd", &SOCKET.to_string()]);
    command.args(words(options));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    prepare(&mut command, vec![(out_of_the_way(theirs.as_fd()).doing("pass the socket on")?, SOCKET)], false);
    let child = command.spawn().map_err(|error| absent(&error))?;
    Ok((Running(child), ours.into()))
}

fn absent(error: &io::Error) -> Failure {
    if error.kind() == ErrorKind::NotFound {
        return Failure::ours("passt is not installed: install it as by apt-get install passt, or say --net user");
    }
    Failure::ours(format!("cannot start passt: {}", crate::failure::plain(error)))
}

fn words(options: &Network) -> Vec<String> {
    let v4 = options.ip.iter().find(|prefix| prefix.address.is_ipv4());
    let address = v4.map_or_else(|| ADDRESS[0].into(), |prefix| prefix.address.to_string());
    let bits = v4.map_or_else(|| ADDRESS[1].into(), |prefix| prefix.bits.to_string());
    let mut words = vec!["--address".into(), address, "--netmask".into(), bits];
    let router = options.gateway.iter().find(|gateway| gateway.is_ipv4());
    words.extend(["--gateway".into(), router.map_or_else(|| ADDRESS[2].into(), ToString::to_string)]);
    for published in &options.published {
        let address = published.address.map(|address| format!("{address}/")).unwrap_or_default();
        let option = if published.udp { "--udp-ports" } else { "--tcp-ports" };
        words.extend([option.into(), format!("{address}{}:{}", published.host, published.guest)]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passt_is_told_what_the_command_was() {
        let published = vec!["8080:80".parse().unwrap(), "127.0.0.1:53:5353/udp".parse().unwrap()];
        let words = words(&Network { published, ip: vec!["10.1.0.7/16".parse().unwrap()], ..Network::default() });
        let wanted =
            "--address 10.1.0.7 --netmask 16 --gateway 10.0.2.2 --tcp-ports 8080:80 --udp-ports 127.0.0.1/53:5353";
        assert_eq!(words.join(" "), wanted);
        assert!(absent(&ErrorKind::NotFound.into()).sentence.starts_with("passt is not installed"));
    }
}
