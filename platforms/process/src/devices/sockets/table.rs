//! Which socket has which number.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};

use sockets::{Error, Form, Socket, Waiting};
use sync::Mutex;

use super::socket::HostSocket;

/// Numbers are given once.
static TABLE: Mutex<(u64, BTreeMap<u64, Arc<HostSocket>>)> = Mutex::new((0, BTreeMap::new()));

/// Gives a socket its number.
pub fn add(socket: HostSocket) -> Socket {
    let socket = Arc::new(socket);
    let (last, all) = &mut *TABLE.lock();
    *last += 1;
    all.insert(*last, socket);
    Socket(*last)
}

/// Gives the listener that has the published port behind this descriptor another number, of one who shares it.
pub fn share(descriptor: i32, form: Form, waiting: Waiting) -> Option<Socket> {
    let (last, all) = &mut *TABLE.lock();
    let has =
        |socket: &HostSocket| socket.form == form && socket.port.is_some_and(|port| port.descriptor == descriptor);
    let (&first, socket) = all.iter().find(|(_, socket)| has(socket))?;
    let socket = Arc::clone(socket);
    *last += 1;
    socket.share(first, *last, waiting);
    all.insert(*last, socket);
    Some(Socket(*last))
}

/// The socket of a number.
pub fn get(number: u64) -> Result<Arc<HostSocket>, Error> {
    TABLE.lock().1.get(&number).cloned().ok_or(Error::Stale)
}

/// Takes one out.
pub fn remove(Socket(number): Socket) -> Option<Arc<HostSocket>> {
    TABLE.lock().1.remove(&number)
}

/// All of them, and what they are.
pub fn all() -> Vec<(Socket, Form)> {
    TABLE.lock().1.iter().map(|(&number, socket)| (Socket(number), socket.form)).collect()
}

/// Whether somebody has the published port behind this descriptor.
pub fn has(descriptor: i32) -> bool {
    TABLE.lock().1.values().any(|socket| socket.port.is_some_and(|port| port.descriptor == descriptor))
}
