//! Frames on the command's socket: output and error in one order, and nothing to read. Started by hand, it is silent.

use wire::{
    Header,
    guest::{Output, Sender},
};

use crate::devices::control;

/// Provider of the contract `console`.
pub type PortConsole = Output<Socket>;

/// The command's socket.
#[derive(Debug)]
pub struct Socket;

impl Sender for Socket {
    fn send(header: Header, payload: &[u8]) {
        control::send(header, payload);
    }
}
