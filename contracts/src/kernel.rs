//! Contract `kernel`: what platforms call. See [`machine::Kernel`].

slot! { provide_kernel: ::contracts::machine::Kernel {
    /// See [`machine::Kernel::main`].
    fn main(boot: ::contracts::machine::BootInfo) -> !;
    /// See [`machine::Kernel::join`].
    fn join(stack_top: usize) -> !;
    /// See [`machine::Kernel::system_call`].
    fn system_call(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, number: usize) -> isize
        => inline(always);
    /// See [`machine::Kernel::trap`].
    fn trap(context: &mut ::contracts::machine::Context, trap: ::contracts::machine::Trap);
    /// See [`machine::Kernel::interrupted`].
    fn interrupted(context: &mut ::contracts::machine::Context);
    /// See [`machine::Kernel::resuming`].
    fn resuming(context: &mut ::contracts::machine::Context);
    /// See [`machine::Kernel::resolve_fault`].
    fn resolve_fault(address: usize, access: ::contracts::machine::Access) -> bool;
} }
