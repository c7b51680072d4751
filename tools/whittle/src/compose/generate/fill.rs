//! Words in braces in the lines of manifests: `{size}`, `{pages}`.

/// Replaces each `{word}` for which `value` knows one; other braces are Rust's own.
pub fn fill(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        filled.push_str(&rest[..open]);
        rest = &rest[open..];
        let word = rest.find('}').map(|close| &rest[1..close]);
        match word.and_then(|word| Some((word, value(word)?))) {
            Some((word, value)) => {
                filled.push_str(&value);
                rest = &rest[word.len() + 2..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled + rest
}

/// The words in braces of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word =
        |word: &&str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).filter(is_word)
}

/// Words joined by commas, broken into lines where one would be too long.
pub fn wrapped(words: &[String]) -> String {
    const MOST: usize = 110;
    let whole = words.join(", ");
    if whole.len() < MOST / 2 {
        return whole;
    }
    let mut lines = vec![String::from("   ")];
    for word in words {
        let room = lines.last().is_some_and(|line| line.len() + word.len() + 2 <= MOST);
        match lines.last_mut() {
            Some(line) if room => *line += &format!(" {word},"),
            _ => lines.push(format!("    {word},")),
        }
    }
    format!("\n{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_words_are_filled_in_and_code_stays() {
        let value = |word: &str| (word == "size").then(|| "64".to_owned());
        assert_eq!(fill("Bump<{size}> = { f({other}) }", &value), "Bump<64> = { f({other}) }");
        assert_eq!(words("Bump<{size}> = { f({other}) }").collect::<Vec<_>>(), ["size", "other"]);
        assert_eq!(fill("{", &value), "{");
        assert_eq!(fill("{ {size} }", &value), "{ 64 }");
    }

    #[test]
    fn long_lists_break_into_lines() {
        let words: Vec<String> = (0..40).map(|number| format!("call{number}")).collect();
        assert!(wrapped(&words).lines().all(|line| line.len() <= 111));
        assert_eq!(wrapped(&words[..2]), "call0, call1");
    }
}
