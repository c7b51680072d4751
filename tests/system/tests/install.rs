//! whittle as something that is installed, and an image as one file: both run where there is no repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use system_tests::{Check, Outcome, Platform, Running, Scope, need, project_root, scratch, skip};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("an_image_is_one_file", Scope::Once, one_file),
        Check::new("an_archive_runs_where_it_is_unpacked", Scope::Once, archive),
        Check::new("a_prefix_is_filled_and_emptied", Scope::Once, prefix),
        Check::new("a_package_runs_on_a_clean_debian", Scope::Once, clean_debian).long(),
        Check::new("two_first_starts_on_a_clean_debian", Scope::Once, first_starts).long(),
    ])
}

/// Images of all kinds may have to be built first.
const BUILD: Duration = Duration::from_secs(1500);
/// To fetch and unpack a Debian.
const FETCH: Duration = Duration::from_secs(900);

/// The version, which names of files hold.
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn whittle(words: &[&str]) -> Outcome {
    let mut command = system_tests::whittle();
    command.args(words).current_dir(project_root());
    Running::start(command, None).finish(BUILD)
}

/// An installed command, by somebody with no rights and no environment but a PATH without compilers.
fn by_nobody(binary: &Path, words: &[&str]) -> Outcome {
    let mut command = if rustix::process::geteuid().is_root() {
        need(&["setpriv"]);
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(binary);
        command
    } else {
        Command::new(binary)
    };
    command.args(words).env_clear().env("PATH", "/usr/bin:/bin").current_dir("/");
    Running::start(command, None).finish(BUILD)
}

/// `build -o`: a native program and a Linux program, each one file that says itself what it is.
fn one_file(_: Platform) {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for platform in ["process", "pc"] {
        for (app, text) in [("hello-native", "Hello, world!\n"), ("busybox", "hello from an image\n")] {
            let image = path(&format!("{app}-{platform}"));
            let built = whittle(&["build", &format!("apps/{app}"), "--platform", platform, "-o", &image]);
            assert!(built.expect_status(0).text().starts_with(&format!("{image}  ")), "{}", built.text());
            whittle(&["run", &image]).expect_status(0).expect_output(text);
        }
        whittle(&["run", &path(&format!("busybox-{platform}")), "echo", "other"])
            .expect_status(0)
            .expect_output("other\n");
    }
    // A folder whose Cargo.toml makes a Linux program, which `run` takes too.
    let image = path("cargo");
    whittle(&["build", "apps/hello", "--platform", "process", "-o", &image]).expect_status(0);
    let hello = "Hello, you! I am a Rust program in a unikernel.\n";
    whittle(&["run", &image, "you"]).expect_status(0).expect_output(hello);
    let told = whittle(&["inspect", &path("hello-native-process")]);
    assert!(told.expect_status(0).text().starts_with("hello, a rust image for process"), "{}", told.text());
    let other = whittle(&["run", "--platform", "pc", &path("hello-native-process")]);
    other.expect_status(125);
    assert!(other.expect_sentence().contains("is for platform process, not for pc"));
    assert!(
        whittle(&["build", "apps/hello-native", "-o", &path("both")])
            .expect_status(125)
            .expect_sentence()
            .contains("give --platform")
    );
}

/// The archive and the package, written into a folder.
fn dist(folder: &Path) -> [PathBuf; 2] {
    whittle(&["dist", folder.to_str().unwrap()]).expect_status(0);
    [format!("whittle-{VERSION}-x86_64-linux.tar.gz"), format!("whittle_{VERSION}_amd64.deb")]
        .map(|name| folder.join(name))
}

