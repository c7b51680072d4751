//! `whittle run`: from the words on the command line to a machine that runs the program.

mod composed;
mod descriptors;
mod disks;
mod keeper;
mod library;
mod memory;
mod missing;
mod mounts;
mod names;
mod native;
mod network;
mod record;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use composed::Composed;
pub use keeper::{About, Keeper, Nobody};
pub use record::is_of_locale;

use crate::arguments::{Accelerator, Platform, Run, SystemCalls, system_calls};
use crate::compose::{Place, Plan, general_stamps, rebuild};
use crate::debugger::Debugged;
use crate::failure::Failure;
use crate::folder;
use crate::fresh::{Look, rebuild_command};
use crate::host::Host;
use crate::house::House;
use crate::machine::{Outcome, Start, Wanted, run_on_pc, run_on_process};
use crate::pack::tree::Entry;
use crate::pack::{self, Tree, program, unpack};
use crate::profiles;
use crate::setup;
use crate::signals::Signals;
use crate::sites::{self, Recorded};
use crate::words::{Disk, Mount, Net, Root};

/// Where and how a run takes place, after all defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The platform.
    pub platform: Platform,
    /// QEMU's way of executing (pc).
    pub accelerator: Accelerator,
    /// The program's ring (pc).
    pub ring: u8,
}

impl Run {
    /// What lies below the program's own files.
    pub fn root(&self) -> &Root {
        self.root.as_ref().unwrap_or(&Root::Host)
    }

    /// What becomes of system calls, for the launch record.
    fn rewriting(&self, setting: &Setting) -> Option<String> {
        // A debugger writes breakpoints into the same code, and shows it.
        let usual = if self.gdb { SystemCalls::Trap } else { SystemCalls::Rewrite(None) };
        match self.syscalls.or(self.all_syscalls).unwrap_or(usual) {
            // At ring 3 there is nothing to call.
            _ if setting.platform == Platform::Pc && setting.ring == 3 => None,
            SystemCalls::Trap => None,
            SystemCalls::Rewrite(None) => Some(String::from("rewrite")),
            SystemCalls::Rewrite(Some(number)) => Some(format!("rewrite:{number}")),
        }
    }
}

/// What the environment says of the system calls of all runs: tests have them trap.
fn settle_syscalls(run: &mut Run) -> Result<(), Failure> {
    let Some(word) = env::var_os("WHITTLE_SYSCALLS").filter(|word| !word.is_empty()) else { return Ok(()) };
    let word = word.to_string_lossy();
    let said = system_calls(&word).map_err(|wrong| Failure::ours(format!("WHITTLE_SYSCALLS={word}: {wrong}")))?;
    run.all_syscalls = Some(said);
    Ok(())
}

/// A program at ring 3 has no way into the kernel but the instruction.
fn refuse_rewriting(run: &Run, setting: &Setting) -> Result<(), Failure> {
    let rewrites = matches!(run.syscalls, Some(SystemCalls::Rewrite(_)));
    let given = [
        ("--syscalls rewrite", rewrites),
        ("--except", !run.except.is_empty()),
        ("--record-sites", run.record_sites.is_some()),
        ("--sites", run.sites.is_some()),
    ];
    let at_ring_3 = setting.platform == Platform::Pc && setting.ring == 3;
    match given.iter().find(|(_, given)| *given && at_ring_3) {
        Some((option, _)) => Err(Failure::ours(format!(
            "{option} is for ring 0 and for --platform process; at ring 3 each system call traps"
        ))),
        None => Ok(()),
    }
}

/// Reads the sites that are known, and looks where those are to be that this run proves.
fn settle_sites(run: &mut Run, setting: &Setting) -> Result<Option<Recorded>, Failure> {
    let given = [("--record-sites", run.record_sites.is_some()), ("--sites", run.sites.is_some())];
    if let Some((option, _)) = given.iter().find(|(_, given)| *given && run.rewriting(setting).is_none()) {
        let sentence = format!("{option} needs --syscalls rewrite: here each system call traps");
        return Err(Failure::ours(sentence));
    }
    if let Some(path) = &run.sites {
        run.known_sites = sites::read(path)?;
    }
    run.record_sites.as_deref().map(Recorded::at).transpose()
}

