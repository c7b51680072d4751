//! Sizes between two powers of two in eight steps, so that rounding up wastes at most an eighth.
//!
//! Multiples of 16 up to 256, then steps of 32 up to 512, of 64 up to 1,024, and so on.

/// Steps between two powers of two.
const STEPS: usize = 8;
/// Below this power of two all steps are of 16 bytes.
const FINEST: usize = 7;

/// The power of two at or below `bytes`, [`FINEST`] at least. (`ilog2`, but one instruction.)
#[inline]
pub const fn power(bytes: usize) -> usize {
    ((bytes | 1 << FINEST).leading_zeros() ^ (usize::BITS - 1)) as usize
}

/// The step that `bytes` has reached: 0 below 16, 1 below 32, 16 at 256, 17 at 288.
#[inline]
pub const fn index(bytes: usize) -> usize {
    let power = power(bytes);
    STEPS * (power - FINEST) + (bytes >> (power - 3))
}

/// The first size that has reached a step.
#[inline]
pub const fn first(index: usize) -> usize {
    if index < STEPS {
        return index << 4;
    }
    let power = FINEST - 1 + index / STEPS;
    (STEPS + index % STEPS) << (power - 3)
}

/// How far it is from `bytes` to the next step.
#[inline]
pub const fn step(bytes: usize) -> usize {
    1 << (power(bytes) - 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_follow_each_other() {
        assert_eq!([0, 15, 16, 255, 256, 287, 288, 512].map(index), [0, 0, 1, 15, 16, 16, 17, 24]);
        for number in 1..400 {
            assert_eq!(index(first(number)), number);
            assert_eq!(index(first(number) - 1), number - 1);
            assert_eq!(first(number) + step(first(number)), first(number + 1));
        }
    }
}
