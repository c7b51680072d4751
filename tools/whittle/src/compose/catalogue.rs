//! Everything the house offers, read from the manifests of its crates and from what their sources declare.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::REQUEST;
use super::component::{Component, Contract, Platform};
use super::declaration;
use super::dependencies::Declared as Dependencies;
use super::parameter::Parameter;
use super::request::Request;
use crate::failure::{Doing, Failure};

/// Folders whose crates an image may name: the layers below it. `contracts` is a crate, the others hold crates.
pub const LAYERS: [&str; 6] = ["contracts", "elements", "kernel", "api", "architecture", "platforms"];

/// The contract that platforms with stages fulfil themselves.
pub const BOOT: &str = "boot";

/// The word that stands for the platform's crate in the lines of a component: `{platform}::Plain`.
pub const PLATFORM: &str = "platform";

/// What the house offers.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Contracts by name.
    pub contracts: BTreeMap<String, Contract>,
    /// Components by name, then by crate.
    pub components: Vec<Component>,
    /// Platforms by name.
    pub platforms: BTreeMap<String, Platform>,
    /// Settings of the typed `Config`, by name.
    pub settings: BTreeMap<String, Parameter>,
    /// The folder of each crate that an image may name.
    pub crates: BTreeMap<String, PathBuf>,
    /// The sources that declare contracts and settings.
    pub declaring: Vec<PathBuf>,
    /// The house's folder, absolute.
    pub root: PathBuf,
    /// What each crate depends on.
    dependencies: BTreeMap<String, Dependencies>,
}

#[derive(Deserialize)]
struct Manifest {
    package: Option<Package>,
    #[serde(default)]
    dependencies: toml::Table,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    whittle: Option<Declared>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Declared {
    contract: BTreeMap<String, Contract>,
    component: BTreeMap<String, Component>,
    platform: Option<Platform>,
    setting: BTreeMap<String, Parameter>,
}

impl Catalogue {
    /// Reads the manifests of the house at `root`.
    pub fn read(root: &Path) -> Result<Self, Failure> {
        Self::manifests(root)?.complete()
    }

    /// Reads the manifests of the house at `root`, and those of the crates under `[crates]` in a whittle.toml.
    pub fn for_request(root: &Path, request: &Request) -> Result<Self, Failure> {
        let mut catalogue = Self::manifests(root)?;
        catalogue.take_own_crates(request)?;
        catalogue.complete()
    }

    /// Reads the manifests of the house at `root`, and those of the crates that the whittle.toml in `folder` names;
    /// with no folder said, that of the folder we are in, if there is one. The image need not be whole.
    pub fn of_folder(root: &Path, folder: Option<&Path>) -> Result<Self, Failure> {
        let here = Path::new(".");
        match folder {
            None if !here.join(REQUEST).is_file() => Self::read(root),
            folder => Self::for_request(root, &Request::read_text(&folder.unwrap_or(here).join(REQUEST))?),
        }
    }

    fn manifests(root: &Path) -> Result<Self, Failure> {
        let mut catalogue =
            Self { root: std::path::absolute(root).doing(format!("find {}", root.display()))?, ..Self::default() };
        for folder in crate_folders(&catalogue.root) {
            let manifest = parse(&folder.join("Cargo.toml"))?;
            if let Some(package) = manifest.package {
                catalogue.take(package, manifest.dependencies, &folder)?;
            }
        }
        Ok(catalogue)
    }

    fn complete(mut self) -> Result<Self, Failure> {
        self.add_platform_components();
        self.find_dependencies()?;
        self.components.sort_by(|one, other| (&one.name, &one.package).cmp(&(&other.name, &other.package)));
        self.check()?;
        Ok(self)
    }

