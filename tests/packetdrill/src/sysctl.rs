//! The machine's settings, which scripts change by `sysctl`.
//!
//! The command of that name in the scripts' `PATH` is ours: it adds lines `net.ipv4.tcp_x=value` to the file that
//! `WHITTLE_SYSCTL` names, and this library reads them for each new socket. Those that TCP has no setting for change
//! nothing.

use std::fs;

use tcp::{Limits, Settings};

/// Limits as the scripts expect them of a machine (`gtests/net/common/defaults.sh`).
pub fn limits() -> Limits {
    let usual = Limits { receive_window: 15 << 20, ..Limits::default() };
    // 2 says that each SYN is answered by a cookie: ip-sysctl.rst.
    let half_open = if value("ipv4.tcp_syncookies").as_deref() == Some("2") { 0 } else { usual.half_open };
    Limits { half_open, ..usual }
}

/// The last value that a script has given to a setting.
pub fn value(name: &str) -> Option<String> {
    let text = fs::read_to_string(std::env::var_os("WHITTLE_SYSCTL")?).ok()?;
    let mut named = text.lines().filter_map(|line| line.split_once('=')).filter(|(key, _)| key.ends_with(name));
    named.next_back().map(|(_, value)| value.trim_matches('"').to_owned())
}

/// Gives a new socket what the machine says.
pub fn of_a_socket(settings: &mut Settings) {
    let number = |name| value(name).and_then(|value| value.parse::<u32>().ok());
    if let Some(retries) = number("ipv4.tcp_syn_retries") {
        settings.syn_retries = retries as u8;
    }
    if let Some(bytes) = number("ipv4.tcp_notsent_lowat").filter(|&bytes| bytes != u32::MAX) {
        settings.unsent_low_water = Some(bytes);
    }
    settings.congestion_notification = number("ipv4.tcp_ecn") == Some(1);
}
