//! prctl(2): odds and ends about a process.

use core::sync::atomic::Ordering;

use linux_abi::{Errno, UserAddress, constants as c};

use crate::{
    Result, current,
    objects::{
        identity::capabilities,
        process::{kin::FAMILIES, thread::NAME},
        user,
    },
    process,
};

/// The highest signal.
const SIGNALS: usize = 64;

/// What is not here is EINVAL, which programs take for an older kernel.
pub fn prctl(operation: u32, argument: usize, third: usize, fourth: usize, fifth: usize) -> Result {
    match operation {
        c::PR_SET_NAME => set_name(UserAddress(argument)),
        c::PR_GET_NAME => get_name(UserAddress(argument)),
        c::PR_GET_DUMPABLE => Ok(process().is_dumpable.load(Ordering::Relaxed).into()),
        c::PR_SET_DUMPABLE if argument <= 1 => {
            process().is_dumpable.store(argument == 1, Ordering::Relaxed);
            Ok(0)
        }
        c::PR_SET_PDEATHSIG if argument <= SIGNALS => {
            current().death_signal.store(argument as u32, Ordering::Relaxed);
            Ok(0)
        }
        c::PR_GET_PDEATHSIG => user::answer_int(UserAddress(argument), current().death_signal.load(Ordering::Relaxed)),
        c::PR_SET_TIMERSLACK => Ok(0),
        c::PR_SET_CHILD_SUBREAPER => {
            FAMILIES.lock().set_adopts(process().id, argument != 0);
            Ok(0)
        }
        c::PR_GET_CHILD_SUBREAPER => {
            let adopts = FAMILIES.lock().adopts(process().id);
            user::answer_int(UserAddress(argument), adopts.into())
        }
        c::PR_GET_TIMERSLACK => Ok(50_000),
        c::PR_GET_SECCOMP | c::PR_GET_THP_DISABLE => Ok(0),
        operation => capabilities::control(operation, [argument, third, fourth, fifth]).unwrap_or_else(|| {
            kernel::debug!("prctl: operation {operation} is not there: EINVAL");
            Err(Errno::EINVAL)
        }),
    }
}

fn set_name(address: UserAddress) -> Result {
    let mut bytes = [0; NAME];
    let length = contracts::user_memory::copy_string(&mut bytes, address.0).map_err(|_| Errno::EFAULT)?;
    current().set_name_of(&bytes[..length.unwrap_or(NAME)]);
    Ok(0)
}

fn get_name(address: UserAddress) -> Result {
    let name = current().name();
    let mut bytes = [0; c::TASK_COMM_LEN];
    let length = name.len().min(NAME);
    bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
    user::copy_out(address, &bytes)?;
    Ok(0)
}
