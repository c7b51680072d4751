//! Files of `/etc` about names of machines, as the command says they are to be: what answers for names, what this
//! machine is called, and addresses that are known without asking. They are made when somebody looks for them.

use alloc::{borrow::Cow, sync::Arc};

use launch::Key;
use vfs::{
    FileError, Mounting, Node,
    ramfs::{Filling, Ramfs},
};

use crate::{device, place::put, surroundings::Machine};

/// Where they stand.
pub const PLACE: &[u8] = b"etc";

/// Whether there are any.
pub fn are_there() -> bool {
    instruction_set::launch::known().is_some_and(|launch| launch.all(Key::Names).next().is_some())
}

/// The files: names and contents.
fn all() -> impl Iterator<Item = (&'static [u8], &'static [u8])> {
    let fields = instruction_set::launch::known().into_iter().flat_map(|launch| launch.all(Key::Names));
    fields.filter_map(|field| {
        let end = field.iter().position(|&byte| byte == b'\n')?;
        Some((&field[..end], &field[end + 1..]))
    })
}

/// Makes them in a directory, beside what is there.
pub fn fill(directory: &mut Filling<'_>) {
    all().for_each(|(name, contents)| directory.add_file(name, contents, 0o644));
}

/// Puts them over what a tree has.
pub fn cover(root: &Arc<dyn Node>) -> Result<(), FileError> {
    if !are_there() {
        return Ok(());
    }
    let made = Ramfs::new(device::ROOT, &Machine, 0o755);
    made.root().fill_later(fill);
    for (name, _) in all() {
        let source = Cow::Borrowed(name);
        let file = Mounting { root: made.root().lookup(name)?, kind: "tmpfs", source, read_only: false };
        put(root, &[b"/", PLACE, b"/", name].concat(), file)?;
    }
    Ok(())
}
