//! How capabilities follow users: the "securebits" of capabilities(7).

use crate::NotPermitted;

/// The bits; each has its lock one above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecureBits(pub u32);

/// Root gains nothing by running programs.
const NO_ROOT: u32 = 1;
/// A change of users changes no capabilities.
const NO_FIXUP: u32 = 1 << 2;
/// Capabilities stay permitted when root becomes another user (PR_SET_KEEPCAPS).
pub const KEEP_CAPABILITIES: u32 = 1 << 4;
/// None becomes ambient.
const NO_AMBIENT: u32 = 1 << 6;

const ALL: u32 = NO_ROOT | NO_FIXUP | KEEP_CAPABILITIES | NO_AMBIENT;
const LOCKS: u32 = ALL << 1;

impl SecureBits {
    pub(crate) const fn root_is_nobody(self) -> bool {
        self.0 & NO_ROOT != 0
    }

    pub(crate) const fn leaves_capabilities(self) -> bool {
        self.0 & NO_FIXUP != 0
    }

    pub(crate) const fn keeps_capabilities(self) -> bool {
        self.0 & KEEP_CAPABILITIES != 0
    }

    /// Whether none may become ambient.
    #[must_use]
    pub const fn forbids_ambient(self) -> bool {
        self.0 & NO_AMBIENT != 0
    }

    /// PR_SET_SECUREBITS of one who may: what is locked stays, and locks stay locked.
    pub const fn set(&mut self, wanted: u32) -> Result<(), NotPermitted> {
        let changes_locked = (self.0 & LOCKS) >> 1 & (self.0 ^ wanted) != 0;
        let unlocks = self.0 & LOCKS & !wanted != 0;
        if changes_locked || unlocks || wanted & !(ALL | LOCKS) != 0 {
            return Err(NotPermitted);
        }
        self.0 = wanted;
        Ok(())
    }

    /// PR_SET_KEEPCAPS.
    pub const fn keep(&mut self, keep: bool) -> Result<(), NotPermitted> {
        if self.0 & KEEP_CAPABILITIES << 1 != 0 {
            return Err(NotPermitted);
        }
        self.0 = self.0 & !KEEP_CAPABILITIES | if keep { KEEP_CAPABILITIES } else { 0 };
        Ok(())
    }

    pub(crate) const fn forget_keep(&mut self) {
        self.0 &= !KEEP_CAPABILITIES;
    }
}
