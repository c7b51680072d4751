//! Fids: what the server keeps for us, by numbers that we choose.

use alloc::sync::Arc;

use vfs::FileError;

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

impl Client {
    /// Has `ask` make something at the server under a new number.
    pub fn make<R>(
        self: &Arc<Self>,
        ask: impl FnOnce(u32) -> Result<R, FileError>,
    ) -> Result<(Arc<Fid>, R), FileError> {
        let number = self.numbers.lock().take();
        match ask(number) {
            Ok(answer) => Ok((Arc::new(Fid::new(self.clone(), number)), answer)),
            Err(error) => {
                self.numbers.lock().give_back(number);
                Err(error)
            }
        }
    }
}
