//! The layer rules: arrows between the tree's folders point one way (ARCHITECTURE.md).

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

use crate::compose::Catalogue;
use crate::house::House;

/// Each folder, and the folders whose crates its crates may name.
const MAY_NAME: [(&str, &[&str]); 10] = [
    ("elements", &["elements"]),
    ("contracts", &["elements"]),
    ("kernel", &["elements", "contracts", "architecture", "kernel"]),
    ("api", &["elements", "contracts", "architecture", "kernel"]),
    ("architecture", &["elements", "contracts", "architecture"]),
    ("platforms", &["elements", "contracts", "architecture", "platforms"]),
    ("images", &["elements", "contracts", "kernel", "api", "architecture", "platforms"]),
    ("tools", &["elements", "tools"]),
    ("tests", &["elements", "contracts", "architecture", "kernel", "tools", "tests"]),
    ("apps", &[]),
];

/// Compares what cargo knows with the rules; an error names every arrow that points the wrong way.
pub fn check(house: &House) -> Result<(), String> {
    let mut command = MetadataCommand::new();
    command.current_dir(&house.root).no_deps();
    let metadata = command.exec().map_err(|error| error.to_string())?;
    let root = metadata.workspace_root.as_str();
    let mut wrong: Vec<String> = metadata.packages.iter().flat_map(|package| wrong_arrows(package, root)).collect();
    wrong.extend(wrong_arrows_of_images(house)?);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn wrong_arrows(package: &Package, root: &str) -> Vec<String> {
    let Some(from) = folder(package.manifest_path.as_str(), root) else {
        return vec![format!("{} lies outside of the repository", package.name)];
    };
    let arrows = package.dependencies.iter().filter_map(|dependency| {
        let to = folder(dependency.path.as_ref()?.as_str(), root).unwrap_or("outside of the repository");
        let fine = allowed(from, to) || dependency.kind == DependencyKind::Development && tested_by(from, to);
        (!fine).then(|| format!("{} ({from}) must not name {} ({to})", package.name, dependency.name))
    });
    arrows.collect()
}

/// Images are no packages of the workspace; what they name is what the manifests of components say.
fn wrong_arrows_of_images(house: &House) -> Result<Vec<String>, String> {
    let catalogue = Catalogue::read(&house.root).map_err(|failure| failure.sentence)?;
    let root = catalogue.root.display().to_string();
    let named = catalogue.components.iter().flat_map(|component| {
        let crates = component.dependencies.keys().chain([&component.package]);
        crates.map(move |name| (component, name))
    });
    let arrows = named.filter_map(|(component, name)| {
        let path = catalogue.crates.get(name)?.join("Cargo.toml").display().to_string();
        let to = folder(&path, &root).unwrap_or("outside of the repository");
        let wrong = || format!("an image with {} must not name {name} ({to})", component.name);
        (!allowed("images", to)).then(wrong)
    });
    Ok(arrows.collect())
}

/// The first folder of a path below the root.
fn folder<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    path.strip_prefix(root)?.strip_prefix('/')?.split('/').next()
}

fn allowed(from: &str, to: &str) -> bool {
    MAY_NAME.iter().any(|(folder, may_name)| *folder == from && may_name.contains(&to))
}

/// Whether crates of one folder may have those of the other for their own tests: what fills slots may be a machine for
/// tests (`tests/machine`), which names contracts alone.
fn tested_by(from: &str, to: &str) -> bool {
    matches!(from, "kernel" | "api") && to == "tests"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_down() {
        for (from, to) in [
            ("kernel", "contracts"),
            ("images", "platforms"),
            ("tools", "elements"),
            ("api", "kernel"),
            ("kernel", "architecture"),
        ] {
            assert!(allowed(from, to), "{from} -> {to}");
            assert!(!allowed(to, from), "{to} -> {from}");
        }
        for (from, to) in [("platforms", "kernel"), ("kernel", "platforms"), ("api", "platforms"), ("tools", "kernel")]
        {
            assert!(!allowed(from, to), "{from} -> {to}");
        }
        assert!(tested_by("kernel", "tests") && !allowed("kernel", "tests") && !tested_by("elements", "tests"));
        assert!(!allowed("somewhere", "elements"));
        assert_eq!(folder("/r/kernel/core/Cargo.toml", "/r"), Some("kernel"));
        assert_eq!(folder("/elsewhere/x", "/r"), None);
    }
}
