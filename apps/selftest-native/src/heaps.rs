//! Heaps by name, which only the native library has.

use std::alloc::Layout;

use crate::tally::Tally;

std::heap!(packets);

pub fn check(tally: &mut Tally) {
    let mut first = packets::Buffer::new(1500);
    holds!(tally, first.as_ref().is_some_and(|buffer| buffer.iter().all(|&byte| byte == 0)));
    let second = packets::Buffer::copy_of(b"packet");
    same!(tally, second.as_deref(), Some(&b"packet"[..]));
    if let Some(buffer) = &mut first {
        buffer[1499] = 1;
        same!(tally, buffer.len(), 1500);
    }
    holds!(tally, packets::Buffer::new(1 << 30).is_none());
    same!(tally, packets::Box::new(7).map(|boxed| *boxed + 1), Ok(8));
    holds!(tally, packets::Box::new([0_u8; 300_000]).is_err());
    holds!(tally, packets::allocate(Layout::new::<u64>()).is_some_and(|block| block.is_aligned()));
}
