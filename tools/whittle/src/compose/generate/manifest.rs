//! The generated crate's `Cargo.toml` and `build.rs`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::super::catalogue::Catalogue;
use super::super::component::Platform;
use super::super::plan::Plan;
use super::super::request::Request;
use crate::failure::{Doing, Failure};

/// The head comment of what is written again and again, and of what its owner took over.
pub const WRITTEN: &str = "# Written by `whittle build` from whittle.toml; `whittle eject` makes it yours.\n";
/// See [`WRITTEN`].
pub const OWNED: &str = "# Yours: `whittle build` builds it as it is.\n";

/// The crate's manifest.
pub fn cargo_toml(catalogue: &Catalogue, request: &Request, plan: &Plan) -> Result<String, Failure> {
    let mut text = format!(
        "{WRITTEN}[package]\nname = \"{0}-{1}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
         [[bin]]\nname = \"{0}-{1}\"\npath = \"src/main.rs\"\n\
         # A freestanding program: no standard library to test with.\ntest = false\nbench = false\n\n\
         # Not part of any workspace around it.\n[workspace]\n\n[dependencies]\n",
        plan.name, plan.platform
    );
    for name in crates(catalogue, plan) {
        if let Some(folder) = catalogue.crates.get(name) {
            let _ = writeln!(text, "{name} = {{ path = {} }}", quoted(folder));
        }
    }
    if plan.kind == super::super::request::RUST
        && let Some(application) = &request.application
    {
        let folder = std::path::absolute(request.folder()).doing("find the crate beside whittle.toml")?;
        let _ = writeln!(text, "{application} = {{ path = {} }}", quoted(&folder));
    }
    let _ = write!(text, "\n[lints.rust]\nunsafe_code = \"deny\"\n\n{}", profile(&catalogue.root, plan.small)?);
    Ok(text)
}

fn quoted(path: &Path) -> String {
    toml::Value::from(path.display().to_string()).to_string()
}

/// The crates that the program's lines name.
fn crates<'a>(catalogue: &'a Catalogue, plan: &'a Plan) -> BTreeSet<&'a str> {
    let names = plan.components.iter().map(|part| &part.name);
    let names = names.chain(plan.heaps.iter().map(|heap| &heap.component));
    let components = names.filter_map(|name| catalogue.component(name, &plan.platform));
    let named = components.filter(|component| component.has_lines() || component.name == plan.platform);
    let crates = named.flat_map(|component| component.crates.iter().chain([&component.package]));
    crates.map(String::as_str).chain(["contracts"]).collect()
}

/// The house's release profile, which every image shares; a `small` one has no crate made for speed.
fn profile(root: &Path, small: bool) -> Result<String, Failure> {
    let path = root.join("Cargo.toml");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(String::new()) };
    let manifest: toml::Table = text.parse().doing(format!("read {}", path.display()))?;
    let release = manifest.get("profile").and_then(|profile| profile.get("release")).and_then(toml::Value::as_table);
    let Some(mut release) = release.cloned() else { return Ok(String::new()) };
    if small {
        release.insert("opt-level".to_owned(), "z".into());
        release.remove("package");
    }
    // Whole paths of names: the profile holds tables of its own, for single crates.
    let table = |name: &str, value: toml::Value| toml::Table::from_iter([(name.to_owned(), value)]);
    let profile = table("profile", table("release", release.into()).into());
    toml::to_string(&profile).doing(format!("read {}", path.display()))
}

/// The build script: how the linker lays out an image for this platform. Functions of the same instructions are one in
/// a `small` image: nothing in an image compares functions' addresses.
pub fn build_script(platform: &Platform, small: bool) -> String {
    let script = platform.folder.join(&platform.link_script);
    let arguments = platform.link_arguments.iter().map(String::as_str).chain(small.then_some("--icf=all"));
    let arguments: String = arguments.map(|argument| format!("        {argument:?},\n")).collect();
    format!(
        "//! Tells the linker how an image for {} is laid out.\n\n\
         fn main() {{\n    let script = {:?};\n    println!(\"cargo::rerun-if-changed={{script}}\");\n    \
         println!(\"cargo::rustc-link-arg-bins=-T{{script}}\");\n    let arguments: &[&str] = &[\n{arguments}    ];\n    \
         for argument in arguments {{\n        println!(\"cargo::rustc-link-arg-bins={{argument}}\");\n    }}\n}}\n",
        platform.name,
        script.display().to_string()
    )
}
