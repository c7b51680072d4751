//! A pointer to a member, for which somebody vouches.

use core::{fmt, ops::Deref, ptr::NonNull};

/// A member, wherever it lives. Two are equal if they are the same member.
#[repr(transparent)]
pub struct Ref<T>(NonNull<T>);

impl<T> Ref<T> {
    /// Vouches for a member.
    ///
    /// The pointer keeps its right to memory around the member: made from a pointer to the whole object, it leads back
    /// to it.
    ///
    /// # Safety
    /// The member stays alive and in its place as long as this `Ref`, or a copy of it, is used: by its owner, or by a
    /// list, tree or scheduler that it was given to and that has not handed it out again.
    #[must_use]
    pub const unsafe fn new(member: NonNull<T>) -> Self {
        Self(member)
    }

    /// A member that lives for ever. It does not lead back to anything around the member.
    #[must_use]
    pub const fn fixed(member: &'static T) -> Self {
        Self(NonNull::from_ref(member))
    }

    /// Where the member lies.
    #[must_use]
    pub const fn pointer(self) -> NonNull<T> {
        self.0
    }

    /// What a [`crate::Link`] held, which had it from a `Ref`.
    pub(crate) const fn held(pointer: *mut T) -> Option<Self> {
        match NonNull::new(pointer) {
            Some(member) => Some(Self(member)),
            None => None,
        }
    }

    /// The same for each member every time, and as if at random.
    pub(crate) fn rank(self) -> u64 {
        // The finaliser of MurmurHash3 (Appleby, public domain), shortened: addresses differ in a few middle bits.
        let address = self.0.addr().get() as u64;
        let mixed = (address ^ (address >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 32)
    }
}

impl<T> Deref for Ref<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: who made it, by `new`, vouched that the member is alive while it is used; all its changing parts
        // are words, so a shared reference may exist beside others.
        unsafe { self.0.as_ref() }
    }
}

// SAFETY: it gives shared references only, which other threads may have if `T` is `Sync`.
unsafe impl<T: Sync> Send for Ref<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Ref<T> {}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Ref<T> {}

impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Ref({:p})", self.0)
    }
}
