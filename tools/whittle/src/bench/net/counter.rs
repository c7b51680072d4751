//! Instructions that a machine executes, by the addresses of its blocks: a plugin of QEMU's counts them into a file
//! (`apps/bench-network/counter`), which is read as it stands.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::machine::emulator_version;
use crate::setup;

use super::super::work_folder;

/// Requests that are not counted, so that tables are filled and code is translated.
const WARM_UP: usize = 2000;
/// How long a machine is watched that nobody asks.
const IDLE: Duration = Duration::from_secs(2);
/// How long the work for a request may go on behind its answer.
const AFTERWARDS: Duration = Duration::from_millis(100);

/// Bytes of a block's place in the file: its address, instructions executed, its length in instructions.
const PLACE: usize = 24;
/// Bytes of all places, behind which stands what each processor has executed, in eight bytes each.
const PLACES: usize = PLACE << 20;

/// The plugin.
pub struct Counter {
    plugin: PathBuf,
    file: PathBuf,
}

/// Instructions by the addresses of their blocks.
pub type Counts = BTreeMap<u64, u64>;

impl Counter {
    /// Compiles it, for the QEMU that is there.
    pub fn build(house: &House) -> Result<Self, Failure> {
        setup::things(&["gcc", "qemu-system-x86_64"])?;
        let folder = work_folder(house)?;
        let (plugin, file) = (folder.join("counter.so"), folder.join(format!("counts-{}", std::process::id())));
        // What an interface without these functions' changes is called (QEMU's include/qemu/qemu-plugin.h).
        let interface = if emulator_version(None) >= Some([9, 0, 0]) { 2 } else { 1 };
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", &format!("-DINTERFACE={interface}")]);
        gcc.arg("-o").arg(&plugin).arg(house.root.join("apps/bench-network/counter/counter.c")).stdin(Stdio::null());
        let output = gcc.output().doing("start gcc")?;
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(Failure::ours("the counter of instructions does not build, see above"));
        }
        Ok(Self { plugin, file })
    }

    /// Begins a new file; what QEMU is to be told.
    pub fn words(&self) -> Result<String, Failure> {
        let _ = fs::remove_file(&self.file);
        let word = |path: &Path| path.display().to_string().replace(',', ",,");
        Ok(format!("{},out={}", word(&self.plugin), word(&self.file)))
    }

    /// What each request takes, by the addresses of blocks. `ask` asks so many times for `what`, or some more, and says
    /// how often it has. What the machine does when nobody asks is taken off.
    pub fn watch(
        &self,
        what: &str,
        requests: usize,
        ask: impl Fn(usize) -> io::Result<usize>,
    ) -> Result<BTreeMap<u64, f64>, Failure> {
        let ask = |count| ask(count).doing(format!("ask a server for {what}"));
        ask(WARM_UP.min(requests))?;
        sleep(AFTERWARDS);
        let quiet = self.read()?;
        sleep(IDLE);
        let (before, since) = (self.read()?, Instant::now());
        let asked = ask(requests)?;
        sleep(AFTERWARDS);
        let (after, took) = (self.read()?, since.elapsed());
        let share = took.as_secs_f64() / IDLE.as_secs_f64();
        Ok(for_each([&before, &after], [&quiet, &before], share, asked))
    }

    /// What has been executed until now.
    pub fn read(&self) -> Result<Counts, Failure> {
        let bytes = fs::read(&self.file).doing("read the counts of instructions")?;
        Ok(counts(&bytes[..bytes.len().min(PLACES)]))
    }

    /// What each processor has executed until now.
    pub fn processors(&self) -> Result<Vec<u64>, Failure> {
        let bytes = fs::read(&self.file).doing("read the counts of instructions")?;
        let all = bytes.get(PLACES..).unwrap_or_default().as_chunks::<8>().0;
        Ok(all.iter().map(|word| u64::from_ne_bytes(*word)).collect())
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // It may never have been made.
        let _ = fs::remove_file(&self.file);
    }
}

/// The counts in a file; blocks of several lengths may begin at one address.
fn counts(bytes: &[u8]) -> Counts {
    let mut counts = Counts::new();
    let word = |place: &[u8; PLACE], at: usize| u64::from_ne_bytes(std::array::from_fn(|byte| place[8 * at + byte]));
    for place in bytes.as_chunks::<PLACE>().0.iter().filter(|place| word(place, 0) != 0) {
        *counts.entry(word(place, 0)).or_default() += word(place, 1);
    }
    counts
}

/// What was executed between two readings, for each of `requests`, what the machine does of itself taken off: the
/// counts of `idle`, which is two readings with nothing asked between, times `share`.
fn for_each(readings: [&Counts; 2], idle: [&Counts; 2], share: f64, requests: usize) -> BTreeMap<u64, f64> {
    let between = |[before, after]: [&Counts; 2], address: &u64| {
        let count = |reading: &Counts| reading.get(address).copied().unwrap_or(0);
        count(after).saturating_sub(count(before)) as f64
    };
    let each = |address: &u64| {
        let more = between(readings, address) - share * between(idle, address);
        (more != 0.0).then_some((*address, more / requests as f64))
    };
    readings[1].keys().filter_map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_and_blocks_of_one_address_joined() {
        let places: [u64; 12] = [16, 30, 3, 0, 0, 0, 16, 12, 2, 32, 5, 1];
        let bytes: Vec<u8> = places.iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(counts(&bytes), Counts::from([(16, 42), (32, 5)]));
    }

    #[test]
    fn what_a_machine_does_of_itself_is_taken_off() {
        let reading = |one: u64, two: u64| Counts::from([(1, one), (2, two)]);
        let each = for_each([&reading(100, 7), &reading(300, 7)], [&reading(50, 7), &reading(60, 7)], 2.0, 10);
        assert_eq!(each, BTreeMap::from([(1, 18.0)]));
    }
}
