//! The one state, its clock, and how threads share both.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::net::IpAddr;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};
use std::thread::{ThreadId, current};
use std::time::Duration;

use network_tests::bare::Machine;
use packets::Instant;
use tcp::{Handle, Limits};

use crate::errno::Errno;
use crate::machine::objects::Object;
use crate::sysctl;

/// Bytes of an IP packet, as packetdrill's own device has them.
const MTU: usize = 1_500;

/// Where this machine's clock begins: far from nothing, so that no span before it is negative.
const START: Duration = Duration::from_secs(1_000);

/// A packet that has not come after so long never comes.
const LONGEST: Duration = Duration::from_secs(600);

/// How long this thread waits for the other one in real time before it gives the run up.
const HANGS: Duration = Duration::from_secs(20);

/// All there is.
pub struct State {
    /// TCP, and the packets that it sends.
    pub machine: Machine,
    /// Virtual time.
    pub now: Instant,
    /// Descriptors.
    pub objects: HashMap<c_int, Object>,
    /// Packets that were sent, and when.
    pub sent: VecDeque<(Instant, Vec<u8>)>,
    /// Listening sockets and connections whose readiness may have changed, for `epoll`.
    pub changed: Vec<Handle>,
    /// Bytes of payload of the segments that the device puts together to packets; 0: it does not.
    pub gathered: u16,
    /// How much of what the script has said is done.
    said: u64,
    addresses: Vec<IpAddr>,
    next: c_int,
    main: ThreadId,
    /// Counts what happens, so that who waits knows what it has seen.
    moves: u64,
    /// The blocked calls, each with what it has seen.
    blocked: Vec<(ThreadId, u64)>,
    /// A call that was blocked has ended, and its thread has not looked at the clock yet.
    leaving: Option<ThreadId>,
}

/// Descriptors are numbers that Linux does not give.
pub const FIRST_DESCRIPTOR: c_int = 100_000;

static STATE: OnceLock<Mutex<State>> = OnceLock::new();
static MOVED: Condvar = Condvar::new();

/// Begins with a machine of these addresses, commas between; a slash and the `--mss` of packetdrill's device may
/// follow. The calling thread is packetdrill's first.
pub fn start(flags: &str) {
    let words = flags.split_once('/');
    let addresses = words.map_or(flags, |words| words.0);
    let addresses: Vec<IpAddr> = addresses.split(',').filter_map(|address| address.parse().ok()).collect();
    let state = State {
        machine: machine(addresses.clone()),
        addresses,
        said: 0,
        gathered: words.and_then(|(_, mss)| mss.parse().ok()).unwrap_or(0),
        now: Instant::default() + START,
        objects: HashMap::new(),
        sent: VecDeque::new(),
        changed: Vec::new(),
        next: FIRST_DESCRIPTOR,
        main: current().id(),
        moves: 0,
        blocked: Vec::new(),
        leaving: None,
    };
    assert!(STATE.set(Mutex::new(state)).is_ok(), "packetdrill starts its library once");
}

fn machine(addresses: Vec<IpAddr>) -> Machine {
    Machine::new(addresses, MTU, *b"packetdrill scripts are no guess", Limits::default())
}

/// The state, if packetdrill has started it.
pub fn started() -> bool {
    STATE.get().is_some()
}

/// The state, for one thread at a time.
pub fn lock() -> MutexGuard<'static, State> {
    STATE.get().expect("packetdrill starts its library first").lock().expect("no thread panics while it has the lock")
}

impl State {
    /// Makes the machine anew before its first socket, for what a script sets comes after this library's start; and
    /// turns its knobs before each.
    pub fn boot(&mut self) {
        if self.next == FIRST_DESCRIPTOR {
            self.machine = machine(self.addresses.clone());
        }
        sysctl::turn(&mut self.machine);
    }

    /// Follows what a script says while it runs.
    fn follow(&mut self) {
        let said = sysctl::said();
        if said != self.said && self.next != FIRST_DESCRIPTOR {
            self.said = said;
            sysctl::turn(&mut self.machine);
        }
    }

    /// A descriptor for an object.
    pub fn add(&mut self, object: Object) -> c_int {
        self.next += 1;
        self.objects.insert(self.next, object);
        self.next
    }

    /// What stands behind a descriptor.
    pub fn object(&mut self, descriptor: c_int) -> Result<&mut Object, Errno> {
        self.objects.get_mut(&descriptor).ok_or(Errno(libc::EBADF))
    }

