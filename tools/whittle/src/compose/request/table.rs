//! TOML walked key by key, so that each wrong word gets a sentence of ours with its line.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::nearest::nearest;
use super::super::parameter::Value;
use super::{Located, failure, line_of};
use crate::failure::Failure;

/// A table of which keys are taken one by one; what is left at the end is unknown.
pub struct Table<'a> {
    file: &'a Path,
    name: String,
    entries: Vec<(Located<String>, Node<'a>)>,
    known: Vec<&'static str>,
}

/// A value and its key.
pub struct Node<'a> {
    /// The file it is in.
    pub file: &'a Path,
    text: &'a str,
    key: String,
    value: DeValue<'a>,
    /// Its line, from 1.
    pub line: usize,
}

impl<'a> Table<'a> {
    /// The whole of a file.
    pub fn parse(file: &'a Path, text: &'a str) -> Result<Self, Failure> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            failure(file, line, &format!("this is no TOML: {message}"))
        })?;
        Ok(Self::new(file, text, "", table.into_inner()))
    }

    fn new(file: &'a Path, text: &'a str, name: &str, table: DeTable<'a>) -> Self {
        let entry = |(key, value): (Spanned<std::borrow::Cow<'a, str>>, Spanned<DeValue<'a>>)| {
            let line = line_of(text, key.span().start);
            let key = key.into_inner().into_owned();
            // A table's own place is its header; its key's is as good and surely there.
            let value_line =
                if matches!(value.get_ref(), DeValue::Table(_)) { line } else { line_of(text, value.span().start) };
            let node = Node { file, text, key: key.clone(), value: value.into_inner(), line: value_line };
            (Located { value: key, line }, node)
        };
        let mut entries: Vec<_> = table.into_iter().map(entry).collect();
        entries.sort_by_key(|(key, _)| key.line);
        Self { file, name: name.to_owned(), entries, known: Vec::new() }
    }

    /// Takes a key out, if it is there.
    pub fn take(&mut self, key: &'static str) -> Option<Node<'a>> {
        self.known.push(key);
        let index = self.entries.iter().position(|(name, _)| name.value == key)?;
        Some(self.entries.remove(index).1)
    }

    /// Takes a key that must be there.
    pub fn required(&mut self, key: &'static str, example: &str) -> Result<Node<'a>, Failure> {
        let line = if self.name.is_empty() { 0 } else { self.entries.first().map_or(0, |(name, _)| name.line) };
        let place = self.place();
        self.take(key)
            .ok_or_else(|| failure(self.file, line, &format!("`{key}` is missing{place}: write {key} = {example}")))
    }

    fn place(&self) -> String {
        if self.name.is_empty() { String::new() } else { format!(" in `{}`", self.name) }
    }

    /// The rest, of any names.
    pub fn entries(self) -> impl Iterator<Item = (Located<String>, Node<'a>)> {
        self.entries.into_iter()
    }

    /// Refuses what nobody took.
    pub fn end(self) -> Result<(), Failure> {
        let Some((key, _)) = self.entries.first() else { return Ok(()) };
        let known = nearest(&key.value, self.known.iter().copied());
        let sentence = format!("there is no key `{}`{}{known}", key.value, self.place());
        Err(failure(self.file, key.line, &sentence))
    }
}

impl<'a> Node<'a> {
    /// Whether it is text.
    pub fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// The failure of a value of another type than expected.
    pub fn unexpected(&self, name: &str, expected: &str) -> Failure {
        let article = if self.value.type_str().starts_with(['a', 'i']) { "an" } else { "a" };
        let sentence = format!("`{name}` is {expected}, not {article} {}", self.value.type_str());
        failure(self.file, self.line, &sentence)
    }

    /// A text.
    pub fn text(self) -> Result<Located<String>, Failure> {
        match self.value {
            DeValue::String(text) => Ok(Located { value: text.into_owned(), line: self.line }),
            _ => Err(self.unexpected(&self.key, "text in quotes")),
        }
    }

    /// A table.
    pub fn table(self) -> Result<Table<'a>, Failure> {
        match self.value {
            DeValue::Table(table) => Ok(Table::new(self.file, self.text, &self.key, table)),
            _ => Err(self.unexpected(&self.key, "a table")),
        }
    }

    /// A list of texts.
    pub fn list(self) -> Result<Vec<Located<String>>, Failure> {
        let DeValue::Array(array) = self.value else {
            return Err(self.unexpected(&self.key, "a list of texts, as in [\"one\", \"two\"]"));
        };
        let items = array.into_iter().map(|item| {
            let line = line_of(self.text, item.span().start);
            let key = self.key.clone();
            Node { file: self.file, text: self.text, key, value: item.into_inner(), line }.text()
        });
        items.collect()
    }

    /// A value of an option or setting.
    pub fn value(self) -> Result<Located<Value>, Failure> {
        let line = self.line;
        let value = match &self.value {
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Number(number),
                Err(_) => return Err(self.unexpected(&self.key, "a number of at most 64 bits")),
            },
            DeValue::String(text) => Value::Text(text.clone().into_owned()),
            DeValue::Array(_) => Value::List(self.list()?.into_iter().map(|word| word.value).collect()),
            _ => return Err(self.unexpected(&self.key, "a text, a number, true, false or a list")),
        };
        Ok(Located { value, line })
    }
}
