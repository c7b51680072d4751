//! Further heaps, by names that an image and its application agree on.
//!
//! The application says `whittle_std::heap!(packets);` and allocates by the module that this declares; the image says
//! `contracts::provide_named_heap!(packets: heap::Bump<heap::Region<65536>>);`. Between them are link-time
//! symbols, `whittle.heap.packets.allocate`, `.free` and `.statistics`; a heap that nobody provides is an undefined
//! symbol with its name in it.

use core::{
    alloc::Layout,
    fmt,
    marker::PhantomData,
    ops::{Deref, DerefMut},
    ptr::NonNull,
    slice,
};

use heap::{Block, Heap};

/// A heap that an image provides by a name.
///
/// # Safety
/// As for Rust's allocators: blocks are apart, of the size and alignment asked for, and live until freed, whichever
/// instance is asked.
pub unsafe trait Named: Heap {
    /// The heap; it has no value of its own.
    const HEAP: Self;
}

/// Bytes on the heap `H`, freed when dropped.
pub struct Buffer<H: Named> {
    start: NonNull<u8>,
    layout: Layout,
    heap: PhantomData<H>,
}

// SAFETY: the bytes are this buffer's alone, and a heap is for all threads.
unsafe impl<H: Named> Send for Buffer<H> {}
// SAFETY: a shared buffer is only read.
unsafe impl<H: Named> Sync for Buffer<H> {}

impl<H: Named> Buffer<H> {
    /// So many zeros; `None` when the heap has no room.
    #[must_use]
    pub fn new(length: usize) -> Option<Self> {
        Self::aligned(length, 1)
    }

    /// So many zeros, at a multiple of `alignment`; `None` when the heap has no room, or that is no power of two.
    #[must_use]
    pub fn aligned(length: usize, alignment: usize) -> Option<Self> {
        let layout = Layout::from_size_align(length, alignment).ok()?;
        let start = H::HEAP.allocate(layout)?;
        // SAFETY: the block is ours and at least so long.
        unsafe { start.write_bytes(0, length) };
        Some(Self { start, layout, heap: PhantomData })
    }

    /// A copy of `bytes`; `None` when the heap has no room.
    #[must_use]
    pub fn copy_of(bytes: &[u8]) -> Option<Self> {
        let mut buffer = Self::new(bytes.len())?;
        buffer.copy_from_slice(bytes);
        Some(buffer)
    }
}

impl<H: Named> Deref for Buffer<H> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes, initialised by `aligned`, and ours as long as we live.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.layout.size()) }
    }
}

impl<H: Named> DerefMut for Buffer<H> {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the borrow is unique.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.layout.size()) }
    }
}

impl<H: Named> Drop for Buffer<H> {
    fn drop(&mut self) {
        // SAFETY: the block came from this heap with this layout, and goes now.
        H::HEAP.free(unsafe { Block::new(self.start, self.layout) });
    }
}

impl<H: Named> AsRef<[u8]> for Buffer<H> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<H: Named> fmt::Debug for Buffer<H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// A value on the heap `H`, dropped and freed when this is.
pub struct Boxed<T, H: Named> {
    value: NonNull<T>,
    owned: PhantomData<(T, H)>,
}

// SAFETY: the value is this box's alone, and a heap is for all threads.
unsafe impl<T: Send, H: Named> Send for Boxed<T, H> {}
// SAFETY: a shared box gives shared values only.
unsafe impl<T: Sync, H: Named> Sync for Boxed<T, H> {}

impl<T, H: Named> Boxed<T, H> {
    /// With that value.
    ///
    /// # Errors
    /// The value again, when the heap has no room.
    pub fn new(value: T) -> Result<Self, T> {
        let Some(place) = H::HEAP.allocate(Layout::new::<T>()) else { return Err(value) };
        let place = place.cast::<T>();
        // SAFETY: the block is ours, aligned and large enough.
        unsafe { place.write(value) };
        Ok(Self { value: place, owned: PhantomData })
    }

    /// The value, taken out.
    pub fn into_inner(self) -> T {
        let boxed = core::mem::ManuallyDrop::new(self);
        // SAFETY: the value is there, and nobody drops it again: the box is only freed.
        let value = unsafe { boxed.value.read() };
        boxed.release();
        value
    }

    fn release(&self) {
        // SAFETY: the block came from this heap with this layout; both callers are the value's end.
        H::HEAP.free(unsafe { Block::new(self.value.cast(), Layout::new::<T>()) });
    }
}

impl<T, H: Named> Deref for Boxed<T, H> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the value is there as long as we live.
        unsafe { self.value.as_ref() }
    }
}

impl<T, H: Named> DerefMut for Boxed<T, H> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the borrow is unique.
        unsafe { self.value.as_mut() }
    }
}

impl<T, H: Named> Drop for Boxed<T, H> {
    fn drop(&mut self) {
        // SAFETY: the value is there and goes now.
        unsafe { self.value.drop_in_place() };
        self.release();
    }
}

