//! The text of whittle.toml under edit. Every edit keeps the comments and the order of what it does not touch.

use toml_edit::{Array, Document, DocumentMut, InlineTable, Item, Table, TableLike, Value as Toml};

use crate::compose::Value;

/// The key of a component's name where options stand beside it.
const USE: &str = "use";

/// A whittle.toml as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wishes {
    text: String,
}

impl Wishes {
    /// Begins with a text that is TOML.
    pub fn new(text: String) -> Self {
        Self { text }
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names a component. Of the options that stand beside the old one, those named in `kept` stay.
    pub fn name_component(&mut self, table: &str, name: &str, component: &str, kept: &[String]) {
        self.edit(table, |table| {
            if let Some(choice) = table.get_mut(name).and_then(Item::as_table_like_mut) {
                let gone: Vec<String> = choice.iter().map(|(key, _)| key.to_owned()).collect();
                for key in gone.iter().filter(|key| *key != USE && !kept.contains(key)) {
                    choice.remove(key);
                }
                put(choice, USE, component.into());
                without_braces(table, name);
            } else {
                put(table, name, component.into());
            }
        });
    }

    /// Sets an option of a component, which is named with it.
    pub fn set_option(&mut self, table: &str, name: &str, component: &str, option: &str, value: &Value) {
        self.edit(table, |table| {
            if table.get(name).is_none_or(|item| !item.is_table_like()) {
                let mut choice = InlineTable::new();
                choice.insert(USE, component.into());
                put(table, name, choice.into());
            }
            if let Some(choice) = table.get_mut(name).and_then(Item::as_table_like_mut) {
                put(choice, option, toml(value));
            }
        });
    }

    /// Leaves an option to its default.
    pub fn remove_option(&mut self, table: &str, name: &str, option: &str) {
        self.edit(table, |table| {
            if let Some(choice) = table.get_mut(name).and_then(Item::as_table_like_mut) {
                choice.remove(option);
                without_braces(table, name);
            }
        });
    }

    /// Sets a key of a table.
    pub fn set(&mut self, table: &str, key: &str, value: &Value) {
        self.edit(table, |table| put(table, key, toml(value)));
    }

    /// Sets a key at the top.
    pub fn set_top(&mut self, key: &str, value: &Value) {
        self.edit_document(|document| put(document.as_table_mut(), key, toml(value)));
    }

    /// Takes a key out of a table. Comments about it stay, for they may be of more than this key.
    pub fn remove(&mut self, table: &str, key: &str) {
        match without_line(&self.text, table, key) {
            Some(text) => self.text = text,
            None if self.has(table, key) => self.edit(table, |table| drop(table.remove(key))),
            None => {}
        }
    }

    fn has(&self, table: &str, key: &str) -> bool {
        let document = self.text.parse::<DocumentMut>();
        document.is_ok_and(|document| document.get(table).is_some_and(|table| table.get(key).is_some()))
    }

    fn edit(&mut self, table: &str, change: impl FnOnce(&mut dyn TableLike)) {
        self.edit_document(|document| {
            let item = document.entry(table).or_insert_with(|| Item::Table(Table::new()));
            if let Some(table) = item.as_table_like_mut() {
                change(table);
            }
        });
    }

    fn edit_document(&mut self, change: impl FnOnce(&mut DocumentMut)) {
        if let Ok(mut document) = self.text.parse::<DocumentMut>() {
            change(&mut document);
            self.text = document.to_string();
        }
    }
}

/// Sets a value and keeps what stands around the old one.
fn put(table: &mut dyn TableLike, key: &str, mut value: Toml) {
    match table.get_mut(key) {
        Some(item) => {
            if let Some(old) = item.as_value() {
                *value.decor_mut() = old.decor().clone();
            }
            *item = Item::Value(value);
        }
        None => drop(table.insert(key, Item::Value(value))),
    }
}

/// `{ use = "tlsf" }` is `"tlsf"`.
fn without_braces(table: &mut dyn TableLike, name: &str) {
    let only = table.get(name).and_then(Item::as_inline_table).filter(|choice| choice.len() == 1);
    if let Some(component) = only.and_then(|choice| choice.get(USE)).and_then(Toml::as_str).map(str::to_owned) {
        put(table, name, component.into());
    }
}

/// The text without the line of a key, if the key has a line for itself. A comment behind it stays.
fn without_line(text: &str, table: &str, key: &str) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let table = document.get(table)?.as_table_like()?;
    let key_place = table.key(key)?.span()?;
    let value_place = table.get(key)?.as_value()?.span()?;
    let start = text.get(..key_place.start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let rest = text.get(value_place.end..)?;
    let line_rest = rest.split('\n').next().unwrap_or_default();
    let before = text.get(start..key_place.start)?.trim();
    let comment = line_rest.trim();
    if !(before.is_empty() || before.ends_with('.')) || !(comment.is_empty() || comment.starts_with('#')) {
        return None;
    }
    let after = rest.get(line_rest.len()..)?;
    let after = if comment.is_empty() { after.strip_prefix('\n').unwrap_or(after) } else { after };
    let text = format!("{}{comment}{after}", text.get(..start)?);
    Document::parse(text.as_str()).is_ok().then_some(text)
}

fn toml(value: &Value) -> Toml {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(value) => (*value).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(texts) => texts.iter().map(String::as_str).collect::<Array>().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Of the whole.
name = \"hello\" # its name

# Of the parts.
[components]
# Speaks.
console = \"plain\" # on the line
heap = { use = \"bump\", size = \"2M\" } # much

# Of the settings.
[settings]
trace = true
";

    fn edited(edit: impl FnOnce(&mut Wishes)) -> String {
        let mut wishes = Wishes::new(TEXT.into());
        edit(&mut wishes);
        wishes.text
    }

    #[test]
    fn what_is_not_touched_stays_to_the_letter() {
        let text = edited(|wishes| wishes.name_component("components", "console", "port", &[]));
        assert_eq!(text, TEXT.replace("\"plain\"", "\"port\""));
        let text = edited(|wishes| wishes.set("settings", "trace", &Value::Bool(false)));
        assert_eq!(text, TEXT.replace("true", "false"));
        let text = edited(|wishes| wishes.set_top("name", &Value::Text("other".into())));
        assert_eq!(text, TEXT.replace("hello", "other"));
    }

    #[test]
    fn comments_outlive_the_line_they_stand_by() {
        let text = edited(|wishes| wishes.remove("components", "console"));
        assert_eq!(text, TEXT.replace("console = \"plain\" # on", "# on"));
        let text = edited(|wishes| wishes.remove("settings", "trace"));
        assert_eq!(text, TEXT.replace("trace = true\n", ""));
        assert_eq!(edited(|wishes| wishes.remove("heaps", "none")), TEXT);
    }

    #[test]
    fn options_come_and_go() {
        let size = |text: &str| Value::Text(text.into());
        let text = edited(|wishes| wishes.set_option("components", "heap", "bump", "size", &size("4M")));
        assert_eq!(text, TEXT.replace("2M", "4M"));
        let text = edited(|wishes| wishes.remove_option("components", "heap", "size"));
        let plain = TEXT.replace("{ use = \"bump\", size = \"2M\" }", "\"bump\"");
        assert_eq!(text, plain);
        let text = edited(|wishes| wishes.name_component("components", "heap", "bump", &[]));
        assert_eq!(text, plain);
        let text = edited(|wishes| wishes.set_option("components", "console", "plain", "baud", &Value::Number(9600)));
        assert!(text.contains("console = { use = \"plain\", baud = 9600 } # on the line"), "{text}");
        let text = edited(|wishes| wishes.set_option("heaps", "packets", "bump", "size", &size("64K")));
        assert!(text.ends_with("\n[heaps]\npackets = { use = \"bump\", size = \"64K\" }\n"), "{text}");
    }
}
