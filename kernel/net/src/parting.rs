//! The end of the machine: what was sent arrives first, and the ends of connections, as they would on Linux.

use contracts::{clock, sockets};
use kernel::parting::Ending;
use netstack::Parts;
use packets::Instant;

use crate::{kinds, state::State};

/// Without progress for so long it is given up, in nanoseconds: three times a segment is sent again.
const PATIENCE: u64 = 3_000_000_000;
/// An other side that takes little at a time does not keep the machine for ever.
const LONGEST: u64 = 60_000_000_000;
/// How often it is looked: soon at first, for most others answer at once.
const STEPS: core::ops::RangeInclusive<u64> = 50_000..=5_000_000;

/// Waits for what is owed to others, while they take it.
pub fn part(ending: &mut dyn Ending) {
    if !sockets::owes() {
        return;
    }
    ending.stop_others();
    let begun = clock::monotonic();
    let (mut owed, mut moved, mut step) = (sockets::close_all(), begun, *STEPS.start());
    while owed > 0 && ending.wait(clock::monotonic() + step) {
        sockets::look();
        let (left, now) = (sockets::close_all(), clock::monotonic());
        if left != owed {
            (owed, moved) = (left, now);
        }
        if now - moved > PATIENCE || now - begun > LONGEST {
            return;
        }
        step = (2 * step).min(*STEPS.end());
    }
}

/// Whether anybody outside may be owed anything. Listeners count: whoever waits at one is told that it ends.
pub fn may_owe<P: Parts>(state: &State<P>) -> bool {
    P::TCP && state.stack.tcp.counts().sockets > 0 || waiting(state) > 0
}

/// Closes all sockets.
pub fn close_all<P: Parts>(state: &mut State<P>, now: Instant) {
    while let Some(kind) = state.table.remove_any() {
        // It is there.
        let _ = kinds::close(&mut state.stack, now, kind);
    }
}

/// Bytes of streams, ends, and whatever waits for a device or a neighbour.
pub fn owed<P: Parts>(state: &State<P>) -> u64 {
    let of_streams = if P::TCP { state.stack.tcp.leaving() } else { 0 };
    of_streams + waiting(state)
}

fn waiting<P: Parts>(state: &State<P>) -> u64 {
    u64::from(state.stack.ip.has_outgoing()) + state.stack.ip.neighbours().waiting() as u64
}
