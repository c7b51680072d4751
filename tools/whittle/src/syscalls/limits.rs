//! The book's tables of support, from the table of system calls: `docs/src/limits.md` has one for each family.

use std::fmt::Write;

use linux_abi::{DESCRIPTIONS, REFUSALS, system_call_name};

use super::verdict::Verdict;

/// Where a table of the chapter begins, before its name; it goes on to [`END`].
const BEGIN: &str = "<!-- calls: ";
const END: &str = "<!-- end of calls -->";

/// The chapter, with each of its tables as it must be now; else the name of a table that there is not.
pub fn chapter(text: &str) -> Result<String, String> {
    let mut pieces = text.split(BEGIN);
    let mut chapter = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once(" -->").unwrap_or((piece, ""));
        let table = table(name).ok_or_else(|| name.to_owned())?;
        let (_, behind) = rest.split_once(END).ok_or_else(|| format!("{name}, which does not end"))?;
        let _ = write!(chapter, "{BEGIN}{name} -->\n\n{table}\n{END}{behind}");
    }
    Ok(chapter)
}

fn table(name: &str) -> Option<String> {
    match name {
        "refused" => Some(refused()),
        "unknown" => Some(unknown()),
        family => of_family(family),
    }
}

/// How many calls of a family there are, and what is missing of those that are not whole.
fn of_family(family: &str) -> Option<String> {
    let calls: Vec<&str> = DESCRIPTIONS.iter().filter(|call| call.family == family).map(|call| call.name).collect();
    let lacks: Vec<(&str, String)> = calls.iter().filter_map(|name| Some((*name, lack(Verdict::of(name))?))).collect();
    let (all, whole) = (calls.len(), calls.len() - lacks.len());
    let calls = if all == 1 { "call" } else { "calls" };
    let mut text = match whole {
        _ if all == 0 => return None,
        whole if whole == all => format!("{all} system {calls} of the family `{family}`, all of them whole.\n"),
        whole => format!("{all} system {calls} of the family `{family}`, {whole} of them whole.\n"),
    };
    // Calls that lack the same are one row, where the first of them stands.
    let mut rows: Vec<(Vec<&str>, &str)> = Vec::new();
    for (name, lack) in &lacks {
        match rows.iter_mut().find(|(_, other)| other == lack) {
            Some((names, _)) => names.push(name),
            None => rows.push((vec![name], lack)),
        }
    }
    if !rows.is_empty() {
        text.push_str("\n| not whole | what is missing, or what it answers |\n|---|---|\n");
    }
    for (names, lack) in rows {
        let _ = writeln!(text, "| `{}` | {lack} |", names.join(" "));
    }
    Some(text)
}

fn lack(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Full => None,
        Verdict::Partial(missing) => Some(missing.to_owned()),
        Verdict::Only(errno, _) => Some(format!("{} always", errno.name())),
        Verdict::Unknown => Some("ENOSYS always".to_owned()),
    }
}

fn refused() -> String {
    let mut text = String::from("| answer | why | system calls |\n|---|---|---|\n");
    for refusal in REFUSALS {
        let names = refusal.numbers.iter().filter_map(|&number| system_call_name(number.into()));
        let names: Vec<&str> = names.collect();
        let _ = writeln!(text, "| {} | {} | `{}` |", refusal.errno.name(), refusal.why, names.join(" "));
    }
    text
}

/// Those that nobody has thought of.
fn unknown() -> String {
    let names = (0..512).filter_map(system_call_name).filter(|name| Verdict::of(name) == Verdict::Unknown);
    let names: Vec<&str> = names.collect();
    format!("| answer | system calls |\n|---|---|\n| ENOSYS | `{}` |\n", names.join(" "))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// With WHITTLE_BLESS=1 the chapter's tables are written anew, to be read over.
    #[test]
    fn the_chapter_of_limits_is_as_the_table_says() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/limits.md");
        let text = fs::read_to_string(&path).unwrap();
        let right = chapter(&text).unwrap();
        if std::env::var_os("WHITTLE_BLESS").is_some() {
            fs::write(path, right).unwrap();
        } else {
            assert!(text == right, "docs/src/limits.md is not as the table says: write it anew with WHITTLE_BLESS=1");
        }
        for call in DESCRIPTIONS {
            assert!(text.contains(&format!("{BEGIN}{} -->", call.family)), "no table of the family {}", call.family);
        }
        for name in ["refused", "unknown"] {
            assert!(text.contains(&format!("{BEGIN}{name} -->")), "no table {name}");
        }
    }

    #[test]
    fn tables_are_written_and_what_is_around_them_stays() {
        let text = "Before.\n\n<!-- calls: signal -->\nold\n<!-- end of calls -->\n\nAfter <!-- this -->.\n";
        let count = DESCRIPTIONS.iter().filter(|call| call.family == "signal").count();
        let expected = format!(
            "Before.\n\n<!-- calls: signal -->\n\n{count} system calls of the family `signal`, all of them whole.\n\n\
             <!-- end of calls -->\n\nAfter <!-- this -->.\n"
        );
        assert_eq!(chapter(text).as_ref(), Ok(&expected));
        assert_eq!(chapter(&expected).as_ref(), Ok(&expected));
        assert_eq!(chapter("<!-- calls: gone -->\n<!-- end of calls -->"), Err("gone".to_owned()));
        assert!(chapter("<!-- calls: file -->\n").is_err());
    }

    #[test]
    fn calls_that_lack_the_same_are_one_row() {
        let text = of_family("process").unwrap();
        assert!(text.contains("| `wait4 waitid` | of its usage, only the time is told |\n"), "{text}");
        assert!(!text.contains("getpid") && !text.contains("vfork"), "{text}");
        assert!(refused().contains("ptrace"));
        assert_eq!(of_family("gone"), None);
    }
}
