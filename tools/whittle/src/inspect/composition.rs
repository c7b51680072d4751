//! The composition that `whittle build` leaves beside an image, as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::compose::image_file;
use crate::failure::{Doing, Failure};

/// What an image was composed of. Keys that a newer `whittle build` may add are passed over.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Composition {
    /// The image's name.
    pub name: String,
    /// The platform it was built for.
    pub platform: String,
    /// The kind of application: `linux` or `rust`.
    #[serde(default)]
    pub kind: Option<String>,
    /// Its components.
    #[serde(default)]
    pub components: Vec<Component>,
    /// Who needs, which contract, who provides.
    #[serde(default)]
    pub edges: Vec<(String, String, String)>,
    /// The typed settings.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
    /// The system calls it answers.
    #[serde(default)]
    pub system_calls: Vec<String>,
    /// The boot stages, in order.
    #[serde(default)]
    pub stages: Vec<String>,
    /// The limit of memory, if there is one.
    #[serde(default)]
    pub memory: Value,
    /// The component that is the console.
    #[serde(default)]
    pub console: Value,
}

/// One component of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// The crate that declares it.
    #[serde(rename = "crate", default)]
    pub package: String,
    /// What it is, in a line.
    #[serde(default)]
    pub summary: String,
    /// The contracts it provides.
    #[serde(default)]
    pub provides: Vec<String>,
    /// The contracts it needs.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Its options as they were set.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// Why it is here: named, needed, a default, or the kind itself.
    #[serde(default)]
    pub chosen: String,
}

impl Composition {
    /// Reads the file beside an image.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = match image_file::plan_text(path) {
            Some(text) => text,
            None => fs::read_to_string(path).doing(format!("read {}", path.display()))?,
        };
        serde_json::from_str(&text).doing(format!("read {}", path.display()))
    }
}

impl Component {
    /// Its summary, with its options as they were set.
    #[must_use]
    pub fn described(&self) -> String {
        let options: Vec<String> =
            self.options.iter().map(|(name, value)| format!("{name} = {}", shown(value))).collect();
        if options.is_empty() { self.summary.clone() } else { format!("{} ({})", self.summary, options.join(", ")) }
    }
}

/// A value of the composition as a person writes it.
#[must_use]
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}
