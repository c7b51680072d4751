//! `whittle run DIR` where DIR has a whittle.toml: the image that it describes, and what it says about the program.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use archive::Archive;
use launch::{ARCHIVE_NAME, Key, Launch};

use super::missing;
use crate::arguments::{Platform, Run};
use crate::compose::request::{Linux, RUST};
use crate::compose::{Place, Plan, REQUEST, Request, image_file};
use crate::failure::Failure;
use crate::house::House;
use crate::pack;
use crate::sites;
use crate::words::{Root, Share, Size, Variable};

/// The image that a run uses.
pub struct Composed {
    /// Where it lies.
    pub place: Place,
    /// Whether the application is in the image, so that no program comes with the archive.
    pub native: bool,
    /// The platforms it is for; none named means every one.
    platforms: Vec<String>,
    /// The archive with the program that lies in the image: a file in memory, which its path names while it is open.
    _archive: Option<File>,
}

impl Composed {
    /// The image for these words, which are completed by what its whittle.toml says. Where no folder is named it is a
    /// general one, that with disks only where there are some.
    pub fn of(house: &House, run: &mut Run, has_disks: bool) -> Result<Self, Failure> {
        let folder = Path::new(run.command.first().map_or("".as_ref(), OsString::as_os_str));
        if let Some((place, plan)) = image_file::named(folder)? {
            return Self::of_image(run, place, plan);
        }
        if !folder.join(REQUEST).is_file() {
            let place = if has_disks { Place::with_disks(house) } else { Place::ready(house) };
            return Ok(Self { place, native: false, platforms: Vec::new(), _archive: None });
        }
        let request = Request::of_folder(folder)?;
        let place = Place::of(house, &request)?;
        let native = request.kind.value == RUST;
        if !native {
            complete(run, &request)?;
            missing::settle_root(run, &request);
            missing::refuse(run, &request)?;
        }
        let platforms = request.platforms.into_iter().flatten().map(|platform| platform.value).collect();
        Ok(Self { place, native, platforms, _archive: None })
    }

    /// An image that was named by its file. A Linux program that lies in it sees the files that lie there with it.
    fn of_image(run: &mut Run, place: Place, plan: Plan) -> Result<Self, Failure> {
        let native = plan.kind == RUST;
        let name = run.command.remove(0);
        let mut open = None;
        if let Some(bytes) = image_file::archive_in(&place.image(&plan.platform), &plan)? {
            carried(run, &bytes)?;
            let file = pack::in_memory(&bytes)?;
            run.root = Some(Root::Archive(format!("/proc/self/fd/{}", file.as_raw_fd()).into()));
            open = Some(file);
        } else if native {
            run.command.insert(0, name);
        } else if run.command.is_empty() {
            let sentence = format!("{} has no program of its own: name one behind it", name.display());
            return Err(Failure::ours(sentence));
        }
        Ok(Self { place, native, platforms: vec![plan.platform], _archive: open })
    }

    /// The platform that is used where the command line names none: the image's only one, or else `best`.
    pub fn platform(&self, best: Platform) -> Platform {
        match &self.platforms[..] {
            [only] if only == "pc" => Platform::Pc,
            [only] if only == "process" => Platform::Process,
            _ => best,
        }
    }

    /// Refuses a platform that the image is not for.
    pub fn check(&self, platform: Platform) -> Result<(), Failure> {
        let named = self.platforms.iter().any(|named| named == platform.name());
        if named || self.platforms.is_empty() {
            return Ok(());
        }
        Err(Failure::ours(format!(
            "{}: this image is for platform {}, not for {}",
            self.place.request().display(),
            self.platforms.join(" and "),
            platform.name()
        )))
    }
}

/// What the record in an image's archive says comes first, so that the command line has the last word.
fn carried(run: &mut Run, archive: &[u8]) -> Result<(), Failure> {
    let entry = Archive::new(archive).entries().flatten().find(|entry| entry.name == ARCHIVE_NAME.as_bytes());
    let entry = entry.ok_or_else(|| Failure::ours("the image's archive has no launch record"))?;
    let record = Launch::new(entry.contents);
    let word = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let program = record.first(Key::Program).map(word).ok_or_else(|| Failure::ours("the image names no program"))?;
    let own = record.all(Key::Argument).skip(1).map(word);
    let given = std::mem::take(&mut run.command);
    run.command.push(program);
    if given.is_empty() {
        run.command.extend(own)
    } else {
        run.command.extend(given)
    }
    let variables = record.all(Key::Environment).filter_map(|word| str::from_utf8(word).ok()?.parse().ok());
    run.env.splice(..0, variables);
    run.workdir = run.workdir.take().or_else(|| record.text(Key::Directory).map(str::to_owned));
    run.memory = run.memory.or_else(|| record.number(Key::Memory).map(Size));
    let sites = record.all(Key::Calls).filter_map(|field| str::from_utf8(field).ok()?.strip_prefix("sites:"));
    run.known_sites = sites.filter_map(|object| object.parse().ok()).collect();
    Ok(())
}

