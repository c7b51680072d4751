//! The way to the server.

/// The way there is gone, for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

/// Brings requests to a server. Several may be under way at once, from several processors.
pub trait Transport: Send + Sync {
    /// Most bytes of a message.
    fn message_size(&self) -> u32;

    /// Most parts of a reply.
    fn reply_parts(&self) -> usize;

    /// Sends a request, whose bytes are those of its parts one behind the other, and waits for the reply, which fills
    /// the parts of `reply` in their order. Answers its length: at most what the parts hold. The caller may sleep
    /// meanwhile, so it holds no spin lock.
    fn exchange(&self, request: &[&[u8]], reply: &mut [&mut [u8]]) -> Result<usize, Lost>;
}
