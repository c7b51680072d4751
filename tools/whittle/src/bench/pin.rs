//! Staying on one processor: a program that moves meets cold caches, and threads that take turns elsewhere wake idle
//! ones.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::failure::{Doing, Failure};

/// Keeps this process, and all that it starts from here on, on the last of its processors; returns that one's number.
pub fn stay_on_one() -> Result<usize, Failure> {
    let allowed = sched_getaffinity(None).doing("ask for this process's processors")?;
    let last = last(&allowed).ok_or_else(|| Failure::ours("this process has no processor"))?;
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).doing(format!("stay on processor {last}"))?;
    Ok(last)
}

/// Keeps all that is measured on one processor, unless it is to have `all`; says in a table's words where it runs.
pub fn place(all: bool) -> Result<String, Failure> {
    if all { Ok("on any processor".into()) } else { Ok(format!("all on processor {}", stay_on_one()?)) }
}

/// Interrupts mostly go to the first.
fn last(allowed: &CpuSet) -> Option<usize> {
    (0..CpuSet::MAX_CPU).rfind(|&processor| allowed.is_set(processor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_allowed_processor_is_taken() {
        let mut set = CpuSet::new();
        assert_eq!(last(&set), None);
        set.set(0);
        set.set(5);
        assert_eq!(last(&set), Some(5));
    }
}
