//! Driving the stack: up from the devices, down to them, and when something is due.

use alloc::sync::Arc;

use kernel::timer::{self, Expire, Timer};
use netstack::Parts;
use nic::{Interrupts, Nics, Offload, Packet};
use packets::Instant;
use sync::Once;

use crate::{
    network::Network,
    state::{State, now},
    table::Kind,
};

/// Bursts that are taken before others have their turn.
const BURSTS: usize = 16;
/// Bytes that are taken from a queue before others have their turn. A reader finds them in the processor's caches, and
/// the sender hears of room while the rest of its window is on its way. Measured, of 128 KB to all that there is.
const ROUND: usize = 512 << 10;
/// Packets of a queue's first burst, by which it is known how long they are.
const FIRST: usize = 8;

/// Rings when the stack has something to do.
struct Alarm(Timer);

impl Expire for Alarm {
    fn timer(&self) -> &Timer {
        &self.0
    }

    fn expire(self: Arc<Self>) {
        contracts::sockets::look();
    }
}

static ALARM: Once<Arc<dyn Expire>> = Once::new();

impl<P: Parts<Congestion: Send> + 'static, N: Nics> Network<P, N> {
    /// Takes up what devices have received, and does what is due; whether there was anything.
    pub(crate) fn receive(&self, state: &mut State<P>, now: Instant) -> bool {
        // The timer is never set too late, so until it rings nobody has to be asked.
        let mut came = state.alarm.is_none_or(|alarm| alarm <= now) && state.is_due(now);
        if came {
            state.stack.poll(now);
        }
        for link in 0..state.links.len() {
            for queue in 0..state.links[link].armed.len() {
                came |= self.drain(state, link, queue, now);
            }
        }
        came
    }

    /// Takes up what a queue holds, up to a round, and has it interrupt for more once it is dry.
    fn drain(&self, state: &mut State<P>, link: usize, queue: usize, now: Instant) -> bool {
        let State { stack, links, burst, most, .. } = state;
        let link = &mut links[link];
        let mut came = false;
        let (mut wanted, mut left) = (FIRST.min(*most), ROUND);
        for _ in 0..BURSTS {
            let mut bytes = 0;
            let mut take = |frame: &[u8], offload: &Offload| {
                let taken = stack.take_usual(now, link.interface, frame, offload);
                bytes += if taken { frame.len() } else { 0 };
                taken
            };
            // One that fails is of no more use.
            let Ok(count) = self.nics.receive_or_take(link.nic, queue, burst, wanted, &mut take) else { break };
            if count == wanted {
                bytes += burst.iter().map(Packet::len).sum::<usize>();
                wanted = next_burst(count, bytes, &mut left).min(*most);
                link.armed[queue] = false;
                came = true;
                stack.receive(now, link.interface, burst);
                if wanted == 0 {
                    break;
                }
                continue;
            }
            if count > 0 {
                came = true;
                stack.receive(now, link.interface, burst);
            } else if link.armed[queue] {
                break;
            }
            // What comes from now on interrupts; what came before that is looked for once more.
            link.armed[queue] = self.nics.set_interrupts(link.nic, queue, Interrupts::RECEIVED);
        }
        came
    }

    /// Behind whatever was done: packets go, events are told, the timer is set.
    pub(crate) fn settle(&self, state: &mut State<P>, now: Instant) {
        if state.stack.ip.has_outgoing() {
            self.transmit(state);
        }
        if state.stack.has_events() {
            tell(state);
        }
        set_alarm(state, now);
    }

    fn transmit(&self, state: &mut State<P>) {
        let mut waits = turn_back(state);
        for link in &state.links {
            let Some(packets) = state.stack.outgoing(link.interface).filter(|packets| !packets.is_empty()) else {
                continue;
            };
            let queue = contracts::processor::number() % link.armed.len().max(1);
            while !packets.is_empty() && self.nics.send(link.nic, queue, packets).is_ok_and(|count| count > 0) {}
            if !packets.is_empty() {
                waits = true;
                self.nics.set_interrupts(link.nic, queue, Interrupts::RECEIVED | Interrupts::ROOM);
            }
        }
        state.stack.ip.has_sent(waits);
    }
}

/// How many packets as long as these fit in what is left of a round behind them.
#[cold]
fn next_burst(packets: usize, bytes: usize, left: &mut usize) -> usize {
    *left = left.saturating_sub(bytes);
    *left * packets / bytes.max(1)
}

/// What is for this machine itself comes back, with all that it leads to. Two that answer each other for ever have
/// others get their turn: whether something is left.
fn turn_back<P: Parts>(state: &mut State<P>) -> bool {
    let loopback = state.stack.ip.loopback();
    for _ in 0..BURSTS {
        let Some(packets) = state.stack.outgoing(loopback).filter(|packets| !packets.is_empty()) else {
            return false;
        };
        core::mem::swap(packets, &mut state.burst);
        let mut burst = core::mem::take(&mut state.burst);
        state.stack.receive(now(), loopback, &mut burst);
        state.burst = burst;
    }
    true
}

/// Notes who is to be woken. Whoever is not in the queue yet looks at the socket when it is, under the lock that is
/// held here: it finds what has happened.
fn tell<P: Parts>(state: &mut State<P>) {
    let State { stack, table, woken, .. } = state;
    let mut wake = |kind| woken.extend(table.waiting(kind).filter(|waiting| !waiting.is_empty()).map(Arc::clone));
    if P::TCP {
        stack.tcp.each_event(|handle| wake(Kind::Stream(handle)));
    }
    if P::UDP {
        stack.udp.each_event(|handle| wake(Kind::Datagrams(handle)));
    }
    if P::RAW {
        stack.raw.each_event(|handle| wake(Kind::Raw(handle)));
    }
}

/// Sets the timer, if it would ring too late. One that rings too early finds nothing to do, and is set anew.
fn set_alarm<P: Parts>(state: &mut State<P>, now: Instant) {
    state.alarm = state.alarm.filter(|alarm| *alarm > now);
    let Some(due) = state.stack.deadline() else { return };
    if state.alarm.is_none_or(|alarm| alarm > due) {
        state.alarm = Some(due);
        let alarm = ALARM.call_once(|| Arc::new(Alarm(Timer::new())));
        timer::set(alarm, Some(due.as_nanos()));
    }
}
