//! nginx' own tests: Perl scripts that start it themselves, with servers before and behind it on the host. Each script
//! is a unit. One process is what nginx may take, on Linux too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use system_tests::{Platform, Source, debian_files, need, scratch, suite_folder};

use super::{Ended, Suite, alone, tap};

pub struct Nginx;

const SOURCE: Source = Source {
    name: "nginx-tests",
    home: "https://github.com/nginx/nginx-tests",
    commit: "76bb761cdcaeb6cb024d605c2ef91bf8d8a602d7",
};

/// Its modules in packages of their own. Installed, they would be in each nginx of this machine.
const MODULES: [&str; 7] = [
    "libnginx-mod-http-geoip",
    "libnginx-mod-http-image-filter",
    "libnginx-mod-http-perl",
    "libnginx-mod-http-xslt-filter",
    "libnginx-mod-mail",
    "libnginx-mod-stream",
    "libnginx-mod-stream-geoip",
];
/// What the suite's scripts use of Perl's, where they pass over themselves without.
const PERL: [&str; 6] = [
    "/usr/share/perl5/Cache/Memcached.pm",
    "/usr/share/perl5/IO/Socket/SSL.pm",
    "/usr/share/perl5/Protocol/WebSocket.pm",
    "/usr/lib/x86_64-linux-gnu/perl5/5.36/FCGI.pm",
    "/usr/lib/x86_64-linux-gnu/perl5/5.36/GD.pm",
    "/usr/share/perl5/SCGI.pm",
];
/// Units that want them all have one of these in their names.
const ALL_MODULES: [&str; 4] = ["geoip", "image_filter", "perl", "xslt"];

/// How long the suite waits for an answer, and for a file: ten times as long do for an emulated machine.
const PATIENCE: [(&str, &str); 2] = [("alarm(8)", "alarm(80)"), ("for (1 .. 50) {", "for (1 .. 500) {")];

/// The folder of the binary, with its modules beside it.
fn built(folder: &Path) -> PathBuf {
    folder.join("built")
}

/// Puts nginx and its modules where the suite looks for them.
fn prepare(folder: &Path) -> Result<(), String> {
    let files = debian_files(&MODULES, "nginx")?;
    let built = built(folder);
    let perl = built.join("src/http/modules/perl");
    let text = |error: std::io::Error| error.to_string();
    fs::create_dir_all(&perl).map_err(text)?;
    let parts = files.join("usr/lib/x86_64-linux-gnu/perl5");
    let version = fs::read_dir(&parts).map_err(text)?.flatten().next().ok_or("nginx' module for Perl is not there")?;
    for (from, to) in [(files.join("usr/lib/nginx/modules"), &built), (version.path(), &perl)] {
        let copied = Command::new("cp").arg("-rT").arg(&from).arg(to).status().map_err(text)?;
        copied.success().then_some(()).ok_or_else(|| format!("{} cannot be copied", from.display()))?;
    }
    fs::copy(alone::script("nginx.pl"), built.join("nginx")).map_err(text)?;
    let library = folder.join("lib/Test/Nginx.pm");
    let own = fs::read_to_string(&library).map_err(text)?;
    fs::write(library, PATIENCE.iter().fold(own, |own, (from, to)| own.replace(from, to))).map_err(text)
}

impl Suite for Nginx {
    fn name(&self) -> &'static str {
        SOURCE.name
    }

    fn folder(&self) -> Result<PathBuf, String> {
        static READY: Mutex<Option<Result<(), String>>> = Mutex::new(None);
        need(&["apt-get", "ip", "memcached", "nginx", "openssl", "perl", "unshare"]);
        need(&PERL);
        let folder = suite_folder(&SOURCE)?;
        READY.lock().unwrap().get_or_insert_with(|| prepare(&folder)).clone()?;
        Ok(folder)
    }

    fn least(&self) -> f64 {
        super::LEAST_OF_SERVERS
    }

    fn obstacle(&self) -> Option<String> {
        alone::obstacle()
    }

    fn at_once(&self, _: Platform) -> usize {
        2
    }

    fn units(&self, folder: &Path) -> Vec<String> {
        tap::scripts(folder)
    }

    fn build(&self, _: &Path, _: &[&str]) {}

    fn run(&self, folder: &Path, platform: Platform, unit: &str) -> Vec<Ended> {
        let place = scratch();
        let mut command = alone::command(platform, &["perl", &format!("{unit}.t")]);
        command.current_dir(folder).env("TMPDIR", place.path());
        command.env("TEST_NGINX_BINARY", built(folder).join("nginx"));
        if ALL_MODULES.iter().any(|part| unit.contains(part)) {
            command.env("SUITE_ALL_MODULES", "yes");
        }
        tap::checks(unit, &alone::run(command, platform).text())
    }
}
