//! Fids: numbers that we choose for what the server keeps for us.

use alloc::{sync::Arc, vec::Vec};

use crate::client::Client;

/// Something at the server, let go of when this goes.
pub struct Fid {
    client: Arc<Client>,
    number: u32,
}

impl Fid {
    pub const fn new(client: Arc<Client>, number: u32) -> Self {
        Self { client, number }
    }

    pub const fn number(&self) -> u32 {
        self.number
    }
}

impl Drop for Fid {
    fn drop(&mut self) {
        self.client.clunk(self.number);
    }
}

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
