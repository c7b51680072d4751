//! Random bytes: the host's, a handful at a time, because a start asks for a few bytes again and again.

use sync::Mutex;

use crate::host::{HostError, process};

/// Bytes fetched in advance.
const POOL: usize = 128;

static AHEAD: Mutex<Pool> = Mutex::new(Pool { bytes: [0; POOL], left: 0 });

/// Bytes that nobody has had yet: the first `left`. Given ones are zeroed.
struct Pool {
    bytes: [u8; POOL],
    left: usize,
}

impl Pool {
    fn take(&mut self, buffer: &mut [u8]) {
        if self.left < buffer.len() {
            fetch(&mut self.bytes);
            self.left = POOL;
        }
        self.left -= buffer.len();
        let taken = &mut self.bytes[self.left..][..buffer.len()];
        buffer.copy_from_slice(taken);
        taken.fill(0);
    }
}

/// The machine's [`machine::Entropy`].
#[derive(Debug, Default)]
pub struct Entropy;

impl Entropy {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Entropy for Entropy {
    fn fill(&self, buffer: &mut [u8]) {
        if buffer.len() <= POOL / 2 { AHEAD.lock().take(buffer) } else { fetch(buffer) }
    }
}

fn fetch(mut buffer: &mut [u8]) {
    while !buffer.is_empty() {
        match process::random(buffer) {
            Ok(count) => buffer = &mut buffer[count..],
            Err(HostError::INTERRUPTED) => {}
            Err(HostError(number)) => panic!("the host gives no random bytes: error {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_given_once() {
        let mut pool = Pool { bytes: core::array::from_fn(|index| index as u8 + 1), left: POOL };
        let (mut first, mut second) = ([0; 16], [0; 100]);
        pool.take(&mut first);
        pool.take(&mut second);
        assert_eq!(first, core::array::from_fn::<u8, 16, _>(|index| 113 + index as u8));
        assert_eq!(second, core::array::from_fn::<u8, 100, _>(|index| 13 + index as u8));
        assert_eq!(pool.left, 12);
        assert!(pool.bytes[12..].iter().all(|&byte| byte == 0));
        pool.take(&mut first);
        assert_eq!(pool.left, POOL - 16);
    }
}
