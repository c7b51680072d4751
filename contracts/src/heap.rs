//! Contract `heap`: see [`heap::Heap`].

slot! { provide_heap: ::contracts::heap_element::Heap {
    /// See [`heap::Heap::allocate`].
    fn allocate(layout: ::core::alloc::Layout) -> ::core::option::Option<::core::ptr::NonNull<u8>>;
    /// See [`heap::Heap::free`].
    fn free(block: ::contracts::heap_element::Block);
} }
