//! `whittle bench servers`: what servers cost, Debian's as they are and a hello each of Go's, node's and Java's: a
//! request's instructions, the way to the first answer, requests per second, and what a second processor brings.
//!
//! All of it is in a network namespace of this command's own. The client is the same for all sides: this command, with
//! sockets of the Linux underneath.

mod answer;
mod bars;
mod count;
mod drive;
mod family;
mod files;
mod instructions;
mod least;
mod load;
mod processors;
mod server;
mod sides;
mod soak;
mod speed;
mod start;

use crate::arguments::Servers;
use crate::failure::Failure;
use crate::house::House;
use server::Server;

/// Measures and prints.
pub fn servers(house: &House, wanted: &Servers) -> Result<(), Failure> {
    match wanted {
        Servers { start: true, .. } => start::start(house, wanted),
        Servers { speed: true, .. } => speed::speed(house, wanted),
        Servers { processors: true, .. } => processors::processors(house, wanted),
        Servers { soak: Some(minutes), .. } => soak::soak(house, wanted, *minutes),
        _ => count::count(house, wanted),
    }
}

/// Those of `all` that are wanted by name, or all.
fn chosen(all: &[Server], names: &[String]) -> Result<Vec<Server>, Failure> {
    let known = || all.iter().map(|server| server.name()).collect::<Vec<_>>().join(", ");
    if let Some(name) = names.iter().find(|name| all.iter().all(|server| server.name() != **name)) {
        return Err(Failure::ours(format!("{name} is not measured here; these are: {}", known())));
    }
    let is_wanted = |server: &&Server| names.is_empty() || names.iter().any(|name| name == server.name());
    Ok(all.iter().filter(is_wanted).copied().collect())
}
