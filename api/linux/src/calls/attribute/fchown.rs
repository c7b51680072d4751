//! fchown(2).

use super::fchownat;
use crate::{
    Call, Result,
    objects::{files, files::changing},
};

/// Changes whose an open file is.
pub fn fchown(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let wanted = [call.unsigned(1), call.unsigned(2)];
        changing::change(description, fchownat::events(wanted), &mut |node| fchownat::change(node, wanted))
    })
}
