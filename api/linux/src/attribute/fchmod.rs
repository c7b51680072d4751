//! fchmod(2).

use vfs::watch::ATTRIBUTES;

use crate::{
    Call, Result,
    attribute::fchmodat2,
    files::{self, watching},
};

/// Changes the permissions of an open file.
pub fn fchmod(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        watching::change(description, ATTRIBUTES, &mut |node| fchmodat2::change(node, call.unsigned(1)))
    })
}
