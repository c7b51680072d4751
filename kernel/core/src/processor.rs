//! Which processor this is, and whether there can be another one.

/// Whether this image never has a second processor.
#[inline(always)]
pub fn alone() -> bool {
    contracts::processor::is_alone() || contracts::scheduler::processors() == 1
}

/// This processor's number.
#[inline(always)]
pub fn here() -> usize {
    if alone() { 0 } else { contracts::processor::number() }
}
