//! The verdict in a sentence: will it run?

use std::collections::BTreeMap;

use super::verdict::Verdict;

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

/// What it wants and what nobody thought of. Programs do without the rest where it is refused.
fn missing(calls: &BTreeMap<String, usize>) -> Vec<String> {
    calls.keys().filter(|name| matches!(Verdict::of(name), Verdict::Unknown)).cloned().collect()
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
        let others = of_program("b", &calls(&["read", "socket", "fork", "io_uring_setup", "unheard_of"]));
        assert_eq!(others, "b runs as long as it does without unheard_of\n");
    }
}
