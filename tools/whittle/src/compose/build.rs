//! `whittle build`: the image's crate written down and built, and three files left of it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use cargo_metadata::Message;

use super::generate::generate;
use super::request::{RUST, Request};
use super::{Catalogue, Place, Plan, cargo, embed, linker, packed, resolve};
use crate::failure::{Doing, Failure};
use crate::fresh::{Progress, stamp, strip};
use crate::house::House;
use crate::libc;

/// Cargo and the stamp go by times of files, which lag behind the clock.
const SETTLED: Duration = Duration::from_millis(50);

/// An image's crate as it lies on disk, and everything that led to it.
pub struct Prepared {
    /// What the house offers.
    pub catalogue: Catalogue,
    /// What the image is made of.
    pub plan: Plan,
    /// The crate's folder.
    pub source: PathBuf,
    request: Request,
    place: Place,
}

/// Resolves the whittle.toml of a folder for a platform and writes the crate, unless its owner took it over.
pub fn prepare(house: &House, request: &Request, platform: &str) -> Result<Prepared, Failure> {
    let catalogue = Catalogue::for_request(&house.root, request)?;
    let place = Place::of(house, request)?;
    let plan = resolve(&catalogue, request, platform)?;
    let source = place.source(request, platform);
    if request.eject.contains_key(platform) {
        if !source.join("Cargo.toml").is_file() {
            let sentence = format!("[eject] names {}, and there is no Cargo.toml in it", source.display());
            return Err(request.wrong(0, &sentence));
        }
    } else if generate(&catalogue, request, &plan)?.write(&source)? {
        thread::sleep(SETTLED);
    }
    copy_lock(house, request, &source)?;
    Ok(Prepared { catalogue, plan, source, request: request.clone(), place })
}

/// The house's choice of versions is the image's too. A Rust application keeps its own once it has them.
fn copy_lock(house: &House, request: &Request, source: &Path) -> Result<(), Failure> {
    let (ours, lock) = (house.root.join("Cargo.lock"), source.join("Cargo.lock"));
    let keep = lock.exists() && (request.kind.value == RUST || !request.eject.is_empty());
    if keep || !ours.exists() {
        return Ok(());
    }
    fs::copy(&ours, &lock).map(drop).doing(format!("write {}", lock.display()))
}

impl Prepared {
    /// `cargo` for the crate.
    pub fn cargo(&self, house: &House, subcommand: &str) -> Result<Command, Failure> {
        let platform = self.catalogue.platforms.get(&self.plan.platform);
        let platform = platform.ok_or_else(|| Failure::ours("the platform went away"))?;
        Ok(cargo::cargo(house, subcommand, &self.source.join("Cargo.toml"), platform, &self.plan))
    }

    /// Builds the crate and leaves the image, its symbols and its plan.
    pub fn build(&self, house: &House, verbose: bool) -> Result<(), Failure> {
        let started = SystemTime::now();
        let mut cargo = self.cargo(house, "build")?;
        cargo.arg("--message-format=json-render-diagnostics");
        let program = {
            let mut progress = (!verbose).then(|| self.progress());
            self.run_cargo(cargo, &mut |line| match &mut progress {
                Some(progress) => progress.compiling(line),
                None => eprintln!("{line}"),
            })?
        };
        let whole = fs::read(&program).doing(format!("read {}", program.display()))?;
        let platform = &self.plan.platform;
        let image = self.place.image(platform);
        let output = image.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(output).doing(format!("make {}", output.display()))?;
        let mut stripped = strip(whole.clone()).doing(format!("strip {}", program.display()))?;
        let mut plan = self.plan.clone();
        if let Some(carried) = &self.request.linux.program {
            let library = self.request.linux.libc.then(|| libc::library(house)).transpose()?;
            let archive = packed::archive(&self.request, carried, library.as_deref())?;
            stripped = embed(stripped, &whole, &archive)?;
            plan.archive = Some([(stripped.len() - archive.len()) as u64, archive.len() as u64]);
        }
        write(&self.place.symbols(platform), &whole, 0o755)?;
        write(&self.place.plan(platform), plan.json().as_bytes(), 0o644)?;
        write(&image, &stripped, 0o755)?;
        self.write_stamp(house, &program, started)
    }

