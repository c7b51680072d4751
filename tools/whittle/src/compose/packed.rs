//! The archive of an image that carries its program: what `[linux]` in whittle.toml says, and nothing of this machine.

use std::io::Read;
use std::path::Path;

use launch::{Builder, Key};

use super::Request;
use super::request::Located;
use crate::failure::{Doing, Failure};
use crate::libc;
use crate::pack::tree::Entry;
use crate::pack::{self, Tree, program};
use crate::sites;
use crate::words::Share;

/// The bytes of the archive with this program of a request and its files. `library` stands where its loader of musl
/// would.
pub fn archive(request: &Request, program: &Located<String>, library: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let path = std::path::absolute(request.folder().join(&program.value)).doing("find the program")?;
    program::check(&path)?;
    let mut tree = Tree::default();
    tree.put("/tmp".as_ref(), Entry::directory(0o1777))?;
    program::pack(&mut tree, &path, std::env::var_os("PATH").as_deref())?;
    let linux = &request.linux;
    for (guest, host) in &linux.files {
        let share = Share { host: request.folder().join(&host.value), guest: guest.clone(), read_only: true };
        pack::share(&mut tree, &share, &mut |_| ())?;
    }
    if let Some(library) = library {
        let loader = libc::loader(&path, "/".as_ref())?;
        let guest = loader.display().to_string();
        pack::share(&mut tree, &Share { host: library.to_owned(), guest, read_only: true }, &mut |_| ())?;
    }
    if let Some(folder) = &linux.workdir {
        tree.directory(folder.as_ref())?;
    }
    let mut record = Builder::new();
    record.add(Key::Program, path.as_os_str().as_encoded_bytes());
    record.add(Key::Argument, &program.value);
    for argument in &linux.arguments {
        record.add(Key::Argument, argument);
    }
    for (name, value) in &linux.environment {
        record.add(Key::Environment, format!("{name}={value}"));
    }
    record.add(Key::Directory, linux.workdir.as_deref().unwrap_or("/"));
    if let Some(memory) = linux.memory {
        record.add(Key::Memory, memory.to_string());
    }
    if let Some(sites) = &linux.sites {
        for object in sites::read(&request.folder().join(&sites.value))? {
            record.add(Key::Calls, format!("sites:{object}"));
        }
    }
    let mut bytes = Vec::new();
    pack::write(&tree, &record.finish())?.read_to_end(&mut bytes).doing("pack the program")?;
    Ok(bytes)
}