    /// Notes what the stack has sent and told since the last time.
    pub fn gather(&mut self) {
        let now = self.now;
        self.sent.extend(self.machine.ip.outgoing.drain(..).map(|packet| (now, packet)));
        let mut handles = Vec::new();
        self.machine.tcp.take_events(&mut handles);
        self.changed.append(&mut handles);
        crate::machine::lent::update_all(self);
        crate::machine::readiness::arm(self);
        crate::machine::connections::write(self);
        self.moves += 1;
    }
}

/// Does something at once, and lets the other thread see it.
pub fn at_once<T>(call: impl FnOnce(&mut State) -> T) -> T {
    let mut state = lock();
    state.follow();
    let result = call(&mut state);
    state.gather();
    let is_main = state.main == current().id();
    drop(if is_main { settled(state) } else { state });
    MOVED.notify_all();
    result
}

/// Does something, again and again until it is done, if the descriptor says that its calls wait.
pub fn or_wait<T>(waits: bool, mut call: impl FnMut(&mut State) -> Result<T, Errno>) -> Result<T, Errno> {
    let (mut state, me) = (lock(), current().id());
    state.follow();
    loop {
        let result = call(&mut state);
        state.gather();
        let is_main = state.main == me;
        if !waits || is_main || !matches!(result, Err(Errno(libc::EAGAIN))) {
            let was_blocked = state.blocked.iter().any(|entry| entry.0 == me);
            state.blocked.retain(|entry| entry.0 != me);
            if was_blocked {
                state.leaving = Some(me);
            }
            MOVED.notify_all();
            drop(if is_main { settled(state) } else { state });
            return result;
        }
        let seen = state.moves;
        state.blocked.retain(|entry| entry.0 != me);
        state.blocked.push((me, seen));
        MOVED.notify_all();
        while state.moves == seen {
            state = MOVED.wait(state).expect("no thread panics while it has the lock");
        }
    }
}

/// Waits until blocked calls have seen all that has happened, and those that are over have looked at the clock.
fn settled(mut state: MutexGuard<'static, State>) -> MutexGuard<'static, State> {
    MOVED.notify_all();
    let begun = std::time::Instant::now();
    while state.leaving.is_some() || state.blocked.iter().any(|&(_, seen)| seen < state.moves) {
        let result = MOVED.wait_timeout(state, Duration::from_millis(100)).expect("no thread panics with the lock");
        state = result.0;
        if begun.elapsed() > HANGS {
            give_up("a blocked call neither ends nor waits");
        }
    }
    state
}

/// The time, as packetdrill sees it. Looking takes a microsecond, or who spins would spin for ever.
pub fn look_at_clock() -> Instant {
    let mut state = lock();
    let (now, me) = (state.now, current().id());
    if state.leaving == Some(me) {
        state.leaving = None;
        MOVED.notify_all();
    }
    if state.main == me {
        let next = now + Duration::from_micros(1);
        drop(advance(state, next));
    }
    now
}

/// Lets time pass.
pub fn sleep(span: Duration) {
    let state = lock();
    let until = state.now + span;
    drop(advance(state, until));
}

fn advance(mut state: MutexGuard<'static, State>, until: Instant) -> MutexGuard<'static, State> {
    while let Some(due) = state.machine.tcp.deadline().filter(|&due| due <= until) {
        state.now = state.now.max(due);
        state = poll(state);
    }
    state.now = state.now.max(until);
    state
}

fn poll(mut state: MutexGuard<'static, State>) -> MutexGuard<'static, State> {
    let now = state.now;
    let Machine { tcp, ip } = &mut state.machine;
    tcp.poll(now, ip);
    state.gather();
    settled(state)
}

/// The next packet that was sent, and when; time goes on until there is one.
pub fn next_packet() -> (Instant, Vec<u8>) {
    let mut state = lock();
    let end = state.now + LONGEST;
    loop {
        if let Some(packet) = state.sent.pop_front() {
            return packet;
        }
        match state.machine.tcp.deadline() {
            Some(due) if due <= end => {
                state.now = state.now.max(due);
                state = poll(state);
            }
            _ => give_up("error handling packet: Timed out waiting for packet"),
        }
    }
}

/// Ends packetdrill, which would wait for ever.
pub fn give_up(why: &str) -> ! {
    eprintln!("{why}");
    std::process::exit(1)
}
