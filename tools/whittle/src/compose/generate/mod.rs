//! An image's crate as text: `Cargo.toml`, `build.rs` and the program that fills the slots.

mod fill;
mod manifest;
mod program;

pub use fill::words;

use std::fs;
use std::path::Path;

use super::cargo::target;
use super::catalogue::Catalogue;
use super::component::Platform;
use super::plan::Plan;
use super::request::Request;
use crate::failure::{Doing, Failure};

/// The files of a crate, by their path in its folder.
pub struct Crate {
    files: Vec<(&'static str, String)>,
}

/// Writes down the crate of a plan. `request` is what the plan was resolved from.
pub fn generate(catalogue: &Catalogue, request: &Request, plan: &Plan) -> Result<Crate, Failure> {
    let platform = catalogue
        .platforms
        .get(&plan.platform)
        .ok_or_else(|| Failure::ours(format!("there is no platform `{}`", plan.platform)))?;
    Ok(Crate {
        files: vec![
            ("Cargo.toml", manifest::cargo_toml(catalogue, request, plan)?),
            ("build.rs", manifest::build_script(platform)),
            ("src/main.rs", program::program(catalogue, request, plan)?),
        ],
    })
}

/// Settings for cargo with which a crate that its owner took over builds without `whittle build`.
#[must_use]
pub fn cargo_settings(platform: &Platform, plan: &Plan) -> String {
    let (target, flags) = target(platform, plan);
    format!(
        "# What `whittle build` says to cargo on its command line: so `cargo build --release` does too.\n\
         [build]\ntarget = \"{target}\"\n\n[target.{target}]\nrustflags = {flags:?}\n"
    )
}

impl Crate {
    /// The text of a file.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_str())
    }

    /// The same for an owner who will change it: nothing in it says that it is written by us.
    #[must_use]
    pub fn owned(mut self) -> Self {
        for (_, text) in &mut self.files {
            *text = text.replace(program::WRITTEN, program::OWNED).replace(manifest::WRITTEN, manifest::OWNED);
        }
        self
    }

    /// Writes what differs from what is there; says whether anything did.
    pub fn write(&self, folder: &Path) -> Result<bool, Failure> {
        let mut written = false;
        for (name, text) in &self.files {
            written |= write_if_changed(&folder.join(name), text)?;
        }
        Ok(written)
    }
}

/// Writes a file, with the folders it lies in, unless it says the same already.
pub fn write_if_changed(path: &Path, text: &str) -> Result<bool, Failure> {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.doing(format!("write {}", path.display())).map(|()| true)
}
