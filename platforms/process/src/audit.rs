//! Walking the mappings that the host really has: `/proc/self/maps`, proc_pid_maps(5).

use core::ops::Range;

use machine::{Audit, AuditError, PAGE_SIZE};

use crate::{
    host::files::{self, OWN_FILES},
    layout,
};

/// The host's page for ancient system calls: in every process, ours to neither use nor unmap.
const VSYSCALL: usize = 0xffff_ffff_ff60_0000;

/// See [`machine::Pager::audit`].
pub fn audit() -> Result<Audit, AuditError> {
    let mut audit = Audit::default();
    let Ok(file) = files::open_own(&OWN_FILES.maps) else { return Ok(audit) };
    let mut buffer = [0; 1024];
    let mut kept = 0;
    loop {
        let count = files::read(file, &mut buffer[kept..]).unwrap_or(0);
        if count == 0 {
            return Ok(audit);
        }
        let filled = kept + count;
        let mut done = 0;
        while let Some(length) = buffer[done..filled].iter().position(|&byte| byte == b'\n') {
            if let Some(mapping) = Mapping::read(&buffer[done..done + length]) {
                mapping.judge(&mut audit)?;
            }
            done += length + 1;
        }
        // A line longer than the buffer (a path) is cut: what counts comes first.
        if done == 0 && filled == buffer.len() {
            if let Some(mapping) = Mapping::read(&buffer) {
                mapping.judge(&mut audit)?;
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
        let start = self.range.start;
        if start == VSYSCALL {
            return Ok(());
        }
        if self.write && self.execute {
            return Err(AuditError::WritableAndExecutable(start));
        }
        let text = layout::kernel_text();
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
