//! The contract `entropy`: ChaCha20, seeded by the command and, where there is one, the processor's generator.

use chacha::{Generator, KEY};
use launch::{Key, Launch};
use sync::Mutex;
use x86_64::{features::basic, instructions};

use crate::devices::uart;

/// Provider of the contract `entropy`.
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
        GENERATOR.lock().fill(buffer);
    }
}

static GENERATOR: Mutex<Generator> = Mutex::new(Generator::new([0; KEY]));

/// Seeds the generator from the launch record and RDRAND: neither has to be trusted alone. A machine that has neither
/// was not started by the command; it starts all the same (somebody debugs it) and says so.
pub fn start(launch: &Launch<'_>) {
    let seed = launch.hexadecimal(Key::Seed);
    if seed.is_none() && !basic().random() {
        uart::write(b"whittle: no seed and no RDRAND: random numbers are predictable\n");
    }
    *GENERATOR.lock() = Generator::new(mix(seed.unwrap_or_default()));
}

/// Adds the processor's own randomness.
fn mix(mut seed: [u8; KEY]) -> [u8; KEY] {
    if basic().random() {
        for word in seed.as_chunks_mut().0 {
            // RDRAND may have nothing for a moment; Intel advises ten attempts.
            let random = (0..10).find_map(|_| instructions::random()).unwrap_or_default();
            *word = (u64::from_le_bytes(*word) ^ random).to_le_bytes();
        }
    }
    seed
}
