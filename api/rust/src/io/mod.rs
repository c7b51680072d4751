//! Input and output, as `std::io` has it.

mod print;

pub(crate) use print::error;
#[doc(hidden)]
pub use print::print;