/// What whittle.toml says comes first, so that the command line has the last word.
fn complete(run: &mut Run, request: &Request) -> Result<(), Failure> {
    let Linux { program, arguments, environment, files, workdir, memory, sites, libc, .. } = &request.linux;
    let given: Vec<OsString> = run.command.drain(..).skip(1).collect();
    let host = |path: &str| request.folder().join(path);
    match program {
        Some(program) => {
            run.command.push(host(&program.value).into_os_string());
            let own = arguments.iter().map(OsString::from);
            if given.is_empty() { run.command.extend(own) } else { run.command.extend(given) }
        }
        None if given.is_empty() => {
            let sentence = "this image has no program of its own: name one behind the folder, or under [linux]";
            return Err(request.wrong(0, sentence));
        }
        None => run.command = given,
    }
    let variable = |(name, value): &(String, String)| Variable { name: name.clone(), value: Some(value.into()) };
    run.env.splice(..0, environment.iter().map(variable));
    let copied = files.iter().map(|(guest, path)| (host(&path.value), guest.clone()));
    run.copies = copied.map(|(host, guest)| Share { host, guest, read_only: true }).collect();
    // The image's own program is alone with these, as it will be where the image is started by hand.
    if program.is_some() {
        run.root.get_or_insert(Root::Nothing);
    }
    run.workdir = run.workdir.take().or_else(|| workdir.clone());
    run.memory = run.memory.or(memory.map(Size));
    run.libc |= libc;
    if let Some(sites) = sites {
        run.known_sites = sites::read(&host(&sites.value))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use launch::Builder;

    use super::*;
    use crate::pack::Tree;

    const SITES: &str = "version = 1\n[[object]]\npath = \"/lib/a\"\nbuild-id = \"ab\"\nsites = [1, 0x2]\n";

    fn request(folder: &Path) -> Request {
        let text = "name = \"a\"\nkind = \"linux\"\n[linux]\nprogram = \"/bin/sh\"\nsites = \"known\"\n";
        Request::parse(&folder.join(REQUEST), text).unwrap()
    }

    #[test]
    fn sites_of_a_request_are_known_to_its_runs() {
        let folder = tempfile::tempdir().unwrap();
        let request = request(folder.path());
        let run = || Run { command: vec!["folder".into()], ..Run::default() };
        assert!(complete(&mut run(), &request).unwrap_err().sentence.contains("known: no such file"));
        std::fs::write(folder.path().join("known"), "version = 1\nnonsense\n").unwrap();
        assert!(complete(&mut run(), &request).unwrap_err().sentence.contains("known:2: "));
        std::fs::write(folder.path().join("known"), SITES).unwrap();
        let mut run = run();
        complete(&mut run, &request).unwrap();
        assert_eq!(run.known_sites, ["ab 0x1,0x2 /lib/a".parse().unwrap()]);
    }

    #[test]
    fn an_image_carries_its_sites() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("known"), SITES).unwrap();
        let request = request(folder.path());
        let archive = crate::compose::packed::archive(&request, request.linux.program.as_ref().unwrap(), None).unwrap();
        let mut run = Run::default();
        carried(&mut run, &archive).unwrap();
        assert_eq!(run.known_sites, ["ab 0x1,0x2 /lib/a".parse().unwrap()]);
        // What makes no sense is none.
        let mut record = Builder::new();
        record.add(Key::Program, "/bin/sh").add(Key::Calls, "sites:nonsense").add(Key::Calls, "sites");
        let mut bytes = Vec::new();
        pack::write(&Tree::default(), &record.finish()).unwrap().read_to_end(&mut bytes).unwrap();
        carried(&mut run, &bytes).unwrap();
        assert_eq!(run.known_sites, []);
    }
}
