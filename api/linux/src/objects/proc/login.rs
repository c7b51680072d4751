//! `/proc/PID/loginuid` and `sessionid`: who logged in, as PAM says it.

use alloc::vec::Vec;
use core::{
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use identity::Login;
use vfs::FileError;

use crate::{
    objects::{process::Process, text::fill},
    process,
};

/// The user, and the login, of who belongs to none.
const UNSET: u32 = u32::MAX;

/// Logins so far.
static LOGINS: AtomicU32 = AtomicU32::new(0);

/// `loginuid`.
pub fn user(process: &Process, out: &mut Vec<u8>) {
    show(process, |login| login.user, out);
}

/// `sessionid`.
pub fn session(process: &Process, out: &mut Vec<u8>) {
    show(process, |login| login.session.get(), out);
}

fn show(process: &Process, of: fn(Login) -> u32, out: &mut Vec<u8>) {
    fill(out, "#", &[process.identity.lock().login.map_or(UNSET, of).into()]);
}

/// Sets who logged in, which begins another login. Each process says it of itself.
pub fn set_user(subject: &Process, text: &[u8]) -> Result<(), FileError> {
    if subject.id != process().id {
        return Err(FileError::NotPermitted);
    }
    let text = core::str::from_utf8(text).map_err(|_| FileError::Invalid)?;
    let user = text.strip_suffix('\n').unwrap_or(text).parse().map_err(|_| FileError::Invalid)?;
    let next = || NonZeroU32::new(LOGINS.fetch_add(1, Relaxed).wrapping_add(1));
    let session = if user == UNSET { None } else { next().or_else(next) };
    let login = session.map(|session| Login { user, session });
    subject.identity.lock().set_login(login).map_err(|_| FileError::NotPermitted)
}