    fn write_stamp(&self, house: &House, program: &Path, started: SystemTime) -> Result<(), Failure> {
        let linux = &self.request.linux;
        let hosts = linux.program.iter().chain(linux.files.iter().map(|(_, host)| host)).chain(&linux.sites);
        let hosts = hosts.map(|host| self.place.folder.join(&host.value));
        let more = self.catalogue.sources().chain([self.place.request(), self.source.join("Cargo.toml")]).chain(hosts);
        let built = stamp::Built {
            root: &house.root,
            words: &house.surroundings(),
            dep_info: &program.with_extension("d"),
            more: more.collect(),
            // Cargo writes a Cargo.lock into it.
            folder: &self.source,
        };
        stamp::write(&self.place.stamp(&self.plan.platform), &built, started)
    }

    /// What is built and what that takes: as measured on a quiet machine with two processors.
    fn progress(&self) -> Progress {
        let platform = &self.plan.platform;
        let first = !self.place.image(platform).exists();
        let takes = if first {
            "about half a minute on a quiet machine; 160 MB beside it"
        } else {
            "something in it has changed"
        };
        Progress::begin(&format!("the image {}", self.place.name(platform)), takes, !self.place.is_ready)
    }

    /// Runs cargo and returns the program it built; `compiling` hears of each crate.
    fn run_cargo(&self, mut cargo: Command, compiling: &mut dyn FnMut(&str)) -> Result<PathBuf, Failure> {
        cargo.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = cargo.spawn().map_err(|error| {
            Failure::ours(format!("cannot start cargo ({error}): install Rust from https://rustup.rs"))
        })?;
        let (words, programs) = listen(&mut child, compiling);
        let status = child.wait().doing("wait for cargo")?;
        if status.success() {
            return match &programs[..] {
                [program] => Ok(program.clone()),
                _ => Err(Failure::ours(format!("{} must build one program", self.source.display()))),
            };
        }
        if let Some(sentence) = linker::translate(&self.catalogue, &self.plan, &words) {
            return Err(self.request.wrong(0, &sentence));
        }
        eprint!("{words}");
        Err(Failure::ours(format!("the image {} does not build, see above", self.place.name(&self.plan.platform))))
    }
}

/// Everything cargo says on standard error, and the programs it made.
fn listen(child: &mut Child, compiling: &mut dyn FnMut(&str)) -> (String, Vec<PathBuf>) {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let reader = thread::spawn(move || out.map(programs).unwrap_or_default());
    let mut words = String::new();
    for line in err.into_iter().flat_map(|err| BufReader::new(err).split(b'\n').map_while(Result::ok)) {
        let line = String::from_utf8_lossy(&line);
        let crate_line = ["Compiling ", "Downloading ", "Downloaded "].iter().any(|word| line.trim().starts_with(word));
        if crate_line {
            compiling(line.trim());
        } else {
            words.push_str(&line);
            words.push('\n');
        }
    }
    (words, reader.join().unwrap_or_default())
}

fn programs(out: impl Read) -> Vec<PathBuf> {
    let messages = Message::parse_stream(BufReader::new(out)).flatten();
    let program = |message| match message {
        Message::CompilerArtifact(artifact) => artifact.executable.map(PathBuf::from),
        _ => None,
    };
    messages.filter_map(program).collect()
}

/// Puts a file into its place in one step: another run may be starting the old one just now.
pub fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<(), Failure> {
    let new = path.with_extension(format!("new-{}", std::process::id()));
    let written = fs::write(&new, bytes)
        .and_then(|()| fs::set_permissions(&new, PermissionsExt::from_mode(mode)))
        .and_then(|()| fs::rename(&new, path));
    written.doing(format!("write {}", path.display()))
}
