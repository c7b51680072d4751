//! Faults of an application, without the processor's numbers.

/// The access that faulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An instruction fetch.
    Execute,
}

/// Bytes of a page, of which rights are.
const PAGE: usize = 4096;

impl Access {
    /// Whether an instruction at `instruction` stores to the page that it lies in, at `address`: no page is writable
    /// while it is executable, so it can never be done.
    #[must_use]
    pub const fn changes_own_page(self, address: usize, instruction: usize) -> bool {
        matches!(self, Self::Write) && address / PAGE == instruction / PAGE
    }
}

/// What the processor refused, without the processor's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrapKind {
    /// Division by zero or overflow of a division (#DE).
    Divide,
    /// Single step or hardware breakpoint (#DB).
    Debug,
    /// `int3` (#BP).
    Breakpoint,
    /// `into`, `bound` (#OF, #BR).
    Bound,
    /// Undefined instruction (#UD).
    InvalidInstruction,
    /// A page fault that `machine::Kernel::resolve_fault` has not been asked about yet (#PF).
    Page,
    /// A protection fault, a non-canonical address, or a privileged instruction, `hlt` among them (#GP, #NP).
    Protection,
    /// A non-canonical address by way of the stack's registers (#SS).
    Stack,
    /// An x87 or SIMD floating-point exception (#MF, #XM).
    FloatingPoint,
    /// A misaligned access with alignment checks on (#AC).
    Alignment,
    /// `hlt` where the processor allows it, as far as the code before an interrupt can tell. The context stands at the
    /// instruction. A layer above that knows the code to be no halt skips it (`skip_halt` of the interface).
    Halt,
}

/// A fault of the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// What happened.
    pub kind: TrapKind,
    /// The processor's vector number, for a signal frame's `trapno`.
    pub vector: u8,
    /// The processor's error code, for a signal frame's `err`.
    pub error: u32,
    /// For [`TrapKind::Page`], the address touched; else 0.
    pub address: usize,
    /// For [`TrapKind::Page`], how it was touched.
    pub access: Access,
}

/// How vector state is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtendedState {
    /// Bytes of a saved state.
    pub size: usize,
    /// Alignment it needs (64 for XSAVE, 16 for FXSAVE).
    pub alignment: usize,
    /// The bits of XCR0 that are saved; 0 if only FXSAVE's 512 bytes are.
    pub features: u64,
}
