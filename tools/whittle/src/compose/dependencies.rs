//! The crates that a component's lines name beside its own: dependencies of its crate, as an image's manifest says
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::component::Component;

/// Dependencies by the name under which a manifest has them, each as TOML that is right in any folder.
pub type Dependencies = BTreeMap<String, String>;

/// What the `[dependencies]` of a crate say.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    table: Table,
    folder: PathBuf,
}

impl Declared {
    /// Of the crate in `folder`.
    pub fn new(table: Table, folder: &Path) -> Self {
        Self { table, folder: folder.to_owned() }
    }

    /// Those that the lines of `component` name. A crate of the house is the house's, whatever path leads there, so
    /// that an image has one of each.
    ///
    /// # Errors
    /// What continues "component `name` in the Cargo.toml of `crate`".
    pub fn named_by(&self, component: &Component, house: &BTreeMap<String, PathBuf>) -> Result<Dependencies, String> {
        let named = heads(component);
        let of_lines = self.table.iter().filter(|(key, _)| named.contains(key.replace('-', "_").as_str()));
        of_lines.map(|(key, value)| Ok((key.clone(), self.written(key, value, house)?))).collect()
    }

    fn written(&self, key: &str, value: &Value, house: &BTreeMap<String, PathBuf>) -> Result<String, String> {
        let package = value.get("package").and_then(Value::as_str).unwrap_or(key);
        if let Some(folder) = house.get(package) {
            let mut table = Table::from_iter([("path".to_owned(), folder.display().to_string().into())]);
            if package != key {
                table.insert("package".to_owned(), package.into());
            }
            return Ok(Value::from(table).to_string());
        }
        if value.get("workspace").and_then(Value::as_bool) != Some(true) {
            return Ok(placed(value, &self.folder).to_string());
        }
        let (folder, inherited) = workspace(&self.folder, key).ok_or_else(|| {
            format!(
                "names `{key}`, which its crate has from a workspace, and no Cargo.toml above it says which that is"
            )
        })?;
        Ok(placed(&inherited, &folder).to_string())
    }
}

/// A dependency whose path, if it has one, begins at the root.
fn placed(value: &Value, folder: &Path) -> Value {
    let mut value = value.clone();
    if let Some(path) = value.get_mut("path") {
        *path = folder.join(path.as_str().unwrap_or_default()).display().to_string().into();
    }
    value
}

/// What `[workspace.dependencies]` of the nearest workspace around a folder says, and that workspace's folder.
fn workspace(folder: &Path, key: &str) -> Option<(PathBuf, Value)> {
    folder.ancestors().find_map(|folder| {
        let manifest: Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
        let value = manifest.get("workspace")?.get("dependencies")?.get(key)?;
        Some((folder.to_owned(), value.clone()))
    })
}

/// The first words of the paths in a component's lines: `sched` and `mine` in `sched::Queues<mine::Queue, 4>`.
fn heads(component: &Component) -> BTreeSet<&str> {
    let lines = component.slots.values().chain(&component.stage).chain(&component.items);
    lines.flat_map(|line| heads_of(line)).collect()
}

fn heads_of(line: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices("::").filter_map(move |(place, _)| {
        let before = &line[..place];
        let word = &before[before.rfind(|letter| !is_word(letter)).map_or(0, |end| end + 1)..];
        // Behind another `::` it is no first word, unless that begins the path: `::sched::Queues`.
        let rest = before[..before.len() - word.len()].strip_suffix("::");
        let is_first = rest.is_none_or(|rest| !rest.ends_with(|letter| is_word(letter) || letter == '>'));
        (is_first && !word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(slot: &str) -> Component {
        Component { slots: BTreeMap::from([("scheduler".into(), slot.into())]), ..Component::default() }
    }

    fn declared(text: &str, folder: &Path) -> Declared {
        Declared::new(text.parse().unwrap(), folder)
    }

    #[test]
    fn paths_begin_with_a_crate() {
        let of = |line| heads_of(line).collect::<Vec<_>>();
        assert_eq!(
            of("sched::Queues<mine::Queue, { <mine::Q as ::other::Of>::N }>"),
            ["sched", "mine", "mine", "other"]
        );
        assert_eq!(of("a::b::c::D = a::b::c::D::new()"), ["a", "a"]);
        assert!(of("no path at all").is_empty());
    }

    #[test]
    fn only_what_a_line_names_is_taken_and_paths_are_whole() {
        let declared =
            declared("one-two = \"1\"\nunused = \"1\"\nnear = { path = \"../near\" }", Path::new("/own/crate"));
        let house = BTreeMap::new();
        let taken = declared.named_by(&component("one_two::X<near::Y>"), &house).unwrap();
        let expected = [("near", "{ path = \"/own/crate/../near\" }"), ("one-two", "\"1\"")];
        assert_eq!(taken, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[test]
    fn a_crate_of_the_house_is_the_houses() {
        let house = BTreeMap::from([("sched".to_owned(), PathBuf::from("/house/elements/sched"))]);
        let text = "sched = { path = \"../link/to/sched\" }\nother = { path = \"x\", package = \"sched\" }";
        let taken = declared(text, Path::new("/own")).named_by(&component("sched::A<other::B>"), &house).unwrap();
        assert_eq!(taken["sched"], "{ path = \"/house/elements/sched\" }");
        assert_eq!(taken["other"], "{ package = \"sched\", path = \"/house/elements/sched\" }");
    }

    #[test]
    fn a_workspace_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let member = folder.path().join("member");
        fs::create_dir(&member).unwrap();
        let workspace = "[workspace]\nmembers = [\"member\"]\n[workspace.dependencies]\nnear = { path = \"near\" }";
        fs::write(folder.path().join("Cargo.toml"), workspace).unwrap();
        let declared = declared("near.workspace = true\nfar.workspace = true", &member);
        let taken = declared.named_by(&component("near::X"), &BTreeMap::new()).unwrap();
        assert_eq!(taken["near"], format!("{{ path = \"{}\" }}", folder.path().join("near").display()));
        let wrong = declared.named_by(&component("far::X"), &BTreeMap::new()).unwrap_err();
        assert!(wrong.contains("names `far`, which its crate has from a workspace"), "{wrong}");
    }
}
