//! A word that leads to what lives for ever, and may lead elsewhere later.
//!
//! Unsafe: the word is a pointer, which is followed.
#![allow(unsafe_code)]

use core::{
    marker::PhantomData,
    sync::atomic::{AtomicPtr, Ordering},
};

/// Leads to one of several values that all live for ever. To follow it costs one load.
#[derive(Debug)]
pub struct Pointer<T: 'static>(AtomicPtr<T>, PhantomData<&'static T>);

impl<T> Pointer<T> {
    /// Leads there.
    pub const fn new(to: &'static T) -> Self {
        Self(AtomicPtr::new(core::ptr::from_ref(to).cast_mut()), PhantomData)
    }

    /// Where it leads now.
    #[inline(always)]
    pub fn get(&self) -> &'static T {
        // SAFETY: all that is ever put there are references that hold for ever.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }

    /// Has it lead elsewhere; answers where it led.
    pub fn replace(&self, to: &'static T) -> &'static T {
        let old = self.0.swap(core::ptr::from_ref(to).cast_mut(), Ordering::SeqCst);
        // SAFETY: as above.
        unsafe { &*old }
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn leads_where_it_was_told_last() {
        static VALUES: [u32; 2] = [1, 2];
        let pointer = Pointer::new(&VALUES[0]);
        assert_eq!(*pointer.get(), 1);
        assert_eq!(*pointer.replace(&VALUES[1]), 1);
        assert_eq!(*pointer.get(), 2);
    }
}
