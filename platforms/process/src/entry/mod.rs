//! Into the kernel and out of it: what a program does and what comes from outside arrives as a signal of the host's
//! ([`handlers`]), whose handler sends the program's thread this [`way`].

mod fault;
mod handlers;
mod outside;
mod page_error;
mod place;
mod way;

pub use handlers::{set_handler_of_calls, set_handlers};
pub use way::leave;
