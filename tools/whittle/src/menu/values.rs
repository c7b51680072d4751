//! Values of options and settings, as a person types them.

use crate::compose::parameter::Type;
use crate::compose::{Parameter, Value};

/// The value after this one, where there are few.
pub fn next(parameter: &Parameter, now: &Value) -> Option<Value> {
    match (parameter.kind, now) {
        (Type::Bool, Value::Bool(value)) => Some(Value::Bool(!value)),
        (Type::Choice, Value::Text(word)) => {
            let index = parameter.values.iter().position(|other| other == word).map_or(0, |index| index + 1);
            let words = &parameter.values;
            words.get(index).or(words.first()).cloned().map(Value::Text)
        }
        _ => None,
    }
}

/// A value as it is typed.
pub fn text(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(texts) => texts.join(", "),
    }
}

/// What was typed as a value, checked.
pub fn parse(parameter: &Parameter, text: &str) -> Result<Value, String> {
    let trimmed = text.trim();
    let value = match parameter.kind {
        Type::Bool => trimmed.parse().map_or_else(|_| Value::Text(trimmed.to_owned()), Value::Bool),
        Type::Number => trimmed.parse().map_or_else(|_| Value::Text(trimmed.to_owned()), Value::Number),
        Type::List => {
            Value::List(trimmed.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect())
        }
        Type::Size | Type::Choice => Value::Text(trimmed.to_owned()),
        Type::Text => Value::Text(text.to_owned()),
    };
    parameter.check(&value).map(|()| value).map_err(|wrong| format!("this {wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(text: &str) -> Parameter {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn what_is_typed_is_checked() {
        let size = parameter("type = 'size'\ndefault = '1M'\nhelp = ''\nleast = '64K'");
        assert_eq!(parse(&size, " 2M "), Ok(Value::Text("2M".into())));
        assert_eq!(parse(&size, "1K"), Err("this is at least \"64K\", not \"1K\"".into()));
        assert!(parse(&size, "much").is_err());
        let number = parameter("type = 'number'\ndefault = 1\nhelp = ''");
        assert_eq!(parse(&number, "-7"), Ok(Value::Number(-7)));
        assert!(parse(&number, "seven").is_err());
        let list = parameter("type = 'list'\ndefault = []\nhelp = ''");
        assert_eq!(parse(&list, "a, b,"), Ok(Value::List(vec!["a".into(), "b".into()])));
    }

    #[test]
    fn a_choice_goes_round() {
        let choice = parameter("type = 'choice'\ndefault = 'a'\nvalues = ['a', 'b']\nhelp = ''");
        let word = |word: &str| Value::Text(word.into());
        assert_eq!(next(&choice, &word("a")), Some(word("b")));
        assert_eq!(next(&choice, &word("b")), Some(word("a")));
    }
}
