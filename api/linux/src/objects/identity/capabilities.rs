//! prctl(2) about capabilities: the bounding and the ambient set, how they follow the users, and gaining none.

use identity::{KEEP_CAPABILITIES, NotPermitted, Set};
use linux_abi::{Errno, constants as c};

use super::become_other;
use crate::{Result, objects::process};

/// Operations of PR_CAP_AMBIENT.
const IS_SET: usize = 1;
const RAISE: usize = 2;
const LOWER: usize = 3;
const CLEAR_ALL: usize = 4;

/// Does what the call asks for by its operation and the words behind, if that is about capabilities.
pub fn control(operation: u32, words: [usize; 4]) -> Option<Result> {
    let [argument, more @ ..] = words;
    let capability = || Set::of(argument).ok_or(Errno::EINVAL);
    Some(match operation {
        c::PR_GET_KEEPCAPS => Ok((process::identity().secure.0 & KEEP_CAPABILITIES != 0).into()),
        c::PR_SET_KEEPCAPS if argument > 1 => Err(Errno::EINVAL),
        c::PR_SET_KEEPCAPS => done(process::identity().secure.keep(argument == 1)),
        c::PR_GET_SECUREBITS => Ok(process::identity().secure.0 as usize),
        c::PR_SET_SECUREBITS => done(process::identity().set_secure(argument as u32)),
        c::PR_CAPBSET_READ => capability().map(|one| process::identity().capabilities.bounding.holds(one).into()),
        c::PR_CAPBSET_DROP => drop_bounding(argument),
        c::PR_CAP_AMBIENT => ambient(argument, &more),
        c::PR_SET_NO_NEW_PRIVS if argument == 1 && has_no_more(&more) => {
            process::identity().gains_nothing = true;
            Ok(0)
        }
        c::PR_GET_NO_NEW_PRIVS if has_no_more(&words) => Ok(process::identity().gains_nothing.into()),
        _ => return None,
    })
}

fn done(result: core::result::Result<(), NotPermitted>) -> Result {
    result.map(|()| 0).map_err(|NotPermitted| Errno::EPERM)
}

/// Whether these words are 0: the call has no such arguments.
fn has_no_more(words: &[usize]) -> bool {
    words.iter().all(|&word| word == 0)
}

/// Who may not is told so before a number that is none.
fn drop_bounding(number: usize) -> Result {
    let mut identity = process::identity();
    done(identity.capabilities.drop_bounding(Set::NONE))?;
    done(identity.capabilities.drop_bounding(Set::of(number).ok_or(Errno::EINVAL)?))
}

fn ambient(operation: usize, &[one, ref more @ ..]: &[usize; 3]) -> Result {
    if operation == CLEAR_ALL && one == 0 && has_no_more(more) {
        return become_other(|identity| {
            identity.capabilities.ambient = Set::NONE;
            Ok(())
        });
    }
    let one = Set::of(one).filter(|_| has_no_more(more)).ok_or(Errno::EINVAL)?;
    match operation {
        IS_SET => Ok(process::identity().capabilities.ambient.holds(one).into()),
        RAISE => become_other(|identity| {
            let forbidden = identity.secure.forbids_ambient();
            identity.capabilities.raise_ambient(one, forbidden)
        }),
        LOWER => become_other(|identity| {
            identity.capabilities.ambient = identity.capabilities.ambient.without(one);
            Ok(())
        }),
        _ => Err(Errno::EINVAL),
    }
}
