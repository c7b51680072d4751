//! The verdict in a sentence: will it run?

use std::collections::BTreeMap;

use super::verdict::Verdict;

/// What programs may want that is not there, and the calls that show it: what would not be answered as on Linux although
/// the table has a row for the call.
const WANTS: [(&str, &[&str]); 1] = [("other processes on platform process", &["fork", "vfork", "clone"])];

/// Of what a program's code shows.
pub fn of_program(name: &str, calls: &BTreeMap<String, usize>) -> String {
    let missing = missing(calls);
    if missing.is_empty() {
        return format!("{name} asks for nothing that is missing: it should run\n");
    }
    format!("{name} runs as long as it does without {}\n", missing.join(", "))
}

/// Of what a log shows that was asked for.
pub fn of_log(name: &str, calls: &BTreeMap<String, usize>) -> String {
    let missing = missing(calls);
    if missing.is_empty() {
        return format!("what made {name} asked for nothing that is missing: it should run\n");
    }
    format!("what made {name} has asked for {}: that part of it does not run\n", missing.join(", "))
}

/// What it wants and what is not there: in words for what many calls show, else by the calls' names.
fn missing(calls: &BTreeMap<String, usize>) -> Vec<String> {
    let shows =
        |names: &[&str]| names.iter().any(|name| calls.contains_key(*name) && Verdict::of(name) != Verdict::Full);
    let wanted = WANTS.iter().filter(|(_, names)| shows(names)).map(|(what, _)| (*what).to_owned());
    let is_lost = |name: &&String| {
        matches!(Verdict::of(name), Verdict::Unknown) && WANTS.iter().all(|(_, names)| !names.contains(&name.as_str()))
    };
    wanted.chain(calls.keys().filter(is_lost).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(names: &[&str]) -> BTreeMap<String, usize> {
        names.iter().map(|name| ((*name).to_owned(), 1)).collect()
    }

    #[test]
    fn a_verdict_names_what_is_missing() {
        assert_eq!(of_program("a", &calls(&["read", "write"])), "a asks for nothing that is missing: it should run\n");
        // Programs do without io_uring where it is refused: nobody need be told.
        let others = of_program("b", &calls(&["read", "socket", "fork", "io_uring_setup"]));
        assert_eq!(others, "b runs as long as it does without other processes on platform process\n");
    }
}
