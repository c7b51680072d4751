//! Network interfaces, for programs that take and send frames themselves. Beyond the standard library: these are the
//! calls of the contract `nic`, and waiting.
//!
//! ```ignore
//! let mut packets = nic::Burst::new();
//! while nic::wait(0, &mut packets, 32).is_ok() {
//!     packets.iter_mut().for_each(answer);
//!     while !packets.is_empty() && nic::send(0, 0, &mut packets).is_ok() {}
//! }
//! ```

pub use contracts::{
    nic::{attributes, count, is_up, receive, send, set_filter, set_interrupts},
    nic_element::{Address, Attributes, Burst, Error, Filter, Interrupts, Offloads, packets},
};

/// Adds what interface `nic` has received to `packets`, at most `most` of each of its queues and at least one in all:
/// it waits for that as long as it takes, and the machine rests meanwhile. Says how many.
///
/// # Errors
/// As [`receive`].
pub fn wait(nic: usize, packets: &mut Burst, most: usize) -> Result<usize, Error> {
    let queues = attributes(nic).ok_or(Error::Nowhere)?.queues;
    let mut result = Ok(0);
    let mut look = || {
        result = (0..queues).try_fold(0, |count, queue| Ok(count + receive(nic, queue, packets, most)?));
        result != Ok(0)
    };
    let ask = |wanted| {
        let wanted = if wanted { Interrupts::RECEIVED } else { Interrupts::empty() };
        // All of them are asked, also behind one that interrupts nobody.
        (0..queues).filter(|&queue| !set_interrupts(nic, queue, wanted)).count() == 0
    };
    if sync::has_threads() {
        sync::wait_for_device(&mut look, &ask);
        return result;
    }
    while !look() {
        let interrupts = ask(true);
        // What came before the question interrupts nobody.
        if look() {
            break;
        }
        if interrupts {
            contracts::processor::idle();
        } else {
            sync::relax();
        }
    }
    result
}
