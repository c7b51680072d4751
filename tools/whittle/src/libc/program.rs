//! Which loader a program has, and whether ours can stand in its place.

use std::fs;
use std::path::{Path, PathBuf};

use object::LittleEndian;
use object::read::elf::{ElfFile64, ProgramHeader};

use crate::failure::{Doing, Failure};
use crate::pack::{Interpreter, interpreter};

/// Scripts that may be interpreted by scripts, as in execve(2).
const MOST_INTERPRETERS: usize = 4;

/// The name of musl's loader, in any folder.
const MUSL: &str = "ld-musl-x86_64.so.1";

/// The path of the loader, which is the C library too, of the program at `path`, or of what interprets it. `below`:
/// where on the host the program's root is.
///
/// # Errors
/// It has no loader, or another than musl's.
pub fn loader(path: &Path, below: &Path) -> Result<PathBuf, Failure> {
    let mut path = path.to_owned();
    for _ in 0..=MOST_INTERPRETERS {
        let place = below.join(path.strip_prefix("/").unwrap_or(&path));
        let reading = || format!("read {}", place.display());
        match interpreter(&place).doing(reading())? {
            Interpreter::Script(program, _) => path = program,
            _ => return loader_in(&path, &fs::read(&place).doing(reading())?),
        }
    }
    Err(Failure::cannot_execute(format!("{}: scripts interpret each other without end", path.display())))
}

/// The same by the program's bytes.
pub fn loader_in(path: &Path, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let name = path.display();
    let only = "--libc is for dynamic programs of musl";
    let file = ElfFile64::<LittleEndian>::parse(bytes);
    let file = file.map_err(|_| Failure::ours(format!("{only}: {name} is no program of 64 bits")))?;
    let named = file.elf_program_headers().iter().find_map(|header| header.interpreter(LittleEndian, bytes).ok()?);
    let Some(loader) = named.map(|path| PathBuf::from(String::from_utf8_lossy(path).into_owned())) else {
        return Err(Failure::ours(format!("{only}: {name} is static, and its C library is in it")));
    };
    if loader.file_name() != Some(MUSL.as_ref()) {
        return Err(Failure::ours(format!("{only}: {name} is loaded by {}", loader.display())));
    }
    Ok(loader)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_loader_of_musls_is_refused() {
        let sentence = |path: &Path| loader(path, "/".as_ref()).unwrap_err().sentence;
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        fs::write(&script, "#!/bin/sh\n").unwrap();
        let only = "--libc is for dynamic programs of musl";
        assert_eq!(sentence(&script), format!("{only}: /bin/sh is loaded by /lib64/ld-linux-x86-64.so.2"));
        fs::write(&script, "#!/no/such/thing\n").unwrap();
        assert_eq!(sentence(&script), "cannot read /no/such/thing: no such file or directory");
        let text = loader_in("t".as_ref(), b"text").unwrap_err().sentence;
        assert_eq!(text, format!("{only}: t is no program of 64 bits"));
    }
}
