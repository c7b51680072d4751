//! `whittle pack`: a folder's files as an image of hashed files (`elements/hashfiles`).

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use hashfiles::{Named, Refusal};

use crate::failure::{Doing, Failure};

/// Packs all files below `folder` into `image`. Names are paths from there, as `css/main.css`.
pub fn pack(folder: &Path, image: &Path) -> Result<(), Failure> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    // Whoever packs the same files gets the same image.
    paths.sort();
    let named = paths.iter().map(|path| named(folder, path)).collect::<Result<Vec<_>, _>>()?;
    let plan = hashfiles::plan(&named).map_err(|refusal| {
        Failure::ours(match refusal {
            Refusal::Twice(name) => format!("two files have the name {}", String::from_utf8_lossy(&name)),
            Refusal::TooMany => format!("{} holds more than an image can", folder.display()),
        })
    })?;
    // A half-written image is never at the place of a whole one.
    let partial = image.with_extension("partial");
    let doing = || format!("write {}", partial.display());
    let mut target = File::create(&partial).doing(doing())?;
    target.write_all(&plan.index).doing(doing())?;
    for ((path, file), place) in paths.iter().zip(&named).zip(&plan.places) {
        let Some(place) = place else { continue };
        target.seek(SeekFrom::Start(*place)).doing(doing())?;
        let mut source = File::open(path).doing(format!("read {}", path.display()))?.take(file.length);
        let copied = io::copy(&mut source, &mut target).doing(format!("copy {}", path.display()))?;
        if copied != file.length {
            return Err(Failure::ours(format!("{} changed while it was packed", path.display())));
        }
    }
    target.set_len(plan.length).doing(doing())?;
    target.sync_all().doing(doing())?;
    fs::rename(&partial, image).doing(format!("write {}", image.display()))?;
    println!("{}  {} bytes, {} files", image.display(), plan.length, named.len());
    Ok(())
}

/// All files below a folder. Symbolic links are followed to files, and not into folders.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let doing = || format!("read {}", folder.display());
    for entry in fs::read_dir(folder).doing(doing())? {
        let entry = entry.doing(doing())?;
        let path = entry.path();
        if entry.file_type().doing(doing())?.is_dir() {
            collect(&path, paths)?;
        } else if path.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}

fn named(folder: &Path, path: &Path) -> Result<Named, Failure> {
    let contents = fs::read(path).doing(format!("read {}", path.display()))?;
    let name = path.strip_prefix(folder).unwrap_or(path).as_os_str().as_bytes().to_vec();
    Ok(Named { name, length: contents.len() as u64, digest: hashfiles::digest(&contents) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfiles::Volume;

    #[test]
    fn a_folder_becomes_an_image() {
        let place = tempfile::tempdir().unwrap();
        let (folder, image) = (place.path().join("files"), place.path().join("files.image"));
        fs::create_dir_all(folder.join("css")).unwrap();
        for (name, contents) in
            [("index.html", "<p>"), ("css/main.css", "p {}"), ("css/same.css", "p {}"), ("empty", "")]
        {
            fs::write(folder.join(name), contents).unwrap();
        }
        std::os::unix::fs::symlink("css", folder.join("link")).unwrap();
        pack(&folder, &image).unwrap();
        let bytes = fs::read(&image).unwrap();
        let volume = Volume::in_memory(&bytes).unwrap();
        assert_eq!(volume.count(), 4);
        assert_eq!(volume.open(b"css/main.css").unwrap().bytes(), Some(&b"p {}"[..]));
        assert_eq!(volume.open(b"empty").unwrap().length(), 0);
        assert!(volume.files().all(|(_, file)| file.verify().is_ok()));
        pack(&folder, &image).unwrap();
        assert_eq!(fs::read(&image).unwrap(), bytes);
        let failure = pack(&place.path().join("none"), &image).unwrap_err();
        assert!(failure.sentence.contains("none"), "{failure}");
        assert_eq!(fs::read(&image).unwrap(), bytes);
    }
}
