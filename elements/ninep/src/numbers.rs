//! Numbers that we choose for what the server keeps for us.

use alloc::vec::Vec;

/// Numbers that nothing has.
#[derive(Default)]
pub struct Numbers {
    next: u32,
    free: Vec<u32>,
}

impl Numbers {
    pub fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next
        })
    }

    pub fn give_back(&mut self, number: u32) {
        self.free.push(number);
    }
}
