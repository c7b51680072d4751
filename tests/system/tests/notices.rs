//! What the program misses, or changed and does not keep, is told in a sentence: none of it is a silent lie.

use std::fs;
use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, Terminal, project_root, scratch};

fn main() -> ExitCode {
    use Scope::Guests;
    system_tests::run(&[
        // It builds an image.
        Check::new("a_network", Scope::Once, network).long(),
        Check::new("a_pseudo_terminal", Guests, pseudo_terminal),
        Check::new("files_that_nobody_keeps", Guests, changed),
    ])
}

/// A run may have to build its image.
const LIMIT: Duration = Duration::from_secs(900);

/// A line on standard error, once and only where it is wanted.
fn told_once(platform: Platform, words: &[&str], line: &str) {
    // The program's own words and the kernel's may meet in a line.
    let count = |guest: Guest| guest.limit(LIMIT).run(words).error_text().matches(line).count();
    assert_eq!(count(Guest::new(platform)), 1, "{line}");
    assert_eq!(count(Guest::new(platform).option("--quiet")), 0, "{line}");
}

/// In an image that has none.
fn network(platform: Platform) {
    let folder = scratch();
    let image =
        "name = \"lonely\"\nkind = \"linux\"\nplatform = [\"process\"]\n[components]\nsockets = \"no-network\"\n";
    fs::write(folder.path().join("whittle.toml"), image).unwrap();
    let lonely = folder.path().to_str().unwrap();
    let line = "whittle: the program wanted a network (socket), which whittle does not have yet";
    told_once(platform, &[lonely, "/bin/busybox", "nc", "127.0.0.1", "1"], line);
    told_once(platform, &[lonely, "/bin/busybox", "wget", "http://127.0.0.1:1/"], line);
    // IPv6, and nothing else.
    told_once(platform, &[lonely, "/bin/busybox", "nc", "::1", "1"], line);
}

fn pseudo_terminal(platform: Platform) {
    let line = "whittle: the program wanted a pseudo-terminal (/dev/ptmx), which this image leaves out: its setting \
                `pseudo_terminals` is false";
    let image = project_root().join("images/linux-single");
    told_once(platform, &[image.to_str().unwrap(), "/bin/busybox", "cat", "/dev/ptmx", "/dev/ptmx"], line);
}

/// On a terminal: a log or a script knows what it does.
fn changed(platform: Platform) {
    let folder = scratch();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(file("old"), "old").unwrap();
    let (old, new, kept) = (file("old"), file("new"), file("kept"));
    fs::create_dir(&kept).unwrap();
    let script = "echo 1 > $1; echo 2 > $2; echo 3 > $3/file; echo 4 > $2-too";
    let words = ["/bin/busybox", "sh", "-c", script, "sh", &old, &new, &kept];
    let on_terminal = |guest: Guest, words: &[&str]| {
        let command: Command = guest.command(words);
        let terminal = Terminal::open(80, 24, &command);
        terminal.expect_end(0);
        terminal.history()
    };
    let share = || Guest::new(platform).option("-v").option(format!("{kept}:{kept}"));
    let told = on_terminal(share(), &words);
    assert!(told.contains("whittle: 3 files changed in memory; -v keeps them\n"), "{told}");
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");
    assert_eq!(fs::read_to_string(format!("{kept}/file")).unwrap(), "3\n");
    let one = ["/bin/busybox", "touch", &new];
    let told = on_terminal(Guest::new(platform), &one);
    assert!(told.contains("whittle: 1 file changed in memory; -v keeps it\n"), "{told}");
    let told = on_terminal(Guest::new(platform).option("--quiet"), &one);
    assert!(!told.contains("in memory"), "{told}");
    let told = on_terminal(Guest::new(platform), &["/bin/busybox", "cat", &old]);
    assert!(!told.contains("in memory"), "{told}");
    let told = Guest::new(platform).run(&one).error_text();
    assert!(told.is_empty(), "no terminal, but: {told}");
}
