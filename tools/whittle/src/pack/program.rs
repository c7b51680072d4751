//! Finding the program that the person named, and refusing early what no kernel could execute.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::{Interpreter, Tree, file_with_its_way, interpreter};
use crate::failure::{Doing, Failure, plain};

/// Scripts that may be interpreted by scripts, as in execve(2).
const MOST_INTERPRETERS: usize = 4;

/// The absolute path of what `name` means: as it is with a slash in it, else the first executable file in `PATH`.
pub fn find(name: &OsStr, path: Option<&OsStr>) -> Result<PathBuf, Failure> {
    if name.is_empty() {
        return Err(Failure::not_found("the program's name is empty"));
    }
    if name.as_bytes().contains(&b'/') {
        return absolute(Path::new(name));
    }
    let path = path.ok_or_else(|| Failure::not_found(format!("{}: PATH is not set", name.display())))?;
    for folder in env::split_paths(path) {
        let candidate = folder.join(name);
        if candidate.is_file() && access(&candidate, Access::EXEC_OK).is_ok() {
            return absolute(&candidate);
        }
    }
    if Path::new(name).exists() {
        let name = name.display();
        return Err(Failure::not_found(format!("{name} is not in PATH; if you mean the file here, say ./{name}")));
    }
    Err(Failure::not_found(format!("{}: no such program in PATH", name.display())))
}

/// As [`find`] for a program that sees `root` as all there is: its path there. What is at that path, the kernel finds
/// out.
pub fn find_below(root: &Path, name: &OsStr, search: Option<&OsStr>) -> Result<PathBuf, Failure> {
    if name.as_bytes().contains(&b'/') {
        return Ok(Path::new("/").join(name));
    }
    let folders = search.map(|search| env::split_paths(search).collect::<Vec<_>>()).unwrap_or_default();
    // A link may lead somewhere else on the host than it does in there, so that it exists has to be enough.
    let is_there = |path: &PathBuf| {
        fs::symlink_metadata(root.join(path.strip_prefix("/").unwrap_or(path))).is_ok_and(|found| !found.is_dir())
    };
    folders.iter().map(|folder| folder.join(name)).find(is_there).ok_or_else(|| {
        Failure::not_found(format!("{}: no such program in PATH below {}", name.display(), root.display()))
    })
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).doing(format!("find {}", path.display()))
}

/// Refuses what is not there, not a file, or not permitted.
pub fn check(path: &Path) -> Result<(), Failure> {
    let name = path.display();
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::not_found(format!("{name}: no such file")),
        ErrorKind::NotADirectory => Failure::not_found(format!("{name}: a part of this path is not a directory")),
        _ => Failure::cannot_execute(format!("{name}: {}", plain(&error))),
    })?;
    if metadata.is_dir() {
        return Err(Failure::cannot_execute(format!(
            "{name} is a folder (a directory) without a Cargo.toml, no program"
        )));
    }
    if !metadata.is_file() {
        return Err(Failure::cannot_execute(format!("{name} is not a regular file")));
    }
    access(path, Access::EXEC_OK).map_err(|_| {
        Failure::cannot_execute(format!("{name} is not marked as executable; if it is a program, chmod +x it"))
    })?;
    access(path, Access::READ_OK).map_err(|_| Failure::cannot_execute(format!("{name} may not be read by you")))
}

/// Takes the program into the tree, with its interpreters if it is a script.
pub fn pack(tree: &mut Tree, path: &Path, search: Option<&OsStr>) -> Result<(), Failure> {
    let mut path = path.to_owned();
    for _ in 0..=MOST_INTERPRETERS {
        let place = file_with_its_way(tree, &path)?;
        let name = path.display();
        let found =
            interpreter(&place).map_err(|error| Failure::cannot_execute(format!("{name}: {}", plain(&error))))?;
        path = match found {
            Interpreter::None => return Ok(()),
            Interpreter::Unknown { text: true } => {
                let sentence = format!("{name} is text without a #! line that names its interpreter");
                return Err(Failure::cannot_execute(sentence));
            }
            Interpreter::Unknown { text: false } => {
                return Err(Failure::cannot_execute(format!("{name} is no program: neither ELF nor a #! script")));
            }
            Interpreter::Script(interpreter, argument) => {
                check_interpreter(&interpreter, &name.to_string())?;
                if let Some(named) = argument.filter(|_| interpreter.file_name() == Some(OsStr::new("env"))) {
                    named_by_env(tree, &named, search)?;
                }
                interpreter
            }
        };
    }
    Err(Failure::cannot_execute(format!("{}: scripts interpret each other without end", path.display())))
}

