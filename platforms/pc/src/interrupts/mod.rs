//! Interrupts: which vector is whose, and how devices get one.
//!
//! An interrupt only does two things: it calls its device's handler, which looks at the device, and it marks work as
//! pending. The kernel takes the mark when the application is about to go on, or when it has waited.

mod listening;
mod timer;

use bootinfo::Trigger;
use sync::Mutex;
use virtio_devices::Message;

pub use timer::{Alarm, application_starts, idle_ends};

pub use listening::listen;

use crate::{
    apic::{DEVICES, FIRST_DEVICE, NOTICE, SERVICE, SPURIOUS, TIMER, io, local},
    memory::{self, map_device},
    per_cpu::{mark_pending, smp},
};

/// Looks at a device that has interrupted.
type Handler = fn();

/// Handlers of device vectors in the order they were asked for.
static HANDLERS: Mutex<[Option<Handler>; DEVICES]> = Mutex::new([None; DEVICES]);

/// Starts the interrupt controllers; nothing can interrupt yet.
pub fn start() {
    // In this order: an interrupt of the firmware's clock that waits is taken back while the line to it is still open.
    // Closed first, it stays with QEMU's processor as one without a vector, a protection fault wherever we let it in.
    io::silence_legacy_controllers();
    local::start(map_device);
}

/// The same on a processor that another one has started.
pub fn start_here() {
    local::start(map_device);
}

/// Routes the machine's interrupt `line` (ACPI calls it a global system interrupt) to this processor, which is the one
/// that boots, and `handler`.
/// `false` if there is no such line, or no vector left.
///
/// The handler runs with interrupts off. It must make a level-triggered device let go of its line.
pub fn route(line: u32, trigger: Trigger, handler: Handler) -> bool {
    claim_vector(handler).is_some_and(|vector| io::route(map_device, line, trigger, vector, local::identity()))
}

/// A vector for a device that raises it by a memory write; `None` if no vector is left.
pub fn allocate_message(handler: Handler) -> Option<Message> {
    let vector = claim_vector(handler)?;
    Some(Message { address: 0xfee0_0000 | u64::from(local::identity()) << 12, data: vector as u32 })
}

fn claim_vector(handler: Handler) -> Option<usize> {
    let mut handlers = HANDLERS.lock();
    let index = handlers.iter().position(Option::is_none)?;
    handlers[index] = Some(handler);
    Some(FIRST_DEVICE + index)
}

/// Serves an interrupt; `false` if the vector is nobody's (an application at ring 0 can raise any, by `int`).
/// `application` says whether it interrupted the application.
pub fn take(vector: usize, application: bool) -> bool {
    match vector {
        TIMER => timer::fired(application),
        NOTICE => mark_pending(),
        SERVICE => {
            // Before it is served: who is stopped there never comes back.
            local::end_of_interrupt();
            memory::serve();
            smp::stop_if_asked();
            return true;
        }
        SPURIOUS => return true,
        _ => {
            let index = vector.wrapping_sub(FIRST_DEVICE);
            let Some(handler) = HANDLERS.lock().get(index).copied().flatten() else { return false };
            handler();
            mark_pending();
            listening::tell();
        }
    }
    local::end_of_interrupt();
    true
}
