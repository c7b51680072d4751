//! Memory for the kernel itself.

use super::MemoryRefused;

declaration::contract! {
    kernel_memory = "whole pages and stacks for the kernel";

    /// Pages and stacks for the kernel, the same in every address space.
    pub trait KernelMemory: Sync {
        /// `count` pages for the kernel, contiguous in its addresses, contents unspecified (zeroing them would cost
        /// every boot 512 stores a page); returns the first address.
        fn allocate(&self, count: usize) -> Result<usize, MemoryRefused>;

        /// Gives pages of [`KernelMemory::allocate`] back.
        ///
        /// The caller promises that nothing refers to them any more; a platform that finds the range not to be its own
        /// panics.
        fn free(&self, address: usize, count: usize);

        /// A page for the contents of a file: it can be shown to programs ([`machine::Source::Page`]). Its address in
        /// the kernel; its contents are unspecified.
        fn allocate_page(&self) -> Result<usize, MemoryRefused>;

        /// Takes a page of [`KernelMemory::allocate_page`] back, which nobody uses or is shown any more.
        fn free_page(&self, address: usize);

        /// A kernel stack for one more thread, above a page that faults; its top.
        fn allocate_stack(&self) -> Result<usize, MemoryRefused>;

        /// Takes a stack back that nobody runs on.
        fn free_stack(&self, top: usize);
    }
}
