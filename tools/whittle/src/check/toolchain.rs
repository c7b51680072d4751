//! Parts of the toolchain that the checks want.

use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::house::House;

/// Cargo's subcommands that `check` wants, by the toolchain's components.
const COMPONENTS: [(&str, &str); 2] = [("clippy", "clippy"), ("fmt", "rustfmt")];

/// Adds what `check` wants of the toolchain that `rust-toolchain.toml` names.
pub fn toolchain(house: &House) -> Result<(), Failure> {
    let works = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    for (subcommand, component) in COMPONENTS {
        let is_there = || works(house.cargo().args([subcommand, "--version"]));
        let mut add = Command::new("rustup");
        add.current_dir(&house.root).args(["component", "add", component]);
        let added = is_there() || works(&mut add) && is_there();
        if !added {
            let sentence = format!("{component} is missing; type: rustup component add {component}");
            return Err(Failure::ours(sentence));
        }
    }
    Ok(())
}
