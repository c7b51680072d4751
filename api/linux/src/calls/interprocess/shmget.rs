//! shmget(2): finds or makes shared memory.

use crate::objects::errors;
use alloc::sync::Arc;

use ipc::Get;
use linux_abi::{
    Errno,
    constants::{SHM_HUGETLB, SHM_NORESERVE},
};

use crate::objects::interprocess::{SEGMENTS, as_caller, errno, now};
use crate::{Call, Result};

/// Answers its number.
pub fn shmget(call: &mut Call) -> Result {
    let (key, size, flags) = (call.int(0), call.argument(1) as u64, call.unsigned(2));
    as_caller(|caller| {
        {
            let segments = SEGMENTS.lock();
            if let Get::Found(number) = segments.get(key, size, flags, caller).map_err(errno)? {
                return Ok(number as usize);
            }
            segments.check(size).map_err(errno)?;
        }
        // What can never fit is refused, as Linux' default overcommit does.
        let hopeless = size > contracts::memory_report::memory_use().total as u64 && flags & SHM_NORESERVE == 0;
        if hopeless || flags & SHM_HUGETLB != 0 {
            return Err(Errno::ENOMEM);
        }
        let contents = fs::memory_file(0o600).map_err(errors::errno)?;
        contents.set_length(size).map_err(|_| Errno::ENOMEM)?;
        let mut segments = SEGMENTS.lock();
        // Another thread may have been faster.
        let number = match segments.get(key, size, flags, caller).map_err(errno)? {
            Get::Found(number) => number,
            Get::New => segments.add(key, (size, flags), Arc::clone(&contents), caller, now()).map_err(errno)?,
        };
        Ok(number as usize)
    })
}
