//! From the launch record to the program's first instruction, and from one program to the next (execve).
//!
//! [`mod@launch`] makes the first process, [`mod@prepare`] finds and checks the program (nothing has changed yet if
//! that fails), [`mod@load`] maps it, [`mod@stack`] builds what it finds on its stack, [`mod@vdso`] lies above that.
//! [`mod@execute`] joins them.

mod execute;
mod image;
mod launch;
mod layout;
mod load;
mod prepare;
mod refusal;
mod stack;
mod vdso;

pub use execute::{Wish, replace};
pub use launch::start;
