//! `whittle eject`: the generated crate becomes its owner's.

use std::fs;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, value};

use super::super::generate::{cargo_settings, generate};
use super::super::{Catalogue, REQUEST, Request, resolve};
use super::chosen_platforms;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Writes the crate of each platform beside whittle.toml and says so there. Overwrites nothing.
pub fn eject(house: &House, folder: &Path, platform: Option<&str>) -> Result<(), Failure> {
    let request = Request::of_folder(folder)?;
    let catalogue = Catalogue::for_request(&house.root, &request)?;
    let platforms = chosen_platforms(&catalogue, &request, platform)?;
    // First everything that can be refused, so that nothing is done by halves.
    let mut crates = Vec::new();
    for platform in platforms {
        let name = format!("image-{platform}");
        if request.eject.contains_key(&platform) || folder.join(&name).exists() {
            let place = request.eject.get(&platform).unwrap_or(&name);
            return Err(Failure::ours(format!("{} is there already: it is yours", folder.join(place).display())));
        }
        let plan = resolve(&catalogue, &request, &platform)?;
        crates.push((name, generate(&catalogue, &request, &plan)?.owned(), plan));
    }
    let doing = || format!("write {}", folder.join(REQUEST).display());
    let mut document: DocumentMut = fs::read_to_string(folder.join(REQUEST)).doing(doing())?.parse().doing(doing())?;
    for (name, made, plan) in &crates {
        made.write(&folder.join(name))?;
        if let Some(platform) = catalogue.platforms.get(&plan.platform) {
            let settings = folder.join(name).join(".cargo/config.toml");
            super::super::generate::write_if_changed(&settings, &cargo_settings(platform, plan))?;
        }
        document.entry("eject").or_insert(Item::Table(Table::new()))[plan.platform.as_str()] = value(name.as_str());
        println!("{} is yours now: whittle build builds it as it is", folder.join(name).display());
    }
    fs::write(folder.join(REQUEST), document.to_string()).doing(doing())
}
