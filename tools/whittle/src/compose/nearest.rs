//! The nearest right name for a wrong one.

/// `: did you mean ...?`, or the names there are when none is near; to stand behind a sentence about `wrong`.
#[must_use]
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let near = names.iter().map(|name| (strsim::damerau_levenshtein(wrong, name), *name)).min();
    // Two slips of the finger in a short word, more in a long one.
    let most = (wrong.chars().count() / 3).max(2);
    match near {
        Some((distance, name)) if distance <= most && distance < name.len() => format!(": did you mean `{name}`?"),
        _ if names.is_empty() => String::from(": there is none"),
        _ => format!(": there is {}", listed(&names, "and")),
    }
}

/// `a`, `b` and `c`; a long list is cut.
#[must_use]
pub fn listed(names: &[&str], word: &str) -> String {
    const MOST: usize = 12;
    let quoted: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        _ if names.len() > MOST => format!("{} {word} {} more", quoted.join(", "), names.len() - MOST),
        [] => String::from("nothing"),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {word} {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_seen_and_a_stranger_is_shown_around() {
        assert_eq!(nearest("consle", ["clock", "console"]), ": did you mean `console`?");
        assert_eq!(nearest("graphics", ["clock", "console"]), ": there is `clock` and `console`");
        assert_eq!(nearest("x", []), ": there is none");
        assert_eq!(listed(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
    }
}
