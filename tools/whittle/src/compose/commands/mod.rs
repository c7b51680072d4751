//! The verbs around composition: `build`, `eject`, `new`, `components`, `explain`.

mod components;
mod eject;
mod explain;
mod new;
mod skeleton;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::Write;
use std::path::Path;

pub use components::components;
pub use eject::eject;
pub use explain::explain;
pub use new::new;

use super::build::{prepare, write};
use super::request::LINUX;
use super::{Catalogue, Place, Plan, REQUEST, Request, image_file, nearest, rebuild, resolve};
use crate::arguments::{Build, Platform};
use crate::failure::{Doing, Failure};
use crate::folder;
use crate::fresh::Look;
use crate::house::House;

/// `whittle build`: builds the image of a folder for its platforms, or for one of them, and says what is left.
pub fn build(house: &House, words: &Build) -> Result<(), Failure> {
    let verbose = words.verbose;
    let mut request = requested(house, &words.folder)?;
    if words.libc && request.linux.program.is_none() {
        return Err(Failure::ours("--libc is for an image with a Linux program in it, and this one has none"));
    }
    request.linux.libc |= words.libc;
    let catalogue = Catalogue::for_request(&house.root, &request)?;
    let platforms = chosen_platforms(&catalogue, &request, words.platform.as_deref())?;
    if words.output.is_some() && platforms.len() != 1 {
        let sentence = format!("-o is one image, and this one is for {}: give --platform", platforms.join(" and "));
        return Err(Failure::ours(sentence));
    }
    for platform in platforms {
        let prepared = prepare(house, &request, &platform)?;
        if verbose {
            tell_plan(&prepared);
        }
        prepared.build(house, verbose)?;
        let place = Place::of(house, &request)?;
        match &words.output {
            None => tell_files(&place, &platform)?,
            Some(output) => write_whole(&place, &platform, output)?,
        }
    }
    Ok(())
}

/// What a folder asks for: its whittle.toml, or that the Linux program is packed which its Cargo.toml builds.
fn requested(house: &House, path: &Path) -> Result<Request, Failure> {
    let file = path.join(REQUEST);
    if file.is_file() || !path.join("Cargo.toml").is_file() {
        return Request::read(&file);
    }
    let program = folder::build(house, path)?;
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = format!("name = {name:?}\nkind = {LINUX:?}\n[linux]\nprogram = {:?}\n", program.display().to_string());
    Request::parse(&file, &text)
}

/// `-o IMAGE`: one file, which says itself what it is; its symbols, which nobody needs to run it, beside it.
fn write_whole(place: &Place, platform: &str, output: &Path) -> Result<(), Failure> {
    let image = place.image(platform);
    let bytes = fs::read(&image).doing(format!("read {}", image.display()))?;
    let whole = image_file::with_plan(bytes, &Plan::read(&place.plan(platform))?);
    write(output, &whole, 0o755)?;
    say(&format!("{}  {} bytes, the image; run it: whittle run {0}", output.display(), whole.len()));
    let (from, to) = (place.symbols(platform), image_file::symbols(output));
    let symbols = fs::read(&from).doing(format!("read {}", from.display()))?;
    write(&to, &symbols, 0o755)?;
    say(&format!("{}  {} bytes, the same with symbols, for inspect and gdb", to.display(), symbols.len()));
    Ok(())
}

/// `whittle build --all`: the images that `whittle run` uses for any program, where they are not in step already.
pub fn build_all(house: &House) -> Result<(), Failure> {
    for place in [Place::ready(house), Place::with_disks(house)] {
        for platform in [Platform::Process, Platform::Pc] {
            rebuild(house, &place, platform.name(), &mut Look::alone(house))?;
            tell_files(&place, platform.name())?;
        }
    }
    Ok(())
}

/// What is left of an image, with its bytes.
fn tell_files(place: &Place, platform: &str) -> Result<(), Failure> {
    for (path, what) in [
        (place.image(platform), "the image"),
        (place.symbols(platform), "the same with symbols"),
        (place.plan(platform), "what it is made of"),
    ] {
        let bytes = fs::metadata(&path).doing(format!("read {}", path.display()))?.len();
        say(&format!("{}  {bytes} bytes, {what}", Place::shown(&path)));
    }
    Ok(())
}

fn tell_plan(prepared: &super::build::Prepared) {
    eprintln!("whittle: the crate is {}", Place::shown(&prepared.source));
    for part in &prepared.plan.components {
        let chosen = format!("{:?}", part.chosen).to_lowercase();
        eprintln!("whittle: {} of {} ({chosen}): {}", part.name, part.package, part.summary);
    }
}

/// The platforms to build for: the request's, or the one asked for, which must be among them.
pub fn chosen_platforms(catalogue: &Catalogue, request: &Request, asked: Option<&str>) -> Result<Vec<String>, Failure> {
    let platforms = resolve::platforms(catalogue, request)?;
    let Some(asked) = asked else { return Ok(platforms) };
    if platforms.iter().any(|platform| platform == asked) {
        return Ok(vec![asked.to_owned()]);
    }
    if catalogue.platforms.contains_key(asked) {
        let line = request.platforms.iter().flatten().map(|platform| platform.line).next().unwrap_or(0);
        let sentence = format!("`{}` is for platform {}, not for {asked}", request.name, platforms.join(" and "));
        return Err(request.wrong(line, &sentence));
    }
    let known = nearest(asked, catalogue.platforms.keys().map(String::as_str));
    Err(Failure::ours(format!("--platform {asked}: there is no such platform{known}")))
}

/// Prints a line. Whoever does not read to the end has read enough.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}
