//! Options of components and settings of images: their types, bounds and values.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::nearest::listed;
use crate::words::Size;

/// The type of an option or setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// An amount of memory: text as in `64K`, or a number of bytes.
    Size,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Bool,
    /// Any text.
    Text,
    /// One word of a few.
    Choice,
    /// Texts.
    List,
}

/// A value as it stands in a TOML file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// Text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

/// Values by name.
pub type Values = BTreeMap<String, Value>;

/// An option of a component, or a setting of an image, as its manifest declares it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// What values it takes.
    #[serde(rename = "type")]
    pub kind: Type,
    /// Its value where nobody says one; an example where it must be said.
    pub default: Value,
    /// Whether it must be said: no value would do everywhere.
    #[serde(default)]
    pub stated: bool,
    /// What it does, in a line.
    pub help: String,
    /// The least value, of a size or number.
    #[serde(default)]
    pub least: Option<Value>,
    /// The greatest value, of a size or number.
    #[serde(default)]
    pub most: Option<Value>,
    /// The words of a choice.
    #[serde(default)]
    pub values: Vec<String>,
}

impl Parameter {
    /// What holds where nobody says it, with its default as people are shown it.
    #[must_use]
    pub fn unless_said(&self, default: &str) -> String {
        if self.stated { format!("to be said, as in {default}") } else { format!("{default} if not said") }
    }

    /// Refuses a value of another type or out of bounds; the error continues "option `size` of `tlsf`".
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let expected = match (self.kind, value) {
            (Type::Bool, Value::Bool(_)) | (Type::Text, Value::Text(_)) | (Type::List, Value::List(_)) => return Ok(()),
            (Type::Size | Type::Number, _) if amount(self.kind, value).is_some() => return self.check_bounds(value),
            (Type::Choice, Value::Text(word)) if self.values.contains(word) => return Ok(()),
            (Type::Choice, _) => {
                let words: Vec<&str> = self.values.iter().map(String::as_str).collect();
                format!("one of {}", listed(&words, "and"))
            }
            (Type::Size, _) => String::from("a size, as in \"64K\""),
            (Type::Number, _) => String::from("a whole number"),
            (Type::Bool, _) => String::from("true or false"),
            (Type::Text, _) => String::from("text in quotes"),
            (Type::List, _) => String::from("a list, as in [\"one\", \"two\"]"),
        };
        Err(format!("is {expected}, not {value}"))
    }

    fn check_bounds(&self, value: &Value) -> Result<(), String> {
        let of = |value: &Value| amount(self.kind, value);
        match (&self.least, &self.most) {
            (Some(least), _) if of(value) < of(least) => Err(format!("is at least {least}, not {value}")),
            (_, Some(most)) if of(value) > of(most) => Err(format!("is at most {most}, not {value}")),
            _ => Ok(()),
        }
    }

    /// A checked value as Rust.
    #[must_use]
    pub fn rust(&self, value: &Value) -> String {
        match (self.kind, value) {
            (Type::Size | Type::Number, value) => grouped(amount(self.kind, value).unwrap_or_default()),
            (Type::Choice, Value::Text(word)) => word.clone(),
            (_, Value::List(texts)) => texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", "),
            (_, Value::Text(text)) => format!("{text:?}"),
            (_, Value::Bool(value)) => value.to_string(),
            (_, Value::Number(value)) => value.to_string(),
        }
    }
}

fn amount(kind: Type, value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => (kind == Type::Number || *number >= 0).then_some(*number),
        Value::Text(text) if kind == Type::Size => text.parse().ok().and_then(|Size(bytes)| i64::try_from(bytes).ok()),
        _ => None,
    }
}

/// A number as Rust writes long ones: `65_536`.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

impl fmt::Display for Value {
    /// As it would stand in TOML.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(formatter),
            Self::Number(value) => value.fmt(formatter),
            Self::Text(text) => write!(formatter, "{text:?}"),
            Self::List(texts) => write!(formatter, "{texts:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> Parameter {
        toml::from_str("type = 'size'\ndefault = '1M'\nhelp = 'bytes'\nleast = '64K'\nmost = '1G'").unwrap()
    }

    #[test]
    fn sizes_have_bounds_and_become_bytes() {
        let text = |text: &str| Value::Text(text.into());
        assert_eq!(size().check(&text("64K")), Ok(()));
        assert_eq!(size().check(&text("1K")), Err("is at least \"64K\", not \"1K\"".into()));
        assert_eq!(size().check(&Value::Number(1 << 40)), Err("is at most \"1G\", not 1099511627776".into()));
        assert_eq!(size().check(&Value::Bool(true)), Err("is a size, as in \"64K\", not true".into()));
        assert_eq!(size().rust(&text("64K")), "65_536");
        assert_eq!((grouped(1024), grouped(-1_234_567)), ("1024".into(), "-1_234_567".into()));
    }

    #[test]
    fn a_choice_has_its_words() {
        let choice: Parameter =
            toml::from_str("type = 'choice'\ndefault = 'a'\nvalues = ['a', 'b']\nhelp = ''").unwrap();
        assert_eq!(choice.check(&Value::Text("c".into())), Err("is one of `a` and `b`, not \"c\"".into()));
        assert_eq!(choice.rust(&Value::Text("b".into())), "b");
    }
}
