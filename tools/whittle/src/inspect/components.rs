//! Bytes of components.
//!
//! A component that is its crate's only one has the crate's bytes. Of a crate with several, each has the modules that
//! are named like it or like a contract it provides; what the others share is told as shared, not divided.

use std::collections::BTreeMap;

use serde::Serialize;

use super::composition::Component;
use super::report::Leaf;

/// A component with its bytes.
#[derive(Debug, Serialize)]
pub struct Sized {
    /// The component.
    #[serde(flatten)]
    pub component: Component,
    /// Bytes of the file that are its own.
    pub bytes: u64,
    /// Bytes of its crate that belong to no single component of it.
    pub shared: u64,
}

/// Finds the bytes of each component.
#[must_use]
pub fn sized(components: Vec<Component>, leaves: &[Leaf]) -> Vec<Sized> {
    let mut own = vec![0; components.len()];
    let mut shared: BTreeMap<String, u64> = BTreeMap::new();
    for leaf in leaves {
        let of_crate = |index: &usize| crate_of(&components[*index]) == leaf.package;
        let owners: Vec<usize> = (0..components.len()).filter(of_crate).collect();
        let named = owners.iter().copied().find(|&index| owns(&components[index], &leaf.module));
        match (&owners[..], named) {
            ([], _) => {}
            ([only], _) => own[*only] += leaf.bytes,
            (_, Some(index)) => own[index] += leaf.bytes,
            _ => *shared.entry(leaf.package.clone()).or_default() += leaf.bytes,
        }
    }
    let sized = components.into_iter().zip(own).map(|(component, bytes)| {
        let shared = shared.get(&crate_of(&component)).copied().unwrap_or(0);
        Sized { component, bytes, shared }
    });
    sized.collect()
}

fn crate_of(component: &Component) -> String {
    component.package.replace('-', "_")
}

fn owns(component: &Component, module: &str) -> bool {
    let is = |name: &str| module.split("::").any(|segment| segment == name.replace('-', "_"));
    is(&component.name) || component.provides.iter().any(|contract| is(contract))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_divided_among_its_components_where_modules_tell() {
        let component = |name: &str, package: &str, provides: &[&str]| Component {
            name: name.into(),
            package: package.into(),
            provides: provides.iter().map(|&contract| contract.into()).collect(),
            ..Component::default()
        };
        let leaf = |package: &str, module: &str, bytes| Leaf {
            package: package.into(),
            module: module.into(),
            function: String::new(),
            bytes,
        };
        let components = vec![
            component("tlsf", "my-heap", &["heap"]),
            component("virtio-console", "pc", &["console"]),
            component("timer", "pc", &["clock"]),
        ];
        let leaves = [
            leaf("my_heap", "any", 1),
            leaf("my_heap", "", 2),
            leaf("pc", "devices::console::state", 4),
            leaf("pc", "devices::virtio_console", 8),
            leaf("pc", "timer", 16),
            leaf("pc", "boot", 32),
            leaf("core", "clock", 64),
        ];
        let bytes: Vec<_> = sized(components, &leaves).iter().map(|sized| (sized.bytes, sized.shared)).collect();
        assert_eq!(bytes, [(3, 0), (12, 32), (16, 32)]);
    }
}
