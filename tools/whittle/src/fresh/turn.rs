//! One build at a time: of two first starts the second waits, and finds everything done.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use crate::failure::{Doing, Failure};

/// A turn at building something; it ends with the value, and with the process.
pub struct Turn {
    _file: File,
}

impl Turn {
    /// Waits until nobody else holds this file, and says so if that takes a while.
    pub fn wait(lock: &Path, what: &str) -> Result<Self, Failure> {
        let doing = || format!("lock {}", lock.display());
        fs::create_dir_all(lock.parent().unwrap_or(lock)).doing(doing())?;
        let file = File::options().create(true).append(true).open(lock).doing(doing())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("whittle: another start is building {what}: waiting for it");
                file.lock().doing(doing())?;
            }
            Err(TryLockError::Error(error)) => return Err(error).doing(doing()),
        }
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn the_second_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = Turn::wait(&folder.path().join("building.lock"), "it").unwrap();
        let had = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                let _second = Turn::wait(&folder.path().join("building.lock"), "it").unwrap();
                had.store(true, Ordering::SeqCst);
            });
            thread::sleep(Duration::from_millis(50));
            assert!(!had.load(Ordering::SeqCst));
            drop(first);
        });
        assert!(had.load(Ordering::SeqCst));
    }
}
