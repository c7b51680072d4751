//! Contract `heap`: see [`heap::Heap`].

slot! { provide_heap: ::heap::Heap {
    /// See [`heap::Heap::allocate`].
    fn allocate(layout: ::core::alloc::Layout) -> ::core::option::Option<::core::ptr::NonNull<u8>>;
    /// See [`heap::Heap::free`].
    fn free(block: ::heap::Block);
} }
