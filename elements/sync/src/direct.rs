//! A counted reference that knows where its value is.
//!
//! Where the type is only known at run time, an [`Arc`] works out at each use how far behind its counts the value
//! begins: five instructions. A value that is used at every call has its address kept beside.
//!
//! Unsafe: the address is followed.
#![allow(unsafe_code)]

use alloc::sync::Arc;
use core::{ops::Deref, ptr::NonNull};

/// An [`Arc`] and the address of its value.
#[derive(Debug)]
pub struct Direct<T: ?Sized> {
    value: NonNull<T>,
    counted: Arc<T>,
}

// SAFETY: the address is used as the reference beside it, which may be sent.
unsafe impl<T: ?Sized> Send for Direct<T> where Arc<T>: Send {}
// SAFETY: as above, and it may be shared.
unsafe impl<T: ?Sized> Sync for Direct<T> where Arc<T>: Sync {}

impl<T: ?Sized> Direct<T> {
    /// The counted reference, for others to have one too.
    #[inline]
    pub const fn counted(&self) -> &Arc<T> {
        &self.counted
    }
}

impl<T: ?Sized> From<Arc<T>> for Direct<T> {
    fn from(counted: Arc<T>) -> Self {
        Self { value: NonNull::from(&*counted), counted }
    }
}

impl<T: ?Sized> Deref for Direct<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the value stays where it is as long as it is counted, and no reference but shared ones is made of it.
        unsafe { self.value.as_ref() }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn leads_to_the_value_of_the_counted_reference() {
        #[repr(align(64))]
        struct Aligned(u64);
        let counted: Arc<dyn Fn() -> u64 + Send + Sync> = {
            let kept = Aligned(5);
            Arc::new(move || kept.0)
        };
        let direct = Direct::from(counted.clone());
        assert_eq!((direct(), Arc::strong_count(&counted)), (5, 2));
        assert!(Arc::ptr_eq(direct.counted(), &counted));
        drop(counted);
        assert_eq!(std::thread::spawn(move || direct() + 1).join().unwrap(), 6);
    }
}
