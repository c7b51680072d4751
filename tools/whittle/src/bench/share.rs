//! `whittle bench files`, the tables behind the first: how fast a large file of the host's is read from its beginning
//! to its end, beside a Linux guest in the same QEMU and beside Linux itself.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::guest::{SHARED_MEMORY, Way, read_in_order};
use super::program::{Program, reading_of, work_folder};
use super::rounds::{Reading, Side, interleave};
use super::start::{run_within, whittle};
use super::table::Table;
use crate::arguments::{Files, Platform, Reference};
use crate::compose::{rebuild_image, rebuild_image_with_disks};
use crate::failure::{Doing, Failure};
use crate::host::Host;
use crate::house::House;

/// Rounds unless told otherwise.
const ROUNDS: usize = 3;
const GROUP: &str = "share";
const NAME: &str = "large-file";
const MEGABYTE: usize = 1 << 20;
/// Length of the file unless told otherwise.
const MEGABYTES: usize = 1024;
/// Each word of the file is its index times this: the program checks what it reads.
const WORD: u64 = 0x9e37_79b9_7f4a_7c15;
/// Where a machine sees the folder that the file is in.
const SHARED: &str = "/tmp/shared";
const DISK: &str = "disk";

/// Measures and prints.
pub fn compare(house: &House, wanted: &Files) -> Result<(), Failure> {
    let bench = Reads::new(house, wanted)?;
    for platform in [Platform::Pc, Platform::Process] {
        rebuild_image(house, platform.name())?;
        rebuild_image_with_disks(house, platform.name())?;
    }
    bench.compare(
        wanted,
        ["9p", DISK],
        [("pc", Box::new(|way| bench.pc(way))), ("Linux guest", Box::new(|way| bench.guest(way)))],
        "Both in QEMU's q35 without KVM, 512 MB; Linux' 9p past its cache and with messages of 512000 bytes, its fastest.",
    )?;
    bench.compare(
        wanted,
        ["file", DISK],
        [("process", Box::new(|way| bench.process(way))), ("Linux", Box::new(|_| bench.native()))],
        "Linux reads the same file in both rows.",
    )
}

/// Measures one way into a machine: ticks for a megabyte.
type Measure<'a> = Box<dyn Fn(&str) -> Result<Reading, Failure> + 'a>;

struct Reads<'a> {
    house: &'a House,
    program: Program,
    file: PathBuf,
    megabytes: usize,
    /// Ticks of the time stamp counter in a second.
    ticks: f64,
}

impl<'a> Reads<'a> {
    fn new(house: &'a House, wanted: &Files) -> Result<Self, Failure> {
        let program = Program::build(house, GROUP)?;
        let megabytes = wanted.large.map_or(MEGABYTES, usize::from);
        let file = large_file(house, megabytes)?;
        let kilohertz = Host::new(house).tsc_kilohertz();
        let kilohertz =
            kilohertz.ok_or_else(|| Failure::ours("the time stamp counter of this machine makes no sense"))?;
        Ok(Self { house, program, file, megabytes, ticks: kilohertz as f64 * 1e3 })
    }

    fn compare(
        &self,
        wanted: &Files,
        ways: [&str; 2],
        [ours, reference]: [(&str, Measure<'_>); 2],
        note: &str,
    ) -> Result<(), Failure> {
        let mut sides = vec![self.side(ours)];
        let is_compared = wanted.compare.reference != Reference::No;
        if is_compared {
            sides.push(self.side(reference));
        }
        let rounds = wanted.compare.rounds.unwrap_or(ROUNDS);
        let mut tell = |round| eprintln!("whittle: large file, round {} of {rounds}", round + 1);
        let ways = ways.map(str::to_owned);
        let rows = interleave(rounds, &ways, &mut sides, &mut tell)?;
        let table = Table {
            what: GROUP,
            unit: "megabytes (2^20) per second",
            reference: is_compared.then_some(1),
            headings: sides.into_iter().map(|side| side.heading).collect(),
            rows: ways.into_iter().zip(rows).collect(),
            notes: vec![
                format!(
                    "{} MB, one read(2) a megabyte; the file is in the host's page cache. More is better.",
                    self.megabytes
                ),
                note.into(),
            ],
        };
        table.print(wanted.compare.json);
        Ok(())
    }

    fn side<'b>(&'b self, (heading, measure): (&str, Measure<'b>)) -> Side<'b> {
        Side { heading: heading.into(), measure: Box::new(move |way| Ok(self.speed(measure(way)?))) }
    }

    fn speed(&self, reading: Reading) -> Reading {
        match reading {
            Reading::Samples(ticks) => Reading::Samples(ticks.into_iter().map(|ticks| self.ticks / ticks).collect()),
            missing @ Reading::Missing(_) => missing,
        }
    }

    fn operation(&self) -> &str {
        &self.program.operations[0]
    }

    /// What the program is told; it may stand anywhere.
    fn words(&self) -> [String; 2] {
        [format!("megabytes={}", self.megabytes), self.operation().to_owned()]
    }

    fn pc(&self, way: &str) -> Result<Reading, Failure> {
        let memory = format!("{}M", SHARED_MEMORY >> 20);
        self.ours(way, &["--platform", "pc", "--accel", "tcg", "--machine", "q35", "--memory", &memory])
    }

    fn process(&self, way: &str) -> Result<Reading, Failure> {
        self.ours(way, &["--platform", "process"])
    }

    fn ours(&self, way: &str, options: &[&str]) -> Result<Reading, Failure> {
        let (option, value, path) = match way {
            DISK => ("--disk", format!("{}:ro", self.file.display()), "/dev/vda".to_owned()),
            _ => {
                let folder = self.file.parent().unwrap_or(Path::new("/")).display();
                ("-v", format!("{folder}:{SHARED}:ro"), format!("{SHARED}/{NAME}"))
            }
        };
        let (program, share, words) = (self.program.path.display().to_string(), format!("share={path}"), self.words());
        let rest = [option, &value, "--", &program, &share, &words[0], &words[1]];
        let command = whittle(self.house, &[options, &rest].concat())?;
        Ok(reading_of(run_within(command)?, self.operation(), 1.0))
    }

    fn guest(&self, way: &str) -> Result<Reading, Failure> {
        let way = if way == DISK { Way::Disk } else { Way::Share };
        let readings = read_in_order(self.house, &self.program, &self.file, way, &self.words())?;
        let found = readings.into_iter().find(|(name, _)| name == self.operation());
        Ok(found.map_or_else(|| Reading::Missing("no-figure".into()), |(_, reading)| reading))
    }

    fn native(&self) -> Result<Reading, Failure> {
        let mut command = Command::new(&self.program.path);
        command.arg(format!("share={}", self.file.display())).args(self.words());
        Ok(reading_of(run_within(command)?, self.operation(), 1.0))
    }
}

/// The file that is read, made once for each length.
fn large_file(house: &House, megabytes: usize) -> Result<PathBuf, Failure> {
    let folder = work_folder(house)?.join(format!("shared-{megabytes}"));
    let path = folder.join(NAME);
    let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    if length != (MEGABYTE * megabytes) as u64 {
        let doing = || format!("write {}", path.display());
        fs::create_dir_all(&folder).doing(format!("make {}", folder.display()))?;
        write(File::create(&path).doing(doing())?, megabytes).doing(doing())?;
    }
    Ok(path)
}

fn write(file: File, megabytes: usize) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(MEGABYTE, file);
    for index in 0..(megabytes * MEGABYTE / 8) as u64 {
        file.write_all(&index.wrapping_mul(WORD).to_ne_bytes())?;
    }
    file.flush()
}
