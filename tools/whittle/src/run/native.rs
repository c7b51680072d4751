//! Running an image that has its application in it.

use std::ffi::OsString;
use std::fs::File;

use super::memory::{self, Kernel};
use super::{About, Keeper, Setting, record, tell_image};
use crate::arguments::{Platform, Run};
use crate::compose::{Place, Plan, rebuild};
use crate::debugger::Debugged;
use crate::failure::Failure;
use crate::fresh::Look;
use crate::host::Host;
use crate::house::House;
use crate::machine::{
    Native, NativeConsole, OpenNic, Outcome, PCAP, Start, Wanted, open_nics, run_on_pc, run_on_process,
};
use crate::pack::{self, Tree};
use crate::setup;
use crate::signals::Signals;
use crate::words::{Disk, Net};

/// Builds the image if it is stale and runs it to its end.
pub fn run(
    house: &House,
    run: &Run,
    setting: &Setting,
    place: &Place,
    disks: Vec<Disk>,
    mut look: Look<'_>,
    keeper: &mut dyn Keeper,
) -> Result<Outcome, Failure> {
    refuse_foreign_options(run)?;
    let host = &Host::new(house);
    let platform = setting.platform;
    if platform == Platform::Pc {
        setup::qemu()?;
    }
    rebuild(house, place, platform.name(), &mut look)?;
    if run.verbose {
        tell_image(place, platform, &look);
    }
    let plan = Plan::read(&place.plan(platform.name()))?;
    let image = place.image(platform.name());
    let kernel = match platform {
        Platform::Pc => Kernel::Pc(&image),
        Platform::Process => Kernel::Process,
    };
    if let (Some(_), None) = (run.nics.first(), plan.provider("nic")) {
        let sentence = "--nic: this image has no part that uses network interfaces, or its program calls none of them";
        return Err(Failure::ours(sentence));
    }
    if run.pcap.is_some() && run.nics.is_empty() {
        return Err(Failure::ours("--pcap: there are no packets to write down: give the program a --nic"));
    }
    let nics = open_nics(&run.nics, platform, usize::from(run.cpus.unwrap_or(1)), run.icount)?;
    if run.verbose {
        let told = run.nics.iter().zip(&nics).enumerate();
        told.for_each(|(number, (nic, open))| eprintln!("whittle: {}", nic.sentence(number, open.address)));
    }
    let memory = memory::decide_native(run.memory, host, kernel)?;
    let native = Native {
        console: console(plan.console.as_deref()),
        arguments: run.command.clone(),
        environment: environment(run),
    };
    let mut signals = Signals::new()?;
    let monitored = keeper.before(&About { run, setting: *setting, net: &Net::None }, &mut signals)?;
    let leave = look.into_afterwards();
    let start = Start {
        archive: archive(platform, run, &nics)?,
        mounts: Vec::new(),
        disks,
        nics,
        outside: Vec::new(),
        pcap: run.pcap.clone(),
        native: Some(native),
        kernel: image,
        symbols: place.symbols(platform.name()),
        memory,
        machine: run.machine.unwrap_or_default(),
        accelerator: setting.accelerator,
        processors: run.cpus.unwrap_or(1),
        icount: run.icount,
        executed: run.executed.clone(),
        plugin: run.plugin.clone(),
        slow: false,
        model: run.cpu.clone(),
        findings: house.target.clone(),
        debug: run.gdb.then(|| Debugged { program: None, sources: house.source_folders() }),
        monitored,
        afterwards: Box::new(|begun| {
            keeper.begun(begun);
            leave();
        }),
        wanted: Wanted { debug: run.verbose, figures: run.figures, notices: !run.quiet },
    };
    let outcome = match platform {
        Platform::Pc => run_on_pc(start, &mut signals),
        Platform::Process => run_on_process(start, &mut signals),
    };
    keeper.ended(&signals);
    outcome
}

/// What a process is told of its network interfaces, which a virtual machine finds by itself.
fn archive(platform: Platform, run: &Run, nics: &[OpenNic]) -> Result<Option<File>, Failure> {
    if platform == Platform::Pc || nics.is_empty() {
        return Ok(None);
    }
    let record = record::of_native(nics.iter().map(OpenNic::record), run.pcap.as_ref().map(|_| PCAP));
    pack::write(&Tree::default(), &record).map(Some)
}

/// What a console by that name speaks on a pc: those that are not the house's print on the serial port as `plain` does.
fn console(component: Option<&str>) -> NativeConsole {
    match component {
        None | Some("port" | "framed") => NativeConsole::Port,
        Some(_) => NativeConsole::Plain,
    }
}

/// Options about a Linux program and its files say nothing to a native one.
fn refuse_foreign_options(run: &Run) -> Result<(), Failure> {
    let given = [
        ("-v", !run.shares.is_empty()),
        ("--workdir", run.workdir.is_some()),
        ("--trace", !run.trace.is_empty()),
        ("--audit", run.audit),
        ("--except", !run.except.is_empty()),
        ("--record-sites", run.record_sites.is_some()),
        ("--sites", run.sites.is_some()),
        ("--libc", run.libc),
        ("--ring", run.ring.is_some()),
        (run.network.given().unwrap_or("--net"), run.network.given().is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            Err(Failure::ours(format!("{option} is for Linux programs, and this image is native Rust")))
        }
        None => Ok(()),
    }
}

/// What a Linux program would get.
fn environment(run: &Run) -> Vec<OsString> {
    let word = |(name, value): (Vec<u8>, Vec<u8>)| {
        use std::os::unix::ffi::OsStringExt;
        OsString::from_vec([name, b"=".to_vec(), value].concat())
    };
    record::environment(run).into_iter().map(word).collect()
}
