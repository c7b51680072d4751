//! Options that an image cannot serve, because its whittle.toml leaves out what answers them.

use crate::arguments::{Run, SystemCalls};
use crate::compose::Request;
use crate::failure::Failure;
use crate::words::Root;

/// Components that leave the host's files out, by their contract.
const ALONE: [(&str, &str); 2] = [("root", "archive-files"), ("shares", "no-shares")];

/// The component by which a program is alone with the files of its archive, if the image has one.
fn alone(request: &Request) -> Option<&str> {
    let mut named = request.components.iter().map(|choice| (&*choice.name.value, &*choice.component.value));
    named.find(|choice| ALONE.contains(choice)).map(|(_, component)| component)
}

/// A program that is alone with its archive has nothing below that, unless somebody asks for it.
pub fn settle_root(run: &mut Run, request: &Request) {
    if alone(request).is_some() {
        run.root.get_or_insert(Root::Nothing);
    }
}

/// Refuses what the image leaves out, by name.
pub fn refuse(run: &Run, request: &Request) -> Result<(), Failure> {
    let answered = [
        ("--trace", "trace", !run.trace.is_empty()),
        ("--audit", "audit", run.audit),
        ("--inject", "inject", run.inject.is_some()),
        ("--report", "rewrite", run.report.is_some()),
        ("--except", "rewrite", !run.except.is_empty()),
        ("--record-sites", "rewrite", run.record_sites.is_some()),
        ("--sites", "rewrite", run.sites.is_some()),
        ("--syscalls rewrite", "rewrite", matches!(run.syscalls, Some(SystemCalls::Rewrite(_)))),
    ];
    for (option, setting, _) in answered.into_iter().filter(|(_, _, given)| *given) {
        if let Some(line) = request.leaves_out(setting) {
            let sentence = format!("{option} is not in this image: its setting `{setting}` is false");
            return Err(request.wrong(line, &sentence));
        }
    }
    let Some(component) = alone(request) else { return Ok(()) };
    let files = [
        ("-v", !run.shares.is_empty()),
        ("--disk", component == "archive-files" && !run.disks.is_empty()),
        ("--root", !matches!(run.root(), Root::Nothing | Root::Archive(_))),
    ];
    match files.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            let sentence = format!("{option} is not in this image: its component `{component}` leaves such files out");
            Err(request.wrong(0, &sentence))
        }
        None => Ok(()),
    }
}
