//! `whittle bench`: figures, each measured from outside by starting this very command.

mod boot;
mod calls;
mod heaps;
mod start;

use crate::arguments::Bench;
use crate::failure::Failure;
use crate::house::House;

/// Measures and prints.
pub fn bench(house: &House, what: &Bench) -> Result<(), Failure> {
    match what {
        Bench::Calls { count } => calls::calls(house, *count),
        Bench::Heaps { json, rounds } => heaps::heaps(house, *json, *rounds),
        Bench::Boot => boot::boot(house),
    }
}
