//! getrandom(2): random bytes.

use kernel::task;
use linux_abi::{Errno, UserOutput, constants::RandomFlags};

use crate::{Result, objects::user};

/// Bytes made at a time.
const CHUNK: usize = 256;
/// After so many a signal ends the call and others get their turn, as on Linux.
const UNBROKEN: usize = 4096;
/// Most bytes a call gives, as on Linux.
const MAX_COUNT: usize = 0x1ff_ffff;

/// Never waits.
pub fn getrandom(buffer: UserOutput, count: usize, flags: RandomFlags) -> Result {
    let both = RandomFlags::GRND_RANDOM | RandomFlags::GRND_INSECURE;
    if !RandomFlags::NAMED.contains(flags) || flags.contains(both) {
        return Err(Errno::EINVAL);
    }
    let count = count.min(MAX_COUNT);
    let mut bytes = [0; CHUNK];
    let mut done = 0;
    while done < count {
        let part = &mut bytes[..CHUNK.min(count - done)];
        contracts::entropy::fill(part);
        match user::copy_out(buffer.wrapping_add(done).into(), part) {
            Ok(()) => done += part.len(),
            Err(errno) if done == 0 => return Err(errno),
            Err(_) => break,
        }
        if done.is_multiple_of(UNBROKEN) && done < count && task::breathe() {
            break;
        }
    }
    Ok(done)
}
