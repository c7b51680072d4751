//! fchmod(2).

use vfs::watch::ATTRIBUTES;

use super::fchmodat2;
use crate::{
    Call, Result,
    objects::{files, files::changing},
};

/// Changes the permissions of an open file.
pub fn fchmod(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        changing::change(description, ATTRIBUTES, &mut |node| fchmodat2::change(node, call.unsigned(1)))
    })
}
