//! Where things are.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The project's root: `WHITTLE_ROOT`, or two folders above this crate.
#[must_use]
pub fn project_root() -> PathBuf {
    std::env::var_os("WHITTLE_ROOT").map_or_else(
        || {
            let here = Path::new(env!("CARGO_MANIFEST_DIR"));
            here.ancestors().nth(2).expect("the crate lies two folders below the root").to_path_buf()
        },
        PathBuf::from,
    )
}

/// The command under test. It leaves no watcher of sources behind, which would outlive the tests.
#[must_use]
pub fn whittle() -> Command {
    let mut command = Command::new(project_root().join("whittle"));
    command.env("WHITTLE_WATCH", "never");
    command
}

/// Folder for what the tests build; kept from run to run.
#[must_use]
pub fn work_folder() -> PathBuf {
    let folder = project_root().join("target/system-tests");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

/// A folder of a check's own, gone when the value is dropped. It is shared with the guest under its host path, so
/// that a check reads the same on every platform and on Linux.
#[must_use]
pub fn scratch() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("whittle-test.").tempdir().expect("the temporary folder can be written")
}
