//! What of a network is in an image: a program that takes frames itself has no stack, one that names only UDP has no
//! TCP, and each says what it holds. How many bytes each part adds is told.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use system_tests::{Check, Running, Scope, all, leave, project_root, scratch};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("what_is_not_named_is_not_linked", Scope::Once, |_| linked()),
        Check::new("what_each_part_adds", Scope::Once, |_| sizes()),
    ])
}

/// Whole-program optimisation of an image takes its time on a busy machine.
const BUILD: Duration = Duration::from_secs(900);

/// Takes frames, and no more.
const FRAMES: &str = "
    let mut packets = std::nic::Burst::new();
    while std::nic::wait(0, &mut packets, 32).is_ok() {
        packets.clear();
    }";
/// Sends datagrams back.
const DATAGRAMS: &str = "
    let socket = std::net::UdpSocket::bind(\"0.0.0.0:7\").unwrap();
    let mut buffer = [0; 1500];
    while let Ok((count, from)) = socket.recv_from(&mut buffer) {
        let _ = socket.send_to(&buffer[..count], from);
    }";
/// Sends back what comes on one connection after another.
const STREAMS: &str = "
    let listener = std::net::TcpListener::bind(\"0.0.0.0:7\").unwrap();
    let mut buffer = [0; 1500];
    while let Ok((mut stream, _)) = listener.accept() {
        while let Ok(count @ 1..) = std::io::Read::read(&mut stream, &mut buffer) {
            let _ = std::io::Write::write_all(&mut stream, &buffer[..count]);
        }
    }";

/// Components behind those that all have.
const NIC: &str = "nic = \"links\"\n";
const THREADS: &str = "scheduler = { use = \"fifo\", processors = 1 }\n";
/// Bytes of the images' heap, as the component has it.
const HEAP: u64 = 1 << 20;

/// An image taken apart.
struct Image(Value);

impl Image {
    /// Builds a program that does this, of these components, for process.
    fn build(program: &str, components: &[&str]) -> Self {
        let folder = scratch();
        write(folder.path(), program, &components.concat());
        let folder = folder.path().to_str().unwrap();
        whittle(&["build", "--platform", "process", folder]);
        let told = whittle(&["inspect", "--platform", "process", "--json", folder]);
        Self(serde_json::from_str(&told).expect("inspect prints JSON"))
    }

    /// Bytes of each crate.
    fn crates(&self) -> BTreeMap<String, u64> {
        let row = |row: &Value| (row["name"].as_str().unwrap().to_owned(), row["bytes"].as_u64().unwrap());
        self.0["crates"].as_array().unwrap().iter().map(row).collect()
    }

    /// Modules of a crate whose functions are in the image, by their symbols.
    fn modules(&self, name: &str) -> BTreeSet<String> {
        let rows = self.0["linked"].as_array().unwrap().iter().filter(|row| row["crate"] == name);
        rows.map(|row| row["module"].as_str().unwrap().to_owned()).collect()
    }

    /// What the component that fills `sockets` was asked for, if one does.
    fn sockets(&self) -> Option<&Value> {
        let fills = |row: &&Value| row["provides"].as_array().unwrap().iter().any(|contract| contract == "sockets");
        self.0["components"].as_array().unwrap().iter().find(fills)
    }

    /// Bytes of instructions, constants and data.
    fn size(&self) -> u64 {
        ["text", "constants", "data"].iter().map(|part| self.0["bytes"][part].as_u64().unwrap()).sum()
    }
}

fn write(folder: &Path, program: &str, components: &str) {
    fs::create_dir_all(folder.join("src")).unwrap();
    let library = project_root().join("api/rust");
    let manifest = "[package]\nname = \"parts\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    let manifest = format!("{manifest}\n[dependencies]\nwhittle_std = {{ path = {library:?} }}\n");
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let head = "#![no_std]\nextern crate whittle_std as std;\n\npub fn main() {";
    fs::write(folder.join("src/lib.rs"), format!("{head}{program}\n}}\n")).unwrap();
    let head = "name = \"parts\"\nkind = \"rust\"\nplatform = [\"process\"]\n\n[components]\n";
    let all = format!("{head}console = \"plain\"\nheap = \"size-class\"\npanic = \"place\"\n{components}");
    fs::write(folder.join("whittle.toml"), all).unwrap();
}

/// Runs the command, and gives what it prints.
fn whittle(words: &[&str]) -> String {
    let mut command = system_tests::whittle();
    command.args(words).current_dir(project_root());
    let outcome = Running::start(command, None).finish(BUILD);
    outcome.expect_status(0);
    outcome.text()
}

fn network(options: &str) -> String {
    format!("sockets = {{ use = \"network\"{options} }}\n")
}

fn linked() {
    let frames = Image::build(FRAMES, &[NIC]);
    let crates = frames.crates();
    assert!(crates.contains_key("process") && frames.sockets().is_none(), "{crates:?}");
    // The contract's own crate is types, of which a few bytes may stand in line elsewhere.
    for absent in ["netstack", "tcp", "net", "smoltcp"] {
        assert!(!crates.contains_key(absent), "{absent} is in an image that takes frames: {crates:?}");
    }
    let datagrams = Image::build(DATAGRAMS, &[NIC, THREADS, &network(", tcp = false, ipv6 = false")]);
    let crates = datagrams.crates();
    let options = &datagrams.sockets().expect("it has sockets")["options"];
    assert_eq!((options["tcp"].as_bool(), options["udp"].as_bool()), (Some(false), Some(true)), "{options}");
    // The stack draws TCP's secret with the others: no connection, no table, no segment.
    let modules = datagrams.modules("tcp");
    assert!(modules.iter().all(|module| module == "secrets"), "{modules:?}");
    assert!(crates.contains_key("netstack") && crates.get("tcp").is_none_or(|&bytes| bytes < 1000), "{crates:?}");
    let whole = Image::build(&[DATAGRAMS, STREAMS].concat(), &[NIC, THREADS, &network("")]);
    let crates = whole.crates();
    assert!(["netstack", "tcp", "net"].iter().all(|part| crates.contains_key(*part)), "{crates:?}");
    assert!(whole.modules("tcp").len() > 5 && crates["tcp"] > 10_000, "{crates:?}");
    let sizes = [frames.size(), datagrams.size(), whole.size()];
    // The heap's region is zeros, which a file need not hold.
    assert!(sizes[2] < HEAP, "{sizes:?}");
    assert!(sizes.is_sorted_by(|less, more| less < more), "{sizes:?}");
    println!("figure: {} bytes without a stack, {} with UDP over IPv4, {} with all", sizes[0], sizes[1], sizes[2]);
}

/// What one program has in images that leave out one part each.
fn sizes() {
    if !all() {
        return leave("how many bytes each part of the network adds");
    }
    let program = [DATAGRAMS, STREAMS].concat();
    let inside = "sockets = \"network-inside\"\n".to_owned();
    let wishes = [
        ("all of it", [NIC, THREADS].concat() + &network("")),
        ("without TCP", [NIC, THREADS].concat() + &network(", tcp = false")),
        ("without UDP", [NIC, THREADS].concat() + &network(", udp = false")),
        ("without IPv6", [NIC, THREADS].concat() + &network(", ipv6 = false")),
        ("with DHCP and what routers say", [NIC, THREADS].concat() + &network(", address = \"dhcp auto\"")),
        ("loopback alone", [THREADS].concat() + &inside),
    ];
    let of = |(name, components): (&'static str, String)| (name, Image::build(&program, &[&components]).size());
    let frames = Image::build(FRAMES, &[NIC]).size();
    println!("figure: {frames} bytes of a program that takes frames itself");
    let sizes: Vec<_> = wishes.into_iter().map(of).collect();
    for (name, size) in &sizes {
        println!("figure: {name}: {size} bytes, {} more than that", size - frames);
    }
    let whole = sizes[0].1;
    assert!([1, 2, 3, 5].iter().all(|&less| sizes[less].1 < whole), "what is left out is in the image: {sizes:?}");
    assert!(sizes[4].1 > whole, "what is asked for is not in the image: {sizes:?}");
}