/// Runs a program to its end.
pub fn run(house: &House, mut run: Run, keeper: &mut dyn Keeper) -> Result<Outcome, Failure> {
    let host = Host::new(house);
    // What cannot be run by this command may be by a newer one.
    let mut look = Look::of_start(house, general_stamps(house));
    if !keeper.has_looked() {
        rebuild_command(house, &mut look)?;
    }
    run.root = run.root.take().map(mounts::recognised).transpose()?;
    let disks = disks::disks(&run)?;
    let composed = Composed::of(house, &mut run, !disks.is_empty())?;
    let setting = setting(&host, &run, &composed)?;
    let platform = setting.platform;
    if platform == Platform::Process {
        descriptors::provide()?;
    }
    let place = &composed.place;
    if composed.native {
        return native::run(house, &run, &setting, place, disks, look, keeper);
    }
    refuse_rewriting(&run, &setting)?;
    settle_syscalls(&mut run)?;
    let recorded = settle_sites(&mut run, &setting)?;
    let profile = profiles::apply(&mut run)?;
    if run.verbose {
        profile.iter().for_each(|sentence| eprintln!("whittle: {sentence}"));
    }
    let mut prepared = prepare(house, &host, setting, &run, &composed, &disks)?;
    disks::check_room(&run, platform, [prepared.mounts.len(), disks.len(), prepared.link.nics.len()])?;
    if platform == Platform::Pc {
        setup::qemu()?;
    }
    if rebuild(house, place, platform.name(), &mut look)? {
        // That took a while, and the launch record tells the time.
        drop(prepared);
        prepared = prepare(house, &host, setting, &run, &composed, &disks)?;
    }
    // Opened once, and behind what may take a while.
    let link = prepared.link;
    if run.verbose {
        tell_image(place, platform, &look);
        link.sentences(&run, platform).iter().for_each(|sentence| eprintln!("whittle: {sentence}"));
        prepared.mounts.iter().for_each(|mount| eprintln!("whittle: {}", mount.sentence()));
        disks.iter().enumerate().for_each(|(number, disk)| eprintln!("whittle: {}", disk.sentence(number)));
    }
    let mut signals = Signals::new()?;
    let about = About { run: &run, setting, net: &link.net };
    let monitored = keeper.before(&about, &mut signals)?;
    let leave = look.into_afterwards();
    let start = Start {
        archive: Some(prepared.archive),
        mounts: prepared.mounts,
        disks,
        nics: link.nics,
        outside: link.outside,
        pcap: run.pcap.clone(),
        native: None,
        kernel: place.image(platform.name()),
        symbols: place.symbols(platform.name()),
        memory: prepared.memory,
        machine: run.machine.unwrap_or_default(),
        accelerator: setting.accelerator,
        processors: run.cpus.unwrap_or(1),
        icount: run.icount,
        executed: run.executed.clone(),
        plugin: run.plugin.clone(),
        slow: run.inject.as_deref() == Some("slow"),
        model: run.cpu.clone(),
        findings: house.target.clone(),
        debug: run.gdb.then(|| Debugged { program: Some(prepared.program.path), sources: house.source_folders() }),
        monitored,
        afterwards: Box::new(|begun| {
            keeper.begun(begun);
            leave();
        }),
        wanted: Wanted { debug: run.verbose, figures: run.figures || run.audit, notices: !run.quiet },
    };
    let outcome = match platform {
        Platform::Pc => run_on_pc(start, &mut signals),
        Platform::Process => run_on_process(start, &mut signals),
    };
    keeper.ended(&signals);
    let mut outcome = outcome?;
    if let Some(recorded) = recorded {
        match outcome.sites.take() {
            Some(sites) => recorded.write(sites)?,
            None => eprintln!("whittle: no sites are recorded: no program came to its end"),
        }
    }
    Ok(outcome)
}

fn tell_image(place: &Place, platform: Platform, look: &Look<'_>) {
    look.found().for_each(|sentence| eprintln!("whittle: {sentence}"));
    // An image of a test's own has no plan.
    if let Ok(plan) = Plan::read(&place.plan(platform.name())) {
        let components = plan.components.len();
        eprintln!("whittle: the image is {} of {components} components", place.name(platform.name()));
    }
}

/// Everything about a run that takes no kernel.
struct Prepared {
    program: Program,
    memory: u64,
    archive: File,
    mounts: Vec<Mount>,
    link: network::Link,
}

fn prepare(
    house: &House,
    host: &Host<'_>,
    setting: Setting,
    run: &Run,
    composed: &Composed,
    disks: &[Disk],
) -> Result<Prepared, Failure> {
    let search = env::var_os("PATH");
    let unpacked = match run.root() {
        Root::Archive(archive) => Some(unpack::unpack(archive)?),
        _ => None,
    };
    let program = find(house, run, search.as_deref(), unpacked.as_ref())?;
    let library = library::replaced(house, run, &program.path, unpacked.as_ref())?;
    let mounts = mounts::mounts(run, library)?;
    let net = network::way(run, setting.platform, &composed.place)?;
    let names = net.as_ref().map_or_else(Vec::new, |net| names::files(run, net));
    let tree = tree(run, &program, search.as_deref(), unpacked, &names)?;
    let link = network::open(run, setting, net.unwrap_or(Net::None))?;
    let seen = record::Seen { mounts: &mounts, disks, link: &link, names: &names };
    let launch = |memory| record::build(run, setting, &program, host, memory, &seen);
    let image = composed.place.image(setting.platform.name());
    let kernel = match setting.platform {
        Platform::Pc => memory::Kernel::Pc(&image),
        Platform::Process => memory::Kernel::Process,
    };
    let memory = memory::decide(run.memory, pack::length(&tree, &launch(0)), host, kernel)?;
    let archive = pack::write(&tree, &launch(memory))?;
    Ok(Prepared { program, memory, archive, mounts, link })
}

