//! The generated crate's `Cargo.toml` and `build.rs`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::super::catalogue::Catalogue;
use super::super::component::Platform;
use super::super::dependencies::Dependencies;
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
    for (name, dependency) in dependencies(catalogue, plan)? {
        let _ = writeln!(text, "{name} = {dependency}");
    }
    if plan.kind == super::super::request::RUST
        && let Some(application) = &request.application
    {
        let folder = std::path::absolute(request.folder()).doing("find the crate beside whittle.toml")?;
        let _ = writeln!(text, "{application} = {{ path = {} }}", quoted(&folder));
    }
    let _ = write!(text, "\n[lints.rust]\nunsafe_code = \"deny\"\n\n{}", profile(catalogue, plan)?);
    Ok(text)
}

fn quoted(path: &Path) -> String {
    toml::Value::from(path.display().to_string()).to_string()
}

/// The crates that the program's lines name, as dependencies.
fn dependencies(catalogue: &Catalogue, plan: &Plan) -> Result<Dependencies, Failure> {
    let own = |name: &str| catalogue.crates.get(name).map(|folder| format!("{{ path = {} }}", quoted(folder)));
    let mut all = Dependencies::new();
    all.extend(own("contracts").map(|contracts| ("contracts".to_owned(), contracts)));
    let names = plan.components.iter().map(|part| &part.name);
    let names = names.chain(plan.heaps.iter().map(|heap| &heap.component));
    let components = names.filter_map(|name| catalogue.component(name, &plan.platform));
    for component in components.filter(|component| component.has_lines() || component.name == plan.platform) {
        let package = own(&component.package).map(|path| (component.package.clone(), path));
        let named = component.dependencies.iter().map(|(name, dependency)| (name.clone(), dependency.clone()));
        for (name, dependency) in package.into_iter().chain(named) {
            let known = all.entry(name.clone()).or_insert_with(|| dependency.clone());
            if *known != dependency {
                let of = &component.name;
                let sentence =
                    format!("`{of}` names a crate `{name}` that is another component's too, and another one");
                return Err(Failure::ours(format!("{sentence}: {dependency} and {known}")));
            }
        }
    }
    Ok(all)
}

/// The house's release profile, which every image shares; a `small` one has no crate made for speed, a `fast` one
/// nothing else. The code of a component that is generic is compiled in the image's own crate, for speed if it says so.
fn profile(catalogue: &Catalogue, plan: &Plan) -> Result<String, Failure> {
    let path = catalogue.root.join("Cargo.toml");
    let Ok(text) = fs::read_to_string(&path) else { return Ok(String::new()) };
    let manifest: toml::Table = text.parse().doing(format!("read {}", path.display()))?;
    let release = manifest.get("profile").and_then(|profile| profile.get("release")).and_then(toml::Value::as_table);
    let Some(mut release) = release.cloned() else { return Ok(String::new()) };
    if plan.small {
        release.insert("opt-level".to_owned(), "z".into());
        release.remove("package");
    } else if plan.fast {
        release.insert("opt-level".to_owned(), 3.into());
        release.remove("package");
    } else if plan.components.iter().filter_map(|part| catalogue.component(&part.name, &plan.platform)).any(|c| c.fast)
    {
        let own = toml::Table::from_iter([("opt-level".to_owned(), 2.into())]);
        let packages = release.entry("package").or_insert_with(|| toml::Table::new().into()).as_table_mut();
        packages.map(|packages| packages.insert(format!("{}-{}", plan.name, plan.platform), own.into()));
    }
    // Whole paths of names: the profile holds tables of its own, for single crates.
    let table = |name: &str, value: toml::Value| toml::Table::from_iter([(name.to_owned(), value)]);
    let profile = table("profile", table("release", release.into()).into());
    toml::to_string(&profile).doing(format!("read {}", path.display()))
}

/// The build script: how the linker lays out an image for this platform. Functions of the same instructions are one:
/// nothing in an image compares functions' addresses.
pub fn build_script(platform: &Platform) -> String {
    let script = platform.folder.join(&platform.link_script);
    let arguments = platform.link_arguments.iter().map(String::as_str).chain(["--icf=all"]);
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
