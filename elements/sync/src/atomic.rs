//! Atomic numbers: Rust's own, or under `loom` those of its model.

#[cfg(not(loom))]
pub use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
#[cfg(loom)]
pub use modelled::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

#[cfg(loom)]
mod modelled {
    use std::sync::OnceLock;

    pub use loom::sync::atomic::{Ordering, fence};

    /// Declares an atomic that is made at its first use: loom's own cannot be made in a constant.
    macro_rules! atomic {
        ($name:ident: $number:ty) => {
            /// As Rust's own, in loom's model.
            #[derive(Debug, Default)]
            pub struct $name(OnceLock<loom::sync::atomic::$name>, $number);

            impl $name {
                /// Holding `value`.
                pub const fn new(value: $number) -> Self {
                    Self(OnceLock::new(), value)
                }

                fn modelled(&self) -> &loom::sync::atomic::$name {
                    self.0.get_or_init(|| loom::sync::atomic::$name::new(self.1))
                }

                /// As Rust's own.
                pub fn load(&self, order: Ordering) -> $number {
                    self.modelled().load(order)
                }

                /// As Rust's own.
                pub fn store(&self, value: $number, order: Ordering) {
                    self.modelled().store(value, order);
                }

                /// As Rust's own.
                pub fn swap(&self, value: $number, order: Ordering) -> $number {
                    self.modelled().swap(value, order)
                }

                /// As Rust's own.
                pub fn compare_exchange(
                    &self,
                    current: $number,
                    new: $number,
                    success: Ordering,
                    failure: Ordering,
                ) -> Result<$number, $number> {
                    self.modelled().compare_exchange(current, new, success, failure)
                }

                /// As Rust's own.
                pub fn fetch_add(&self, value: $number, order: Ordering) -> $number {
                    self.modelled().fetch_add(value, order)
                }

                /// As Rust's own.
                pub fn fetch_or(&self, value: $number, order: Ordering) -> $number {
                    self.modelled().fetch_or(value, order)
                }

                /// As Rust's own.
                pub fn fetch_and(&self, value: $number, order: Ordering) -> $number {
                    self.modelled().fetch_and(value, order)
                }
            }
        };
    }

    atomic!(AtomicU32: u32);
    atomic!(AtomicU64: u64);
    atomic!(AtomicUsize: usize);
}
