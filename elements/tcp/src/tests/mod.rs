//! Two machines in virtual time: every test here is about what one sees on the wire or through the calls.

mod world;

mod asking;
mod attacks;
mod closing;
mod finding;
mod forged;
mod gathering;
mod idle;
mod knobs;
mod messages;
mod near;
mod opening;
mod pacing;
mod recovering;
mod streams;
mod telling;
mod windows;
mod writing;
