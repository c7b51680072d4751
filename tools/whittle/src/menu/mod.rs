//! `whittle menu`: a terminal menu over the components of an image, which edits its whittle.toml.
//!
//! | module | what it does |
//! |---|---|
//! | [`model`], [`keys`], [`edits`], [`prompts`] | the state, and what each key makes of it: no terminal, no file |
//! | [`wishes`] | the text of whittle.toml under edit, its comments kept |
//! | [`outcome`] | what the text resolves to |
//! | [`rows`], [`shown`], [`choices`], [`help`], [`values`] | what is shown: the left half, the lists, the right half, values |
//! | [`measured`] | bytes of components in the image built last |
//! | [`draw`], [`screen`] | the screen, and the terminal it is on |

mod choices;
mod draw;
mod edits;
mod help;
mod keys;
mod measured;
mod model;
mod outcome;
mod prompts;
mod rows;
mod screen;
mod shown;
#[cfg(test)]
mod tests;
mod values;
mod wishes;

use std::fs;
use std::io::{Read, Write, stdin, stdout};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::compose::{Catalogue, Place, REQUEST, Request, image_file};
use crate::failure::{Doing, Failure, plain};
use crate::house::House;
use measured::Measured;
use model::{Effect, Mode, Model, Question, Then};
use screen::{Happened, Screen};

/// Shows the menu of a folder's whittle.toml until the person leaves it; returns the exit status.
pub fn menu(house: &House, folder: &Path) -> Result<u8, Failure> {
    screen::check()?;
    let folder = &source(folder)?;
    let file = folder.join(REQUEST);
    let request = Request::of_folder(folder)?;
    let place = Place::of(house, &request)?;
    let text = fs::read_to_string(&file).doing(format!("read {}", file.display()))?;
    let model = Model::new(Catalogue::for_request(&house.root, &request)?, text)?;
    Menu { house, folder, file, place, model, inspector: None, inspected: String::new() }.show()
}

/// The folder that an image was built from, or the folder itself: the menu changes what an image is to be made of.
fn source(path: &Path) -> Result<PathBuf, Failure> {
    let Some((_, plan)) = image_file::named(path)? else { return Ok(path.to_owned()) };
    let whole = std::path::absolute(path).doing(format!("find {}", path.display()))?;
    let beside = whole.with_file_name(&plan.name);
    let is_its = |folder: &&Path| Request::of_folder(folder).is_ok_and(|request| request.name == plan.name);
    let found = std::iter::once(&*beside).chain(whole.ancestors().skip(1)).find(is_its);
    found.map(|folder| Place::shown(folder).into()).ok_or_else(|| {
        let name = path.display();
        Failure::ours(format!("{name} is built, and no whittle.toml of {} lies around it: name its folder", plan.name))
    })
}

/// The menu and the files around it.
struct Menu<'a> {
    house: &'a House,
    folder: &'a Path,
    file: PathBuf,
    place: Place,
    model: Model,
    /// Counts bytes in a process of its own, so that nobody waits for it.
    inspector: Option<Inspector>,
    /// The platform whose bytes are shown.
    inspected: String,
}

