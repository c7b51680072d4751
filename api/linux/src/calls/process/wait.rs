//! Waiting for children.

use families::{Clones, News, Wanted, Who};
use linux_abi::{
    Errno, FileDescriptor, UserAddress,
    constants::{OpenFlags, P_ALL, P_PGID, P_PID, P_PIDFD, SIGCHLD, WaitOptions},
    structures::{ResourceUsage, SignalInformation, TimeValue},
};

use crate::{
    Result,
    objects::{
        children::{self, Reaped},
        events, files,
        signals::child::code_and_status,
        user,
    },
    process,
};

/// wait4(2): waits for a child.
///
/// Answers its number, or 0 if nothing has happened yet and WNOHANG is given.
pub fn wait4(id: i32, status: UserAddress, options: WaitOptions, usage: UserAddress) -> Result {
    const KNOWN: WaitOptions = WaitOptions::WNOHANG
        .union(WaitOptions::WUNTRACED)
        .union(WaitOptions::WCONTINUED)
        .union(WaitOptions::__WNOTHREAD)
        .union(WaitOptions::__WALL)
        .union(WaitOptions::__WCLONE);
    if !KNOWN.contains(options) {
        return Err(Errno::EINVAL);
    }
    let who = match id {
        // It has no opposite, which would be the group.
        i32::MIN => return Err(Errno::ESRCH),
        -1 => Who::Any,
        0 => Who::Group(process().group()),
        1.. => Who::Process(id.cast_unsigned()),
        _ => Who::Group(id.unsigned_abs()),
    };
    let wanted = Wanted { ended: true, keep: false, ..wanted(who, options) };
    let Some(reaped) = children::wait(&wanted, !options.contains(WaitOptions::WNOHANG))? else { return Ok(0) };
    if !status.is_null() {
        user::write_struct(status, &word(reaped.found.news))?;
    }
    write_usage(usage, &reaped)?;
    Ok(reaped.found.number as usize)
}

/// What has happened, as `wait.h` takes it apart.
const fn word(news: News) -> u32 {
    match news {
        News::Exited(status) => (status as u32) << 8,
        News::Killed(signal) => signal as u32,
        News::Stopped(signal) => (signal as u32) << 8 | 0x7f,
        News::Continued => 0xffff,
    }
}

fn wanted(who: Who, options: WaitOptions) -> Wanted {
    let clones = match () {
        () if options.contains(WaitOptions::__WALL) => Clones::Too,
        () if options.contains(WaitOptions::__WCLONE) => Clones::Only,
        () => Clones::Not,
    };
    Wanted {
        who,
        clones,
        usual: SIGCHLD,
        ended: options.contains(WaitOptions::WEXITED),
        stopped: options.contains(WaitOptions::WUNTRACED),
        continued: options.contains(WaitOptions::WCONTINUED),
        keep: options.contains(WaitOptions::WNOWAIT),
    }
}

fn write_usage(address: UserAddress, reaped: &Reaped) -> core::result::Result<(), Errno> {
    let used = ResourceUsage { ru_utime: TimeValue::from_nanoseconds(reaped.time), ..ResourceUsage::default() };
    user::write_optional(address, &used)
}

/// waitid(2): waits for a child.
///
/// Tells as SIGCHLD does what has happened to it.
pub fn waitid(kind: u32, id: i32, information: UserAddress, options: WaitOptions, usage: UserAddress) -> Result {
    const KNOWN: WaitOptions = WaitOptions::WNOHANG
        .union(WaitOptions::WUNTRACED)
        .union(WaitOptions::WEXITED)
        .union(WaitOptions::WCONTINUED)
        .union(WaitOptions::WNOWAIT)
        .union(WaitOptions::__WNOTHREAD)
        .union(WaitOptions::__WALL)
        .union(WaitOptions::__WCLONE);
    let asks = options.intersects(WaitOptions::WEXITED | WaitOptions::WUNTRACED | WaitOptions::WCONTINUED);
    if !KNOWN.contains(options) || !asks {
        return Err(Errno::EINVAL);
    }
    let (who, hangs) = meant(kind, id)?;
    let waits = !options.contains(WaitOptions::WNOHANG);
    let reaped = children::wait(&wanted(who, options), waits && hangs)?;
    if waits && !hangs && reaped.is_none() {
        return Err(Errno::EAGAIN);
    }
    let told = reaped.as_ref().map_or_else(SignalInformation::default, told);
    user::write_optional(information, &told)?;
    if let Some(reaped) = &reaped {
        write_usage(usage, reaped)?;
    }
    Ok(0)
}

/// Whom the arguments mean, and whether waiting for it may take time, which it may not by a descriptor with O_NONBLOCK.
fn meant(kind: u32, id: i32) -> core::result::Result<(Who, bool), Errno> {
    let who = match kind {
        P_ALL => Who::Any,
        P_PID if id > 0 => Who::Process(id.cast_unsigned()),
        P_PGID if id > 0 => Who::Group(id.cast_unsigned()),
        P_PGID if id == 0 => Who::Group(process().group()),
        P_PIDFD if id >= 0 => {
            let description = files::usable(FileDescriptor(id))?;
            let whole = description.node_as::<events::PidFd>().map_err(|_| Errno::EBADF)?;
            return Ok((Who::Process(whole.number()), !description.flags().contains(OpenFlags::O_NONBLOCK)));
        }
        _ => return Err(Errno::EINVAL),
    };
    Ok((who, true))
}

fn told(reaped: &Reaped) -> SignalInformation {
    let (code, status) = code_and_status(reaped.found.news);
    let user = reaped.process.identity.lock().user.real;
    SignalInformation::sent(SIGCHLD, code, reaped.found.number, user, status.into())
}
