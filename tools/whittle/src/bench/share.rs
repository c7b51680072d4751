//! `whittle bench files`, second table: how fast a large file of the host's is read from its beginning to its end.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::{Program, reading_of, work_folder};
use super::rounds::{Reading, Side, interleave};
use super::start::{run_within, whittle};
use super::table::Table;
use crate::arguments::{Compare, Platform, Reference};
use crate::failure::{Doing, Failure};
use crate::fresh::rebuild_image;
use crate::host::Host;
use crate::house::House;

/// Rounds unless told otherwise.
const ROUNDS: usize = 3;
const GROUP: &str = "share";
const NAME: &str = "large-file";
const MEGABYTE: usize = 1 << 20;
const MEGABYTES: usize = 1024;
/// Where a machine sees the folder that the file is in.
const SHARED: &str = "/tmp/shared";

/// Measures and prints.
pub fn compare(house: &House, wanted: &Compare) -> Result<(), Failure> {
    let program = Program::build(house, GROUP)?;
    let folder = large_file(house)?;
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
    }
    let kilohertz = Host::new(house).tsc_kilohertz();
    let kilohertz = kilohertz.ok_or_else(|| Failure::ours("the time stamp counter of this machine makes no sense"))?;
    // Ticks for a megabyte.
    let speed = |ticks: f64| kilohertz as f64 * 1e3 / ticks;
    let side = |heading: &str, platform: Option<Platform>| {
        let (house, program, folder) = (house.clone(), program.path.clone(), folder.clone());
        let measure = move |operation: &str| {
            let reading =
                reading_of(run_within(command(&house, platform, &program, &folder, operation)?)?, operation, 1.0);
            Ok(match reading {
                Reading::Samples(ticks) => Reading::Samples(ticks.into_iter().map(speed).collect()),
                missing @ Reading::Missing(_) => missing,
            })
        };
        Side { heading: heading.into(), measure: Box::new(measure) }
    };
    let mut sides = vec![side("pc, 9p", Some(Platform::Pc)), side("process", Some(Platform::Process))];
    if wanted.reference != Reference::No {
        sides.push(side("Linux", None));
    }
    let rounds = wanted.rounds.unwrap_or(ROUNDS);
    let mut tell = |round| eprintln!("whittle: large file, round {} of {rounds}", round + 1);
    let rows = interleave(rounds, &program.operations, &mut sides, &mut tell)?;
    let table = Table {
        what: GROUP,
        unit: "megabytes (2^20) per second",
        reference: (wanted.reference != Reference::No).then_some(2),
        headings: sides.into_iter().map(|side| side.heading).collect(),
        rows: program.operations.iter().cloned().zip(rows).collect(),
        notes: vec![
            "One read(2) a megabyte; the file is in the host's page cache. More is better.".into(),
            "Linux: the host's own read. No Linux guest: Debian's cloud kernel has no module for 9p.".into(),
        ],
    };
    table.print(wanted.json);
    Ok(())
}

/// The folder with the file that is read, made once. Its bytes are not all the same, so that nobody can be clever.
fn large_file(house: &House) -> Result<PathBuf, Failure> {
    let folder = work_folder(house)?.join("shared");
    let path = folder.join(NAME);
    let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    if length != (MEGABYTE * MEGABYTES) as u64 {
        fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
        let doing = || format!("write {}", path.display());
        let mut file = File::create(&path).doing(doing())?;
        let mut bytes: Vec<u8> = (0..MEGABYTE).map(|index| (index / 7 * 31) as u8).collect();
        for number in 0..MEGABYTES {
            bytes[..8].copy_from_slice(&number.to_ne_bytes());
            file.write_all(&bytes).doing(doing())?;
        }
    }
    Ok(folder)
}

fn command(
    house: &House,
    platform: Option<Platform>,
    program: &Path,
    folder: &Path,
    operation: &str,
) -> Result<Command, Failure> {
    let Some(platform) = platform else {
        let mut command = Command::new(program);
        command.arg(format!("share={}", folder.join(NAME).display())).arg(operation);
        return Ok(command);
    };
    let mount = format!("{}:{SHARED}:ro", folder.display());
    let share = format!("share={SHARED}/{NAME}");
    let words = ["--platform", platform.name(), "-v", &mount, "--", &program.display().to_string(), &share, operation];
    whittle(house, &words)
}
