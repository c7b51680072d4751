//! The disks of a run: `--disk`, and `--root FILE` where that is a disk's image.

use crate::arguments::{Machine, Platform, Run};
use crate::failure::Failure;
use crate::words::{Disk, Root};

/// Devices that each machine has room for, one of them the console: QEMU's microvm, its q35 (slots of the PCI bus, a
/// few of them its own), and a process (descriptors between the first share's and the first disk's).
const MOST_ON_MICROVM: usize = 8;
const MOST_ON_Q35: usize = 25;
const MOST_ON_PROCESS: usize = 100;
/// Letters for disks.
const MOST: usize = 26;

/// All disks of a run, the one below everything else first.
pub fn disks(run: &Run) -> Result<Vec<Disk>, Failure> {
    let root = match run.root() {
        Root::Image(image) => Some(Disk { host: image.clone(), guest: Some("/".into()), read_only: true }),
        _ => None,
    };
    let disks: Vec<Disk> = root.into_iter().chain(run.disks.iter().cloned()).collect();
    disks.iter().try_for_each(Disk::check)?;
    if disks.len() > MOST {
        return Err(Failure::ours(format!("a machine has {MOST} disks at the most")));
    }
    Ok(disks)
}

/// Refuses more devices than the machine has places for. On process network interfaces take none of these.
pub fn check_room(run: &Run, platform: Platform, [mounts, disks, nics]: [usize; 3]) -> Result<(), Failure> {
    let (name, most, hint) = match (platform, run.machine.unwrap_or_default()) {
        (Platform::Process, _) => ("a process", MOST_ON_PROCESS, "share a directory above"),
        (Platform::Pc, Machine::Microvm) => ("microvm", MOST_ON_MICROVM, "give --machine q35 for more"),
        (Platform::Pc, Machine::Q35) => ("q35", MOST_ON_Q35, "share a directory above"),
    };
    let taken = if platform == Platform::Pc { 1 + nics } else { 1 };
    if taken + mounts + disks <= most {
        return Ok(());
    }
    let room = most.saturating_sub(taken);
    Err(Failure::ours(format!("{name} has room for {room} disks and shares in all, the root among them; {hint}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn what_is_no_disk_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |name: &str, length: Option<u64>| {
            let host = folder.path().join(name);
            if let Some(length) = length {
                File::create(&host).unwrap().set_len(length).unwrap();
            }
            let run = Run { disks: vec![Disk { host, guest: None, read_only: true }], ..Run::default() };
            disks(&run).map(|disks| disks.len()).map_err(|failure| failure.sentence)
        };
        assert_eq!(refusal("good", Some(1024)), Ok(1));
        assert!(refusal("none", None).unwrap_err().ends_with("none as a disk: no such file or directory"));
        assert!(refusal("empty", Some(0)).unwrap_err().ends_with("empty cannot be a disk: it is empty"));
        assert!(refusal("cut", Some(1000)).unwrap_err().contains("so it may have been cut off"));
        assert!(refusal("", None).unwrap_err().ends_with("it is neither a file nor a block device"));
    }

    #[test]
    fn a_small_machine_has_few_places() {
        let run = Run::default();
        assert!(
            check_room(&run, Platform::Pc, [1, 6, 0]).is_ok()
                && check_room(&run, Platform::Process, [1, 20, 1]).is_ok()
        );
        assert!(
            check_room(&run, Platform::Pc, [8, 0, 0]).is_err()
                && check_room(&run, Platform::Process, [100, 0, 0]).is_err()
        );
        let refusal = check_room(&run, Platform::Pc, [1, 6, 1]).unwrap_err().sentence;
        assert!(refusal.contains("room for 6 disks and shares"), "{refusal}");
        assert!(check_room(&run, Platform::Pc, [2, 6, 0]).unwrap_err().sentence.contains("--machine q35"));
    }
}
