//! Open files that are under way: sent, and not received yet.
//!
//! Sockets under way may hold others that are, as deep as a program likes, and hold each other in circles. So what is
//! let go of is let go of one at a time, by whoever comes first, and not inside of each other; and when a socket is
//! closed, those are looked for that only sockets hold which nobody can reach (unix_gc of Linux).
//!
//! An open file that nobody has but those that carry it is counted as often as it is carried. From the ones that
//! somebody has, or that a socket holds which is not under way, all that are carried can be reached.

use alloc::{
    collections::BTreeMap,
    sync::{Arc, Weak},
    vec::Vec,
};
use core::{any::Any, mem};

use sync::Mutex;

use super::{Socket, link::Link};
use vfs::FileError;

/// Something that is handed over with bytes: an open file.
pub trait Carried: Any + Send + Sync {
    /// The socket that it is, if it is one.
    fn socket(&self) -> Option<&Socket>;
}

/// A share of it.
pub type Right = Arc<dyn Carried>;

/// Who sends, and how many may be under way of that user's for one more to leave (`RLIMIT_NOFILE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The user.
    pub user: u32,
    /// The most.
    pub most: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { user: 0, most: usize::MAX }
    }
}

/// Open files under way together.
#[derive(Default)]
pub struct Cargo {
    rights: Vec<Right>,
    user: u32,
}

/// All that are under way.
#[derive(Default)]
struct Flight {
    /// How many, by who sent them.
    users: BTreeMap<usize, usize>,
    /// The sockets among them by address, and how often each is.
    sockets: BTreeMap<usize, (Weak<dyn Carried>, usize)>,
    /// The sum of that.
    count: usize,
    /// Steps of looking that have been saved up.
    saved: usize,
    /// Steps taken, for the tests.
    #[cfg(test)]
    steps: usize,
}

static FLIGHT: Mutex<Flight> = Mutex::new(Flight {
    users: BTreeMap::new(),
    sockets: BTreeMap::new(),
    count: 0,
    saved: 0,
    #[cfg(test)]
    steps: 0,
});

/// What is to be let go of, and whether somebody does.
static LEAVING: Mutex<(Vec<Right>, bool)> = Mutex::new((Vec::new(), false));

/// What a socket that is closed allows for looking: fewer than so many under way are looked at each time, and more of
/// them the less often, so that all looking together takes time by the sockets closed.
const EACH: usize = 16;

fn address(right: &Right) -> usize {
    Arc::as_ptr(right).addr()
}

impl Cargo {
    /// Has them leave. [`FileError::TooManyReferences`] if more than allowed are under way already.
    pub(super) fn load(rights: &mut Vec<Right>, allowance: Allowance) -> Result<Option<Self>, FileError> {
        if rights.is_empty() {
            return Ok(None);
        }
        let Allowance { user, most } = allowance;
        let mut flight = FLIGHT.lock();
        let flight = &mut *flight;
        let count = flight.users.entry(user as usize).or_insert(0);
        if *count > most {
            return Err(FileError::TooManyReferences);
        }
        *count += rights.len();
        for right in rights.iter().filter(|right| right.socket().is_some()) {
            flight.sockets.entry(address(right)).or_insert_with(|| (Arc::downgrade(right), 0)).1 += 1;
            flight.count += 1;
        }
        Ok(Some(Self { rights: mem::take(rights), user }))
    }

    /// They have arrived.
    pub(super) fn unload(mut self) -> Vec<Right> {
        self.land();
        mem::take(&mut self.rights)
    }

    /// A look at them on the way.
    pub(super) fn copied(&self) -> Vec<Right> {
        self.rights.clone()
    }

    fn land(&self) {
        let mut flight = FLIGHT.lock();
        let flight = &mut *flight;
        if let Some(count) = flight.users.get_mut(&(self.user as usize)) {
            *count -= self.rights.len();
            if *count == 0 {
                flight.users.remove(&(self.user as usize));
            }
        }
        for right in self.rights.iter().filter(|right| right.socket().is_some()) {
            let address = address(right);
            let Some((_, count)) = flight.sockets.get_mut(&address) else { continue };
            *count -= 1;
            if *count == 0 {
                flight.sockets.remove(&address);
            }
            flight.count -= 1;
        }
    }
}

