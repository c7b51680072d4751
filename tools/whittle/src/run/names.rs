//! Files about names that the program finds: `/etc/resolv.conf`, `/etc/hosts`, `/etc/hostname`.
//!
//! On this machine's own files they are mostly right already. What is not is put over them, in memory.

use std::fs;
use std::net::IpAddr;
use std::path::Path;

use launch::{Builder, Key};
use rustix::system::uname;

use crate::arguments::Run;
use crate::failure::Failure;
use crate::pack::Tree;
use crate::pack::tree::{Entry, Kind};
use crate::words::{Net, Root};

const SERVERS: &str = "resolv.conf";
const HOSTS: &str = "hosts";
const NAME: &str = "hostname";

/// Who answers for this machine's resolver where the program cannot reach that itself: it listens on loopback.
pub const RESOLVER: &str = "10.0.2.3";

/// The files that are to be others than the program would find: names below /etc, and contents.
pub fn files(run: &Run, net: &Net) -> Vec<(&'static str, String)> {
    let on_ours = *run.root() == Root::Host;
    let ours = |name: &str| fs::read_to_string(Path::new("/etc").join(name)).unwrap_or_default();
    let (options, mut files) = (&run.network, Vec::new());
    if let Some(wanted) = servers(&ours(SERVERS), &options.dns, net).filter(|_| *net != Net::None)
        && (!on_ours || wanted != ours(SERVERS))
    {
        files.push((SERVERS, wanted));
    }
    if !on_ours || options.hostname.is_some() {
        files.push((NAME, format!("{}\n", host_name(run))));
    }
    if !on_ours || options.hostname.is_some() || !options.hosts.is_empty() {
        let known = if on_ours { ours(HOSTS) } else { loopback().into() };
        files.push((HOSTS, hosts(known, run)));
    }
    files
}

/// Tells the kernel of them, or puts them into an archive's files, where a kernel would leave those that are there.
pub fn put(files: &[(&str, String)], tree: &mut Tree) -> Result<(), Failure> {
    for (name, contents) in files {
        let entry = Entry { kind: Kind::Contents(contents.clone().into_bytes()), ..Entry::directory(0o644) };
        tree.put(&Path::new("/etc").join(name), entry)?;
    }
    Ok(())
}

/// What the kernel is told of them: see `launch::Key::Names`.
pub fn tell(files: &[(&str, String)], record: &mut Builder) {
    for (name, contents) in files.iter().filter(|(_, contents)| !contents.contains('\0')) {
        record.add(Key::Names, format!("{name}\n{contents}"));
    }
}

/// The machine's name.
pub fn host_name(run: &Run) -> String {
    run.network.hostname.clone().unwrap_or_else(|| uname().nodename().to_string_lossy().into_owned())
}

/// Servers of names, as resolv.conf(5) has them: those that are asked for, else this machine's. `None` if nothing is
/// known.
fn servers(ours: &str, asked: &[IpAddr], net: &Net) -> Option<String> {
    if !asked.is_empty() {
        return Some(asked.iter().map(|server| format!("nameserver {server}\n")).collect());
    }
    let named = |line: &str| line.strip_prefix("nameserver")?.trim().parse::<IpAddr>().ok();
    let beyond = |line: &str| named(line).is_none_or(|server| !server.is_loopback());
    let reached = ours.lines().any(|line| named(line).is_some() && beyond(line));
    match (reached, net) {
        (_, Net::Host) => Some(ours.into()),
        (true, _) if ours.lines().all(beyond) => Some(ours.into()),
        // A server on this machine's loopback is not reached: others are asked, or whoever answers for it.
        (true, _) => Some(ours.lines().filter(|line| beyond(line)).flat_map(|line| [line, "\n"]).collect()),
        (false, Net::User) => {
            let rest = ours.lines().filter(|line| named(line).is_none());
            Some(rest.flat_map(|line| [line, "\n"]).chain(["nameserver ", RESOLVER, "\n"]).collect())
        }
        (false, _) => None,
    }
}

/// This machine's resolver, if it listens on loopback alone: then [`RESOLVER`] answers for it.
pub fn resolver() -> Option<IpAddr> {
    let ours = fs::read_to_string(Path::new("/etc").join(SERVERS)).unwrap_or_default();
    let mut servers = ours.lines().filter_map(|line| line.strip_prefix("nameserver")?.trim().parse::<IpAddr>().ok());
    let first = servers.next()?;
    (first.is_loopback() && servers.all(|server| server.is_loopback())).then_some(first)
}

const fn loopback() -> &'static str {
    "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n"
}

fn hosts(mut known: String, run: &Run) -> String {
    if !known.is_empty() && !known.ends_with('\n') {
        known.push('\n');
    }
    let name = host_name(run);
    let mut lines = known.lines().filter(|line| !line.trim_start().starts_with('#'));
    if !lines.any(|line| line.split_whitespace().skip(1).any(|word| word == name)) {
        // As Debian has it, so that it is never without an address.
        known += &format!("127.0.1.1\t{name}\n");
    }
    let added = run.network.hosts.iter().map(|named| format!("{}\t{}\n", named.address, named.name));
    known.extend(added);
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_those_that_the_program_reaches() {
        let server = |text: &str| text.parse().unwrap();
        let usual = "search home\nnameserver 192.0.2.1\n";
        assert_eq!(servers(usual, &[], &Net::User).as_deref(), Some(usual));
        assert_eq!(servers(usual, &[server("::7")], &Net::User).as_deref(), Some("nameserver ::7\n"));
        let local = "nameserver 127.0.0.53\noptions edns0\n";
        assert_eq!(servers(local, &[], &Net::User).as_deref(), Some("options edns0\nnameserver 10.0.2.3\n"));
        assert_eq!(servers(local, &[], &Net::Host).as_deref(), Some(local));
        assert_eq!(servers(local, &[], &Net::Tap("t".into())), None);
        let both = "nameserver 127.0.0.1\nnameserver 192.0.2.1\n";
        assert_eq!(servers(both, &[], &Net::User).as_deref(), Some("nameserver 192.0.2.1\n"));
        assert_eq!(servers("", &[], &Net::User).as_deref(), Some("nameserver 10.0.2.3\n"));
    }

    #[test]
    fn hosts_have_the_machines_name_and_what_was_added() {
        let mut run = Run::default();
        run.network.hostname = Some("box".into());
        run.network.hosts = vec!["db:10.0.0.7".parse().unwrap()];
        assert_eq!(hosts("# box\n127.0.0.1 x".into(), &run), "# box\n127.0.0.1 x\n127.0.1.1\tbox\n10.0.0.7\tdb\n");
        assert_eq!(hosts("::1 y box\n".into(), &run), "::1 y box\n10.0.0.7\tdb\n");
    }
}
