//! `SO_TIMESTAMPING`: Linux' Documentation/networking/timestamping.rst, and the messages of its queue of errors.

use std::ffi::c_int;

use tcp::{Moments, Stamp};

/// `SO_EE_ORIGIN_TIMESTAMPING`.
const ORIGIN: u8 = 4;
/// `SCM_TIMESTAMPING`, which is `SO_TIMESTAMPING`.
pub const KIND: c_int = libc::SO_TIMESTAMPING;

/// The moments that a program asks for by its bits.
pub fn moments(bits: c_int) -> Moments {
    let pairs = [
        (libc::SOF_TIMESTAMPING_TX_SCHED, Moments::SCHEDULED),
        (libc::SOF_TIMESTAMPING_TX_SOFTWARE, Moments::SENT),
        (libc::SOF_TIMESTAMPING_TX_ACK, Moments::ACKNOWLEDGED),
    ];
    let wanted = pairs.into_iter().filter(|(bit, _)| bits as u32 & bit != 0);
    wanted.fold(Moments::empty(), |all, (_, moment)| all | moment)
}

/// `struct scm_timestamping`, and `struct sock_extended_err`.
pub fn messages(stamp: &Stamp, asked: c_int) -> (Vec<u8>, [u32; 4]) {
    let nanos = stamp.at.as_nanos();
    let mut times = [0_i64; 6];
    (times[0], times[1]) = ((nanos / 1_000_000_000) as i64, (nanos % 1_000_000_000) as i64);
    // `SCM_TSTAMP_SND`, `SCM_TSTAMP_SCHED`, `SCM_TSTAMP_ACK`.
    let moment = match stamp.moment {
        Moments::SCHEDULED => 1,
        Moments::ACKNOWLEDGED => 2,
        _ => 0,
    };
    let numbered = asked as u32 & libc::SOF_TIMESTAMPING_OPT_ID != 0;
    let origin = u32::from_ne_bytes([ORIGIN, 0, 0, 0]);
    let error = [libc::ENOMSG as u32, origin, moment, if numbered { stamp.byte } else { 0 }];
    (times.iter().flat_map(|word| word.to_ne_bytes()).collect(), error)
}
