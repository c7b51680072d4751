//! Reads the modules of a crate: which there are, what their code names of the same crate, and what they hand on.
//!
//! Files are found as the compiler finds them, from the crate's root by `mod`. What only tests see is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{Attribute, Item, Meta};

use super::names::Names;

/// A module's path, or an item's, from the crate's root on and without it.
pub type Place = Vec<String>;

/// Code names something of its own crate.
#[derive(Debug)]
pub struct Reference {
    /// The module the code is in.
    pub module: Place,
    /// Its file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What it names.
    pub target: Place,
}

/// What is known of a crate.
#[derive(Debug, Default)]
pub struct Source {
    /// Its modules.
    pub modules: BTreeSet<Place>,
    /// What its code names.
    pub references: Vec<Reference>,
    /// By module: names that it gives to what lies elsewhere in the crate; `*` for all that is there.
    pub handed_on: BTreeMap<Place, Vec<(String, Place)>>,
}

impl Source {
    /// Reads a crate from its root file.
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut source = Self::default();
        let folder = root.parent().unwrap_or(root);
        source.file(root, folder, &Vec::new())?;
        // An item may be handed on before the module is known that it comes from.
        let modules = &source.modules;
        for (module, names) in &mut source.handed_on {
            names.retain_mut(|(_, target)| {
                let relative: Place = module.iter().chain(target.iter()).cloned().collect();
                let is_relative = target.first().is_some_and(|first| modules.contains(&joined(module, first)));
                match target.first().map(String::as_str) {
                    Some("crate") => *target = target.split_off(1),
                    _ if is_relative => *target = relative,
                    _ => return false,
                }
                true
            });
        }
        Ok(source)
    }

    /// Reads a file: modules without a body in it lie below `folder`.
    fn file(&mut self, path: &Path, folder: &Path, module: &Place) -> Result<(), String> {
        let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let file = syn::parse_file(&text)
            .map_err(|error| format!("{}:{} is not understood: {error}", path.display(), error.span().start().line))?;
        self.items(&file.items, path, folder, module)
    }

    fn items(&mut self, items: &[Item], path: &Path, folder: &Path, module: &Place) -> Result<(), String> {
        let mut names = Names::new(module);
        for item in items {
            match item {
                Item::Mod(inner) if !only_tests(&inner.attrs) => {
                    let name = inner.ident.to_string();
                    let module = joined(module, &name);
                    self.modules.insert(module.clone());
                    match &inner.content {
                        Some((_, items)) => self.items(items, path, &folder.join(&name), &module)?,
                        None => self.module(&inner.attrs, &name, path, folder, &module)?,
                    }
                }
                Item::Mod(_) => {}
                item => names.visit_item(item),
            }
        }
        self.handed_on.insert(module.clone(), names.handed_on);
        self.references.extend(names.found.into_iter().map(|(line, target)| Reference {
            module: module.clone(),
            file: path.to_owned(),
            line,
            target,
        }));
        Ok(())
    }

    /// Finds a module's file: where `path` says, beside the others, or in a folder of its own.
    fn module(
        &mut self,
        attributes: &[Attribute],
        name: &str,
        parent: &Path,
        folder: &Path,
        module: &Place,
    ) -> Result<(), String> {
        let below = folder.join(name);
        if let Some(path) = attributes.iter().find_map(told_path) {
            let path = parent.parent().unwrap_or(folder).join(path);
            return self.file(&path, path.parent().unwrap_or(folder), module);
        }
        let beside = folder.join(format!("{name}.rs"));
        if beside.exists() {
            self.file(&beside, &below, module)
        } else {
            self.file(&below.join("mod.rs"), &below, module)
        }
    }
}

/// A place and one name more.
pub fn joined(place: &Place, name: &str) -> Place {
    place.iter().map(String::as_str).chain([name]).map(str::to_owned).collect()
}

/// The file that `#[path = ".."]` names.
fn told_path(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value else { return None };
    pair.path.is_ident("path").then(|| text.value())
}

/// Whether code with these attributes is there for tests alone: `#[test]`, `#[cfg(test)]` or `#[cfg(all(.., test))]`.
pub fn only_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            syn::parse2::<Meta>(list.tokens.clone()).is_ok_and(|condition| needs_test(&condition))
        }
        _ => false,
    })
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parts = list.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(needs_test))
        }
        _ => false,
    }
}
