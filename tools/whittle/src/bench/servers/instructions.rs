//! Instructions from a start to the first answer: on pc with files in memory and with the host's, and of a Linux guest.

use std::time::Duration;

use super::super::net::{Counts, KERNEL, Ours, SERVER};
use super::super::rounds::{Cell, Reading};
use super::super::table::Table;
use super::answer::{Patience, first};
use super::load::Load;
use super::server::Server;
use super::sides::{self, Link};
use super::start::{Bench, EMULATED, MEMORY, unanswered};
use crate::failure::Failure;

/// Below this no program lies: firmware, and the first instructions of kernels.
const FIRST: u64 = 0x40_0000;
/// How long a Linux guest may take to begin.
const BEGINS: Duration = Duration::from_secs(300);

/// What a side needs: instructions of the kernel, and of all.
type Counted = [f64; 2];

impl Bench<'_> {
    /// The table.
    pub fn instructions(&self, servers: &[Server]) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for &server in servers {
            eprintln!("whittle: instructions to the first answer of {}", server.name());
            let [ours, over] = [self.counted(server, true)?, self.counted(server, false)?];
            let linux = self.has_reference.then(|| self.counted_on_linux(server)).transpose()?;
            let sides = [Some(ours), Some(over), linux];
            let row = |part: usize| sides.iter().map(|side| cell(side.as_ref(), part)).collect();
            rows.push((format!("{}: the kernel", server.name()), row(0)));
            rows.push((format!("{}: all", server.name()), row(1)));
        }
        Ok(self.table(
            "instructions to the first answer",
            rows,
            &["pc", "pc, host's files", "Linux guest"],
            "Limits of the kernel's: redis 10 million, nginx 5 million. Of the host's files ours waits by spinning, which counts.",
        ))
    }

    /// With files in memory, or with the host's.
    fn counted(&self, server: Server, inside: bool) -> Result<Option<Counted>, Failure> {
        let plugin = self.counter.words()?;
        let options = [&EMULATED[..], &["--memory", server.memory(), "--plugin", &plugin]].concat();
        let mut machine = Ours::of(if inside {
            sides::inside(self.house, &self.files, server, Link::Tap, &options)?
        } else {
            sides::command(self.house, &self.files, (server, 1), Link::Tap, &options)?
        })?;
        if !answers(server, || machine.is_there()) {
            return Ok(None);
        }
        let counts = self.counter.read()?;
        let is_kernel = |address: u64| !(FIRST..KERNEL).contains(&address);
        let sum =
            |of: &dyn Fn(u64) -> bool| counts.iter().filter(|(at, _)| of(**at)).map(|(_, count)| *count as f64).sum();
        Ok(Some([sum(&is_kernel), sum(&|_| true)]))
    }

    /// All that goes before the program is the kernel's part: what unpacks it lies where programs do.
    fn counted_on_linux(&self, server: Server) -> Result<Option<Counted>, Failure> {
        let mut machine = self.linux(server, Some(self.counter.words()?), MEMORY)?;
        if !machine.begins(BEGINS) {
            return Err(Failure::ours("the Linux guest does not come to its program"));
        }
        let before = self.counter.read()?;
        if !answers(server, || machine.is_there()) {
            return Ok(None);
        }
        let counts = self.counter.read()?;
        let all: u64 = counts.values().sum();
        let users = |of: &Counts| of.iter().filter(|(at, _)| **at < KERNEL).map(|(_, count)| count).sum::<u64>();
        let program = users(&counts).saturating_sub(users(&before));
        Ok(Some([(all - program) as f64, all as f64]))
    }
}

fn answers(server: Server, is_there: impl FnMut() -> bool) -> bool {
    first(Load::opening(server), SERVER, Patience::LONG, is_there).is_some()
}

/// A part of what a side needs; a side that was not asked, or has not answered, has none.
fn cell(side: Option<&Option<Counted>>, part: usize) -> Cell {
    side.map_or_else(Cell::unknown, |counted| {
        Cell::of(counted.map_or_else(unanswered, |counted| Reading::Samples(vec![counted[part]])))
    })
}
