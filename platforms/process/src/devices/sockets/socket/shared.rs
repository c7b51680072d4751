//! Listeners of a program that share a published port (SO_REUSEPORT). The host knows one socket, of the command's; what
//! comes there is dealt to the listeners in turn, and waits with the one that got it, as it does on Linux.

use alloc::{collections::VecDeque, vec::Vec};

use sockets::Waiting;

use crate::host::sockets::Raw;

/// A connection that nobody has accepted yet: its descriptor, and who it is.
pub type Dealt = (i32, Raw);

/// Connections that wait with a listener at most. Others wait with the host.
const WAITING: usize = 128;

/// Those who share a port: nobody, as long as one has it alone.
#[derive(Default)]
pub struct Sharers {
    all: Vec<Sharer>,
    /// Whose turn it is.
    next: usize,
}

struct Sharer {
    number: u64,
    waiting: Waiting,
    dealt: VecDeque<Dealt>,
}

impl Sharers {
    /// Whether the port has been shared, and is still had by somebody.
    pub const fn are_there(&self) -> bool {
        !self.all.is_empty()
    }

    /// One more.
    pub fn join(&mut self, number: u64, waiting: Waiting) {
        self.all.push(Sharer { number, waiting, dealt: VecDeque::new() });
    }

    /// Whether one has no connection that waits.
    pub fn is_dry(&self, number: u64) -> bool {
        self.all.iter().all(|sharer| sharer.number != number || sharer.dealt.is_empty())
    }

    /// The connection that has waited longest with this one.
    pub fn take(&mut self, number: u64) -> Option<Dealt> {
        self.all.iter_mut().find(|sharer| sharer.number == number)?.dealt.pop_front()
    }

    /// Has `accept` bring connections until it has none, and deals them; who is to be woken.
    pub fn deal<E>(&mut self, mut accept: impl FnMut() -> Result<Dealt, E>) -> (Vec<Waiting>, Option<E>) {
        let mut woken = Vec::new();
        loop {
            let count = self.all.len();
            let has_room = |&at: &usize| self.all[at].dealt.len() < WAITING;
            let Some(at) = (self.next..self.next + count).map(|at| at % count).find(has_room) else {
                return (woken, None);
            };
            match accept() {
                Ok(dealt) => self.all[at].dealt.push_back(dealt),
                Err(error) => return (woken, Some(error)),
            }
            woken.push(self.all[at].waiting.clone());
            self.next = at + 1;
        }
    }

    /// One listens no more. What waited with it is the others'; what nobody has now, and who is to be watched for:
    /// `None`, if nobody is left.
    pub fn leave(&mut self, number: u64) -> (Vec<Dealt>, Option<u64>) {
        let Some(at) = self.all.iter().position(|sharer| sharer.number == number) else {
            return (Vec::new(), self.all.first().map(|sharer| sharer.number));
        };
        let gone = self.all.remove(at).dealt;
        match self.all.first_mut() {
            None => (gone.into(), None),
            Some(first) => {
                first.dealt.extend(gone);
                first.waiting.wake_all();
                (Vec::new(), Some(first.number))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::sync::Arc;

    fn dealt(sharers: &mut Sharers, number: u64) -> Vec<i32> {
        core::iter::from_fn(|| sharers.take(number)).map(|(descriptor, _)| descriptor).collect()
    }

    #[test]
    fn connections_are_dealt_in_turn_and_kept_by_whoever_stays() {
        let mut sharers = Sharers::default();
        assert!(!sharers.are_there());
        for number in [7, 8, 9] {
            sharers.join(number, Arc::default());
        }
        let mut come = 0..7;
        let mut accept = || come.next().map(|descriptor| (descriptor, Raw::EMPTY)).ok_or(());
        let (woken, ended) = sharers.deal(&mut accept);
        assert_eq!((woken.len(), ended), (7, Some(())));
        assert_eq!([dealt(&mut sharers, 7), dealt(&mut sharers, 8)], [vec![0, 3, 6], vec![1, 4]]);
        assert!(sharers.is_dry(7) && !sharers.is_dry(9));
        let (lost, watched) = sharers.leave(9);
        assert_eq!((lost.len(), watched), (0, Some(7)));
        assert_eq!(dealt(&mut sharers, 7), [2, 5]);
        // Nobody takes more than has room.
        let (woken, ended) = sharers.deal(|| Ok::<_, ()>((1, Raw::EMPTY)));
        assert_eq!((woken.len(), ended), (2 * WAITING, None));
        assert_eq!(sharers.leave(7).1, Some(8));
        assert_eq!(sharers.leave(7).1, Some(8));
        let (lost, watched) = sharers.leave(8);
        assert_eq!((lost.len(), watched), (2 * WAITING, None));
        assert!(!sharers.are_there());
    }
}
