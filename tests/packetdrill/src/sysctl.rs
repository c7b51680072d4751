//! The machine's settings, which scripts change by `sysctl`.
//!
//! The command of that name in the scripts' `PATH` is ours: it adds lines `net.ipv4.tcp_x=value` to the file that
//! `WHITTLE_SYSCTL` names. TCP has a table of its knobs by Linux' names; what it has no knob for changes nothing.

use std::fs;

use tcp::{KnobError, Tcp};

/// Turns TCP's knobs as the script has said so far.
pub fn turn(tcp: &mut Tcp) {
    let Some(path) = std::env::var_os("WHITTLE_SYSCTL") else { return };
    let text = fs::read_to_string(path).unwrap_or_default();
    for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
        let name = name.strip_prefix("net.ipv4.").or_else(|| name.strip_prefix("net/ipv4/")).unwrap_or(name);
        match tcp.turn(name, value.trim_matches('"')) {
            Ok(()) | Err(KnobError::Unknown) => {}
            // One that TCP knows and does not take: the script's packets tell whether it matters.
            Err(KnobError::Invalid) => eprintln!("sysctl: {name}: TCP does not take {value}"),
        }
    }
}
