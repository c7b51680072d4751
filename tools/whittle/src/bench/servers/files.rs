//! The servers' files: programs with their libraries, nginx' configuration and its page, and what is built of
//! `apps/bench-servers`. They lie in one folder of the host's, and in machines' memory.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::super::start::run_well;
use super::super::work_folder;
use super::load::PAGE;
use super::server::{CONFIGURATION, PAGE_FILE, Server};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::pack::tree::{Entry, Kind};
use crate::pack::{self, Tree, file_with_its_way, program};
use crate::setup;

/// Where the servers' own files are in memory.
const INSIDE: &str = "/srv";
/// Compilers take seconds, on a busy machine and with empty caches a minute or two.
const BUILD: Duration = Duration::from_secs(600);
/// What of a Java machine no program needs that runs: tables of former versions, for compilers.
const UNNEEDED: [&str; 2] = ["ct.sym", "src.zip"];

/// What they have of files.
pub struct Files {
    work: PathBuf,
    folder: PathBuf,
}

impl Files {
    /// Makes what these servers need.
    pub fn make(house: &House, servers: &[Server]) -> Result<Self, Failure> {
        let needs = servers.iter().flat_map(|server| server.needs()).copied().collect::<Vec<_>>();
        setup::things(&needs)?;
        let work = work_folder(house)?;
        let folder = work.join("servers");
        fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
        let files = Self { work, folder };
        files.write(CONFIGURATION, &configuration(&files.folder))?;
        files.write(PAGE_FILE, &"x".repeat(PAGE))?;
        servers.iter().try_for_each(|server| files.build(&house.root.join("apps/bench-servers"), *server))?;
        Ok(files)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        fs::write(&path, text).doing(format!("write {}", path.display()))
    }

    fn build(&self, sources: &Path, server: Server) -> Result<(), Failure> {
        let mut command = match server {
            Server::Go => {
                let mut go = Command::new("go");
                // Without C it is static, as most servers in Go are.
                go.args(["build", "-o"]).arg(self.folder.join("hello")).arg(sources.join("hello.go"));
                go.env("CGO_ENABLED", "0");
                go
            }
            Server::Java => {
                let mut javac = Command::new("javac");
                javac.arg("-d").arg(&self.folder).arg(sources.join("Hello.java"));
                javac
            }
            Server::Node => {
                let doing = "copy hello.js";
                return fs::copy(sources.join("hello.js"), self.folder.join("hello.js")).map(drop).doing(doing);
            }
            _ => return Ok(()),
        };
        command.stdin(Stdio::null());
        run_well(command, BUILD).map(drop)
    }

    /// A server's program and words, with so many threads, where files are the host's.
    pub fn words(&self, server: Server, threads: usize) -> Result<Vec<String>, Failure> {
        let program = find(&server.program(&self.folder))?.display().to_string();
        Ok([vec![program], server.arguments(&self.folder, threads)].concat())
    }

    /// The same where they are those of [`Self::tree`].
    pub fn words_inside(&self, server: Server) -> Result<Vec<String>, Failure> {
        let inside = Path::new(INSIDE);
        let program = match server {
            Server::Go => server.program(inside),
            _ => find(&server.program(&self.folder))?.display().to_string(),
        };
        Ok([vec![program], server.arguments(inside, 1)].concat())
    }

    /// All that these servers have of files.
    pub fn tree(&self, servers: &[Server]) -> Result<Tree, Failure> {
        let mut tree = Tree::default();
        for path in ["/etc/passwd", "/etc/group"] {
            file_with_its_way(&mut tree, Path::new(path))?;
        }
        for server in servers {
            server.files().iter().try_for_each(|name| self.put(&mut tree, name))?;
            if *server == Server::Go {
                continue;
            }
            let program = find(&server.program(&self.folder))?;
            file_with_its_way(&mut tree, &program)?;
            let whole = fs::canonicalize(&program).doing(format!("find {}", program.display()))?;
            if *server == Server::Java {
                java(&mut tree, &whole)?;
            } else {
                with_libraries(&mut tree, &whole)?;
            }
        }
        Ok(tree)
    }

    /// One of the servers' own files, at a short path: how long it is counts, and is not to depend on the checkout's
    /// place.
    fn put(&self, tree: &mut Tree, name: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let metadata = fs::metadata(&path).doing(format!("read {}", path.display()))?;
        let kind = match name {
            CONFIGURATION => Kind::Contents(configuration(Path::new(INSIDE)).into_bytes()),
            _ => Kind::File(path, metadata.len()),
        };
        tree.put(&Path::new(INSIDE).join(name), Entry::like(&metadata, kind)).map(drop)
    }

