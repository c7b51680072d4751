//! The name of a machine.

use std::fmt;
use std::str::FromStr;

/// A name that can be a folder's: letters, digits and `-`, `_`, `.`, beginning with a letter or a digit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(String);

/// Letters of the longest name.
const LONGEST: usize = 63;

impl FromStr for Name {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        let begins = text.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        if begins && text.len() <= LONGEST && text.chars().all(fits) {
            return Ok(Self(text.to_owned()));
        }
        Err("a name is up to 63 letters, digits and -_. and begins with a letter or a digit")
    }
}

impl Name {
    /// The nearest name to any text.
    #[must_use]
    pub fn near(text: &str) -> Self {
        let letters = text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
        let name: String = letters.skip_while(|&letter| letter == '-').take(LONGEST - SUFFIX).collect();
        Self(if name.is_empty() { "machine".to_owned() } else { name })
    }

    /// The names that one may have where this one is another's: itself, then with `-2`, `-3` behind it.
    pub fn and_further(&self) -> impl Iterator<Item = Self> {
        let further = (2_u32..).map(|number| Self(format!("{}-{number}", self.0)));
        std::iter::once(self.clone()).chain(further)
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Room for a number behind a name.
const SUFFIX: usize = 11;

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_a_folders() {
        for right in ["web", "web-1", "0", "a.b_c", &"x".repeat(63)] {
            assert_eq!(right.parse::<Name>().unwrap().as_str(), right);
        }
        for wrong in ["", ".", "..", ".lock", "-d", "a/b", "a b", "\u{e4}", &"x".repeat(64)] {
            assert!(wrong.parse::<Name>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_program_has_a_name_near_its_own() {
        let names: Vec<String> = Name::near("redis-server").and_further().take(2).map(|name| name.0).collect();
        assert_eq!(names, ["redis-server", "redis-server-2"]);
        for text in ["..", "", "x.py", "\u{e4}\u{f6}", &"y".repeat(300)] {
            let name = Name::near(text);
            assert!(name.and_further().nth(999).unwrap().0.parse::<Name>().is_ok(), "{text:?}");
        }
    }
}
