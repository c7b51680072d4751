//! Values of which each thread has its own.

use core::{
    cell::{Cell, RefCell},
    error, fmt,
};

use kernel::task::function::{Gone, Local};

/// Declares values of which each thread has its own.
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $visible:vis static $name:ident: $type:ty = const $value:block $(; $($rest:tt)*)?) => {
        $crate::thread_local! { $(#[$attribute])* $visible static $name: $type = $value $(; $($rest)*)? }
    };
    ($(#[$attribute:meta])* $visible:vis static $name:ident: $type:ty = $value:expr $(; $($rest:tt)*)?) => {
        $(#[$attribute])*
        $visible static $name: $crate::thread::LocalKey<$type> = {
            fn make() -> $type {
                $value
            }
            $crate::thread::LocalKey::new(make)
        };
        $($crate::thread_local! { $($rest)* })?
    };
}

/// A value of which each thread has its own, made when it first asks and dropped when it ends.
#[derive(Debug)]
pub struct LocalKey<T: 'static>(Local<T>);

/// The thread is ending, and has dropped its value already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessError;

impl fmt::Display for AccessError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("already destroyed")
    }
}

impl error::Error for AccessError {}

impl From<Gone> for AccessError {
    fn from(_: Gone) -> Self {
        Self
    }
}

#[cold]
fn gone() -> ! {
    panic!("cannot access a thread-local value during or after its end")
}

impl<T: 'static> LocalKey<T> {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(make: fn() -> T) -> Self {
        Self(Local::new(make))
    }

    /// Calls `work` with this thread's value. Panics if it is gone.
    pub fn with<F: FnOnce(&T) -> R, R>(&'static self, work: F) -> R {
        self.try_with(work).unwrap_or_else(|_| gone())
    }

    /// Calls `work` with this thread's value.
    ///
    /// # Errors
    /// It is gone.
    pub fn try_with<F: FnOnce(&T) -> R, R>(&'static self, work: F) -> Result<R, AccessError> {
        Ok(self.0.with(None, |value, _| work(value))?)
    }

    /// Calls `work` with this thread's value, made of `given` if there is none; else `given` comes along.
    fn with_given<R>(&'static self, given: T, work: impl FnOnce(&T, Option<T>) -> R) -> R {
        self.0.with(Some(given), work).unwrap_or_else(|_| gone())
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the value.
    pub fn set(&'static self, value: T) {
        self.with_given(Cell::new(value), |cell, given| {
            if let Some(given) = given {
                cell.set(given.into_inner());
            }
        });
    }

    /// A copy of the value.
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Takes the value and leaves its default.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Puts another value in its place.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Borrows the value.
    pub fn with_borrow<F: FnOnce(&T) -> R, R>(&'static self, work: F) -> R {
        self.with(|cell| work(&cell.borrow()))
    }

    /// Borrows the value to change it.
    pub fn with_borrow_mut<F: FnOnce(&mut T) -> R, R>(&'static self, work: F) -> R {
        self.with(|cell| work(&mut cell.borrow_mut()))
    }

    /// Sets the value.
    pub fn set(&'static self, value: T) {
        self.with_given(RefCell::new(value), |cell, given| {
            if let Some(given) = given {
                *cell.borrow_mut() = given.into_inner();
            }
        });
    }

    /// Takes the value and leaves its default.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Puts another value in its place.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}
