//! `whittle new NAME`: a folder to begin with.

use std::fs;
use std::path::Path;

use super::super::REQUEST;
use super::super::request::check_name;
use crate::failure::{Doing, Failure};
use crate::house::House;

/// Makes a folder of that name for a Rust program, or for a Linux program.
pub fn new(house: &House, folder: &Path, rust: bool) -> Result<(), Failure> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check_name(name).map_err(Failure::ours)?;
    if folder.exists() {
        return Err(Failure::ours(format!("{} is there already", folder.display())));
    }
    let files = if rust { rust_files(house, name)? } else { vec![(REQUEST, linux_request(name))] };
    for (path, text) in files {
        super::super::generate::write_if_changed(&folder.join(path), &text)?;
    }
    let shown = folder.display();
    if rust {
        println!("{shown} is a Rust program; run it:\n  whittle run {shown}");
    } else {
        println!("{shown} is an image of a Linux program, busybox; run it:\n  whittle run {shown}");
    }
    println!("Its parts are named in {shown}/{REQUEST}; others are shown by whittle components");
    Ok(())
}

fn rust_files(house: &House, name: &str) -> Result<Vec<(&'static str, String)>, Failure> {
    let api = house.root.join("api/rust");
    let api = fs::canonicalize(&api).unwrap_or(api);
    let api = api.to_str().ok_or("its name is no UTF-8").doing("name the house's folder")?;
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
    Ok(vec![(REQUEST, request), ("Cargo.toml", manifest), ("src/main.rs", program)])
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
         # memory = \"64M\"\n# system_calls = [\"file\", \"memory\"]      # names and families; all if not said\n"
    )
}
