//! What Linux puts on the stack for a signal handler on x86-64: `arch/x86/include/uapi/asm/sigcontext.h`,
//! `include/uapi/asm-generic/ucontext.h`, `arch/x86/include/asm/sigframe.h`.

pub use architecture::SignalContext;

use super::{SignalStack, UserSignalInformation};

structure! {
    /// `struct ucontext` with the 8-byte signal mask of the kernel.
    UserContext 304 {
        uc_flags: u64,
        uc_link: u64,
        uc_stack: SignalStack,
        uc_mcontext: SignalContext,
        uc_sigmask: u64,
    }
}

structure! {
    /// `struct rt_sigframe`: the stack at a handler's first instruction.
    SignalFrame 440 {
        /// The return address: the action's restorer.
        pretcode: u64,
        uc: UserContext,
        info: UserSignalInformation,
    }
}

structure! {
    /// `struct _fpx_sw_bytes`: what the kernel says about the vector state in a signal frame, in the bytes of the
    /// FXSAVE area that the processor leaves to software.
    ExtendedStateNote 48 {
        magic1: u32,
        extended_size: u32,
        xfeatures: u64,
        xstate_size: u32,
        padding: [u32; 7],
    }
}

/// Where an [`ExtendedStateNote`] stands in the vector state.
pub const EXTENDED_STATE_NOTE: usize = 464;
/// Bytes of the FXSAVE area that every vector state starts with.
pub const FXSAVE_SIZE: usize = 512;
/// `magic1` of an [`ExtendedStateNote`] in front of XSAVE's state.
pub const FP_XSTATE_MAGIC1: u32 = 0x4650_5853;
/// The word right behind XSAVE's state.
pub const FP_XSTATE_MAGIC2: u32 = 0x4650_5845;

/// `uc_flags`: the vector state is XSAVE's.
pub const UC_FP_XSTATE: u64 = 1;
/// `uc_flags`: `ss` of the context is valid.
pub const UC_SIGCONTEXT_SS: u64 = 2;
/// `uc_flags`: rt_sigreturn restores `ss` as it stands.
pub const UC_STRICT_RESTORE_SS: u64 = 4;
