//! capset(2): takes capabilities into effect, and gives them up.

use alloc::vec::Vec;

use identity::Set;
use linux_abi::{
    Errno,
    structures::{CapabilityData, CapabilityHeader},
};

use super::capget;
use crate::{Call, Result, current, objects::user};

/// Of the calling thread alone: EPERM for others, and for what is not permitted.
pub fn capset(call: &mut Call) -> Result {
    let words = capget::words(call.argument(0))?;
    let header: CapabilityHeader = user::read_struct(call.argument(0))?;
    if header.pid != 0 && header.pid != current().id() as i32 {
        return Err(Errno::EPERM);
    }
    let data: Vec<CapabilityData> = user::read_array(call.argument(1), words)?;
    let set = |word: fn(&CapabilityData) -> u32| {
        let words = data.iter().rev().map(word);
        Set(words.fold(0, |set, word| set << u32::BITS | u64::from(word)))
    };
    let [effective, permitted, inheritable] =
        [set(|word| word.effective), set(|word| word.permitted), set(|word| word.inheritable)];
    crate::objects::identity::become_other(|identity| identity.capabilities.set(effective, permitted, inheritable))
}
