//! Capabilities: capabilities(7).

use alloc::vec::Vec;

use identity::Set;
use linux_abi::{
    Errno, UserAddress,
    structures::{CapabilityData, CapabilityHeader},
};

use crate::{Result, current, objects::user, process};

/// `_LINUX_CAPABILITY_VERSION_3`: 64 capabilities in two words.
pub const VERSION: u32 = 0x2008_0522;
/// The two older versions.
const OLD_VERSIONS: [u32; 2] = [0x1998_0330, 0x2007_1026];

/// capget(2): capabilities.
///
/// Writes the three sets that capset(2) sets.
pub fn capget(header: UserAddress, data: UserAddress) -> Result {
    let words = match words(header) {
        Err(Errno::EINVAL) if data.is_null() => return Ok(0),
        words => words?,
    };
    if data.is_null() {
        return Ok(0);
    }
    let header: CapabilityHeader = user::read_struct(header)?;
    match header.pid {
        ..0 => return Err(Errno::EINVAL),
        id if !is_ours(id) => return Err(Errno::ESRCH),
        _ => {}
    }
    let sets = crate::objects::process::identity().capabilities;
    let halves = [0, u32::BITS].map(|shift| {
        let word = |set: Set| (set.0 >> shift) as u32;
        CapabilityData {
            effective: word(sets.effective),
            permitted: word(sets.permitted),
            inheritable: word(sets.inheritable),
        }
    });
    user::write_array(data, &halves[..words])?;
    Ok(0)
}

/// Whether a thread of this process has this id, or 0 means the one that asks.
fn is_ours(id: i32) -> bool {
    id == 0 || id == process().id as i32 || process().threads.lock().find(id).is_some()
}

/// How many words the version has that the header names: EINVAL for one that is not known, and ours is written there.
pub fn words(address: UserAddress) -> core::result::Result<usize, Errno> {
    let version = user::read_int(address)? as u32;
    match version {
        VERSION => Ok(2),
        version if version == OLD_VERSIONS[1] => Ok(2),
        version if version == OLD_VERSIONS[0] => Ok(1),
        _ => {
            user::write_struct(address, &VERSION)?;
            Err(Errno::EINVAL)
        }
    }
}

/// capset(2): takes capabilities into effect, and gives them up.
///
/// Of the calling thread alone: EPERM for others, and for what is not permitted.
pub fn capset(header: UserAddress, data: UserAddress) -> Result {
    let words = words(header)?;
    let header: CapabilityHeader = user::read_struct(header)?;
    if header.pid != 0 && header.pid != current().id() as i32 {
        return Err(Errno::EPERM);
    }
    let data: Vec<CapabilityData> = user::read_array(data, words)?;
    let set = |word: fn(&CapabilityData) -> u32| {
        let words = data.iter().rev().map(word);
        Set(words.fold(0, |set, word| set << u32::BITS | u64::from(word)))
    };
    let [effective, permitted, inheritable] =
        [set(|word| word.effective), set(|word| word.permitted), set(|word| word.inheritable)];
    crate::objects::identity::become_other(|identity| identity.capabilities.set(effective, permitted, inheritable))
}
