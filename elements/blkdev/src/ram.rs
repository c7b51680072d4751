//! A disk in memory, whose requests are done as soon as they are submitted.
#![allow(unsafe_code)]

use alloc::{collections::VecDeque, sync::Arc, vec::Vec};

use pages::{Memory, Page, SIZE};
use sync::Mutex;

use crate::{Disks, Done, Error, Geometry, Operation, Part, Request, SECTOR};

/// One disk of `sectors` sectors of zeros. Memory is taken as it is written to.
pub struct Ram {
    memory: &'static dyn Memory,
    sectors: u64,
    read_only: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pages: Vec<Option<Arc<Page>>>,
    done: VecDeque<Done>,
}

impl Ram {
    /// A disk whose bytes come from `memory`.
    #[must_use]
    pub const fn new(memory: &'static dyn Memory, sectors: u64) -> Self {
        let state = State { pages: Vec::new(), done: VecDeque::new() };
        Self { memory, sectors, read_only: false, state: Mutex::new(state) }
    }

    /// Nobody writes it from now on.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    fn carry_out(&self, state: &mut State, request: &Request<'_>) -> Result<(), Error> {
        let end = request.sector.checked_add((request.bytes() / SECTOR) as u64).ok_or(Error::Nowhere)?;
        if end > self.sectors || !request.bytes().is_multiple_of(SECTOR) {
            return Err(Error::Nowhere);
        }
        if request.operation == Operation::Write && self.read_only {
            return Err(Error::ReadOnly);
        }
        let mut at = request.sector as usize * SECTOR;
        for part in request.parts() {
            self.carry_part(state, request.operation, at, part)?;
            at += part.length();
        }
        Ok(())
    }

    fn carry_part(&self, state: &mut State, operation: Operation, at: usize, part: &Part) -> Result<(), Error> {
        let mut done = 0;
        while done < part.length() {
            let (number, inside) = ((at + done) / SIZE, (at + done) % SIZE);
            let count = (SIZE - inside).min(part.length() - done);
            // SAFETY: inside the part, for the same request.
            let piece = unsafe { Part::new(part.start().add(done), count) };
            let page = state.page(number);
            match (operation, page) {
                // SAFETY: of the request that is being carried out.
                (Operation::Read, Some(page)) => page.with(|bytes| unsafe { piece.fill(&bytes[inside..]) }),
                // SAFETY: as above.
                (Operation::Read, None) => unsafe { piece.fill(&[0; SIZE]) },
                (_, page) => {
                    let page = match page {
                        Some(page) => page,
                        None => state.make(self.memory, number)?,
                    };
                    // SAFETY: as above.
                    page.change(|bytes| unsafe { piece.copy_to(&mut bytes[inside..inside + count]) });
                }
            }
            done += count;
        }
        Ok(())
    }
}

impl State {
    fn page(&self, number: usize) -> Option<Arc<Page>> {
        self.pages.get(number).cloned().flatten()
    }

    fn make(&mut self, memory: &'static dyn Memory, number: usize) -> Result<Arc<Page>, Error> {
        let page = Page::zeroed(memory).ok_or(Error::NoSpace)?;
        if self.pages.len() <= number {
            self.pages.resize(number + 1, None);
        }
        self.pages[number] = Some(page.clone());
        Ok(page)
    }
}

impl Disks for Ram {
    fn count(&self) -> usize {
        1
    }

    fn geometry(&self, disk: usize) -> Option<Geometry> {
        let geometry = Geometry { sectors: self.sectors, read_only: self.read_only, queues: 1, parts: 128 };
        (disk == 0).then_some(geometry)
    }

    fn submit(&self, disk: usize, queue: usize, burst: &[Request<'_>]) -> Result<usize, Error> {
        if (disk, queue) != (0, 0) {
            return Err(Error::Nowhere);
        }
        let mut state = self.state.lock();
        for request in burst {
            let result = self.carry_out(&mut state, request);
            state.done.push_back(Done { cookie: request.cookie, result });
        }
        Ok(burst.len())
    }

    fn take(&self, _disk: usize, _queue: usize, done: &mut [Done]) -> Result<usize, Error> {
        let mut state = self.state.lock();
        let count = done.len().min(state.done.len());
        for (place, taken) in done.iter_mut().zip(state.done.drain(..count)) {
            *place = taken;
        }
        Ok(count)
    }
}
