//! setsockopt(2).

use linux_abi::{Errno, constants as c, structures::TimeValue};

use crate::{Call, Result, objects::user};

/// Options that are on or off and mean something to networks only, or to a receiver: a bit each.
pub const SWITCHES: u64 = 1 << c::SO_REUSEADDR
    | 1 << c::SO_BROADCAST
    | 1 << c::SO_KEEPALIVE
    | 1 << c::SO_REUSEPORT
    | 1 << c::SO_PASSCRED
    | 1 << c::SO_TIMESTAMP;

/// Sets an option; those of protocols are not there.
pub fn setsockopt(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, _, socket| {
        let (option, address, size) = (call.unsigned(2), call.argument(3), call.int(4));
        if call.unsigned(1) != c::SOL_SOCKET {
            return Err(Errno::EOPNOTSUPP);
        }
        if size < size_of::<u32>() as i32 {
            return Err(Errno::EINVAL);
        }
        let value = user::read_int(address)?;
        match option {
            c::SO_SNDBUF | c::SO_SNDBUFFORCE => socket.set_capacity(value),
            // What is received counts against its sender.
            c::SO_RCVBUF | c::SO_RCVBUFFORCE | c::SO_RCVLOWAT | c::SO_PRIORITY | c::SO_LINGER => {}
            c::SO_RCVTIMEO | c::SO_SNDTIMEO => {
                if size < size_of::<TimeValue>() as i32 {
                    return Err(Errno::EINVAL);
                }
                let time: TimeValue = user::read_struct(address)?;
                if !(0..1_000_000).contains(&time.tv_usec) {
                    return Err(Errno::EDOM);
                }
                let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
                let nanoseconds = seconds.saturating_mul(1_000_000_000).saturating_add(time.tv_usec as u64 * 1000);
                socket.set_patience(option == c::SO_SNDTIMEO, nanoseconds);
            }
            option if option < 64 && SWITCHES >> option & 1 != 0 => socket.set_option(option, value != 0),
            _ => return Err(Errno::ENOPROTOOPT),
        }
        Ok(0)
    })
}