fn archive(_: Platform) {
    let folder = scratch();
    // Somebody else is to find it.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path(), open).unwrap();
    let [archive, package] = dist(folder.path());
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(folder.path());
    Running::start(tar, None).finish(FETCH).expect_status(0);
    let binary = folder.path().join(format!("whittle-{VERSION}/bin/whittle"));
    for platform in ["process", "pc"] {
        let words = ["run", "--platform", platform, "--", "/bin/busybox", "echo", "hello"];
        by_nobody(&binary, &words).expect_status(0).expect_output("hello\n");
    }
    assert!(by_nobody(&binary, &["components", "heap"]).expect_status(0).text().contains("size-class"));
    let image = folder.path().join("hello");
    let words = ["build", "apps/hello-native", "--platform", "process", "-o", image.to_str().unwrap()];
    whittle(&words).expect_status(0);
    by_nobody(&binary, &["run", image.to_str().unwrap()]).expect_status(0).expect_output("Hello, world!\n");

    need(&["dpkg-deb"]);
    let mut list = Command::new("dpkg-deb");
    list.arg("-c").arg(&package);
    let listed = Running::start(list, None).finish(FETCH);
    let text = listed.expect_status(0).text();
    for name in ["usr/bin/whittle", "usr/lib/whittle/images/linux-pc.img", "usr/share/man/man1/whittle-run.1"] {
        assert!(text.lines().any(|line| line.ends_with(&format!(" {name}"))), "{name}: {text}");
    }
}

fn prefix(_: Platform) {
    let folder = scratch();
    let prefix = folder.path().join("prefix");
    let words = ["--prefix", prefix.to_str().unwrap()];
    for _ in 0..2 {
        whittle(&[&["install"], &words[..]].concat()).expect_status(0);
    }
    let mut command = Command::new(prefix.join("bin/whittle"));
    command.args(["run", "--", "/bin/busybox", "echo", "hello"]).env_remove("WHITTLE_ROOT").current_dir("/");
    Running::start(command, None).finish(BUILD).expect_status(0).expect_output("hello\n");
    whittle(&[&["install", "--remove"], &words[..]].concat()).expect_status(0);
    assert_eq!(fs::read_dir(&prefix).map_or(0, Iterator::count), 0, "something is left");
}

/// Debian's least system, with these packages more, to be gone with the value.
struct Debian {
    root: PathBuf,
    _folder: tempfile::TempDir,
}

impl Debian {
    fn new(packages: &str) -> Self {
        if !rustix::process::geteuid().is_root() {
            skip("not root: no Debian can be made");
        }
        need(&["debootstrap"]);
        let folder = scratch();
        let root = folder.path().join("debian");
        let mut debootstrap = Command::new("debootstrap");
        debootstrap.arg("--variant=minbase").arg(format!("--include={packages}")).arg("bookworm").arg(&root);
        let made = Running::start(debootstrap, None).finish(FETCH);
        assert!(made.status == 0, "{}", made.text());
        Self { root, _folder: folder }
    }

    /// A command inside, as root; `mounts` are folders of ours that it sees under their own names.
    fn command(&self, mounts: &[&Path], words: &[&str]) -> Command {
        let root = self.root.display();
        let bind = |path: &&Path| format!("mkdir -p {root}{0}; mount --bind {0} {root}{0}; ", path.display());
        let binds: String = mounts.iter().map(bind).collect();
        let script = format!("set -e; mount -t proc proc {root}/proc; {binds}exec chroot {root} \"$@\"");
        let mut command = Command::new("unshare");
        let path = "/usr/bin:/bin:/usr/sbin:/sbin";
        command.args(["--mount", "sh", "-c", &script, "sh"]).args(words).env_clear().env("PATH", path);
        command
    }

    fn run(&self, words: &[&str]) -> Outcome {
        Running::start(self.command(&[], words), None).finish(FETCH)
    }
}

