//! Into the kernel and out of it: what a program does and what comes from outside arrives as a signal of the host's
//! ([`handlers`]), whose handler sends the program's thread this [`way`].

mod fault;
mod handlers;
mod outside;
mod place;
mod way;

use architecture::{PageFault as _, x86_64::PageFaultCode};

use crate::host::signal::SIGSEGV;
pub use handlers::{set_handler_of_calls, set_handlers};
pub use way::{REPLACED, answer_by, call, cpuid_entry, leave};

/// Whether the kernel may bring a page in. A SIGBUS says that the host has no page to give.
fn is_resolvable(fault: PageFaultCode, signal: u32) -> bool {
    fault.is_explained() && signal == u32::from(SIGSEGV)
}
