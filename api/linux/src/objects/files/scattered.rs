//! Scattered memory as one: for messages, which are received and sent whole.

use linux_abi::{Errno, structures::IoVector};
use machine::Fault;
use smallvec::smallvec;
use unfilled::Unfilled;
use vfs::{Sink, Source};

use super::vectors::IoVectors;

/// Pieces of application memory, one behind the other.
pub struct Scattered {
    pieces: IoVectors,
    /// Bytes moved, of all.
    moved: usize,
    total: usize,
    failed: bool,
}

/// Copies `length` bytes between an address and what stands so far behind the beginning.
type Copy<'a> = &'a mut dyn FnMut(usize, usize, usize) -> Result<(), Fault>;

impl Scattered {
    /// These pieces.
    #[must_use]
    pub fn new(pieces: IoVectors) -> Self {
        let total = pieces.iter().map(|piece| piece.iov_len as usize).sum();
        Self { pieces, moved: 0, total, failed: false }
    }

    /// One piece.
    #[must_use]
    pub fn one(address: usize, length: usize) -> Self {
        let piece = IoVector { iov_base: address as u64, iov_len: length as u64 };
        Self { pieces: smallvec![piece], moved: 0, total: length, failed: false }
    }

    /// What a system call answers that moved `count` bytes: EFAULT if none came because an address does not work.
    pub fn answer(&self, count: usize) -> crate::Result {
        if self.failed && count == 0 { Err(Errno::EFAULT) } else { Ok(count) }
    }

    const fn rest(&self) -> usize {
        if self.failed { 0 } else { self.total - self.moved }
    }

    /// Of one piece, which has so many bytes more.
    fn step_one(&mut self, address: usize, count: usize, copy: Copy<'_>) -> usize {
        let done = match copy(address, 0, count) {
            Ok(()) => count,
            Err(fault) => {
                self.failed = true;
                fault.address.saturating_sub(address).min(count)
            }
        };
        self.moved += done;
        done
    }

    #[inline(always)]
    fn step(&mut self, count: usize, copy: Copy<'_>) -> usize {
        let count = count.min(self.rest());
        if let [piece] = &*self.pieces {
            return self.step_one(piece.iov_base as usize + self.moved, count, copy);
        }
        let (mut done, mut before) = (0, 0);
        for piece in &self.pieces {
            let length = piece.iov_len as usize;
            let inside = self.moved + done - before;
            before += length;
            if inside >= length || done == count {
                if inside < length {
                    break;
                }
                continue;
            }
            let part = (length - inside).min(count - done);
            let address = piece.iov_base as usize + inside;
            if let Err(fault) = copy(address, done, part) {
                self.failed = true;
                done += fault.address.saturating_sub(address).min(part);
                break;
            }
            done += part;
        }
        self.moved += done;
        done
    }
}

impl Sink for Scattered {
    fn room(&self) -> usize {
        self.rest()
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        self.step(bytes.len(), &mut |address, start, length| {
            contracts::user_memory::copy_out(address, &bytes[start..start + length])
        })
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        self.step(count, &mut |address, _, length| contracts::user_memory::zero(address, length))
    }
}

impl Source for Scattered {
    fn left(&self) -> usize {
        self.rest()
    }

    fn fill(&mut self, to: &mut Unfilled<'_>, most: usize) {
        self.step(most.min(to.room()), &mut |address, _, length| contracts::user_memory::fill(to, length, address));
    }

    fn give_back(&mut self, count: usize) {
        self.moved -= count;
    }

    fn skip(&mut self) -> usize {
        let left = self.rest();
        self.moved += left;
        left
    }
}
