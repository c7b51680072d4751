//! An image as one file that says what it is: what `whittle build -o` writes and `whittle run IMAGE` starts.
//!
//! The plan stands behind the image as JSON, then its length in eight bytes, then [`MARK`]. Neither a loader of
//! ELF files nor QEMU looks there.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{Place, Plan};
use crate::failure::{Doing, Failure};

/// The last bytes of such a file.
const MARK: &[u8; 17] = b"\nwhittle image 1\n";
/// Bytes of the length before it.
const LENGTH: usize = size_of::<u64>();
/// No plan is larger: a file that says so is not one of ours.
const MOST: u64 = 16 << 20;

/// The image with its plan behind it.
#[must_use]
pub fn with_plan(mut image: Vec<u8>, plan: &Plan) -> Vec<u8> {
    let text = plan.json();
    image.extend_from_slice(text.as_bytes());
    image.extend_from_slice(&(text.len() as u64).to_le_bytes());
    image.extend_from_slice(MARK);
    image
}

/// Where the symbols of such a file are, if it has some.
#[must_use]
pub fn symbols(image: &Path) -> PathBuf {
    if image.extension().is_some_and(|extension| extension == "img") {
        return image.with_extension("elf");
    }
    let mut name = image.as_os_str().to_owned();
    name.push(".elf");
    name.into()
}

/// The plan's text at the end of a file, if there is one.
pub fn plan_text(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|found| found.is_file()))?;
    let mut end = [0; LENGTH + MARK.len()];
    file.seek(SeekFrom::End(-(end.len() as i64))).ok()?;
    file.read_exact(&mut end).ok()?;
    let (length, mark) = end.split_at(LENGTH);
    let length = u64::from_le_bytes(length.try_into().ok()?);
    if mark != MARK || length > MOST {
        return None;
    }
    file.seek(SeekFrom::End(-((end.len() as u64 + length) as i64))).ok()?;
    let mut text = String::new();
    file.take(length).read_to_string(&mut text).ok()?;
    Some(text)
}

/// An image that somebody names by its file, with what it is made of: one with its plan in it, or one that `whittle
/// build` left beside its plan. `None` for any other file.
pub fn named(path: &Path) -> Result<Option<(Place, Plan)>, Failure> {
    let Some(name) = path.file_name() else { return Ok(None) };
    if !path.is_file() {
        return Ok(None);
    }
    let here = std::path::absolute(path).doing(format!("find {}", path.display()))?;
    if let Some(text) = plan_text(path) {
        let plan = serde_json::from_str(&text).doing(format!("read the plan in {}", name.display()))?;
        let symbols = Some(symbols(&here)).filter(|path| path.is_file()).unwrap_or_else(|| here.clone());
        return Ok(Some((Place::of_files(&here, &symbols, &here), plan)));
    }
    let beside = |extension: &str| Some(here.with_extension(extension)).filter(|path: &PathBuf| path.is_file());
    match (here.extension().is_some_and(|extension| extension == "img"), beside("json")) {
        (true, Some(json)) => {
            let plan = Plan::read(&json)?;
            let symbols = beside("elf").unwrap_or_else(|| here.clone());
            Ok(Some((Place::of_files(&here, &symbols, &json), plan)))
        }
        _ => Ok(None),
    }
}

/// The archive of the Linux program that lies in an image.
pub fn archive_in(path: &Path, plan: &Plan) -> Result<Option<Vec<u8>>, Failure> {
    let Some([offset, length]) = plan.archive else { return Ok(None) };
    let bytes = fs::read(path).doing(format!("read {}", path.display()))?;
    let end = offset.checked_add(length).and_then(|end| usize::try_from(end).ok());
    let archive = end.and_then(|end| bytes.get(offset as usize..end));
    let archive = archive.ok_or_else(|| Failure::ours(format!("{} is cut off", path.display())))?;
    Ok(Some(archive.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_with_a_plan_has_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut whole = b"image{}".to_vec();
        whole.extend(2_u64.to_le_bytes());
        whole.extend(MARK);
        fs::write(&path, &whole).unwrap();
        assert_eq!(plan_text(&path).as_deref(), Some("{}"));
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(plan_text(&path), None, "{cut}");
        }
        whole.splice(7..15, u64::MAX.to_le_bytes());
        fs::write(&path, &whole).unwrap();
        assert_eq!(plan_text(&path), None);
        assert_eq!(plan_text(folder.path()), None);
    }
}