impl Menu<'_> {
    fn show(mut self) -> Result<u8, Failure> {
        let mut screen = Screen::open()?;
        loop {
            if self.inspected != self.model.platform() {
                self.inspect();
            }
            screen.show(&self.model)?;
            match screen.wait(self.inspector.as_ref().map(|inspector| inspector.pipe.as_fd()))? {
                Happened::Resized => {}
                Happened::Ended(status) => return Ok(status),
                Happened::Ready => self.read_inspector(),
                Happened::Pressed(key) => {
                    let effect = self.model.press(key);
                    if self.act(effect, &mut screen)? {
                        return Ok(0);
                    }
                }
            }
        }
    }

    /// Does what a key asked for; says whether that was the end.
    fn act(&mut self, effect: Effect, screen: &mut Screen) -> Result<bool, Failure> {
        match effect {
            Effect::Nothing => {}
            Effect::Quit => return Ok(true),
            Effect::Build => self.build(screen)?,
            Effect::Save { then, over } => match self.save(over) {
                Ok(false) => self.model.mode = Mode::Ask(Question::Overwrite(then)),
                Err(failure) => self.model.message = Some(failure.sentence),
                Ok(true) => {
                    self.model.was_saved();
                    match then {
                        Then::Stay => {}
                        Then::Quit => return Ok(true),
                        Then::Build => self.build(screen)?,
                    }
                }
            },
        }
        Ok(false)
    }

    /// Writes the text in one step; says no if the file is another than the one that was opened.
    fn save(&self, over: bool) -> Result<bool, Failure> {
        let doing = || format!("write {}", self.file.display());
        let file = fs::canonicalize(&self.file).unwrap_or_else(|_| self.file.clone());
        if !over && fs::read_to_string(&file).ok().as_deref() != Some(&self.model.saved) {
            return Ok(false);
        }
        let new = file.with_file_name(format!(".{REQUEST}.new-{}", std::process::id()));
        let written = fs::write(&new, self.model.wishes.text())
            .and_then(|()| fs::metadata(&file).map_or(Ok(()), |found| fs::set_permissions(&new, found.permissions())))
            .and_then(|()| fs::rename(&new, &file));
        written.doing(doing()).inspect_err(|_| {
            // The sentence already says what failed; there may be nothing to remove.
            let _ = fs::remove_file(&new);
        })?;
        Ok(true)
    }

    /// Builds on the terminal as it was before the menu, and counts anew.
    fn build(&mut self, screen: &mut Screen) -> Result<(), Failure> {
        let mut command = self.whittle();
        command.arg("build").arg(self.folder).args(["--platform", self.model.platform()]);
        self.model.message = Some(screen.lend(|| build(command))??);
        self.inspect();
        Ok(())
    }

    fn whittle(&self) -> Command {
        Command::new(self.house.launcher())
    }

    fn inspect(&mut self) {
        self.inspector = None;
        self.model.platform().clone_into(&mut self.inspected);
        let image = self.place.image(&self.inspected);
        if !image.is_file() {
            self.model.measured = Measured::NotBuilt;
            return;
        }
        let mut command = self.whittle();
        // What counts is there already; nothing is to be built behind the menu.
        command.arg("inspect").arg(image).arg("--json").env("WHITTLE_BUILD", "never");
        self.inspector = Inspector::start(command);
        self.model.measured = if self.inspector.is_some() { Measured::Counting } else { Measured::Unknown };
    }

    fn read_inspector(&mut self) {
        let Some(inspector) = &mut self.inspector else { return };
        if let Some(json) = inspector.read() {
            self.model.measured = Measured::read(&json);
            self.inspector = None;
        }
    }
}

/// Runs a build in the foreground; returns how it went, once the person has seen it.
fn build(mut command: Command) -> Result<String, Failure> {
    let status = match Screen::with_signals(|| command.spawn())?.and_then(|mut child| child.wait()) {
        Ok(status) if status.success() => return Ok(String::from("built")),
        Ok(_) => String::from("the image was not built"),
        Err(error) => format!("the image was not built: {}", plain(&error)),
    };
    writeln!(stdout(), "\n{status}. Enter goes back to the menu.").doing("write to the terminal")?;
    let mut line = String::new();
    stdin().read_line(&mut line).map(drop).doing("read the terminal")?;
    Ok(status)
}

/// `whittle inspect --json` under way.
struct Inspector {
    child: Child,
    pipe: ChildStdout,
    output: Vec<u8>,
}

impl Inspector {
    fn start(mut command: Command) -> Option<Self> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let pipe = child.stdout.take()?;
        Some(Self { child, pipe, output: Vec::new() })
    }

    /// Takes what is there; all of it once that was the end.
    fn read(&mut self) -> Option<Vec<u8>> {
        let mut piece = [0; 1 << 16];
        match self.pipe.read(&mut piece) {
            Ok(count) if count > 0 => {
                self.output.extend(piece.iter().take(count));
                None
            }
            _ => Some(std::mem::take(&mut self.output)),
        }
    }
}

impl Drop for Inspector {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
