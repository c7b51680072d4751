//! The rules that hold for everything that is mapped.

use core::ops::Range;

use machine::{Audit, AuditError, PAGE_SIZE};
use paging::Leaf;

use super::{KERNEL, space};
use crate::layout::{data_start, image_physical, text_start};

/// See [`machine::MemoryReport::audit`].
pub fn audit() -> Result<Audit, AuditError> {
    let kernel_text = image_physical(text_start())..image_physical(data_start());
    let mut result = Ok(Audit::default());
    let mut visit = |leaf: Leaf| {
        if let Ok(audit) = &mut result
            && let Err(error) = audit_leaf(audit, &leaf, &kernel_text)
        {
            result = Err(error);
        }
    };
    // The kernel's half, and that of the first space: it has the same root.
    KERNEL.lock().tables().inspect(&mut visit);
    space::each_further(&mut |space| space.lock().tables().inspect_lower_half(&mut visit));
    result
}

fn audit_leaf(audit: &mut Audit, leaf: &Leaf, kernel_text: &Range<usize>) -> Result<(), AuditError> {
    let pages = leaf.size.bytes() / PAGE_SIZE;
    audit.pages += pages;
    audit.writable += if leaf.writable { pages } else { 0 };
    audit.executable += if leaf.executable { pages } else { 0 };
    let overlaps = leaf.physical < kernel_text.end && kernel_text.start < leaf.physical + leaf.size.bytes();
    if leaf.address == 0 {
        Err(AuditError::MappedAtZero)
    } else if leaf.writable && leaf.executable {
        Err(AuditError::WritableAndExecutable(leaf.address))
    } else if leaf.writable && overlaps {
        Err(AuditError::WritableKernelText(leaf.address))
    } else {
        Ok(())
    }
}
