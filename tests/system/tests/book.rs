//! README and book, done as a reader would: each file that they show is written, each command typed, and what they say
//! that it prints is compared. `tests/system/src/chapter.rs` says by which signs a text may leave something open.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs};

use system_tests::{
    Check, MINUTES, Running, Scope, Step, TERMINAL, Terminal, Typed, all, chapter, leave, need, project_root, scratch,
    skip,
};

fn main() -> ExitCode {
    let book = fs::read_dir(project_root().join("docs/src")).expect("the book is there");
    let chapters = book.flatten().map(|entry| format!("docs/src/{}", entry.file_name().to_string_lossy()));
    let mut texts: Vec<_> = chapters.filter(|name| name.ends_with(".md")).collect();
    texts.push("README.md".to_owned());
    texts.sort();
    let check = |text: String| {
        let is_long = LONG.iter().any(|name| text.ends_with(name));
        Check::new(format!("{text}_is_true"), Scope::Once, move |_| follow(&text)).long_where(move |_| is_long)
    };
    system_tests::run(&texts.into_iter().map(check).collect::<Vec<_>>())
}

/// Chapters that build images of their own, whose ways other tests go (`compose`, `menu`).
const LONG: [&str; 3] = ["/component.md", "/own-heap.md", "/own-scheduler.md"];

/// Images of all kinds may have to be built first, on a busy machine.
const BUILD: Duration = Duration::from_secs(1500);

fn follow(text: &str) {
    need(&["/bin/busybox", "/usr/bin/python3", "bash", "curl", "mcopy", "mkfs.vfat", "qemu-system-x86_64", "tmux"]);
    if text.ends_with("one-call.md") {
        need(&["musl-gcc"]);
    }
    if text.ends_with("servers.md") {
        need(&["go", "nginx", "redis-cli", "redis-server"]);
    }
    let mut reader = Reader::new();
    for step in chapter(text) {
        match step {
            Step::File { path, text } => reader.write(&path, &text),
            // Whoever runs this has typed it.
            Step::Command(command) if command.line.starts_with("./whittle test ") => {}
            Step::Command(command) if is_long(text, &command) && !all() => {
                eprintln!();
                leave(format_args!("{text}: {}", command.line.split("  ").next().unwrap_or("")));
            }
            Step::Command(command) if command.mark() == Some(TERMINAL) => reader.looks_and_quits(&command),
            Step::Command(command) if command.line.ends_with('&') => reader.leaves_running(&command),
            Step::Command(command) => reader.types(&command),
        }
    }
}

/// Whether it takes minutes: by what it says itself, or because it builds the chapter's image for pc too.
fn is_long(text: &str, command: &Typed) -> bool {
    let builds_another = command.line.contains("--platform pc") && chapter(text).iter().any(is_file);
    builds_another || command.mark() == Some(MINUTES)
}

fn is_file(step: &Step) -> bool {
    matches!(step, Step::File { .. })
}

/// Somebody in a folder with all that the repository has, and a home of their own.
struct Reader {
    /// What goes on behind the commands that follow it. It ends before its folder does.
    running: Vec<Running>,
    folder: tempfile::TempDir,
}

impl Reader {
    fn new() -> Self {
        let folder = scratch();
        for entry in fs::read_dir(project_root()).unwrap().flatten() {
            // What commands write there is no business of the repository's.
            if ![".git", "target"].iter().any(|name| entry.file_name() == *name) {
                symlink(entry.path(), folder.path().join(entry.file_name())).unwrap();
            }
        }
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::create_dir(folder.path().join("runtime")).unwrap();
        Self { running: Vec::new(), folder }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The command in a terminal, where it shows something until somebody types `q`.
    fn looks_and_quits(&self, command: &Typed) {
        let folder = self.folder.path().display();
        let terminal = Terminal::open(80, 24, &self.shell(&format!("cd {folder} && {}", command.line)));
        terminal.wait("anything", |screen| !screen.trim().is_empty());
        terminal.keys(&["q"]);
        terminal.expect_end(0);
    }

    /// A command that a shell does in the background: its shell stays, so that it ends with the reader.
    fn leaves_running(&mut self, command: &Typed) {
        let shell = self.shell(&format!("{}\nwait", command.line));
        self.running.push(Running::start(shell, None));
    }

    fn types(&self, command: &Typed) {
        let shell = self.shell(&format!("{{ {}\n}} 2>&1", command.line));
        let printed = Running::start(shell, None).finish(BUILD);
        if let Some(line) = printed.text().lines().find(|line| line.contains("--libc gets no source of musl")) {
            skip(line);
        }
        if command.output.trim().is_empty() {
            assert_eq!(printed.status, 0, "$ {}\n{}", command.line, printed.text());
        } else {
            let said = &command.output;
            assert!(command.agrees(&printed.text()), "$ {}\n{}\nand not\n{said}", command.line, printed.text());
        }
    }

    /// A shell that is to do this.
    fn shell(&self, script: &str) -> Command {
        let mut shell = Command::new("bash");
        shell.args(["-c", script]).current_dir(self.folder.path());
        // Rust stays where it is.
        for (name, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            shell.env(name, env::var_os(name).map_or_else(|| home().join(usual), PathBuf::from));
        }
        // What the tests start ends with them.
        shell.env("WHITTLE_WATCH", "never");
        // What all runs are to do with system calls is the reader's to say.
        shell.env_remove("WHITTLE_SYSCALLS");
        shell.env("HOME", self.folder.path().join("home")).env_remove("XDG_CONFIG_HOME");
        // Machines have the reader's names, and no others are seen.
        shell.env("XDG_RUNTIME_DIR", self.folder.path().join("runtime"));
        shell
    }
}

impl Drop for Reader {
    /// Where a text is not true, it is not there to end what it has left in the background.
    fn drop(&mut self) {
        let names = self.folder.path().join("runtime/whittle");
        let names =
            fs::read_dir(names).into_iter().flatten().flatten().filter_map(|name| name.file_name().into_string().ok());
        for name in names.filter(|name| !name.starts_with('.')) {
            let whittle = project_root().join("whittle");
            let _ = self.shell(&format!("{} stop --time 0 {name} > /dev/null 2>&1", whittle.display())).status();
        }
    }
}

fn home() -> PathBuf {
    env::var_os("HOME").map_or_else(|| Path::new("/root").to_owned(), PathBuf::from)
}
