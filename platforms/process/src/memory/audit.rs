//! Walking the mappings that the host really has: `/proc/self/maps`, proc_pid_maps(5).

use core::ops::Range;

use machine::{Audit, AuditError, PAGE_SIZE};

use crate::{
    host::{
        HostError,
        files::{self, OWN_FILES},
    },
    layout,
};

/// The host's page for ancient system calls: in every process, ours to neither use nor unmap.
const VSYSCALL: usize = 0xffff_ffff_ff60_0000;

/// See [`machine::MemoryReport::audit`]: adds what is found of the process that the processor is in.
pub fn add(audit: &mut Audit) -> Result<(), AuditError> {
    let file = files::open_own(&OWN_FILES.maps).unwrap_or_else(|HostError(number)| {
        panic!("/proc/self/maps cannot be read (error {number}), so the mappings cannot be checked")
    });
    let mut buffer = [0; 1024];
    let mut kept = 0;
    loop {
        let count = files::read(file, &mut buffer[kept..]).unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        let filled = kept + count;
        let mut done = 0;
        while let Some(length) = buffer[done..filled].iter().position(|&byte| byte == b'\n') {
            if let Some(mapping) = Mapping::read(&buffer[done..done + length]) {
                mapping.judge(audit)?;
            }
            done += length + 1;
        }
        // A line longer than the buffer (a path) is cut: what counts comes first.
        if done == 0 && filled == buffer.len() {
            if let Some(mapping) = Mapping::read(&buffer) {
                mapping.judge(audit)?;
            }
            done = filled;
        }
        buffer.copy_within(done..filled, 0);
        kept = filled - done;
    }
}

struct Mapping {
    range: Range<usize>,
    read: bool,
    write: bool,
    execute: bool,
}

impl Mapping {
    /// Reads `start-end rwxp ...`.
    fn read(line: &[u8]) -> Option<Self> {
        let mut words = line.split(|&byte| byte == b' ');
        let mut bounds = words.next()?.split(|&byte| byte == b'-');
        let mut bound = || usize::from_str_radix(core::str::from_utf8(bounds.next()?).ok()?, 16).ok();
        let range = bound()?..bound()?;
        let &[read, write, execute, _] = words.next()? else { return None };
        Some(Self { range, read: read == b'r', write: write == b'w', execute: execute == b'x' })
    }

    fn judge(&self, audit: &mut Audit) -> Result<(), AuditError> {
        self.judge_outside(audit, &layout::kernel_text())
    }

    /// Judges with the kernel's instructions at `text`.
    fn judge_outside(&self, audit: &mut Audit, text: &Range<usize>) -> Result<(), AuditError> {
        let start = self.range.start;
        if start == VSYSCALL {
            return Ok(());
        }
        if self.write && self.execute {
            return Err(AuditError::WritableAndExecutable(start));
        }
        if self.write && start < text.end && text.start < self.range.end {
            return Err(AuditError::WritableKernelText(start.max(text.start)));
        }
        if start < PAGE_SIZE {
            return Err(AuditError::MappedAtZero);
        }
        let pages = self.range.len() / PAGE_SIZE;
        let count = |yes| if yes { pages } else { 0 };
        audit.pages += count(self.read || self.write || self.execute);
        audit.writable += count(self.write);
        audit.executable += count(self.execute);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_read_and_counted() {
        let mut audit = Audit::default();
        let line = b"7f0000001000-7f0000004000 r-xp 00001000 08:01 42    /bin/a b";
        let mapping = Mapping::read(line).unwrap();
        assert_eq!(mapping.range, 0x7f00_0000_1000..0x7f00_0000_4000);
        mapping.judge_outside(&mut audit, &(0..0)).unwrap();
        Mapping::read(b"10000-12000 rw-p").unwrap().judge_outside(&mut audit, &(0..0)).unwrap();
        Mapping::read(b"20000-22000 ---p").unwrap().judge_outside(&mut audit, &(0..0)).unwrap();
        assert_eq!(audit, Audit { pages: 5, writable: 2, executable: 3 });
        assert!(Mapping::read(b"nonsense").is_none());
        assert!(Mapping::read(b"").is_none());
    }

    #[test]
    fn rules_are_kept() {
        let judge = |line: &[u8]| Mapping::read(line).unwrap().judge_outside(&mut Audit::default(), &(0x5000..0x7000));
        assert_eq!(judge(b"9000-a000 rwxp "), Err(AuditError::WritableAndExecutable(0x9000)));
        assert_eq!(judge(b"6000-a000 rw-p "), Err(AuditError::WritableKernelText(0x6000)));
        assert_eq!(judge(b"0-1000 ---p "), Err(AuditError::MappedAtZero));
        assert_eq!(judge(b"ffffffffff600000-ffffffffff601000 --xp "), Ok(()));
    }
}
