//! Where an image lies: its whittle.toml, its generated crate, and the files that are left of it.

use std::path::{Path, PathBuf};

use super::request::Request;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// The places of one composition, for all its platforms.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder of its whittle.toml, absolute.
    pub folder: PathBuf,
    /// The folder of everything made from it.
    pub output: PathBuf,
    /// Its name.
    name: String,
    /// Whether it is one of the house's own, which a run needs that never heard of it.
    pub is_ready: bool,
    /// Image, symbols and plan of one that somebody names by its file: nothing is built for it.
    files: Option<[PathBuf; 3]>,
}

impl Place {
    /// The general Linux image, which `whittle run` uses for any program.
    #[must_use]
    pub fn ready(house: &House) -> Self {
        Self::general(house, "linux")
    }

    /// The same with disks and the file systems on them.
    #[must_use]
    pub fn with_disks(house: &House) -> Self {
        Self::general(house, "linux-disks")
    }

    fn general(house: &House, name: &str) -> Self {
        let folder = house.root.join("images").join(name);
        Self { folder, output: house.images.clone(), name: name.to_owned(), is_ready: true, files: None }
    }

    /// The places of a request. The house's own images lie where everything of the house does.
    pub fn of(house: &House, request: &Request) -> Result<Self, Failure> {
        let folder = std::path::absolute(request.folder()).doing("find the folder")?;
        let folder = folder.canonicalize().unwrap_or(folder);
        let root = house.root.canonicalize().unwrap_or_else(|_| house.root.clone());
        let ours = folder.starts_with(root.join("images"));
        let output = if ours { house.images.clone() } else { folder.join("target/whittle") };
        Ok(Self { folder, output, name: request.name.clone(), is_ready: ours, files: None })
    }

    /// The places of an image that is there: the file that is started, the one with its symbols, and the one with its
    /// plan.
    #[must_use]
    pub fn of_files(image: &Path, symbols: &Path, plan: &Path) -> Self {
        let folder = image.parent().unwrap_or(Path::new("/")).to_owned();
        let name = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = Some([image, symbols, plan].map(Path::to_path_buf));
        Self { output: folder.clone(), folder, name, is_ready: false, files }
    }

    /// Whether nothing is built for it: it is there, and that is all that is known.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.files.is_some()
    }

    fn file(&self, platform: &str, extension: &str) -> PathBuf {
        self.output.join(format!("{}-{platform}{extension}", self.name))
    }

    /// What is started: without symbols.
    #[must_use]
    pub fn image(&self, platform: &str) -> PathBuf {
        self.files.as_ref().map_or_else(|| self.file(platform, ".img"), |[image, ..]| image.clone())
    }

    /// The same as the linker wrote it, with names and lines.
    #[must_use]
    pub fn symbols(&self, platform: &str) -> PathBuf {
        self.files.as_ref().map_or_else(|| self.file(platform, ".elf"), |[_, symbols, _]| symbols.clone())
    }

    /// What it is made of, as JSON.
    #[must_use]
    pub fn plan(&self, platform: &str) -> PathBuf {
        self.files.as_ref().map_or_else(|| self.file(platform, ".json"), |[.., plan]| plan.clone())
    }

    /// Tells whether it is in step with its sources.
    #[must_use]
    pub fn stamp(&self, platform: &str) -> PathBuf {
        self.file(platform, ".stamp")
    }

    /// The generated crate.
    #[must_use]
    pub fn generated(&self, platform: &str) -> PathBuf {
        self.file(platform, "")
    }

    /// The crate that is built: the generated one, or the one its owner took over.
    #[must_use]
    pub fn source(&self, request: &Request, platform: &str) -> PathBuf {
        request.eject.get(platform).map_or_else(|| self.generated(platform), |path| self.folder.join(path))
    }

    /// The file with the wishes.
    #[must_use]
    pub fn request(&self) -> PathBuf {
        self.folder.join(super::REQUEST)
    }

    /// The image's name on that platform.
    #[must_use]
    pub fn name(&self, platform: &str) -> String {
        if self.is_given() { self.name.clone() } else { format!("{}-{platform}", self.name) }
    }

    /// A path as a person would type it here.
    #[must_use]
    pub fn shown(path: &Path) -> String {
        let here = std::env::current_dir().unwrap_or_default();
        path.strip_prefix(here).unwrap_or(path).display().to_string()
    }
}
