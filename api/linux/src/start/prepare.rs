//! Finding a program and checking it, through scripts to the ELF file in the end. Changes nothing.

use alloc::{vec, vec::Vec};

use elf::{Plan, ReadAt, Script};

use crate::start::{execute::Wish, image::Image, refusal::Refusal};

/// Most scripts between a path and its ELF program.
const MAX_SCRIPTS: usize = 4;

/// A program that can be loaded.
pub struct Prepared {
    /// Its file.
    pub image: Image,
    /// How to load it.
    pub plan: Plan,
    /// The path it was asked for by (AT_EXECFN).
    pub path: Vec<u8>,
    /// Its arguments: at least one.
    pub arguments: Vec<Vec<u8>>,
    /// Its environment.
    pub environment: Vec<Vec<u8>>,
}

/// Finds and checks what is wished for.
pub fn prepare(wish: Wish) -> Result<Prepared, Refusal> {
    let mut image = Image::open(&wish.path).map_err(Refusal::File)?;
    let Wish { path, mut arguments, environment } = wish;
    if arguments.is_empty() {
        // As Linux does since 5.18: programs do not expect to have no name.
        arguments.push(Vec::new());
    }
    let mut script_path = path.clone();
    for _ in 0..=MAX_SCRIPTS {
        let start = first_bytes(&mut image)?;
        if !elf::is_script(&start) {
            let plan = plan(&mut image, &start)?;
            return Ok(Prepared { image, plan, path, arguments, environment });
        }
        let script = Script::parse(&start).ok_or(Refusal::BadScript)?;
        let interpreter = script.interpreter.to_vec();
        let inserted = [Some(interpreter.clone()), script.argument.map(<[u8]>::to_vec), Some(script_path)];
        arguments.splice(..1, inserted.into_iter().flatten());
        image = Image::open(&interpreter).map_err(|reason| Refusal::ScriptInterpreter(interpreter.clone(), reason))?;
        script_path = interpreter;
    }
    Err(Refusal::TooManyScripts)
}

fn first_bytes(image: &mut Image) -> Result<Vec<u8>, Refusal> {
    let mut start = vec![0; elf::MAX_LINE.min(usize::try_from(image.length).unwrap_or(usize::MAX))];
    if start.is_empty() || !image.read_at(0, &mut start) {
        return Err(Refusal::Empty);
    }
    Ok(start)
}

fn plan(image: &mut Image, start: &[u8]) -> Result<Plan, Refusal> {
    let plan = Plan::read(image.length, image).map_err(|error| match error {
        elf::Error::NotElf if is_text(start) => Refusal::Text,
        error => Refusal::Elf(error),
    })?;
    match plan.interpreter {
        Some(interpreter) => Err(Refusal::Dynamic(interpreter)),
        None => Ok(plan),
    }
}

/// Whether these bytes look written by a person.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r'))
}
