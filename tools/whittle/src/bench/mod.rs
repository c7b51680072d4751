//! `whittle bench`: figures, each measured from outside by starting this very command.

mod alone;
mod boot;
mod builds;
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

use crate::arguments::{Bench, Compare};
use crate::failure::Failure;
use crate::house::House;
use calls::Group;

/// Measures and prints.
pub fn bench(house: &House, what: &Bench) -> Result<(), Failure> {
    match what {
        Bench::Calls(wanted) => calls::compare(house, Group::Calls, wanted),
        Bench::Threads(wanted) => calls::compare(house, Group::Threads, wanted),
        Bench::Processes(wanted) => processes(house, wanted),
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

/// Single operations, then whole builds, which are told by time only.
fn processes(house: &House, wanted: &Compare) -> Result<(), Failure> {
    let (builds, operations): (Vec<_>, Vec<_>) = wanted.only.iter().cloned().partition(|name| builds::has(name));
    let all = wanted.only.is_empty();
    if wanted.count && !builds.is_empty() {
        return Err(Failure::ours(format!("of {} there are times only; leave out --count", builds.join(" and "))));
    }
    if all || !operations.is_empty() {
        calls::compare(house, Group::Processes, &Compare { only: operations, ..wanted.clone() })?;
    }
    if !wanted.count && (all || !builds.is_empty()) { builds::compare(house, wanted) } else { Ok(()) }
}
