//! Says hello, with nothing between it and the console.
#![no_std]
#[macro_use]
extern crate whittle_std as std;

/// The application: the image calls it when the machine is ready.
pub fn main() {
    println!("Hello, world!");
}
