//! What became of the program's system calls, for `--report syscalls`: a line for each of its objects, and for each
//! site that keeps trapping.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use kernel::memory::{OtherSystemCalls as Others, RewriteKind, RewriteLeft, SystemCallSite, Ways};
use machine::Record;

use crate::objects::sites;

/// Sites of one object, summed up.
#[derive(Debug, Default)]
struct Sum {
    sites: usize,
    /// Those that the program was compiled to call at.
    calling: usize,
    traps: u64,
    calls: u64,
    /// Rewritten, by kind.
    kinds: BTreeMap<RewriteKind, usize>,
    /// Given up: the offset in the file, how often it has trapped, and why.
    left: Vec<(u64, u64, RewriteLeft)>,
}

impl Sum {
    fn add(&mut self, site: &SystemCallSite, offset: u64) {
        self.sites += 1;
        self.calling += usize::from(site.calls_by_itself());
        self.traps += site.traps;
        self.calls += site.calls;
        if let Some(kind) = site.kind {
            *self.kinds.entry(kind).or_default() += 1;
        }
        if let Some(left) = site.left {
            self.left.push((offset, site.traps, left));
        }
    }
}

/// Says it.
pub fn report() {
    let space = crate::space();
    let (sites, Others { elsewhere, gone }) = space.system_calls();
    let mut objects: BTreeMap<String, Sum> = BTreeMap::new();
    for site in &sites {
        let place = space.place_in_file(site.at as usize);
        let (path, offset) = place.unwrap_or_else(|| ("the program".to_string(), site.at));
        objects.entry(path).or_default().add(site, offset);
    }
    let traps = elsewhere + gone[0] + sites.iter().map(|site| site.traps).sum::<u64>();
    let calls = gone[1] + sites.iter().map(|site| site.calls).sum::<u64>();
    say(format_args!("system calls: {traps} trapped, {calls} were calls"));
    if let Some(ways) = kernel::memory::ways() {
        tell(ways);
    }
    match space.answered_cpuids() {
        0 => {}
        count => say(format_args!("cpuid: {count} instructions are answered by what the processor said before")),
    }
    say(format_args!("   sites  compiled  rewritten: number  before  behind  given up      traps      calls  object"));
    for (path, sum) in &objects {
        let kind = |kind| sum.kinds.get(&kind).copied().unwrap_or(0);
        say(format_args!(
            "{:8}{:10}{:19}{:8}{:8}{:10}{:11}{:11}  {path}",
            sum.sites,
            sum.calling,
            kind(RewriteKind::Number),
            kind(RewriteKind::Before),
            kind(RewriteKind::Behind),
            sum.left.len(),
            sum.traps,
            sum.calls,
        ));
        for (offset, traps, left) in &sum.left {
            say(format_args!("{traps:74}{:11}    {path}+{offset:#x}: {}", "", reason(*left)));
        }
    }
    let others = [([elsewhere, 0], "code that no file has"), (gone, "code that is gone")];
    for ([traps, calls], what) in others.into_iter().filter(|(counts, _)| *counts != [0; 2]) {
        say(format_args!("{traps:74}{calls:11}  {what}"));
    }
    sites::report(&|path| objects.contains_key(path), &mut say);
}

/// What each way takes here.
fn tell(Ways { trapped, called }: Ways) {
    match called {
        0 => say(format_args!("system calls: getppid takes {trapped} ns when it traps")),
        _ => say(format_args!("system calls: getppid takes {trapped} ns when it traps, and {called} ns as a call")),
    }
}

fn say(line: core::fmt::Arguments<'_>) {
    kernel::log::line(Record::Notice, line);
}

/// Why a site keeps trapping.
const fn reason(left: RewriteLeft) -> &'static str {
    match left {
        RewriteLeft::NotThere => "there is no syscall any more",
        RewriteLeft::Boundary => "where instructions begin before it is not sure",
        RewriteLeft::Trampoline => "a signal's handler returns by it, and debuggers know it by its bytes",
        RewriteLeft::Unmovable => "what is around it has to stay where it is",
        RewriteLeft::Neighbour => "another one stands where its jump would be",
        RewriteLeft::NoRoom => "there are no free addresses near",
        RewriteLeft::NotWritten => "its page could not be written",
        RewriteLeft::Unproven => "the program comes to it another way",
        RewriteLeft::Excepted => "excepted",
    }
}
