//! Weights of nice values.

use crate::{Class, Parameters};

/// From nice -20 to 19: each step is a quarter more or less. The numbers are Linux's (`sched_prio_to_weight`), because
/// programs expect its shares.
const WEIGHTS: [u32; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501,
    1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// The weight of [`Class::Idle`], less than that of any nice value.
const IDLE: u32 = 3;

/// A thread's weight; 1024 is nice 0.
pub fn weight(parameters: Parameters) -> u64 {
    let step = parameters.nice.clamp(-20, 19) + 20;
    u64::from(match parameters.class {
        Class::Idle => IDLE,
        _ => WEIGHTS[usize::from(step.cast_unsigned()).min(39)],
    })
}
