//! The contract `entropy`: ChaCha20, seeded by the command and, where there is one, the processor's generator.

use launch::{Key, Launch};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};
use sync::Mutex;
use x86_64::{features::basic, instructions};

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
        let mut state = STATE.lock();
        let state = &mut *state;
        state.generator.get_or_insert_with(|| ChaCha20Rng::from_seed(mix(state.seed))).fill_bytes(buffer);
    }
}

struct State {
    seed: [u8; 32],
    /// Made at the first use: not every program wants random bytes.
    generator: Option<ChaCha20Rng>,
}

static STATE: Mutex<State> = Mutex::new(State { seed: [0; 32], generator: None });

/// Takes the launch record's seed. A machine that gets none and has no generator starts all the same when it was not
/// started by the command (a debugging session), and says so.
pub fn start(launch: Launch<'_>) {
    match launch.hexadecimal(Key::Seed) {
        Some(seed) => STATE.lock().seed = seed,
        None if basic().random() => {}
        None => crate::devices::early_write("whittle: no seed and no RDRAND: random numbers are predictable\n"),
    }
}

/// Adds the processor's own randomness: neither source alone has to be trusted.
fn mix(mut seed: [u8; 32]) -> [u8; 32] {
    if basic().random() {
        for word in seed.chunks_exact_mut(8) {
            // RDRAND may have nothing for a moment; Intel advises ten attempts.
            let random = (0..10).find_map(|_| instructions::random()).unwrap_or_default();
            word.iter_mut().zip(random.to_le_bytes()).for_each(|(byte, other)| *byte ^= other);
        }
    }
    seed
}