    fn take_own_crates(&mut self, request: &Request) -> Result<(), Failure> {
        for (name, path) in &request.crates {
            let wrong = |sentence: String| request.wrong(path.line, &sentence);
            let folder = std::path::absolute(request.folder().join(&path.value)).doing("find a crate's folder")?;
            if !folder.join("Cargo.toml").is_file() {
                return Err(wrong(format!("there is no Cargo.toml in {}", path.value)));
            }
            let manifest = parse(&folder.join("Cargo.toml"))?;
            match manifest.package {
                Some(package) if package.name != *name => {
                    return Err(wrong(format!("the crate in {} is called `{}`", path.value, package.name)));
                }
                Some(package) if self.crates.contains_key(&package.name) => {
                    return Err(wrong(format!("`{}` is a crate of whittle's own: take another name", package.name)));
                }
                Some(package) => self.take(package, manifest.dependencies, &folder)?,
                None => return Err(wrong(format!("the Cargo.toml in {} has no [package]", path.value))),
            }
        }
        Ok(())
    }

    /// Takes what a crate's manifest says, and its sources where they declare something.
    fn take(&mut self, package: Package, dependencies: toml::Table, folder: &Path) -> Result<(), Failure> {
        let crate_name = package.name;
        let declares = dependencies.contains_key(declaration::CRATE);
        self.crates.insert(crate_name.clone(), folder.to_owned());
        self.dependencies.insert(crate_name.clone(), Dependencies::new(dependencies, folder));
        let declared = package.metadata.and_then(|metadata| metadata.whittle).unwrap_or_default();
        let of_sources = if declares { declaration::read(&crate_name, folder)? } else { Default::default() };
        let of_manifest = declared.contract.into_iter().map(|(name, contract)| Contract { name, ..contract });
        for contract in of_manifest.chain(of_sources.contracts) {
            let name = contract.name.clone();
            if self.contracts.insert(name.clone(), contract).is_some() {
                return Err(declared_twice("contract", &name, &crate_name));
            }
        }
        for (name, setting) in declared.setting.into_iter().chain(of_sources.settings) {
            if self.settings.insert(name.clone(), setting).is_some() {
                return Err(declared_twice("setting", &name, &crate_name));
            }
        }
        self.declaring.extend(of_sources.files);
        for (name, component) in declared.component {
            self.components.push(Component { name, package: crate_name.clone(), ..component });
        }
        if let Some(platform) = declared.platform {
            let platform = Platform { package: crate_name, folder: folder.to_owned(), ..platform };
            self.platforms.insert(platform.name.clone(), platform);
        }
        Ok(())
    }

    /// Every platform has a component of its own name, which is in each of its images and boots it.
    fn add_platform_components(&mut self) {
        for platform in self.platforms.values() {
            let own = |component: &&mut Component| component.name == platform.name;
            let boots = platform.boot.is_some() && self.contracts.contains_key(BOOT);
            let provides: Vec<String> = boots.then(|| BOOT.to_owned()).into_iter().collect();
            if let Some(component) = self.components.iter_mut().find(own) {
                component.provides.extend(provides);
                component.platforms = Some(vec![platform.name.clone()]);
                continue;
            }
            self.components.push(Component {
                name: platform.name.clone(),
                package: platform.package.clone(),
                summary: platform.summary.clone(),
                platforms: Some(vec![platform.name.clone()]),
                provides,
                ..Component::default()
            });
        }
    }

    /// Has each component know the crates that its lines name.
    fn find_dependencies(&mut self) -> Result<(), Failure> {
        for component in &mut self.components {
            if let Some(declared) = self.dependencies.get(&component.package) {
                let named = declared.named_by(component, &self.crates);
                component.dependencies = named.map_err(|sentence| wrong(component, &sentence))?;
            }
        }
        Ok(())
    }

    /// The component of that name that runs on that platform.
    #[must_use]
    pub fn component(&self, name: &str, platform: &str) -> Option<&Component> {
        self.components.iter().find(|component| component.name == name && component.runs_on(platform))
    }

