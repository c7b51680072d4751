//! The system calls an image of kind `linux` answers: all, or those it names, one by one or by family.

use std::collections::BTreeSet;

use linux_abi::DESCRIPTIONS;

use super::component::Component;
use super::nearest::nearest;
use super::request::Request;
use crate::failure::Failure;

/// The names of the calls that the request wants, by number.
pub fn wanted(request: &Request, kind: &Component) -> Result<Vec<String>, Failure> {
    let Some(words) = &request.linux.system_calls else { return Ok(all()) };
    if !kind.items.iter().any(|item| item.contains("{system_calls}")) {
        let line = words.first().map_or(request.linux.line, |word| word.line);
        let sentence = format!("kind `{}` answers every system call: leave `system_calls` out", kind.name);
        return Err(request.wrong(line, &sentence));
    }
    let mut numbers = BTreeSet::new();
    for word in words {
        let named = DESCRIPTIONS.iter().filter(|call| call.name == word.value || call.family == word.value);
        let named: Vec<u16> = named.map(|call| call.number).collect();
        if named.is_empty() {
            let known = DESCRIPTIONS.iter().flat_map(|call| [call.name, call.family]);
            let sentence = format!("there is no system call or family `{}`{}", word.value, nearest(&word.value, known));
            return Err(request.wrong(word.line, &sentence));
        }
        numbers.extend(named);
    }
    let rows = DESCRIPTIONS.iter().filter(|call| numbers.contains(&call.number));
    Ok(rows.map(|call| call.name.to_owned()).collect())
}

/// The names of all calls that whittle knows, by number.
#[must_use]
pub fn all() -> Vec<String> {
    DESCRIPTIONS.iter().map(|call| call.name.to_owned()).collect()
}
