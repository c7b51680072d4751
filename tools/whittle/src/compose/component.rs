//! What a crate of the house declares in `[package.metadata.whittle]`: contracts, components, a platform, settings.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::declaration::Declaration;
use super::dependencies::Dependencies;
use super::parameter::Parameter;

/// An interface between parts of an image.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Contract {
    /// Its name.
    #[serde(skip_deserializing)]
    pub name: String,
    /// What it is for, in a line.
    pub summary: String,
    /// A paragraph for those who want to know more.
    #[serde(default)]
    pub help: String,
    /// The macro that fills its slot. Without one it is no slot but an ability, or a type that a
    /// component gives to others (`{pages}` in their lines).
    #[serde(default, rename = "macro")]
    pub slot: Option<String>,
    /// The macro of `contracts` that adds a further provider by name: `provide_named_heap!(packets: Type)`.
    #[serde(default)]
    pub named: Option<String>,
    /// The crate that makes its slot, if that is not `contracts`.
    #[serde(skip)]
    pub slot_crate: Option<String>,
    /// Where it is declared in Rust; none if it has no methods.
    #[serde(skip)]
    pub declaration: Option<Declaration>,
}

impl Contract {
    /// The macro that fills its slot, with its crate: `contracts::provide_clock`.
    #[must_use]
    pub fn filling(&self) -> Option<String> {
        let of = self.slot_crate.as_deref().unwrap_or("contracts");
        self.slot.as_ref().map(|slot| format!("{of}::{slot}"))
    }
}

/// A part that may be in an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The crate that holds it.
    #[serde(skip_deserializing, rename = "crate")]
    pub package: String,
    /// What it is, in a line.
    pub summary: String,
    /// A paragraph for those who want to know more.
    #[serde(default)]
    pub help: String,
    /// Whether it is a kind of application, chosen by `kind` in whittle.toml.
    #[serde(default)]
    pub kind: bool,
    /// The platforms it is for; every one if not said.
    #[serde(default)]
    pub platforms: Option<Vec<String>>,
    /// Contracts it fulfils.
    #[serde(default)]
    pub provides: Vec<String>,
    /// Contracts that somebody in the image must fulfil.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Contracts it uses where they are fulfilled.
    #[serde(default)]
    pub wants: Vec<String>,
    /// Components that cannot be in the same image.
    #[serde(default)]
    pub conflicts: Vec<String>,
    /// Whether it is taken when its contract is needed and nobody is named.
    #[serde(default)]
    pub default: bool,
    /// Whether it is the example where somebody has to be named for its contract.
    #[serde(default)]
    pub suggested: bool,
    /// Whether it is generic code that each packet or call passes, so that the image's own crate, in which that is
    /// compiled, is made for speed.
    #[serde(default)]
    pub fast: bool,
    /// Rust types (or `Type = expression`) for the slots of its contracts.
    #[serde(default)]
    pub slots: BTreeMap<String, String>,
    /// Its boot stage, a Rust type.
    #[serde(default)]
    pub stage: Option<String>,
    /// Further lines of the image's program.
    #[serde(default)]
    pub items: Vec<String>,
    /// Crates that its lines name beside its own: dependencies of its crate.
    #[serde(skip)]
    pub dependencies: Dependencies,
    /// Its options.
    #[serde(default)]
    pub options: BTreeMap<String, Parameter>,
}

impl Component {
    /// Whether it can be in an image for that platform.
    #[must_use]
    pub fn runs_on(&self, platform: &str) -> bool {
        self.platforms.as_ref().is_none_or(|platforms| platforms.iter().any(|known| known == platform))
    }

    /// Whether it fulfils that contract.
    #[must_use]
    pub fn provides(&self, contract: &str) -> bool {
        self.provides.iter().any(|provided| provided == contract)
    }

    /// Whether the image's program has lines that name the component's crate.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        !self.slots.is_empty() || !self.items.is_empty() || self.stage.is_some()
    }
}

/// A machine underneath.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Platform {
    /// Its name.
    pub name: String,
    /// The crate that declares it.
    #[serde(skip_deserializing, rename = "crate")]
    pub package: String,
    /// That crate's folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// What it is, in a line.
    pub summary: String,
    /// The linker's script, relative to the crate.
    pub link_script: String,
    /// Arguments of the linker.
    #[serde(default)]
    pub link_arguments: Vec<String>,
    /// Flags of the compiler, for every crate of the image.
    #[serde(default)]
    pub rustflags: Vec<String>,
    /// The provider of the contract `boot`, which takes the stages as its parameter.
    #[serde(default)]
    pub boot: Option<String>,
}
