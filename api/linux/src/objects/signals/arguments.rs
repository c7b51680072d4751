//! Reading and writing what signal calls pass.

use linux_abi::{Errno, UserSignalSet, constants::SIGRTMAX};
use signal_state::SignalSet;

use crate::objects::user;

/// Bytes of the kernel's `sigset_t`; any other size is EINVAL.
pub const SET_SIZE: usize = 8;

/// Reads a set of signals.
pub fn set(address: UserSignalSet, size: usize) -> Result<SignalSet, Errno> {
    if size != SET_SIZE {
        return Err(Errno::EINVAL);
    }
    Ok(SignalSet(user::read_word(address.into())? as u64))
}

/// A signal number to send; `None` for 0, which only asks whether one might.
pub fn signal_or_none(number: i32) -> Result<Option<u8>, Errno> {
    match u8::try_from(number) {
        Ok(0) => Ok(None),
        Ok(signal) if signal <= SIGRTMAX => Ok(Some(signal)),
        _ => Err(Errno::EINVAL),
    }
}

/// A signal number.
pub fn signal(number: i32) -> Result<u8, Errno> {
    signal_or_none(number)?.ok_or(Errno::EINVAL)
}
