//! The machines that serve: one of ours for each server, and a Linux guest with all of them.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::super::guest::Programs;
use super::super::net::{ADDRESS_OF_MACHINES, Counter, Ours, TAP, linux_with};
use super::super::start::{as_built, whittle};
use super::super::work_folder;
use super::load::{PAGE, Server};
use crate::failure::{Doing, Failure};
use crate::house::House;
use crate::pack::tree::{Entry, Kind, Tree};
use crate::pack::{self, file_with_its_way, program};

/// What they have of files, on both sides in memory: programs with their libraries, nginx' configuration and its page.
pub struct Files {
    tree: Tree,
    archive: PathBuf,
}

const CONFIGURATION: &str = "/srv/nginx.conf";

impl Files {
    /// Collects them.
    pub fn collect(house: &House) -> Result<Self, Failure> {
        let mut tree = Tree::default();
        for (path, text) in [(CONFIGURATION, configuration()), ("/srv/index.html", "x".repeat(PAGE))] {
            let file = Entry { kind: Kind::Contents(text.into_bytes()), ..Entry::directory(0o644) };
            tree.put(Path::new(path), file)?;
        }
        for path in ["/etc/passwd", "/etc/group"] {
            file_with_its_way(&mut tree, Path::new(path))?;
        }
        for server in Server::ALL {
            let path = program::find(server.program().as_ref(), None)?;
            libraries(&path)?.iter().try_for_each(|library| file_with_its_way(&mut tree, library).map(drop))?;
            file_with_its_way(&mut tree, &path)?;
        }
        let archive = work_folder(house)?.join("servers.cpio");
        let (mut packed, doing) = (pack::write(&tree, &[])?, format!("write {}", archive.display()));
        File::create(&archive).and_then(|mut file| io::copy(&mut packed, &mut file)).doing(doing)?;
        Ok(Self { tree, archive })
    }
}

/// One process, and nothing written.
fn configuration() -> String {
    let folder = |kind| format!("{kind}_temp_path /tmp/{kind};\n");
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(folder).concat();
    format!(
        "user root;\npid /tmp/nginx.pid;\ndaemon off;\nmaster_process off;\nevents {{ }}\nhttp {{\naccess_log off;\n\
         {temporary}sendfile on;\nkeepalive_requests 1000000000;\nserver {{ listen 80; root /srv; }}\n}}\n"
    )
}

/// A server's program and words.
fn words(server: Server) -> Vec<String> {
    let (words, last) = match server {
        Server::Redis => ("--bind 0.0.0.0 --protected-mode no --appendonly no --save", ""),
        Server::Nginx => ("-e stderr -c", CONFIGURATION),
        Server::Memcached => ("-u root -l 0.0.0.0 -t 1 -m", "16"),
    };
    [server.program()].into_iter().chain(words.split(' ')).chain([last]).map(str::to_owned).collect()
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

/// Starts a machine of ours with a server, and the plugin that counts.
pub fn ours(house: &House, files: &Files, server: Server, counter: &Counter) -> Result<Ours, Failure> {
    let (plugin, words) = (counter.words()?, words(server));
    let (tap, root) = (format!("tap:{TAP}"), files.archive.display().to_string());
    let mut all = vec!["--platform", "pc", "--accel", "tcg", "--machine", "q35", "--memory", "256M", "--no-profile"];
    all.extend(["--root", &root]);
    all.extend(["--plugin", &plugin, "--net", &tap, "--ip", ADDRESS_OF_MACHINES, "--"]);
    all.extend(words.iter().map(String::as_str));
    let mut command = as_built(whittle(house, &all)?);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Ours::of(command)
}

/// Starts a Linux guest with all servers.
pub fn linux(house: &House, files: &Files, counter: &Counter) -> Result<super::super::guest::Served, Failure> {
    let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
    let line = |server| words(server).iter().map(quoted).collect::<Vec<_>>().join(" ") + " &\n";
    let start = format!(
        "/bin/busybox mkdir -p /tmp /var/log/nginx /run\n{}/bin/busybox sleep 100000",
        Server::ALL.map(line).concat()
    );
    let busybox = Path::new("/bin/busybox");
    let programs = Programs { program: busybox, other: None, files: files.tree.clone(), start };
    linux_with(house, counter, programs).map(|(served, _)| served)
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
}
