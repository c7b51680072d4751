//! What every device's start has in common (section 3.1.1).

use crate::transport::{Status, Transport};

/// Device number of a network device (section 5.1).
pub const NETWORK: u32 = 1;
/// Device number of a block device (section 5.2).
pub const BLOCK: u32 = 2;
/// Device number of a console (section 5.3).
pub const CONSOLE: u32 = 3;
/// Device number of a 9P transport (section 5.21 of VIRTIO 1.3; QEMU's hw/9pfs).
pub const NINEP: u32 = 9;
/// The feature that makes a device follow version 1 (section 6).
pub const VERSION_1: u64 = 1 << 32;
/// Polls of a reset: real devices need one or two.
const RESET_POLLS: u32 = 100_000;

/// Why a device does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// It does not come out of its reset.
    Reset,
    /// It does not offer version 1 or a feature the driver cannot do without.
    Features,
    /// A queue is missing or too short, or there is no interrupt for it.
    Queue(u16),
    /// A console does not have the port that is to be used.
    Port,
    /// The memory for queues and buffers is too small.
    Memory,
}

/// Resets the device and agrees about features: version 1, `needed`, and what it has of `welcome`. Returns the
/// features in force. Queues come next, then [`finish`].
pub fn begin(transport: &mut impl Transport, needed: u64, welcome: u64) -> Result<u64, StartError> {
    reset(transport)?;
    transport.set_status(Status::ACKNOWLEDGE);
    transport.set_status(Status::ACKNOWLEDGE | Status::DRIVER);
    let needed = needed | VERSION_1;
    let accepted = transport.offered_features() & (needed | welcome);
    if accepted & needed != needed {
        transport.set_status(Status::FAILED);
        return Err(StartError::Features);
    }
    transport.accept_features(accepted);
    transport.set_status(Status::ACKNOWLEDGE | Status::DRIVER | Status::FEATURES_OK);
    if !transport.status().contains(Status::FEATURES_OK) {
        transport.set_status(Status::FAILED);
        return Err(StartError::Features);
    }
    Ok(accepted)
}

/// Sets the device to work.
pub fn finish(transport: &mut impl Transport) {
    transport.set_status(Status::ACKNOWLEDGE | Status::DRIVER | Status::FEATURES_OK | Status::DRIVER_OK);
}

/// Ends a device's work: it uses no memory from then on.
pub fn stop(transport: &mut impl Transport) {
    // One that does not come out of its reset has no more claims on anything either.
    let _ = reset(transport);
}

fn reset(transport: &mut impl Transport) -> Result<(), StartError> {
    transport.set_status(Status::empty());
    let done = (0..RESET_POLLS).any(|_| transport.status().is_empty());
    done.then_some(()).ok_or(StartError::Reset)
}