impl<T: fmt::Debug, H: Named> fmt::Debug for Boxed<T, H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

/// Declares a named heap in the application: a module of that name with `allocate`, `free`, `statistics`, `Buffer`,
/// `Box` and the heap itself, `Heap`. The module allows itself the unsafe code that declaring a link-time symbol is, so
/// the application's crate may deny it, but not forbid it.
#[macro_export]
macro_rules! heap {
    ($visibility:vis $name:ident) => {
        #[doc = concat!("The heap that the image names `", stringify!($name), "`.")]
        #[allow(unsafe_code, dead_code)]
        $visibility mod $name {
            $crate::heap_element::heap! { ($crate::named_functions) ($name) ($crate::heap_element) heap }

            /// The heap.
            #[derive(Clone, Copy, Debug, Default)]
            pub struct Heap;

            // SAFETY: every instance is the one heap that the image provides by this name.
            unsafe impl $crate::heap::Named for Heap {
                const HEAP: Self = Self;
            }

            /// Bytes on this heap.
            pub type Buffer = $crate::heap::Buffer<Heap>;
            /// A value on this heap.
            pub type Box<T> = $crate::heap::Boxed<T, Heap>;
        }
    };
}

/// Provides a named heap, in the image: `provide_named_heap!(packets: Type)`, or `(packets: Type = expression)`.
#[macro_export]
macro_rules! provide_named_heap {
    ($name:ident: $provider:ty) => { $crate::provide_named_heap!($name: $provider = <$provider>::new()); };
    ($name:ident: $provider:ty = $instance:expr) => {
        const _: () = {
            type Provider = $provider;
            static INSTANCE: Provider = $instance;
            $crate::heap_element::heap! { ($crate::named_symbols) ($name) ($crate::heap_element) heap }
        };
    };
}

/// The functions of a named heap, which call its symbols, and the contract over them.
#[doc(hidden)]
#[macro_export]
macro_rules! named_functions {
    ($heap:ident $contract:ident = $summary:literal; $provide:ident: ($($element:tt)*) $trait:ident {
        $($(#[doc = $text:literal])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*
    }) => {
        use $($element)*::{Block, Statistics};

        unsafe extern "Rust" {
            $(
                $(#[doc = $text])*
                #[link_name = concat!("whittle.heap.", stringify!($heap), ".", stringify!($name))]
                pub safe fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }

        impl $($element)*::$trait for Heap {
            $(
                fn $name(&self, $($argument: $type),*) $(-> $result)? {
                    $name($($argument),*)
                }
            )*
        }
    };
}

/// The symbols of a named heap, for the `INSTANCE` of its `Provider`.
#[doc(hidden)]
#[macro_export]
macro_rules! named_symbols {
    ($heap:ident $contract:ident = $summary:literal; $provide:ident: ($($element:tt)*) $trait:ident {
        $($(#[doc = $text:literal])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*
    }) => {
        use $($element)*::{Block, Statistics, $trait as Contract};

        $(
            #[unsafe(export_name = concat!("whittle.heap.", stringify!($heap), ".", stringify!($name)))]
            fn $name($($argument: $type),*) $(-> $result)? {
                <Provider as Contract>::$name(&INSTANCE, $($argument),*)
            }
        )*
    };
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    // One for each test: they run side by side, and look at which memory comes back.
    crate::heap!(parcels);
    crate::provide_named_heap!(parcels: ::heap::Bump<::heap::Region<8192>>);
    crate::heap!(crates);
    crate::provide_named_heap!(crates: ::heap::Bump<::heap::Region<8192>>);

    #[test]
    fn buffers_are_zeroed_owned_and_come_back() {
        let mut first = parcels::Buffer::new(100).unwrap();
        assert!(first.iter().all(|&byte| byte == 0));
        first.fill(9);
        let address = first.as_ptr();
        assert_eq!((parcels::statistics().blocks, parcels::statistics().bytes), (1, 100));
        drop(first);
        assert_eq!((parcels::statistics().blocks, parcels::statistics().held), (0, 4096));
        let second = parcels::Buffer::copy_of(b"parcel").unwrap();
        assert_eq!((&*second, second.as_ptr()), (&b"parcel"[..], address));
        assert!(parcels::Buffer::new(8193).is_none());
        assert_eq!(parcels::Buffer::aligned(1, 64).unwrap().as_ptr().addr() % 64, 0);
    }

    #[test]
    fn boxes_drop_their_values() {
        struct Counted<'a>(&'a Cell<u32>);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
            }
        }
        let drops = Cell::new(0);
        drop(crates::Box::new(Counted(&drops)).ok().unwrap());
        assert_eq!(drops.get(), 1);
        let inner = crates::Box::new(Counted(&drops)).ok().unwrap().into_inner();
        assert_eq!(drops.get(), 1);
        drop(inner);
        assert_eq!(drops.get(), 2);
        assert!(crates::Box::new([0_u8; 9000]).is_err());
    }
}
