//! What is done or made once.

use core::{
    cell::Cell,
    fmt,
    ops::{Deref, DerefMut},
};

use kernel::task::{OnceValue, Threads};
use sync::blocking::{self, Progress};

/// Something that is done once.
pub struct Once(blocking::Once<Threads>);

/// How an attempt stands.
#[derive(Debug)]
pub struct OnceState(());

impl OnceState {
    /// Whether an earlier attempt panicked: never.
    #[must_use]
    pub const fn is_poisoned(&self) -> bool {
        false
    }
}

impl Once {
    /// Not done.
    #[must_use]
    pub const fn new() -> Self {
        Self(blocking::Once::new())
    }

    /// Does it, if nobody has; when this returns it is done.
    #[inline]
    pub fn call_once<F: FnOnce()>(&self, work: F) {
        self.0.call(|| {
            work();
            true
        });
    }

    /// The same.
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, work: F) {
        self.call_once(|| work(&OnceState(())));
    }

    /// Whether it is done.
    #[inline]
    pub fn is_completed(&self) -> bool {
        self.0.progress() == Progress::Done
    }

    /// Waits until somebody has done it.
    pub fn wait(&self) {
        while !self.is_completed() {
            crate::thread::yield_now();
        }
    }
}

impl Default for Once {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Once").finish_non_exhaustive()
    }
}

/// A place for a value that is made once.
#[derive(Debug)]
pub struct OnceLock<T>(OnceValue<T>);

impl<T> OnceLock<T> {
    /// Without a value.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceValue::new())
    }

    /// The value, if it has been made.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// The value of a place that nobody else has.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.get_mut()
    }

    /// Puts the value in.
    ///
    /// # Errors
    /// The value again: there is one already.
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.0.get_or_make(|| value.take().unwrap());
        value.map_or(Ok(()), Err)
    }

    /// The value, made now if it has not been.
    #[inline]
    pub fn get_or_init<F: FnOnce() -> T>(&self, make: F) -> &T {
        self.0.get_or_make(make)
    }

    /// The value.
    pub fn into_inner(mut self) -> Option<T> {
        self.0.take()
    }

    /// Takes the value out.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    fn clone(&self) -> Self {
        self.get().cloned().map_or_else(Self::new, Self::from)
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> Self {
        let place = Self::new();
        place.0.get_or_make(|| value);
        place
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

/// A value that is made when somebody first looks at it.
pub struct LazyLock<T, F = fn() -> T> {
    value: OnceValue<T>,
    make: super::Mutex<Cell<Option<F>>>,
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// A value that `make` will make.
    pub const fn new(make: F) -> Self {
        Self { value: OnceValue::new(), make: super::Mutex::new(Cell::new(Some(make))) }
    }

    /// The value, made now if it has not been.
    pub fn force(this: &Self) -> &T {
        this.value.get_or_make(|| {
            let make = this.make.lock().unwrap().take();
            make.unwrap()()
        })
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    fn deref(&self) -> &T {
        Self::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    fn deref_mut(&mut self) -> &mut T {
        Self::force(self);
        self.value.get_mut().unwrap()
    }
}

impl<T: Default> Default for LazyLock<T> {
    fn default() -> Self {
        Self::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lazy = formatter.debug_tuple("LazyLock");
        match self.value.get() {
            Some(value) => lazy.field(value),
            None => lazy.field(&format_args!("<uninit>")),
        };
        lazy.finish()
    }
}
