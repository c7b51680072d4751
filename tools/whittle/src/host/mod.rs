//! What the host can do: its memory, its clock, its KVM. What takes long to find out is kept for the next run.

mod clock;
mod probe;
mod probe_guest;

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use crate::house::House;
use probe::Findings;

/// The host, as far as it was looked at.
pub struct Host<'a> {
    house: Option<&'a House>,
    memory: OnceCell<u64>,
    findings: OnceCell<Findings>,
}

impl<'a> Host<'a> {
    /// Nothing is looked at yet.
    #[must_use]
    pub const fn new(house: &'a House) -> Self {
        Self { house: Some(house), memory: OnceCell::new(), findings: OnceCell::new() }
    }

    /// A host with this much memory and no KVM, for tests.
    #[cfg(test)]
    #[must_use]
    pub fn with_memory(bytes: u64) -> Self {
        Self { house: None, memory: OnceCell::from(bytes), findings: OnceCell::from(Findings::default()) }
    }

    /// Bytes that programs could have without swapping (`MemAvailable` of proc_meminfo(5)).
    #[must_use]
    pub fn available_memory(&self) -> u64 {
        *self.memory.get_or_init(|| {
            let table = fs::read_to_string("/proc/meminfo").unwrap_or_default();
            let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap_or_default();
            line.trim().strip_suffix(" kB").and_then(|number| number.trim().parse().ok()).unwrap_or(0_u64) * 1024
        })
    }

    /// Whether KVM runs code at ring 0 as fast as the processor does.
    #[must_use]
    pub fn has_fast_kvm(&self) -> bool {
        self.findings().fast_kvm
    }

    /// Cycles of the time stamp counter in a millisecond; `None` if they make no sense.
    #[must_use]
    pub fn tsc_kilohertz(&self) -> Option<u64> {
        self.findings().tsc_kilohertz
    }

    fn findings(&self) -> Findings {
        *self.findings.get_or_init(|| probe::findings(self.kept().as_deref()))
    }

    /// Where findings are kept.
    fn kept(&self) -> Option<PathBuf> {
        Some(self.house?.target.join("host-findings"))
    }
}
