//! `whittle new NAME`: a folder to begin with.

use std::fs;
use std::path::Path;

use super::super::request::check_name;
use super::super::{Catalogue, REQUEST};
use super::skeleton;
use crate::arguments::Kind;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Makes a folder of that name for a Rust program, a Linux program, or a component.
pub fn new(house: &House, folder: &Path, kind: Kind) -> Result<(), Failure> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check_name(name).map_err(Failure::ours)?;
    if folder.exists() {
        return Err(Failure::ours(format!("{} is there already", folder.display())));
    }
    if kind != Kind::Linux {
        check_crate_name(name)?;
    }
    let files = match kind {
        Kind::Rust => rust_files(&sources(house)?, name),
        Kind::Linux => vec![(REQUEST, linux_request(name))],
        Kind::Component => {
            skeleton::check(&Catalogue::read(&house.root)?, name)?;
            skeleton::files(&sources(house)?, name)
        }
    };
    for (path, text) in files {
        super::super::generate::write_if_changed(&folder.join(path), &text)?;
    }
    let shown = folder.display();
    let what = match kind {
        Kind::Rust => format!("{shown} is a Rust program; run it:\n  whittle run {shown}"),
        Kind::Linux => format!("{shown} is an image of a Linux program, busybox; run it:\n  whittle run {shown}"),
        Kind::Component => {
            println!("{}", skeleton::advice(folder));
            return Ok(());
        }
    };
    println!("{what}\nIts parts are named in {shown}/{REQUEST}; others are shown by whittle components");
    Ok(())
}

/// The image's program names the crate in a path.
fn check_crate_name(name: &str) -> Result<(), Failure> {
    let is_word = syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_ok();
    if is_word { Ok(()) } else { Err(Failure::ours(format!("`{name}` is a word of Rust's: take another name"))) }
}

/// The folder of the house, for manifests.
fn sources(house: &House) -> Result<String, Failure> {
    let root = fs::canonicalize(&house.root).unwrap_or_else(|_| house.root.clone());
    Ok(root.to_str().ok_or("its name is no UTF-8").doing("name the house's folder")?.to_owned())
}

fn rust_files(house: &str, name: &str) -> Vec<(&'static str, String)> {
    let api = format!("{house}/api/rust");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nautobins = false\n\n\
         # The image's program calls this crate's `main`, so it is a library.\n\
         [lib]\npath = \"src/main.rs\"\n\n[dependencies]\nwhittle_std = {{ path = {} }}\n\n\
         # Not part of any workspace around it.\n[workspace]\n",
        toml::Value::from(api)
    );
    let program = format!(
        "//! What `{name}` does.\n#![no_std]\n\n#[macro_use]\nextern crate whittle_std as std;\n\n\
         /// Where the program begins.\npub fn main() {{\n    println!(\"Hello, I am {name}.\");\n}}\n"
    );
    let request = format!(
        "# What the image `{name}` is made of; `whittle build` reads it.\nname = \"{name}\"\n\
         # The program is the crate in this folder.\nkind = \"rust\"\n\
         # The machines it is for: pc (a virtual machine), process (a Linux process).\nplatform = [\"pc\", \"process\"]\n\n\
         # Contract = component. What is not named here, and what nothing here needs, is not in the image.\n\
         # `whittle components` shows what there is, `whittle explain console` more of it.\n\
         [components]\nconsole = \"plain\"\n"
    );
    vec![(REQUEST, request), ("Cargo.toml", manifest), ("src/main.rs", program)]
}

fn linux_request(name: &str) -> String {
    format!(
        "# What the image `{name}` is made of; `whittle build` reads it.\nname = \"{name}\"\n\
         # An unmodified Linux program, static, x86-64.\nkind = \"linux\"\n\
         # The machines it is for: pc (a virtual machine), process (a Linux process).\nplatform = [\"pc\", \"process\"]\n\n\
         # Contract = component, where another than the usual one is wanted. `whittle components` shows what there is.\n\
         [components]\n# entropy = \"rdrand\"\n\n\
         [linux]\nprogram = \"/bin/busybox\"\narguments = [\"echo\", \"hello\"]\n\
         # environment = {{ LANG = \"C\" }}\n# files = {{ \"/etc/motd\" = \"motd\" }}    # in the image = here\n\
         # memory = \"64M\"\n# sites = \"sites.toml\"                   # what `whittle run --record-sites` wrote\n\
         # system_calls = [\"file\", \"memory\"]      # names and families; all if not said\n"
    )
}
