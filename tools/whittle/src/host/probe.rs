//! What is found out once per boot of the host: is there a KVM worth using, and how fast is the clock.
//!
//! A KVM device may exist and still be of no use: some emulate ring 0 instruction by instruction, and stop for ever
//! at the first vector instruction there. So a tiny guest is timed, and given up on after two seconds.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::{clock, probe_guest};
use crate::arguments::{Accelerator, Machine};
use crate::machine::{Qemu, qemu_command};

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// KVM runs ring 0 at the processor's speed.
    pub fast_kvm: bool,
    /// Cycles of the time stamp counter in a millisecond.
    pub tsc_kilohertz: Option<u64>,
}

/// Longest wait for the tiny guest; QEMU itself takes 30 ms.
const PATIENCE: Duration = Duration::from_secs(2);

/// The findings of this boot, kept in a file beside what is built.
#[must_use]
pub fn findings(kept: Option<&Path>) -> Findings {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let boot = boot.trim();
    let known = kept.and_then(|kept| fs::read_to_string(kept).ok()).and_then(|text| parse(&text, boot));
    known.unwrap_or_else(|| {
        let found = Findings { fast_kvm: probe_kvm(), tsc_kilohertz: clock::measure() };
        if let Some(kept) = kept {
            // If it cannot be kept it is found again.
            let _ = kept.parent().map(fs::create_dir_all);
            let _ = fs::write(kept, show(found, boot));
        }
        found
    })
}

fn show(found: Findings, boot: &str) -> String {
    let kvm = if found.fast_kvm { "fast" } else { "slow-or-missing" };
    format!("boot {boot}\nkvm {kvm}\ntsc-kilohertz {}\n", found.tsc_kilohertz.unwrap_or(0))
}

fn parse(text: &str, boot: &str) -> Option<Findings> {
    let mut values = text.lines().filter_map(|line| Some(line.split_once(' ')?.1));
    if values.next()? != boot {
        return None;
    }
    let fast_kvm = values.next()? == "fast";
    let tsc_kilohertz = values.next()?.parse().ok()?;
    Some(Findings { fast_kvm, tsc_kilohertz: Some(tsc_kilohertz).filter(|&kilohertz| kilohertz > 0) })
}

fn probe_kvm() -> bool {
    let opened = File::options().read(true).write(true).open("/dev/kvm");
    let Ok(folder) = opened.and_then(|_| temporary()) else { return false };
    let fast = run_guest(&folder).unwrap_or(false);
    let _ = fs::remove_dir_all(folder);
    fast
}

fn temporary() -> std::io::Result<std::path::PathBuf> {
    let folder = std::env::temp_dir().join(format!("whittle-probe-{}", std::process::id()));
    fs::create_dir(&folder)?;
    Ok(folder)
}

fn run_guest(folder: &Path) -> std::io::Result<bool> {
    let kernel = folder.join("probe");
    fs::write(&kernel, probe_guest::image())?;
    let mut qemu = qemu_command(Qemu {
        kernel: &kernel,
        memory: 16 << 20,
        processors: 1,
        machine: Machine::Microvm,
        accelerator: Accelerator::Kvm,
        icount: false,
        executed: None,
        plugin: None,
        model: None,
        version: None,
    });
    qemu.args(["-device", "isa-debug-exit,iobase=0xf4,iosize=4"]);
    let mut child = qemu.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let fast = wait(&mut child)? == Some(probe_guest::FAST);
    let _ = child.kill();
    child.wait()?;
    Ok(fast)
}

fn wait(child: &mut Child) -> std::io::Result<Option<i32>> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_kept_for_one_boot() {
        for fast_kvm in [false, true] {
            for tsc_kilohertz in [None, Some(2_400_000)] {
                let found = Findings { fast_kvm, tsc_kilohertz };
                assert_eq!(parse(&show(found, "b1"), "b1"), Some(found));
                assert_eq!(parse(&show(found, "b1"), "b2"), None);
            }
        }
        assert_eq!(parse("", "b"), None);
    }
}
