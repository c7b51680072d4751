//! `/proc/net/tcp` of the machine under test, for scripts that look into it: proc(5). Its file is the one that
//! `WHITTLE_CONNECTIONS` names, and the `grep` in the scripts' `PATH` looks there.

use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};

use tcp::Info;

use crate::info::state;
use crate::machine::library::State;
use crate::machine::objects::Object;

/// Writes down what there is now, if a script wants it.
pub fn write(state: &State) {
    let Some(path) = std::env::var_os("WHITTLE_CONNECTIONS") else { return };
    let mut text = String::from("  sl  local_address rem_address   st tx_queue rx_queue\n");
    let sockets = state.objects.values().filter_map(|object| match object {
        Object::Socket(socket) => state.machine.tcp.info(socket.handle).ok(),
        _ => None,
    });
    for (number, info) in sockets.enumerate() {
        text.push_str(&line(number, &info));
    }
    std::fs::write(path, text).expect("the file is the test's own");
}

fn line(number: usize, info: &Info) -> String {
    let (local, remote) = (address(info.local), address(info.remote));
    format!("{number:4}: {local} {remote} {:02X} {:08X}:{:08X}\n", state(info.state), info.queued, info.readable)
}

/// The words of an address as the machine has them in memory, and the port.
fn address(address: SocketAddr) -> String {
    let bytes = match address.ip() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    };
    let mut text = String::new();
    for word in bytes.as_chunks::<4>().0 {
        write!(text, "{:08X}", u32::from_ne_bytes(*word)).expect("a text takes all");
    }
    write!(text, ":{:04X}", address.port()).expect("a text takes all");
    text
}
