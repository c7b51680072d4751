//! The sockets of both parts in one list.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use contracts::outside;
use sockets::{Form, Listed, Socket, Sockets, State};

use super::{Divided, OUTER, Way};

impl<S: Sockets> Divided<S> {
    /// Adds the host's sockets to those of the own stack. One that is both has one line: the host's, once it is
    /// connected by that.
    pub(super) fn list_outside(&self, all: &mut Vec<Listed>) {
        // By the host's number: whose line its socket has, or that it has none of its own.
        let mut owners: BTreeMap<u64, Option<Socket>> = BTreeMap::new();
        let mut outside_alone = BTreeSet::new();
        for entry in self.entries.lock().values() {
            owners.extend(entry.outer().into_iter().map(|socket| (socket.0, None)));
            if let Way::Outside(socket) = entry.way() {
                owners.insert(socket.0, Some(entry.inside));
                outside_alone.insert(entry.inside.0);
            }
        }
        all.retain(|listed| listed.socket.is_none_or(|socket| !outside_alone.contains(&socket.0)));
        for (socket, form) in outside::all() {
            let owner = match owners.get(&socket.0) {
                Some(None) => continue,
                Some(Some(inside)) => *inside,
                None => Socket(socket.0 | OUTER),
            };
            all.extend(listed(socket, form, owner));
        }
    }
}

/// The line of a socket of the host's; none of one that is closed meanwhile.
fn listed(socket: Socket, form: Form, owner: Socket) -> Option<Listed> {
    let local = outside::local(socket).ok()?;
    let remote = outside::remote(socket).ok();
    let state = match outside::stream(socket) {
        Ok(stream) => stream.state,
        Err(_) if remote.is_some() => State::Established,
        Err(_) => State::Closed,
    };
    let [unsent, unread] = [outside::queued(socket), outside::available(socket)].map(|bytes| bytes as u32);
    let unsent = if form.is_stream() && state != State::Listen { unsent } else { 0 };
    Some(Listed { socket: Some(owner), form, state, local, remote, unsent, unread, lost: 0 })
}
