//! The machine's settings, which scripts change by `sysctl`.
//!
//! The command of that name in the scripts' `PATH` is ours: it adds lines `net.ipv4.tcp_x=value` to the file that
//! `WHITTLE_SYSCTL` names. TCP has a table of its knobs by Linux' names; what it has no knob for changes nothing.

use std::fs;

use network_tests::bare::Machine;
use tcp::KnobError;

/// How much the script has said so far, in bytes.
pub fn said() -> u64 {
    std::env::var_os("WHITTLE_SYSCTL").and_then(|path| fs::metadata(path).ok()).map_or(0, |file| file.len())
}

/// Turns TCP's knobs as the script has said so far, and changes routes.
pub fn turn(machine: &mut Machine) {
    let Some(path) = std::env::var_os("WHITTLE_SYSCTL") else { return };
    let text = fs::read_to_string(path).unwrap_or_default();
    for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
        if let (Some(Ok(to)), Ok(mtu)) = (name.strip_prefix("route/").map(str::parse), value.parse()) {
            machine.ip.set_link(to, mtu);
            continue;
        }
        if name == "device/room" {
            machine.ip.refuses = value == "0";
            continue;
        }
        if name == "device/paced" {
            machine.tcp.change_defaults(|settings| settings.pacing = (value == "1").then_some(u64::MAX));
            continue;
        }
        let name = name.strip_prefix("net.ipv4.").or_else(|| name.strip_prefix("net/ipv4/")).unwrap_or(name);
        match machine.tcp.turn(name, value.trim_matches('"')) {
            Ok(()) | Err(KnobError::Unknown) => {}
            // One that TCP knows and does not take: the script's packets tell whether it matters.
            Err(KnobError::Invalid) => eprintln!("sysctl: {name}: TCP does not take {value}"),
        }
    }
}