/// Nobody receives them. To let go of one may drop a socket that holds more: these wait for their turn.
impl Drop for Cargo {
    fn drop(&mut self) {
        if self.rights.is_empty() {
            return;
        }
        self.land();
        let mut leaving = LEAVING.lock();
        leaving.0.append(&mut self.rights);
        if mem::replace(&mut leaving.1, true) {
            return;
        }
        while let Some(right) = leaving.0.pop() {
            drop(leaving);
            drop(right);
            leaving = LEAVING.lock();
        }
        *leaving = (Vec::new(), false);
    }
}

/// A socket has been closed by somebody: perhaps only sockets hold it now that nobody can reach.
pub fn closed() {
    let garbage = {
        let mut flight = FLIGHT.lock();
        if flight.count == 0 {
            return;
        }
        flight.saved = flight.saved.saturating_add(EACH);
        if flight.saved < flight.count {
            return;
        }
        flight.saved = 0;
        flight.unreachable()
    };
    drop(garbage);
}

/// A socket that only sockets hold.
struct Held {
    right: Right,
    /// How often it is carried by others than those in the list.
    reached: usize,
    /// The places in the list of those that it carries.
    carries: Vec<usize>,
}

impl Flight {
    /// Takes what nobody can reach from the sockets that carry it. What this answers goes when nothing is locked.
    ///
    /// Nothing arrives or leaves meanwhile. So whoever is found to be held by sockets alone stays so, or is received
    /// from one that somebody has.
    fn unreachable(&mut self) -> (Vec<Held>, Vec<Cargo>) {
        let (mut held, mut places) = (Vec::<Held>::new(), BTreeMap::new());
        for (&address, (right, count)) in &self.sockets {
            let Some(right) = right.upgrade() else { continue };
            if Arc::strong_count(&right) - 1 == *count {
                places.insert(address, held.len());
                held.push(Held { right, reached: *count, carries: Vec::new() });
            }
        }
        for place in 0..held.len() {
            let mut carries: Vec<usize> = Vec::new();
            let place_of = |right: &Right| places.get(&address(right)).copied();
            let mut see = |cargo: &Cargo| carries.extend(cargo.rights.iter().filter_map(place_of));
            held[place].right.socket().into_iter().for_each(|socket| socket.each_cargo(&mut see));
            for &inner in &carries {
                held[inner].reached = held[inner].reached.saturating_sub(1);
            }
            held[place].carries = carries;
        }
        #[cfg(test)]
        {
            self.steps += self.sockets.len() + held.iter().map(|held| 1 + held.carries.len()).sum::<usize>();
        }
        let mut ways: Vec<usize> = (0..held.len()).filter(|&place| held[place].reached > 0).collect();
        while let Some(place) = ways.pop() {
            for inner in mem::take(&mut held[place].carries) {
                if mem::replace(&mut held[inner].reached, 1) == 0 {
                    ways.push(inner);
                }
            }
        }
        let mut garbage = Vec::new();
        let lost = held.iter().filter(|held| held.reached == 0).filter_map(|held| held.right.socket());
        lost.for_each(|socket| socket.take_cargo(&mut garbage));
        (held, garbage)
    }
}

impl Socket {
    /// Shows what is under way to it, and to those that wait to be accepted.
    fn each_cargo(&self, see: &mut dyn FnMut(&Cargo)) {
        for end in self.waiting() {
            end.state.lock().inbox.each_cargo(see);
        }
        self.state.lock().inbox.each_cargo(see);
    }

    fn take_cargo(&self, into: &mut Vec<Cargo>) {
        for end in self.waiting() {
            end.state.lock().inbox.take_cargo(into);
        }
        self.state.lock().inbox.take_cargo(into);
    }

    fn waiting(&self) -> Vec<Arc<Self>> {
        match &self.state.lock().link {
            Link::Listening(_, waiting) => waiting.iter().cloned().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
pub(super) fn steps() -> usize {
    FLIGHT.lock().steps
}
