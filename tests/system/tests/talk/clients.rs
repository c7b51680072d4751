//! Clients inside, and what they are to print.

use system_tests::{Platform, need, scratch};

use crate::outside::{Certificate, FAR, NAME, Outside};
use crate::ways::{OUTSIDE, Way};
use crate::{LIMIT, PYTHON};

/// A client: its words, what is sent to it, and what it is to print.
struct Client {
    words: Vec<String>,
    input: &'static str,
    prints: Prints,
}

enum Prints {
    All(String),
    Somewhere(&'static str),
}

const NEEDS: &[&str] = &["curl", "wget", "openssl", "dig", "nc", "ping", "ip", "/bin/busybox", PYTHON];

/// Asks in datagrams, twice, and by a name.
const DATAGRAM: &str = r#"
import socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    one.settimeout(60)
    for host in sys.argv[2:]:
        one.sendto(b"olleh", (host, int(sys.argv[1])))
        print(one.recv(100).decode())
"#;

/// Fetches over TLS with Python's own module.
const TLS: &str = r#"
import ssl, sys, urllib.request
context = ssl.create_default_context(cafile=sys.argv[1])
print(urllib.request.urlopen(sys.argv[2], context=context, timeout=60).read().decode(), end="")
"#;

fn clients(outside: &Outside, certificate: &str) -> Vec<Client> {
    let web = format!("http://{OUTSIDE}:{}/", outside.http);
    let named = format!("http://{NAME}:{}/", outside.http);
    let secret = format!("https://{NAME}:{}/page", outside.tls);
    let (address, echo, port) = (OUTSIDE.to_string(), outside.echo.to_string(), outside.http.to_string());
    let far = || Prints::All(FAR.into());
    let row = |words: &[&str], prints: Prints| Client {
        words: words.iter().map(|&word| word.to_owned()).collect(),
        input: "",
        prints,
    };
    let curl = ["/usr/bin/curl", "-sS", "--max-time", "60"];
    let wget = ["/usr/bin/wget", "-q", "-T", "60", "-O", "-"];
    vec![
        row(&[&curl[..], &[&web]].concat(), far()),
        row(&[&curl[..], &[&named]].concat(), far()),
        row(&[&curl[..], &["--cacert", certificate, &secret]].concat(), far()),
        row(&[&wget[..], &["--ca-certificate", certificate, &secret]].concat(), far()),
        row(&["/bin/busybox", "wget", "-q", "-O", "-", &named], far()),
        row(&[PYTHON, "-c", TLS, certificate, &secret], far()),
        row(&[PYTHON, "-c", DATAGRAM, &echo, &address, NAME], Prints::All("hello\nhello\n".into())),
        row(&["/usr/bin/dig", "+short", NAME], Prints::All(format!("{OUTSIDE}\n"))),
        row(&["/usr/bin/dig", "nobody.example"], Prints::Somewhere("status: NXDOMAIN")),
        row(&["/usr/bin/getent", "ahostsv4", NAME], Prints::Somewhere("198.51.100.1    STREAM far.example\n")),
        row(&["/usr/bin/ping", "-c", "1", "-n", "127.0.0.1"], Prints::Somewhere("1 received")),
        row(&["/usr/sbin/ip", "address"], Prints::Somewhere("    inet 10.")),
        row(&["/usr/sbin/ip", "route"], Prints::Somewhere("default via ")),
        Client {
            input: "GET / HTTP/1.0\r\n\r\n",
            ..row(&["/usr/bin/nc", "-w", "60", &address, &port], Prints::Somewhere(FAR))
        },
    ]
}

pub fn check(platform: Platform, way: Way) {
    need(NEEDS);
    way.prepared(move || {
        let folder = scratch();
        let made = Certificate::make(folder.path());
        let outside = Outside::begin(folder.path(), &made);
        for client in clients(&outside, &made.certificate) {
            client.check(platform, way);
        }
        if way == Way::Tap {
            // Only there is nobody between who would have to carry echoes.
            let words =
                ["/usr/bin/ping", "-c", "2", "-i", "0.2", "-n", &OUTSIDE.to_string()].map(str::to_owned).to_vec();
            Client { words, input: "", prints: Prints::Somewhere("2 received") }.check(platform, way);
        }
    });
}

impl Client {
    fn check(&self, platform: Platform, way: Way) {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let outcome = way.guest(platform).input(self.input).limit(LIMIT).run(&words);
        let told = format!("{words:?}: {}{}", outcome.text(), outcome.error_text());
        match &self.prints {
            Prints::All(text) => assert_eq!(outcome.text(), *text, "{told}"),
            Prints::Somewhere(text) => assert!(outcome.text().contains(text), "{told}"),
        }
        outcome.expect_status(0);
    }
}
