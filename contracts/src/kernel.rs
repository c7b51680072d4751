//! Contract `kernel`: what platforms call. See [`machine::Kernel`].

slot! { provide_kernel: ::machine::Kernel {
    /// See [`machine::Kernel::main`].
    fn main(boot: ::machine::BootInfo) -> !;
    /// See [`machine::Kernel::system_call`].
    fn system_call(context: &mut ::machine::Context);
    /// See [`machine::Kernel::trap`].
    fn trap(context: &mut ::machine::Context, trap: ::machine::Trap);
    /// See [`machine::Kernel::interrupted`].
    fn interrupted(context: &mut ::machine::Context);
    /// See [`machine::Kernel::resolve_fault`].
    fn resolve_fault(address: usize, access: ::machine::Access) -> bool;
} }
