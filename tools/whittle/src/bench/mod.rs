//! `whittle bench`: figures, each measured from outside by starting this very command.

mod alone;
mod boot;
mod calls;
mod compute;
mod first;
mod guest;
mod heaps;
mod look;
mod net;
mod pin;
mod program;
pub mod rounds;
mod servers;
mod share;
mod start;
pub mod table;

pub use program::{compile, work_folder};
pub use start::{as_built, run_well, whittle};

use crate::arguments::Bench;
use crate::failure::Failure;
use crate::house::House;
use calls::Group;

/// Measures and prints.
pub fn bench(house: &House, what: &Bench) -> Result<(), Failure> {
    match what {
        Bench::Calls(wanted) => calls::compare(house, Group::Calls, wanted),
        Bench::Threads(wanted) => calls::compare(house, Group::Threads, wanted),
        Bench::Processes(wanted) => calls::compare(house, Group::Processes, wanted),
        Bench::Files(wanted) => {
            if wanted.large.is_none() {
                calls::compare(house, Group::Files, &wanted.compare)?;
            }
            if wanted.compare.count || !wanted.compare.only.is_empty() { Ok(()) } else { share::compare(house, wanted) }
        }
        Bench::Net(wanted) if wanted.calls => calls::compare(house, Group::Sockets, &wanted.compare()),
        Bench::Net(wanted) => net::net(house, wanted),
        Bench::Servers(wanted) => servers::servers(house, wanted),
        Bench::Compute(wanted) => compute::compute(house, wanted),
        Bench::Heaps { json, rounds } => heaps::heaps(house, *json, *rounds),
        Bench::Boot(wanted) if wanted.program.is_empty() => boot::boot(house, wanted),
        Bench::Boot(wanted) => first::first_output(house, wanted),
    }
}
