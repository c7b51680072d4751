//! The queue for control (section 5.1.6.5): a command at a time, and its answer.

use alloc::boxed::Box;

use super::{Device, header::HEADER};
use crate::{
    Shared,
    queue::{Queue, queue_bytes},
    transport::Transport,
};

/// Descriptors: one command is under way.
pub(super) const SIZE: usize = 4;
/// Where the command lies, and its bytes at the most; the answer is behind it.
const COMMAND_AT: usize = queue_bytes(SIZE).next_multiple_of(16);
const LONGEST: usize = HEADER;
/// Bytes of memory.
pub(super) const MEMORY: usize = COMMAND_AT + LONGEST + 1;

/// Classes, and their commands: which packets are received (section 5.1.6.5.1), and how many pairs are used
/// (5.1.6.5.6).
const FILTER: u8 = 0;
const EVERYTHING: u8 = 0;
const GROUPS: u8 = 1;
const PAIRS: u8 = 4;
const USE_PAIRS: u8 = 0;

/// The answer that it was done. Another value stands there before there is one.
const DONE: u8 = 0;
const NO_ANSWER: u8 = 0xff;
/// Looks for an answer: a device that is emulated beside us answers within some thousand.
const LOOKS: u32 = 100_000_000;

/// The queue for control of a device.
#[derive(Debug)]
pub struct Control {
    number: u16,
    queue: Box<Queue<SIZE>>,
    memory: Shared,
    has_filter: bool,
}

impl Control {
    pub(super) const fn new(number: u16, queue: Box<Queue<SIZE>>, memory: Shared, has_filter: bool) -> Self {
        Self { number, queue, memory, has_filter }
    }

    /// Has the device receive all packets, or those for any group, or both; `false` if it refuses. `relax` is called
    /// between two looks for the answer.
    pub fn set_filter(
        &mut self,
        device: &Device<impl Transport>,
        everything: bool,
        groups: bool,
        relax: impl Fn(),
    ) -> bool {
        self.has_filter
            && self.command(device, &[FILTER, EVERYTHING, everything.into()], &relax)
            && self.command(device, &[FILTER, GROUPS, groups.into()], &relax)
    }

    /// Has the device use the first `pairs` pairs of queues; `false` if it refuses.
    pub fn use_pairs(&mut self, device: &Device<impl Transport>, pairs: u16, relax: impl Fn()) -> bool {
        let [low, high] = pairs.to_le_bytes();
        self.command(device, &[PAIRS, USE_PAIRS, low, high], &relax)
    }

    fn command(&mut self, device: &Device<impl Transport>, words: &[u8], relax: &impl Fn()) -> bool {
        let (Some(command), Some(answer)) =
            (self.memory.part(COMMAND_AT, words.len()), self.memory.part(COMMAND_AT + LONGEST, 1))
        else {
            return false;
        };
        command.write(0, words);
        answer.write(0, &[NO_ANSWER]);
        if self.queue.add_chain(&[command.lend(false), answer.lend(true)], 0).is_err() {
            // The last one was never answered.
            return false;
        }
        if self.queue.take_notification() {
            device.notify(self.number);
        }
        for _ in 0..LOOKS {
            match self.queue.take_used() {
                Ok(Some(_)) => break,
                Ok(None) => relax(),
                Err(_) => return false,
            }
        }
        let mut said = [NO_ANSWER];
        answer.read(0, &mut said);
        said[0] == DONE
    }
}