fn check_interpreter(interpreter: &Path, script: &str) -> Result<(), Failure> {
    if !interpreter.is_absolute() {
        let interpreter = interpreter.display();
        return Err(Failure::cannot_execute(format!("{script}: its interpreter {interpreter} is no absolute path")));
    }
    check(interpreter).map_err(|failure| Failure {
        sentence: format!("{script} needs an interpreter: {}", failure.sentence),
        ..failure
    })
}

/// `#!/usr/bin/env PROGRAM`: the program is found in PATH, on the host now and by env later.
fn named_by_env(tree: &mut Tree, argument: &OsStr, search: Option<&OsStr>) -> Result<(), Failure> {
    let words = argument.as_bytes().split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let program = words.map(OsStr::from_bytes).find(|word| {
        let word = word.as_bytes();
        !word.starts_with(b"-") && !word.contains(&b'=')
    });
    match program {
        Some(program) => file_with_its_way(tree, &find(program, search)?).map(drop),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::{CANNOT_EXECUTE, NOT_FOUND};
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn write(path: &Path, contents: &str, mode: u32) {
        fs::write(path, contents).unwrap();
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn bare_names_are_looked_up_in_path_only() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::create_dir_all(one.join("tool")).unwrap();
        fs::create_dir_all(&two).unwrap();
        write(&one.join("data"), "", 0o644);
        write(&two.join("tool"), "", 0o755);
        let path = env::join_paths([&one, &two]).unwrap();
        assert_eq!(find(OsStr::new("tool"), Some(&path)), Ok(two.join("tool")));
        for name in ["data", "", "nothing"] {
            assert_eq!(find(OsStr::new(name), Some(&path)).unwrap_err().status, NOT_FOUND, "{name}");
        }
        assert_eq!(find(OsStr::new("tool"), None).unwrap_err().status, NOT_FOUND);
        let here = find(OsStr::new("./x"), None).unwrap();
        assert_eq!(here, env::current_dir().unwrap().join("x"));
        let file_here = find(OsStr::new("Cargo.toml"), Some(&path)).unwrap_err();
        assert!(file_here.sentence.contains("say ./Cargo.toml"), "{file_here}");
    }

    #[test]
    fn each_thing_that_cannot_run_has_its_sentence_and_status() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "", 0o644);
        assert_eq!(check(&folder.path().join("none")).unwrap_err().status, NOT_FOUND);
        assert_eq!(check(&file.join("below")).unwrap_err().status, NOT_FOUND);
        assert_eq!(check(folder.path()).unwrap_err().status, CANNOT_EXECUTE);
        assert_eq!(check(&file).unwrap_err().status, CANNOT_EXECUTE);
        assert_eq!(check(Path::new("/dev/null")).unwrap_err().status, CANNOT_EXECUTE);
    }

    #[test]
    fn scripts_bring_their_interpreters() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (program, script, outer) = (root.join("program"), root.join("script"), root.join("outer"));
        write(&program, "\x7fELF", 0o755);
        write(&script, &format!("#!{}\n", program.display()), 0o755);
        write(&outer, &format!("#!{} x\n", script.display()), 0o755);
        let mut tree = Tree::default();
        pack(&mut tree, &outer, None).unwrap();
        for path in [&program, &script, &outer] {
            assert!(tree.get(path).is_some(), "{}", path.display());
        }
        // env's argument is looked up in PATH.
        let env = root.join("env");
        symlink(&program, &env).unwrap();
        write(&script, &format!("#!{} -S A=b tool x\n", env.display()), 0o755);
        write(&root.join("tool"), "\x7fELF", 0o755);
        let mut tree = Tree::default();
        pack(&mut tree, &script, Some(root.as_os_str())).unwrap();
        assert!(tree.get(&root.join("tool")).is_some());
    }

    #[test]
    fn bad_scripts_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        let myself = format!("#!{}\n", script.display());
        for (contents, status) in [
            ("echo hello\n", CANNOT_EXECUTE),
            ("\0\0\0", CANNOT_EXECUTE),
            ("", CANNOT_EXECUTE),
            ("#!/no/such/interpreter\n", NOT_FOUND),
            ("#!relative\n", CANNOT_EXECUTE),
            (&myself, CANNOT_EXECUTE),
        ] {
            write(&script, contents, 0o755);
            assert_eq!(pack(&mut Tree::default(), &script, None).unwrap_err().status, status, "{contents:?}");
        }
    }
}
