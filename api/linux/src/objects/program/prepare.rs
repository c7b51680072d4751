//! Finding a program and checking it, through scripts to the ELF file in the end. Changes nothing.

use alloc::{boxed::Box, vec::Vec};

use elf::{Plan, ReadAt, Script};

use super::{execute::Wish, image::Image, refusal::Refusal};
use crate::objects::process::Strings;

/// Most scripts between a path and its ELF program.
const MAX_SCRIPTS: usize = 4;

/// An ELF file and how to load it.
pub struct Executable {
    /// The file.
    pub image: Box<Image>,
    /// What it says about its loading.
    pub plan: Box<Plan>,
}

/// A program that can be loaded.
pub struct Prepared<'a> {
    /// The program.
    pub program: Executable,
    /// Who is to load its libraries and then begin it: the dynamic linker that it names.
    pub interpreter: Option<Executable>,
    /// The path it was asked for by (AT_EXECFN), its arguments, at least one, and its environment.
    pub wish: &'a mut Wish,
    /// It is to trust nothing of who started it (AT_SECURE): it has more rights than that one.
    pub secure: bool,
}

/// Finds and checks what is wished for.
pub fn prepare(wish: &mut Wish) -> Result<Prepared<'_>, Box<Refusal>> {
    let found = wish.file.take().map_or_else(|| Image::open(&wish.path), Image::of);
    let mut image = found.map_err(|reason| Refusal::File(reason).boxed())?;
    if wish.arguments.count() == 0 {
        // As Linux does since 5.18: programs do not expect to have no name.
        wish.arguments.push(b"");
    }
    let mut path = wish.path.clone();
    for _ in 0..=MAX_SCRIPTS {
        let mut line = [0; elf::MAX_LINE];
        let start = first_bytes(&mut image, &mut line)?;
        if !elf::is_script(start) {
            let mut plan = plan(&mut image, start)?;
            let interpreter = plan.interpreter.take().map(interpreter).transpose()?;
            return Ok(Prepared { program: Executable { image, plan }, interpreter, wish, secure: false });
        }
        let script = Script::parse(start).ok_or_else(|| Refusal::BadScript.boxed())?;
        wish.arguments = script_arguments(&script, &path, &wish.arguments);
        path = script.interpreter.to_vec();
        image = Image::open(&path).map_err(|reason| Refusal::ScriptInterpreter(path.clone(), reason).boxed())?;
    }
    Err(Refusal::TooManyScripts.boxed())
}

/// What a script's interpreter is given: its own name, the argument of the line, the script's path in place of its
/// name, and the script's arguments.
fn script_arguments(script: &Script<'_>, path: &[u8], old: &Strings) -> Strings {
    let mut arguments = Strings::new();
    arguments.push(script.interpreter);
    if let Some(argument) = script.argument {
        arguments.push(argument);
    }
    arguments.push(path);
    arguments.push_rest(old);
    arguments
}

fn first_bytes<'a>(image: &mut Image, line: &'a mut [u8]) -> Result<&'a [u8], Box<Refusal>> {
    let length = line.len().min(usize::try_from(image.length).unwrap_or(usize::MAX));
    let start = &mut line[..length];
    if start.is_empty() || !image.read_at(0, start) {
        return Err(Refusal::Empty.boxed());
    }
    Ok(start)
}

#[inline(never)]
fn plan(image: &mut Image, start: &[u8]) -> Result<Box<Plan>, Box<Refusal>> {
    Plan::read(image.length, image).map(Box::new).map_err(|error| refused(error, start))
}

/// The dynamic linker at `path`, which needs no other.
#[inline(never)]
fn interpreter(path: Vec<u8>) -> Result<Executable, Box<Refusal>> {
    let mut image = match Image::open(&path) {
        Ok(image) => image,
        Err(reason) => return Err(Refusal::DynamicLinker(path, reason).boxed()),
    };
    match Plan::read(image.length, &mut *image) {
        Ok(plan) => Ok(Executable { image, plan: Box::new(plan) }),
        Err(error) => Err(Refusal::BadDynamicLinker(path, error).boxed()),
    }
}

#[cold]
fn refused(error: elf::Error, start: &[u8]) -> Box<Refusal> {
    match error {
        elf::Error::NotElf if is_text(start) => Refusal::Text,
        error => Refusal::Elf(error),
    }
    .boxed()
}

/// Whether these bytes look written by a person.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r'))
}
