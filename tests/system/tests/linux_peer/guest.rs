//! A Linux guest as peer of a machine on pc: both under emulation, and joined by a pair of datagram sockets. So no
//! device and no right of the host's is wanted. The guest is the reference of `whittle bench`, which holds the digests
//! of what came against those of what was sent.

use std::time::Duration;

use serde_json::Value;
use system_tests::{Running, all, leave, need, skip, whittle};

/// Megabytes each way: with `--all`, and always.
const LONG: &str = "256";
const SHORT: &str = "8";
/// An image and the command may have to be built first, a kernel fetched, and machines are slow.
const LIMIT: Duration = Duration::from_secs(1800);

/// Streams each way, whole or not at all.
pub fn streams() {
    need(&["qemu-system-x86_64", "/bin/busybox"]);
    let megabytes = if all() { LONG } else { SHORT };
    if !all() {
        leave("256 MB each way between pc and a Linux guest");
    }
    let mut command = whittle();
    command.args(["bench", "net", "--json", "--guest", megabytes]);
    let outcome = Running::start(command, None).finish(LIMIT);
    if outcome.error_text().contains("the reference needs Debian's") {
        skip("Debian's kernel cannot be fetched");
    }
    let printed = outcome.expect_status(0).text();
    let told: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    for (row, way) in ["to the machine", "from the machine"].into_iter().enumerate() {
        let row = &told["rows"][row];
        assert_eq!(row["operation"], way, "{printed}");
        let speed = row["sides"]["pc"]["median"].as_f64().unwrap_or_default();
        eprintln!("figure: pc-q35 {way}, a Linux guest beside it, {megabytes} MB: {speed:.0} MB/s");
        assert!(speed > 0.0, "{printed}");
    }
    let note = format!("{} bytes each way beside a Linux guest", megabytes.parse::<u64>().unwrap() << 20);
    assert!(printed.contains(&note), "{printed}");
}
