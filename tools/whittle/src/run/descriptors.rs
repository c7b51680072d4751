//! The host's limit of open files, which a machine and its command need some of.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::failure::Failure;

/// Open files that a machine is sure to start with: descriptors are passed on to it above 256.
const ENOUGH: u64 = 512;

/// Sees to it that there are enough: raises the limit for us and the machine as far as the host lets us.
pub fn provide() -> Result<(), Failure> {
    let limit = getrlimit(Resource::Nofile);
    check(limit.maximum)?;
    if limit.current.is_some_and(|now| now < ENOUGH) {
        let raised = Rlimit { current: Some(ENOUGH), ..limit };
        setrlimit(Resource::Nofile, raised)
            .map_err(|error| Failure::ours(format!("cannot raise the limit of open files: {error}")))?;
    }
    Ok(())
}

fn check(most: Option<u64>) -> Result<(), Failure> {
    match most.filter(|&most| most < ENOUGH) {
        None => Ok(()),
        Some(most) => Err(Failure::ours(format!(
            "this host lets a process open no more than {most} files, and a machine wants {ENOUGH}; raise the limit (`ulimit -Hn`)"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_too_low_is_a_sentence() {
        assert!(check(None).is_ok() && check(Some(ENOUGH)).is_ok());
        let sentence = check(Some(64)).unwrap_err().sentence;
        assert!(sentence.starts_with("this host lets a process open no more than 64 files"), "{sentence}");
    }
}
