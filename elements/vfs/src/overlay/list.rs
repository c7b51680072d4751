//! Listing: first what has a name that is below too, in the order of that, then what has not, in the order of names.
//!
//! On which side a name is shown never changes while it is there, so nothing is shown twice or passed over.

use super::{directory::Directory, edit::known_number, slots::Held};
use crate::{Cursor, FileError, Kind, Listed};

/// A cursor's cookie behind all that is below.
const OWN: u64 = 1;

impl Directory {
    pub(super) fn list_both(
        &self,
        cursor: &mut Cursor,
        visit: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<(), FileError> {
        if cursor.cookie != OWN {
            let mut below = cursor.below.take().unwrap_or_default();
            let result = self.list_below(&mut below, visit);
            cursor.below = Some(below);
            if !result? {
                return Ok(());
            }
            *cursor = Cursor { cookie: OWN, ..Cursor::default() };
        }
        self.list_own(cursor, visit);
        Ok(())
    }

    /// Answers whether the end was reached.
    fn list_below(&self, below: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<bool, FileError> {
        let Some(lower) = &self.head.lower else { return Ok(true) };
        let device = lower.metadata().device;
        let mut at_end = true;
        lower.list(below, &mut |listed| {
            let inode = self.head.shared.inode_of(device, listed.inode);
            let Some((inode, kind)) = self.shown_for(listed.name, inode, listed.kind) else { return true };
            at_end = visit(Listed { name: listed.name, inode, kind });
            at_end
        })?;
        Ok(at_end)
    }

    /// What is shown here for a name that is below: nothing, something else, or what is below.
    fn shown_for(&self, name: &[u8], inode: u64, kind: Kind) -> Option<(u64, Kind)> {
        let inside = self.inside.lock();
        if inside.removed {
            return None;
        }
        match inside.slots.get(name).map(|slot| &slot.held) {
            Some(Held::Nobody) => None,
            Some(Held::Kept(node)) => Some(known_number(&**node).unwrap_or((inode, kind))),
            Some(Held::Seen(_)) | None => Some((inode, kind)),
        }
    }

    fn list_own(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) {
        let inside = self.inside.lock();
        let last = inside.slots.visit_own(&cursor.after, &mut |name, node| {
            // What has such a name is new here or has been moved, and is settled.
            known_number(node).is_none_or(|(inode, kind)| visit(Listed { name, inode, kind }))
        });
        if let Some(last) = last {
            cursor.after = crate::copied(last);
        }
    }
}
