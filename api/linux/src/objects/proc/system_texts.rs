//! `/proc/locks` and `/proc/net/unix`: who has locked what, and which sockets there are.

use alloc::{sync::Arc, vec::Vec};

use range_locks::{Held, Kind};
use unix_sockets::{Form, Socket};
use vfs::Node;

use crate::objects::{descriptors::locking::LOCKS, files::locking::shown_holder, text::fill};

/// A line a lock (proc_locks(5)).
pub fn locks(out: &mut Vec<u8>) {
    for (index, held) in LOCKS.all().into_iter().enumerate() {
        let holder = shown_holder(&held);
        let Held { file: (device, inode), kind, write, start, last, .. } = held;
        let name = match kind {
            Kind::Process => "POSIX ",
            Kind::Range => "OFDLCK",
            Kind::Whole => "FLOCK ",
        };
        fill(out, "#: ", &[index as u64 + 1]);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(if write { b" ADVISORY  WRITE " } else { b" ADVISORY  READ " });
        // An open file's lock on a range is no process'.
        let numbers = [holder.into(), device >> 8, device & 0xff, inode, start];
        match kind {
            Kind::Range => fill(out, "-1 %:%:# # ", &numbers[1..]),
            _ => fill(out, "# %:%:# # ", &numbers),
        }
        if last == u64::MAX {
            out.extend_from_slice(b"EOF\n");
        } else {
            fill(out, "#\n", &[last]);
        }
    }
}

/// A line a socket: those that are open here, and those that others find by a name. Where Linux shows an address of the
/// kernel's, here is a number that tells nothing.
pub fn sockets(out: &mut Vec<u8>) {
    out.extend_from_slice(b"Num       RefCount Protocol Flags    Type St Inode Path\n");
    let mut shown: Vec<u64> = Vec::new();
    let mut least = 0;
    loop {
        // Described with nothing locked: who is listed may be in use.
        let next = {
            let files = crate::objects::process::descriptors();
            files.next(least).and_then(|number| Some((number, Arc::clone(files.get(number as i32).ok()?))))
        };
        let Some((number, description)) = next else { break };
        if let Ok(socket) = description.node_as::<Socket>() {
            line(socket, &mut shown, out);
        }
        least = number + 1;
    }
    crate::objects::sockets::unix::named().iter().for_each(|socket| line(socket, &mut shown, out));
}

fn line(socket: &Socket, shown: &mut Vec<u64>, out: &mut Vec<u8>) {
    let inode = socket.inode();
    let Err(place) = shown.binary_search(&inode) else { return };
    shown.insert(place, inode);
    let kind = match socket.form() {
        Form::Stream => 1,
        Form::Datagrams => 2,
        Form::Packets => 5,
    };
    // __SO_ACCEPTCON; SS_UNCONNECTED, SS_CONNECTED. Who is listed is open once at least.
    let (listens, connected) = (socket.is_listening(), socket.is_connected());
    let flags = if listens { 0x1_0000 } else { 0 };
    let (references, state) = if connected { (3, 3) } else { (2, 1) };
    fill(out, "&: $ 00000000 $ 00% % #", &[0, references, flags, kind, state, inode]);
    if let Some(name) = socket.name().filter(|name| !name.is_empty()) {
        out.push(b' ');
        // A path ends with a NUL, which is not shown; a name that is no file begins with one, shown as is each in it.
        let name = if name[0] == 0 { &name[..] } else { name.split(|&byte| byte == 0).next().unwrap_or_default() };
        out.extend(name.iter().map(|&byte| if byte == 0 { b'@' } else { byte }));
    }
    out.push(b'\n');
}
