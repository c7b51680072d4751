//! The files of an image, from what a person calls it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arguments::Platform;
use crate::compose::image_file;
use crate::failure::Failure;
use crate::house::House;

const PLATFORMS: [Platform; 2] = [Platform::Pc, Platform::Process];

/// The files of one image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The image's name without platform and extension, for an image without composition.
    pub name: String,
    /// The file with symbols and lines.
    pub linked: PathBuf,
    /// The file that is started; none if it is what would be left of the linked one.
    pub started: Option<PathBuf>,
    /// The composition.
    pub composition: Option<PathBuf>,
}

/// The files of what a person named: a file, a file without its extension, a folder, or an image of the house.
pub fn locate(house: &House, word: &Path, platform: Option<Platform>) -> Result<Files, Failure> {
    if word.is_dir() {
        return in_folder(word, platform);
    }
    if let Some(files) = files(word) {
        return Ok(files);
    }
    if word.components().count() == 1
        && let Some(files) = word.to_str().and_then(|name| find(house, name, platform))
    {
        return Ok(files);
    }
    Err(Failure::ours(format!(
        "there is no image {}: name a file, or a folder where something was built",
        word.display()
    )))
}

/// A ready image of the house by its name, with or without its platform (`linux`, `linux-process`).
fn find(house: &House, name: &str, platform: Option<Platform>) -> Option<Files> {
    let mut candidates = Vec::new();
    for each in PLATFORMS.into_iter().filter(|each| platform.is_none_or(|platform| platform == *each)) {
        let whole = if name.ends_with(&format!("-{}", each.name())) {
            name.to_owned()
        } else {
            format!("{name}-{}", each.name())
        };
        let built = house.root.join("images").join(name).join("target/whittle");
        candidates.extend([built.join(&whole), house.images.join(&whole)]);
        candidates.push(house.target.join(each.name()).join("x86_64-unknown-none/release").join(&whole));
    }
    candidates.iter().find_map(|candidate| files(candidate))
}

/// The image in a folder where `whittle build` worked, or in the folder it left its files in.
fn in_folder(folder: &Path, platform: Option<Platform>) -> Result<Files, Failure> {
    let mut images = linked_files(&folder.join("target/whittle"));
    images.extend(linked_files(folder));
    images.sort();
    if let Some(platform) = platform {
        let end = format!("-{}", platform.name());
        images.retain(|image| image.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(&end)));
    }
    let folder = folder.display();
    match &images[..] {
        [] => Err(Failure::ours(format!("there is no image in {folder}: build one with whittle build {folder}"))),
        [image] => files(image).ok_or_else(|| Failure::ours(format!("there is no image in {folder}"))),
        _ => {
            let names: Vec<String> = images.iter().map(|image| image.display().to_string()).collect();
            Err(Failure::ours(format!("there is more than one image in {folder}, name one: {}", names.join(", "))))
        }
    }
}

fn linked_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "elf")).collect()
}

/// The files that lie beside `path`, which may be any of them, or what their names have in common.
fn files(path: &Path) -> Option<Files> {
    let known = ["img", "elf", "json", "stripped"];
    let extension = path.extension().and_then(|extension| extension.to_str());
    let base = if extension.is_some_and(|extension| known.contains(&extension)) {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    let beside = |extension: &str| {
        let mut name = base.clone().into_os_string();
        name.push(".");
        name.push(extension);
        Some(PathBuf::from(name)).filter(|path| path.is_file())
    };
    let bare = Some(base.clone()).filter(|base| base.is_file());
    let named = Some(path.to_owned()).filter(|path| path.is_file());
    let linked = beside("elf").or(bare).or(named)?;
    let started = beside("img").or_else(|| beside("stripped")).filter(|started| *started != linked);
    let name = base.file_name()?.to_string_lossy().into_owned();
    let own = || Some(path.to_owned()).filter(|path| image_file::plan_text(path).is_some());
    Some(Files { name, linked, started, composition: beside("json").or_else(own) })
}