/// The program and the name it is called by.
struct Program {
    path: PathBuf,
    name: OsString,
}

fn find(house: &House, run: &Run, search: Option<&OsStr>, unpacked: Option<&Tree>) -> Result<Program, Failure> {
    let name = run.command.first().cloned().unwrap_or_default();
    if Path::new(&name).join("Cargo.toml").is_file() {
        let path = folder::build(house, Path::new(&name))?;
        return Ok(Program { name: path.clone().into_os_string(), path });
    }
    if let Root::Folder(root) = run.root() {
        return Ok(Program { path: program::find_below(root, &name, search)?, name });
    }
    match (run.root(), unpacked) {
        (Root::Archive(archive), Some(tree)) => {
            let path = unpack::find(tree, &name, search);
            let missing = || format!("{}: no such program in PATH in {}", name.display(), archive.display());
            let path = path.ok_or_else(|| Failure::not_found(missing()))?;
            return Ok(Program { path, name });
        }
        (Root::Image(image), _) => {
            if !name.as_bytes().contains(&b'/') {
                let (name, image) = (name.display(), image.display());
                let sentence = format!("{name}: say where the program is on {image}, as in /bin/{name}");
                return Err(Failure::not_found(sentence));
            }
            return Ok(Program { path: Path::new("/").join(&name), name });
        }
        _ => {}
    }
    let path = program::find(&name, search)?;
    program::check(&path)?;
    Ok(Program { path, name })
}

/// Fills in what the command line leaves open.
fn setting(host: &Host<'_>, run: &Run, composed: &Composed) -> Result<Setting, Failure> {
    let platform = match run.platform {
        Some(platform) => platform,
        // Options that only a virtual machine has ask for one.
        None if wants_pc(run) => Platform::Pc,
        None if host.has_fast_kvm() => composed.platform(Platform::Pc),
        None => composed.platform(Platform::Process),
    };
    composed.check(platform)?;
    if platform == Platform::Process {
        if wants_pc(run) {
            return Err(Failure::ours("--machine, --cpu and --accel belong to --platform pc"));
        }
        if run.ring.is_some() {
            let sentence = "--ring needs --platform pc: on process nothing separates the program from its kernel";
            return Err(Failure::ours(sentence));
        }
        return Ok(Setting { platform, accelerator: Accelerator::Tcg, ring: 3 });
    }
    let accelerator = match run.accel {
        Some(accelerator) => accelerator,
        None if run.icount => Accelerator::Tcg,
        None if host.has_fast_kvm() => Accelerator::Kvm,
        None => Accelerator::Tcg,
    };
    let slow = accelerator == Accelerator::Kvm && !host.has_fast_kvm();
    let ring = run.ring.unwrap_or(if slow { 3 } else { 0 });
    Ok(Setting { platform, accelerator, ring })
}

/// Whether there are options that only a virtual machine has.
const fn wants_pc(run: &Run) -> bool {
    run.machine.is_some() || run.accel.is_some() || run.cpu.is_some() || run.icount
}

fn tree(
    run: &Run,
    program: &Program,
    search: Option<&OsStr>,
    unpacked: Option<Tree>,
    names: &[(&str, String)],
) -> Result<Tree, Failure> {
    if let Some(folder) = run.workdir.as_ref().filter(|folder| !folder.starts_with('/')) {
        return Err(Failure::ours(format!("--workdir {folder}: the path must begin with /")));
    }
    if *run.root() == Root::Host {
        // The program stands among the host's files. What cannot be run is refused here all the same.
        program::pack(&mut Tree::default(), &program.path, search)?;
    }
    let mut tree = Tree::default();
    if let Some(unpacked) = unpacked {
        tree = unpacked;
        tree.put(Path::new("/tmp"), Entry::directory(0o1777))?;
        names::put(names, &mut tree)?;
    }
    if *run.root() == Root::Nothing {
        tree.put(Path::new("/tmp"), Entry::directory(0o1777))?;
        program::pack(&mut tree, &program.path, search)?;
        for copied in &run.copies {
            pack::share(&mut tree, copied, &mut |_| ())?;
        }
        if let Some(folder) = &run.workdir {
            tree.directory(Path::new(folder))?;
        }
    }
    Ok(tree)
}