    /// The same as an archive.
    pub fn archive(&self, server: Server) -> Result<PathBuf, Failure> {
        let place = self.work.join(format!("{}.cpio", server.name()));
        let (mut packed, doing) = (pack::write(&self.tree(&[server])?, &[])?, format!("write {}", place.display()));
        File::create(&place).and_then(|mut file| io::copy(&mut packed, &mut file)).doing(doing)?;
        Ok(place)
    }
}

/// One process, and nothing written.
fn configuration(folder: &Path) -> String {
    let temporary = |kind| format!("{kind}_temp_path /tmp/{kind};\n");
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(temporary).concat();
    format!(
        "user root;\npid /tmp/nginx.pid;\ndaemon off;\nmaster_process off;\nevents {{ }}\nhttp {{\naccess_log off;\n\
         {temporary}sendfile on;\nkeepalive_requests 1000000000;\nserver {{ listen 80; root {}; }}\n}}\n",
        folder.display()
    )
}

/// Where a program is, in PATH or among those of administrators, which are not in everybody's.
fn find(name: &str) -> Result<PathBuf, Failure> {
    program::find(name.as_ref(), Some(&setup::path()))
}

/// All files of a folder, and of those in it.
fn below(tree: &mut Tree, folder: &Path) -> Result<(), Failure> {
    let doing = || format!("read {}", folder.display());
    for entry in fs::read_dir(folder).doing(doing())? {
        let path = entry.doing(doing())?.path();
        let is_needed = UNNEEDED.iter().all(|name| !path.ends_with(name));
        if path.is_dir() {
            below(tree, &path)?;
        } else if path.exists() && is_needed {
            file_with_its_way(tree, &path)?;
        }
    }
    Ok(())
}

/// A program or library, with all libraries that it names.
fn with_libraries(tree: &mut Tree, file: &Path) -> Result<(), Failure> {
    file_with_its_way(tree, file)?;
    libraries(file)?.iter().try_for_each(|library| file_with_its_way(tree, library).map(drop))
}

/// A Java machine: its libraries are found by the place of its program.
fn java(tree: &mut Tree, program: &Path) -> Result<(), Failure> {
    let home = program.ancestors().nth(2).unwrap_or(Path::new("/"));
    with_libraries(tree, program)?;
    below(tree, &home.join("conf"))?;
    below(tree, &home.join("lib"))?;
    // What the server needs of the system's: these two name all of it.
    ["lib/libzip.so", "lib/server/libjvm.so"].iter().try_for_each(|name| with_libraries(tree, &home.join(name)))
}

/// Libraries of a program, its dynamic loader among them, as ldd(1) says.
fn libraries(program: &Path) -> Result<Vec<PathBuf>, Failure> {
    let output = Command::new("ldd").arg(program).stdin(Stdio::null()).output().doing("start ldd")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let path = |line: &str| line.split_ascii_whitespace().find(|word| word.starts_with('/')).map(PathBuf::from);
    let found: Vec<PathBuf> = text.lines().filter_map(path).collect();
    if found.is_empty() {
        return Err(Failure::ours(format!("ldd tells no libraries of {}", program.display())));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_libraries() {
        let shell = libraries(Path::new("/bin/bash")).or_else(|_| libraries(Path::new("/usr/bin/env"))).unwrap();
        assert!(shell.iter().any(|path| path.display().to_string().contains("libc.so")), "{shell:?}");
        assert!(libraries(Path::new("/etc/passwd")).is_err());
    }

    #[test]
    fn folders_come_with_what_is_below_them_but_not_with_links_to_nothing() {
        let place = tempfile::tempdir().unwrap();
        let folder = fs::canonicalize(place.path()).unwrap();
        fs::create_dir(folder.join("in")).unwrap();
        for name in ["one", "in/two", "in/ct.sym"] {
            fs::write(folder.join(name), name).unwrap();
        }
        std::os::unix::fs::symlink("nowhere", folder.join("gone")).unwrap();
        let mut tree = Tree::default();
        below(&mut tree, &folder).unwrap();
        let is_there = |name: &str| tree.get(&folder.join(name)).is_some();
        assert_eq!(["one", "in/two", "in/ct.sym", "gone"].map(is_there), [true, true, false, false]);
    }
}
