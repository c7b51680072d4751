//! Logs of `whittle run --trace syscalls` and of strace.

use std::collections::BTreeMap;
use std::path::Path;

use linux_abi::system_call_name;

use crate::failure::{Failure, plain};

/// The system calls in a log, and how often each is made.
pub fn names(file: &Path) -> Result<BTreeMap<String, usize>, Failure> {
    let bytes = std::fs::read(file)
        .map_err(|error| Failure::ours(format!("{}: cannot be read: {}", file.display(), plain(&error))))?;
    let found = count(&String::from_utf8_lossy(&bytes));
    if found.is_empty() {
        return Err(Failure::ours(format!("{}: there is no system call in it", file.display())));
    }
    Ok(found)
}

/// The same of a log's text.
pub fn count(text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for name in text.lines().filter_map(name) {
        *found.entry(name.to_owned()).or_default() += 1;
    }
    found
}

/// The call of a line: the word before the first parenthesis, behind a thread's number and a time, if it is one's name.
/// What `<... read resumed>` ends has been counted where it began.
fn name(line: &str) -> Option<&str> {
    let (before, _) = line.split_once('(')?;
    let word = before.rsplit([' ', '\t', ']']).next()?;
    let known = |number| system_call_name(number) == Some(word);
    (0..512).any(known).then_some(word)
}
