//! Other ways out of a machine than its published ports: a TAP device, and passt.

use std::fs;
use std::io::ErrorKind;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use system_tests::{Guest, Platform, in_namespace, ip, need, scratch, whittle};

use super::{LIMIT, PYTHON, ask, away, end, fetch_from, serve};

fn neighbours() -> String {
    let output = Command::new("ip").args(["neighbour", "show"]).output().expect("ip(8) starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The machine says itself who has its address, for Linux asks for it only afterwards.
pub fn over_tap(platform: Platform) {
    in_namespace(move || {
        ip("link set lo up")?;
        ip("tuntap add tap7 mode tap")?;
        ip("address add 10.7.0.1/24 dev tap7")?;
        ip("link set tap7 up")?;
        // Linux notes what it has not asked for: arp_accept in its ip-sysctl.
        let accept = "/proc/sys/net/ipv4/conf/tap7/arp_accept";
        fs::write(accept, "1").map_err(|error| format!("{accept}: {error}"))?;
        let options =
            ["--net", "tap:tap7", "--ip", "10.7.0.2/24", "--gateway", "10.7.0.1", "--mac", "02:00:00:00:07:02"];
        let running = serve(platform, &options, 80, "tap");
        let begun = Instant::now();
        while !neighbours().contains("10.7.0.2 dev tap7 lladdr 02:00:00:00:07:02") {
            assert!(begun.elapsed() < LIMIT, "{}", neighbours());
            thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(fetch_from(([10, 7, 0, 2], 80), "/x"), "tap/x");
        end(running);
        Ok(())
    });
}

/// Echoes over IPv6: an address may be used when nobody has objected for a second (RFC 4862, 5.4).
const ECHOES: &str = r#"
import socket, time
one = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM, socket.IPPROTO_ICMPV6)
one.settimeout(2)
for length in 56, 20000:
    message = bytes([128, 0, 0, 0, 0, 0, 0, length % 251]) + bytes(number % 253 for number in range(length))
    for _ in range(20):
        try:
            one.sendto(message, ("fd07::1", 0))
            answer = one.recvfrom(65536)[0]
        except OSError:
            time.sleep(0.5)
            continue
        print(answer[0], answer[6:] == message[6:])
        break
"#;

/// From the machine to Linux, short echoes and those that are cut; and to an address that nobody has. The other way is
/// in `linux_peer`.
pub fn pings(platform: Platform) {
    need(&["/bin/busybox", PYTHON]);
    in_namespace(move || {
        ip("tuntap add tap7 mode tap")?;
        ip("address add 10.7.0.1/24 dev tap7")?;
        ip("address add fd07::1/64 dev tap7 nodad")?;
        ip("link set tap7 up")?;
        let options = ["--net", "tap:tap7", "--ip", "10.7.0.2/24", "--ip", "fd07::2/64"];
        let guest = options.iter().fold(Guest::new(platform), |guest, option| guest.option(*option));
        let ping = |address: &str, length: &str| {
            let words = ["/bin/busybox", "ping", "-c", "3", "-i", "0.2", "-W", "2", "-s", length, address];
            guest.run(&words)
        };
        let text = ping("10.7.0.1", "56").expect_status(0).text();
        assert!(text.contains("3 packets received, 0% packet loss"), "{text}");
        // All the pieces wait until the neighbour is known.
        let text = ping("10.7.0.1", "20000").expect_status(0).text();
        assert!(text.contains("3 packets received, 0% packet loss"), "{text}");
        let text = ping("10.7.0.9", "56").expect_status(1).text();
        assert!(text.contains("0 packets received, 100% packet loss"), "{text}");
        guest.run(&[PYTHON, "-c", ECHOES]).expect_status(0).expect_output("129 True\n129 True\n");
        Ok(())
    });
}

pub fn over_passt(platform: Platform) {
    need(&["passt"]);
    in_namespace(move || {
        away()?;
        // passt asks which interface leads to everyone.
        ip("route add default via 192.0.2.254")?;
        let running = serve(platform, &["--net", "passt", "-p", "8081:80"], 80, "passt");
        // passt has refused the first connection twice in some hundred runs. Who is refused asks again.
        let answer = (0..50).find_map(|_| match ask(([192, 0, 2, 1], 8081), b"GET /x HTTP/1.0\r\n\r\n") {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                thread::sleep(Duration::from_millis(100));
                None
            }
            answer => Some(answer.expect("the program serves")),
        });
        assert!(answer.expect("passt lets somebody in").ends_with(b"passt/x"));
        end(running);
        Ok(())
    });
}

/// Where there is no passt, a sentence says so.
pub fn no_passt() {
    let nowhere = scratch();
    let mut command = whittle();
    command.env("PATH", nowhere.path()).args([
        "run",
        "--platform",
        "process",
        "--net",
        "passt",
        "--",
        "/bin/busybox",
        "true",
    ]);
    let output = command.env("WHITTLE_BUILD", "never").output().expect("the command starts");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("passt is not installed: install it as by apt-get install passt"), "{told}");
}
