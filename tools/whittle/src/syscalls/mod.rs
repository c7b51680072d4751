//! `whittle syscalls`: which system calls there are, and what a program would miss.

mod conclude;
mod json;
mod libraries;
#[cfg(test)]
mod limits;
mod log;
mod program;
mod scan;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use linux_abi::{DESCRIPTIONS, REFUSALS, system_call_name};

use crate::arguments::Syscalls;
use crate::failure::Failure;
use verdict::Verdict;

/// Prints the table, or what the program or log that the words name would miss.
pub fn syscalls(words: &Syscalls) -> Result<(), Failure> {
    let text = match (&words.trace, &words.program) {
        (Some(file), _) => {
            let names = log::names(file)?;
            let verdict = conclude::of_log(&file.display().to_string(), &names);
            if words.json { json::report(&names, &[], &verdict) } else { missed(&names, "made by the log") + &verdict }
        }
        (None, Some(path)) => {
            let found = program::analyse(path)?;
            let verdict = conclude::of_program(&path.display().to_string(), &found.names);
            if words.json {
                json::report(&found.names, &found.objects, &verdict)
            } else {
                let mut text = missed(&found.names, "that the program or its libraries may make");
                for object in &found.objects {
                    let _ = writeln!(text, "  {object}");
                }
                text + &verdict
            }
        }
        (None, None) if words.json => json::table(),
        (None, None) => table(),
    };
    // A reader that has seen enough, as `head`, is no failure.
    let _ = std::io::Write::write_all(&mut std::io::stdout().lock(), text.as_bytes());
    Ok(())
}

/// All system calls by family.
fn table() -> String {
    let mut text = String::new();
    let families: BTreeSet<&str> = DESCRIPTIONS.iter().map(|call| call.family).collect();
    for family in families {
        let _ = writeln!(text, "{family}");
        for call in DESCRIPTIONS.iter().filter(|call| call.family == family) {
            line(&mut text, call.name, Verdict::of(call.name));
        }
    }
    text.push_str("answers one error always\n");
    for refusal in REFUSALS {
        let names: Vec<&str> = refusal.numbers.iter().filter_map(|&number| system_call_name(number.into())).collect();
        let _ = writeln!(text, "  {} ({}): {}", refusal.errno.name(), refusal.why, names.join(" "));
    }
    let rest: Vec<&str> =
        (0..512).filter_map(system_call_name).filter(|name| Verdict::of(name) == Verdict::Unknown).collect();
    let _ = writeln!(text, "ENOSYS, for nobody has asked: {}", rest.join(" "));
    text
}

fn line(text: &mut String, name: &str, verdict: Verdict) {
    let _ = writeln!(text, "  {name:24}{verdict}");
}

/// What is not whole of these calls, each with how often it is made, if that is known.
fn missed(names: &BTreeMap<String, usize>, what: &str) -> String {
    let mut text = String::new();
    let (whole, others): (Vec<_>, Vec<_>) = names.keys().partition(|name| Verdict::of(name) == Verdict::Full);
    let _ = writeln!(text, "of {} system calls {what}, {} are there as Linux has them", names.len(), whole.len());
    for name in others {
        line(&mut text, name, Verdict::of(name));
    }
    text
}

#[cfg(test)]
mod tests;
