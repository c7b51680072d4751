//! Streams between a machine of ours on pc and a Linux guest, each in a QEMU of its own. A pair of datagram sockets
//! joins them, so neither rights nor a device of the host's are wanted. Linux is the client, and says what came.

use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::super::guest;
use super::super::program::readings;
use super::super::rounds::{Cell, Reading};
use super::super::table::Table;
use super::sides::{self, Application, Ours};
use crate::arguments::{Net, Platform};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::machine::OpenNic;

/// How long a machine may take to open its socket.
const BEGIN: Duration = Duration::from_secs(300);
/// What the client says of each way, and what that is called.
const WAYS: [(&str, &str); 2] = [("to", "to the machine"), ("from", "from the machine")];

/// A folder for the sockets, gone with the value.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("whittle-joined-{}", std::process::id()));
        fs::create_dir(&path).doing(format!("make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is in the way of nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits for the socket of the machine, and sends to it from now on.
fn join(socket: &UnixDatagram, machine: &Path) -> Result<(), Failure> {
    let since = Instant::now();
    loop {
        match socket.connect(machine) {
            Ok(()) => return Ok(()),
            Err(error) if since.elapsed() > BEGIN => return Err(error).doing("reach a machine"),
            Err(_) => sleep(Duration::from_millis(20)),
        }
    }
}

/// Has a Linux guest send so many megabytes to a machine, and the machine as many to the guest.
pub fn joined(house: &House, wanted: &Net, megabytes: u16) -> Result<(), Failure> {
    Application::Echo.build(house, Platform::Pc)?;
    let program = sides::echo_server(house)?;
    guest::fetch(house)?;
    let folder = Folder::make()?;
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.0.join(name));
    let socket = UnixDatagram::bind(&theirs).doing("make a socket")?;
    let nic = format!("dgram:{},{}", ours.display(), theirs.display());
    let options = ["--platform", "pc", "--accel", "tcg", "--machine", "q35"];
    let _machine = Ours::start_at(house, Application::Echo, &nic, &options)?;
    join(&socket, &ours)?;
    let bytes = u64::from(megabytes) << 20;
    let told = guest::ask(house, &program, OpenNic::of_datagrams(socket.into())?, bytes)?;
    let table = table(&told, bytes)?;
    table.print(wanted.json);
    Ok(())
}

/// The client says how long each way took, and only where the digests are equal.
fn table(told: &str, bytes: u64) -> Result<Table, Failure> {
    let times = readings(told, 1.0);
    let row = |(word, name): (&str, &str)| match times.iter().find(|(way, _)| way == word) {
        Some((_, Reading::Samples(taken))) if !taken.is_empty() => {
            let speed = taken.iter().map(|milliseconds| bytes as f64 / 1e3 / milliseconds.max(1.0)).collect();
            Ok((name.to_owned(), vec![Cell::of(Reading::Samples(speed))]))
        }
        _ => Err(Failure::ours(format!("the stream {name} has not come whole: {}", told.trim_end()))),
    };
    Ok(Table {
        what: "net",
        unit: "megabytes per second, more is better",
        reference: None,
        headings: vec!["pc".into()],
        rows: WAYS.into_iter().map(row).collect::<Result<_, _>>()?,
        notes: vec![format!(
            "{bytes} bytes each way beside a Linux guest with CUBIC, both emulated; digests are equal."
        )],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_must_have_come() {
        let told = table("cubic\nto 2000\nfrom 1000\n", 1 << 20).unwrap();
        assert_eq!(told.rows.len(), 2);
        let failure = table("to 2000\nfrom it came Ok([1, 2]), and not [1, 3]\n", 1 << 20).map(drop).unwrap_err();
        assert!(failure.sentence.contains("from the machine has not come whole"), "{failure}");
    }
}