/// No compiler, no Rust; the package and the unpacked archive in it; somebody without rights.
fn clean_debian(_: Platform) {
    let debian = Debian::new("busybox-static,python3-minimal");
    let dists = scratch();
    let [archive, package] = dist(dists.path());
    fs::copy(&package, debian.root.join("whittle.deb")).unwrap();
    let image = debian.root.join("hello.img");
    let words = ["build", "apps/hello-native", "--platform", "process", "-o", image.to_str().unwrap()];
    whittle(&words).expect_status(0);
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(&archive).arg("-C").arg(debian.root.join("opt"));
    Running::start(tar, None).finish(FETCH).expect_status(0);
    let unpacked = format!("/opt/whittle-{VERSION}/bin/whittle");
    let before = names(&debian.root);
    debian.run(&["dpkg", "-i", "/whittle.deb"]).expect_status(0);
    for command in ["whittle", &unpacked] {
        let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", command, "run"];
        let run = |words: &[&str]| debian.run(&[&nobody[..], words].concat());
        run(&["--", "/bin/busybox", "echo", "hello"]).expect_status(0).expect_output("hello\n");
        run(&["--", "/usr/bin/python3", "-c", "print(6 * 7)"]).expect_status(0).expect_output("42\n");
        run(&["/hello.img"]).expect_status(0).expect_output("Hello, world!\n");
    }
    debian.run(&["dpkg", "--purge", "whittle"]).expect_status(0);
    let after = names(&debian.root);
    // What dpkg notes of its work, and what the user keeps: a cache, here below /tmp for want of a home.
    let ours = ["/var/", "/tmp/cache-65534"];
    let is_left = |name: &&String| !before.contains(name) && !ours.iter().any(|ours| name.contains(ours));
    let left: Vec<_> = after.iter().filter(is_left).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Rust and nothing else: the README's first two commands, as two first starts at once.
fn first_starts(_: Platform) {
    let debian = Debian::new("busybox-static,ca-certificates");
    let house = debian.root.join("whittle");
    fs::create_dir(&house).unwrap();
    let copy = format!(
        "tar -C {} --exclude=./target --exclude=./.git -cf - . | tar -C {} -xf -",
        project_root().display(),
        house.display()
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &copy]);
    Running::start(shell, None).finish(FETCH).expect_status(0);
    let home = |variable: &str, usual: &str| {
        let home = std::env::var_os("HOME").map_or_else(|| PathBuf::from("/root"), PathBuf::from);
        std::env::var_os(variable).map_or_else(|| home.join(usual), PathBuf::from)
    };
    let (cargo, rustup) = (home("CARGO_HOME", ".cargo"), home("RUSTUP_HOME", ".rustup"));
    // A package of Debian's comes by the network, whose names the host knows.
    fs::copy("/etc/resolv.conf", debian.root.join("etc/resolv.conf")).unwrap();
    let start = |words: &[&str]| {
        let mut command =
            debian.command(&[&cargo, &rustup], &[&["env", "-C", "/whittle", "./whittle", "run"], words].concat());
        let path = format!("{}/bin:/usr/bin:/bin:/usr/sbin:/sbin", cargo.display());
        command.env("CARGO_HOME", &cargo).env("RUSTUP_HOME", &rustup).env("PATH", path).env("HOME", "/root");
        Running::start(command, None)
    };
    let (one, other) = (start(&["apps/hello", "you"]), start(&["--", "/bin/busybox", "echo", "hello"]));
    let (one, other) = (one.finish(BUILD), other.finish(BUILD));
    one.expect_status(0);
    other.expect_status(0);
    assert_eq!(one.text(), "Hello, you! I am a Rust program in a unikernel.\n");
    assert_eq!(other.text(), "hello\n");
    let told = one.error_text() + &other.error_text();
    for words in [
        "building the command, once: about",
        " crates begun, 10 s",
        "waiting for it",
        "building the image linux-process",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // For whoever closes an issue with it.
    println!("{told}");
}

/// All paths below a folder.
fn names(root: &Path) -> Vec<String> {
    let mut find = Command::new("find");
    find.arg(root).args(["-xdev", "-not", "-path", "*/proc/*"]);
    let mut names: Vec<_> = Running::start(find, None).finish(FETCH).text().lines().map(str::to_owned).collect();
    names.sort();
    names
}
