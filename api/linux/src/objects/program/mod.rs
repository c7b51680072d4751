//! From the launch record to the program's first instruction, and from one program to the next (execve).
//!
//! [`mod@crate::entry::launch`] makes the first process, [`mod@prepare`] finds and checks the program (nothing has
//! changed yet if that fails), [`mod@load`] maps it, [`mod@cpuid`] says where it asks the processor, [`mod@stack`]
//! builds what it finds on its stack, [`mod@vdso`] lies above that. [`mod@execute`] joins them.

pub mod cpuid;
pub mod execute;
pub mod image;
pub mod layout;
pub mod load;
pub mod prepare;
pub mod refusal;
pub mod stack;
pub mod vdso;

pub use execute::{Wish, replace};
