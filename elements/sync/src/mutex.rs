//! Mutual exclusion by spinning.

pub use spin::{MutexGuard, Once};

/// Mutual exclusion around a value.
#[derive(Debug, Default)]
pub struct Mutex<T>(spin::Mutex<T>);

impl<T> Mutex<T> {
    /// A lock that nobody holds.
    pub const fn new(value: T) -> Self {
        Self(spin::Mutex::new(value))
    }

    /// Takes the lock, and gives it back when the guard is dropped.
    // Never inlined: a kernel takes locks at hundreds of places, and the loop is three times as long as a call.
    #[inline(never)]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        match self.0.try_lock() {
            Some(guard) => guard,
            None => self.wait(),
        }
    }

    // Apart, so that who finds the lock free saves no registers.
    #[cold]
    #[inline(never)]
    fn wait(&self) -> MutexGuard<'_, T> {
        loop {
            crate::relax();
            if let Some(guard) = self.0.try_lock() {
                // Were it known that this is the lock that came in, `lock` would keep that in a register over the call,
                // and save the register on its fast way too.
                return core::hint::black_box(guard);
            }
        }
    }

    /// Takes the lock if nobody holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock()
    }
}
