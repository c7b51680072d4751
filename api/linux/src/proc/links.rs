//! `/proc/self/{cwd,exe,root,fd/*}`: where the process' links lead.

use alloc::sync::Arc;

use fs::proc::ProcessLink;
use vfs::pseudo::Target;

/// A link of the process. A directory that has been removed has no path, and leads where it was.
pub fn link(which: ProcessLink) -> Option<Target> {
    let location = crate::state::location().clone();
    match which {
        ProcessLink::Directory => {
            let path =
                fs::mounts().path_of(&location.directory, &location.root).unwrap_or_else(|| b"(deleted)".to_vec());
            Some(Target { path, node: Some(location.directory) })
        }
        ProcessLink::Root => Some(Target { path: b"/".to_vec(), node: Some(location.root) }),
        ProcessLink::Executable => executable(),
    }
}

/// Found by its path: it is a file of the tree.
fn executable() -> Option<Target> {
    let program = crate::program();
    (!program.executable.is_empty()).then(|| Target { path: program.executable.as_bytes().to_vec(), node: None })
}

/// What is open under a descriptor.
pub fn descriptor(number: u32) -> Option<Target> {
    let description = crate::files::description(i32::try_from(number).ok()?).ok()?;
    Some(Target { path: description.path(), node: Some(Arc::clone(&description.entry)) })
}
