//! Every policy against models.

use std::boxed::Box;
use std::cell::Cell;
use std::vec::Vec;

use crate::*;

mod fairness;
mod order;
mod random;

std::thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1) };
}

/// A clock that only the test moves.
struct Model;

impl Time for Model {
    fn now() -> u64 {
        NOW.get()
    }
}

/// Threads that live as long as the tests' process.
fn threads(count: usize) -> Vec<EntityRef> {
    (0..count).map(|_| EntityRef::fixed(Box::leak(Box::new(Entity::new())))).collect()
}

/// Steps of a linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
