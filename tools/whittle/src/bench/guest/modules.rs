//! Modules of Debian's kernels: those that a guest needs, out of a package with thousands.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the ones picked are kept, their names beginning with their place in the order.
const FOLDER: &str = "modules";

/// The modules that were picked, in the order in which they are loaded.
pub fn ordered(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place.join(FOLDER)).into_iter().flatten().flatten();
    let mut modules: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    modules.sort();
    modules
}

/// Puts the modules of these names, and those that they need, aside from all that were unpacked; whether all are there.
pub fn pick(place: &Path, wanted: &[&str]) -> bool {
    let mut all = BTreeMap::new();
    find(&place.join("lib/modules"), &mut all);
    let mut order = Vec::new();
    wanted.iter().all(|name| add(name, &all, &mut order)) && keep(&place.join(FOLDER), &all, &order).is_ok()
}

fn keep(folder: &Path, all: &BTreeMap<String, PathBuf>, order: &[String]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    order
        .iter()
        .enumerate()
        .try_for_each(|(index, name)| fs::copy(&all[name], folder.join(format!("{index:02}-{name}.ko"))).map(drop))
}

/// Modules below a folder, by their names.
fn find(folder: &Path, all: &mut BTreeMap<String, PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, all);
        } else if path.extension() == Some(OsStr::new("ko"))
            && let Some(name) = path.file_stem()
        {
            all.insert(name.to_string_lossy().replace('-', "_"), path);
        }
    }
}

/// Adds a module behind those that it needs; whether all are there.
fn add(name: &str, all: &BTreeMap<String, PathBuf>, order: &mut Vec<String>) -> bool {
    if order.iter().any(|known| known == name) {
        return true;
    }
    let Some(bytes) = all.get(name).and_then(|path| fs::read(path).ok()) else { return false };
    let done = needs(&bytes).iter().all(|needed| add(needed, all, order));
    order.push(name.to_owned());
    done
}

/// What a module says that it needs: words of its section `.modinfo`, each with a NUL behind it.
fn needs(bytes: &[u8]) -> Vec<String> {
    const LABEL: &[u8] = b"\0depends=";
    let start = bytes.windows(LABEL.len()).position(|window| window == LABEL).map(|at| at + LABEL.len());
    let text = start.and_then(|start| bytes[start..].split(|&byte| byte == 0).next()).unwrap_or_default();
    let names = text.split(|&byte| byte == b',').filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).replace('-', "_")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_behind_those_that_they_need() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("lib/modules/6.1/kernel/net");
        fs::create_dir_all(&folder).unwrap();
        for (name, depends) in [("9p-a", "b,c"), ("b", "c"), ("c", ""), ("d", ""), ("broken", "none")] {
            fs::write(folder.join(format!("{name}.ko")), format!("x\0license=GPL\0depends={depends}\0y")).unwrap();
        }
        assert!(!pick(place.path(), &["broken"]));
        assert!(pick(place.path(), &["9p_a", "b"]));
        let names: Vec<_> = ordered(place.path()).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["00-c.ko", "01-b.ko", "02-9p_a.ko"]);
        assert_eq!(needs(b"nothing"), [""; 0]);
    }
}
