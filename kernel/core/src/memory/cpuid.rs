//! A program's questions to the processor: `cpuid`, which takes some microseconds under a hypervisor. C libraries ask
//! some seventy times before a program begins.
//!
//! What is to be rewritten is found out once for a file, and written before the program begins. So that costs a start
//! some pages, and a file's first start a look at its code. If that takes longer than asking the processor, the file is
//! only looked at when it is started again.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use rewrite::{CpuidEntry, Plan, Read, ReadFrames, cpuid_plans};
use sync::Mutex;

use super::{AddressSpace, rewriting};

/// Bytes of code that are looked at when a file is first started, for each tick of the processor's. Some seventy
/// questions take as long as it takes to read so many, or longer.
const FOR_A_TICK: u64 = 64;

/// Bytes of code that are looked at when it is started again.
const AGAIN: u64 = 4 << 20;

/// Files that are remembered.
const MOST: usize = 32;

/// What the loader knows of an object that it has loaded. Addresses are those that its file says.
pub struct LoadedObject<'a> {
    /// Its code.
    pub text: Range<u64>,
    /// What is added to its addresses.
    pub load_address: usize,
    /// What the file has now: how many bytes, and since when.
    pub version: Version,
    /// Reads its bytes; `false` if there are none.
    pub read: &'a mut Read<'a>,
    /// The address of its section `.eh_frame`, and what is in it.
    pub frames: &'a mut ReadFrames<'a>,
}

/// How many bytes a file has, and its last change: nanoseconds, or whatever it counts by.
pub type Version = (u64, i64);

/// A file: by its pages, its device and its number, and what it had.
type File = (usize, (u64, u64), Version);

/// What is to be written of a file; `None` if it was started once, and nobody has looked.
type Known = Option<Arc<[Plan]>>;

/// What is known of files, the latest one last.
static KNOWN: Mutex<Vec<(File, Known)>> = Mutex::new(Vec::new());

impl AddressSpace {
    /// Has the kernel answer each `cpuid` of an object from what was said before, where that is worth it.
    #[inline(always)]
    pub fn answer_cpuid(&self, object: &mut LoadedObject<'_>) {
        if let Some((entry, ticks)) = rewriting::cpuid_entry() {
            self.answer_by(&entry, ticks, object);
        }
    }

    #[inline(never)]
    fn answer_by(&self, entry: &CpuidEntry, ticks: u64, object: &mut LoadedObject<'_>) {
        let start = object.load_address.wrapping_add(object.text.start as usize);
        let file = self.file_at(start).map(|(pages, numbers)| (pages, numbers, object.version));
        let Some(plans) = file.and_then(|file| plans(file, ticks, object)) else { return };
        let Some(first) = plans.first() else { return };
        let mut state = self.state.lock();
        let at = object.load_address.wrapping_add(first.start() as usize);
        let Some(extent) = state.extent_of(at) else { return };
        if let Some((patcher, mut code)) = state.first_patching(&self.handle, &self.limits, at) {
            patcher.plant(&mut code, entry, (&plans, object.load_address as u64), &extent);
        }
    }

    fn file_at(&self, at: usize) -> Option<(usize, (u64, u64))> {
        let state = self.state.lock();
        let file = state.regions.find(at)?.file.as_ref()?;
        Some((file.key(), file.numbers()))
    }
}

/// What is to be written of a file, if somebody has looked, or is to. What the file has in these places is compared by
/// who writes.
fn plans(file: File, ticks: u64, object: &mut LoadedObject<'_>) -> Known {
    let length = object.text.end - object.text.start;
    let known = KNOWN.lock().iter().find(|(known, _)| *known == file).map(|(_, plans)| plans.clone());
    let most = match known {
        Some(Some(plans)) => return Some(plans),
        Some(None) => AGAIN,
        None => ticks.saturating_mul(FOR_A_TICK).min(AGAIN),
    };
    let found = (length <= most).then(|| Arc::from(cpuid_plans(&object.text, object.read, object.frames)));
    let mut all = KNOWN.lock();
    all.retain(|(known, _)| *known != file);
    if all.len() >= MOST {
        all.remove(0);
    }
    all.push((file, found.clone()));
    found
}
