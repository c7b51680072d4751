//! What an image is made of: the outcome of a resolution, and the JSON that lies beside each image.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::image_file;
use super::parameter::{Value, Values};
use crate::failure::{Doing, Failure};

/// An image, resolved.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Plan {
    /// The image's name.
    pub name: String,
    /// The platform it is for.
    pub platform: String,
    /// The kind of application in it.
    pub kind: String,
    /// Whether its code uses the vector registers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hard_float: bool,
    /// Whether it is compiled for the least bytes rather than for speed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub small: bool,
    /// Whether all of it is compiled for speed, whatever bytes that takes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fast: bool,
    /// Its components by name.
    pub components: Vec<Part>,
    /// Further heaps, each with its own region.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heaps: Vec<NamedHeap>,
    /// Who needs (or wants), which contract, who provides: sorted.
    pub edges: Vec<(String, String, String)>,
    /// The settings whittle.toml names.
    pub settings: Values,
    /// The system calls it answers, by number.
    pub system_calls: Vec<String>,
    /// The boot stages in their order, as Rust types.
    pub stages: Vec<String>,
    /// The limit of its memory in bytes, if there is one.
    pub memory: Option<u64>,
    /// The component that is its console, if it has one.
    pub console: Option<String>,
    /// Where the archive of a Linux program lies in the image's file, if there is one: offset and bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive: Option<[u64; 2]>,
}

/// A component in an image.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Part {
    /// The component's name.
    pub name: String,
    /// The crate that holds it.
    #[serde(rename = "crate")]
    pub package: String,
    /// What it is, in a line.
    pub summary: String,
    /// Contracts it fulfils.
    pub provides: Vec<String>,
    /// Contracts it needs.
    pub needs: Vec<String>,
    /// Its options' values, defaults included.
    pub options: Values,
    /// Why it is in the image.
    pub chosen: Chosen,
}

/// Why a component is in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Chosen {
    /// whittle.toml names it.
    Named,
    /// It is the only one that provides what another needs.
    Needed,
    /// It is the default for what another needs.
    Default,
    /// It is the kind of application.
    Kind,
    /// It is the platform's own.
    Platform,
}

/// A further heap.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct NamedHeap {
    /// Its name in whittle.toml.
    pub name: String,
    /// The component that manages it.
    pub component: String,
    /// Its options' values.
    pub options: Values,
}

impl Plan {
    /// The component that fulfils a contract.
    #[must_use]
    pub fn provider(&self, contract: &str) -> Option<&Part> {
        self.components.iter().find(|part| part.provides.iter().any(|provided| provided == contract))
    }

    /// Whether a setting that is on by default is on.
    #[must_use]
    pub fn is_on(&self, setting: &str) -> bool {
        self.settings.get(setting) != Some(&Value::Bool(false))
    }

    /// The plan as the JSON that lies beside an image.
    #[must_use]
    pub fn json(&self) -> String {
        // Names and numbers only: nothing in it that JSON cannot say.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// Reads what [`Plan::json`] wrote, into a file of its own or behind an image.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = match image_file::plan_text(path) {
            Some(text) => text,
            None => std::fs::read_to_string(path).doing(format!("read {}", path.display()))?,
        };
        serde_json::from_str(&text).doing(format!("read {}", path.display()))
    }
}