    /// The components that fulfil a contract on a platform, kinds of application left out.
    pub fn providers<'a>(&'a self, contract: &'a str, platform: &'a str) -> impl Iterator<Item = &'a Component> {
        self.components
            .iter()
            .filter(move |component| component.provides(contract) && component.runs_on(platform) && !component.kind)
    }

    /// The kinds of application.
    pub fn kinds(&self) -> impl Iterator<Item = &Component> {
        self.components.iter().filter(|component| component.kind)
    }

    /// The manifests and declarations that were read, and the folders in which more may appear: what a resolution
    /// depends on.
    pub fn sources(&self) -> impl Iterator<Item = PathBuf> {
        let layers = LAYERS.iter().map(|layer| self.root.join(layer));
        let manifests = self.crates.values().map(|folder| folder.join("Cargo.toml"));
        layers.chain(manifests).chain(self.declaring.iter().cloned())
    }

    /// Refuses what the house's own manifests say wrongly, so that their writer learns it at once.
    fn check(&self) -> Result<(), Failure> {
        for component in &self.components {
            self.check_component(component).map_err(|sentence| wrong(component, &sentence))?;
        }
        Ok(())
    }

    fn check_component(&self, component: &Component) -> Result<(), String> {
        let lists = [&component.provides, &component.needs, &component.wants];
        let names = lists.into_iter().flatten().chain(component.slots.keys());
        for name in names {
            if !self.contracts.contains_key(name) {
                let known = super::nearest(name, self.contracts.keys().map(String::as_str));
                return Err(format!("names the contract `{name}`, which is not declared{known}"));
            }
        }
        for slot in component.slots.values() {
            let known = |word: &str| {
                word == PLATFORM || component.options.contains_key(word) || self.contracts.contains_key(word)
            };
            if let Some(word) = super::generate::words(slot).find(|word| !known(word)) {
                return Err(format!(
                    "has {{{word}}} in a slot, which is neither an option of it nor a contract nor `{PLATFORM}`"
                ));
            }
        }
        for (name, option) in &component.options {
            option
                .check(&option.default)
                .map_err(|wrong| format!("has an option whose default is wrong: `{name}` {wrong}"))?;
        }
        let rivals = self.components.iter().filter(|other| !std::ptr::eq(*other, component));
        for other in rivals {
            let shared = self.platforms.keys().find(|name| component.runs_on(name) && other.runs_on(name));
            let Some(platform) = shared else { continue };
            if other.name == component.name {
                return Err(format!("is declared by `{}` too, also for {platform}", other.package));
            }
            let both = component.provides.iter().find(|contract| other.provides(contract));
            if let Some(contract) = both.filter(|_| component.default && other.default) {
                return Err(format!("is the default for {contract} on {platform}, and so is `{}`", other.name));
            }
        }
        Ok(())
    }
}

/// What a manifest says wrongly about a component of it.
fn wrong(component: &Component, sentence: &str) -> Failure {
    Failure::ours(format!("component `{}` in the Cargo.toml of `{}` {sentence}", component.name, component.package))
}

fn declared_twice(what: &str, name: &str, package: &str) -> Failure {
    Failure::ours(format!("the {what} `{name}` is declared twice: `{package}` declares it again; take another name"))
}

fn parse(path: &Path) -> Result<Manifest, Failure> {
    let text = fs::read_to_string(path).doing(format!("read {}", path.display()))?;
    toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| super::request::line_of(&text, span.start));
        Failure::ours(format!("{}:{line}: {}", path.display(), error.message().replace('\n', " ")))
    })
}

/// The folders of crates in the layers, sorted.
fn crate_folders(root: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for layer in LAYERS {
        let layer = root.join(layer);
        let below = fs::read_dir(&layer).into_iter().flatten().flatten().map(|entry| entry.path());
        folders.extend(below.chain([layer]).filter(|folder| folder.join("Cargo.toml").is_file()));
    }
    folders.sort();
    folders
}
