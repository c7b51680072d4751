//! Contract `kernel_memory`: see [`machine::KernelMemory`].

slot! { provide_kernel_memory: ::contracts::machine::KernelMemory {
    /// See [`machine::KernelMemory::allocate`].
    fn allocate(count: usize) -> ::core::result::Result<usize, ::contracts::machine::MemoryRefused>;
    /// See [`machine::KernelMemory::free`].
    fn free(address: usize, count: usize);
    /// See [`machine::KernelMemory::allocate_page`].
    fn allocate_page() -> ::core::result::Result<usize, ::contracts::machine::MemoryRefused>;
    /// See [`machine::KernelMemory::free_page`].
    fn free_page(address: usize);
    /// See [`machine::KernelMemory::allocate_stack`].
    fn allocate_stack() -> ::core::result::Result<usize, ::contracts::machine::MemoryRefused>;
    /// See [`machine::KernelMemory::free_stack`].
    fn free_stack(top: usize);
} }
