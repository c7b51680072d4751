//! Resolution and generation on a small house of manifests (`offer`), and on the real one.

use std::fs;
use std::path::{Path, PathBuf};

use whittle::compose::plan::Chosen;
use whittle::compose::{Catalogue, Plan, Request, generate, linker, resolve};
use whittle::failure::Failure;

fn offer() -> Catalogue {
    Catalogue::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offer")).unwrap()
}

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn request(kind: &str, rest: &str) -> Request {
    let text = format!("name = \"hello\"\nkind = \"{kind}\"\n{rest}");
    let mut request = Request::parse(Path::new("hello/whittle.toml"), &text).unwrap();
    request.application = Some("my-hello".into());
    request
}

fn plan(kind: &str, platform: &str, rest: &str) -> Result<Plan, Failure> {
    resolve::resolve(&offer(), &request(kind, rest), platform)
}

fn program(catalogue: &Catalogue, request: &Request, platform: &str) -> String {
    let plan = resolve::resolve(catalogue, request, platform).unwrap();
    generate::generate(catalogue, request, &plan).unwrap().text("src/main.rs").unwrap().to_owned()
}

fn names(plan: &Plan) -> Vec<(&str, Chosen)> {
    plan.components.iter().map(|part| (part.name.as_str(), part.chosen)).collect()
}

#[test]
fn nothing_is_in_an_image_that_nobody_names_or_needs() {
    let plan = plan("rust", "pc", "").unwrap();
    let expected = [("pc", Chosen::Platform), ("reset", Chosen::Default), ("rust", Chosen::Kind)];
    assert_eq!(names(&plan), expected);
    let edges = [("rust", "boot", "pc"), ("rust", "power", "reset")];
    assert_eq!(plan.edges, edges.map(|(one, two, three)| (one.into(), two.into(), three.into())));
    assert_eq!((plan.console, plan.memory, plan.stages.len()), (None, None, 0));
}

#[test]
fn needs_are_followed_to_their_end() {
    let plan = plan("linux", "pc", "[components]\nconsole = 'port'\nentropy = 'hardware'\nclock = 'tsc'").unwrap();
    let needed: Vec<&str> =
        plan.components.iter().filter(|part| part.chosen == Chosen::Needed).map(|part| part.name.as_str()).collect();
    assert_eq!(needed, ["apic", "kernel", "traps"]);
    assert_eq!(plan.console.as_deref(), Some("port"));
}

#[test]
fn stages_follow_needs_and_wants_and_then_names() {
    let plan = plan("linux", "pc", "[components]\nconsole = 'port'\nentropy = 'fixed'\nclock = 'tsc'\nheap = 'bump'");
    let stages = plan.unwrap().stages;
    // `tsc` wants the console, which needs interrupts, which need traps.
    assert_eq!(stages, ["pc::stage::Traps", "pc::stage::Apic", "pc::stage::Port", "pc::stage::Tsc"]);
}

#[test]
fn a_name_may_mean_another_component_on_another_platform() {
    for (platform, provider) in [("pc", "pc::Plain"), ("process", "process::Plain")] {
        let request = request("rust", "[components]\nconsole = 'plain'");
        let text = program(&offer(), &request, platform);
        assert!(text.contains(&format!("contracts::provide_console!({provider});")), "{text}");
    }
}

#[test]
fn the_lines_of_a_program_are_filled_in() {
    let request = request(
        "rust",
        "[components]\nheap = { use = 'bump', size = '2M' }\nentropy = { use = 'fixed', word = 'High' }\n\
         interrupts = 'apic'\n[heaps]\npackets = { use = 'bump', size = '64K' }\n[settings]\ntrace = true",
    );
    let text = program(&offer(), &request, "pc");
    for line in [
        "// bump: hands memory out and never takes it back",
        "contracts::provide_heap!(heap::Bump<2_097_152>);",
        "contracts::provide_named_heap!(packets: heap::Bump<65_536>);",
        "contracts::provide_entropy!(noise::Fixed = noise::Fixed(High));",
        "contracts::provide_boot!(pc::Boot<(pc::stage::Traps, pc::stage::Apic)>);",
        "contracts::provide_config!(contracts::config::Config { trace: true, ..contracts::config::Config::DEFAULT });",
        "whittle_std::application!(my_hello::main);",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(text.lines().count() < 72);
}

#[test]
fn a_boot_tuple_of_one_has_its_comma() {
    let text = program(&offer(), &request("rust", "[components]\ntraps = 'traps'"), "pc");
    assert!(text.contains("contracts::provide_boot!(pc::Boot<(pc::stage::Traps,)>);"), "{text}");
    let text = program(&offer(), &request("rust", ""), "pc");
    assert!(text.contains("contracts::provide_boot!(pc::Boot<()>);"), "{text}");
}

#[test]
fn system_calls_are_all_or_those_named_by_number() {
    let components = "[components]\nconsole = 'plain'\nentropy = 'fixed'\nheap = 'bump'\n[linux]\n";
    let all = plan("linux", "pc", components).unwrap().system_calls;
    assert!(all.len() > 100);
    let request = request("linux", &format!("{components}system_calls = ['getpid', 'write', 'time', 'read']"));
    let calls = resolve::resolve(&offer(), &request, "pc").unwrap().system_calls;
    assert_eq!(calls[..3], ["read", "write", "nanosleep"]);
    assert!(
        program(&offer(), &request, "pc").contains("    read, write, nanosleep, getitimer, alarm, setitimer, getpid,")
    );
}

#[test]
fn system_calls_are_not_chosen_where_the_kind_cannot() {
    let mut catalogue = offer();
    catalogue.components.iter_mut().for_each(|component| component.items.clear());
    let wishes = "[components]\nconsole = 'plain'\nentropy = 'fixed'\nheap = 'bump'\n[linux]\nsystem_calls = 'file'";
    let failure = resolve::resolve(&catalogue, &request("linux", wishes), "pc").unwrap_err();
    let sentence = "hello/whittle.toml:8: kind `linux` answers every system call: leave `system_calls` out";
    assert_eq!(failure.sentence, sentence);
}

#[test]
fn a_carried_program_says_nothing_of_this_machine() {
    let request = request("linux", "[linux]\nprogram = '/bin/sh'\narguments = ['one']\nenvironment = { A = 'b' }");
    let archive = whittle::compose::packed::archive(&request, request.linux.program.as_ref().unwrap(), None).unwrap();
    for text in ["program=/bin/sh\0", "argument=one\0", "environment=A=b\0"] {
        assert!(archive.windows(text.len()).any(|window| window == text.as_bytes()), "{text}");
    }
}

/// The profile of a general image on the real house, as cargo reads it, and the linker's words.
fn profile(rest: &str) -> (toml::Table, String) {
    let catalogue = Catalogue::read(&house()).unwrap();
    let request = request("linux", rest);
    let plan = resolve::resolve(&catalogue, &request, "pc").unwrap();
    let written = generate::generate(&catalogue, &request, &plan).unwrap();
    let manifest: toml::Table = written.text("Cargo.toml").unwrap().parse().unwrap();
    let flags = generate::cargo_settings(&catalogue.platforms["pc"], &plan);
    (manifest["profile"]["release"].as_table().unwrap().clone(), flags)
}

#[test]
fn an_image_for_speed_has_no_crate_that_is_not() {
    let (usual, _) = profile("");
    assert_eq!(usual["opt-level"].as_str(), Some("s"));
    assert_eq!(usual["package"]["kernel"]["opt-level"].as_integer(), Some(2));
    for (word, level, threshold) in [("speed", 3.into(), "=700"), ("size", "z".into(), "=10")] {
        let (profile, flags) = profile(&format!("optimize = '{word}'"));
        assert_eq!((&profile["opt-level"], profile.get("package")), (&level, None));
        assert!(flags.contains(&format!("-inline-threshold{threshold}\"")), "{flags}");
        // All else stays as the house has it.
        let rest = |table: &toml::Table| {
            table.iter().filter(|(key, _)| !["opt-level", "package"].contains(&key.as_str())).count()
        };
        assert_eq!(rest(&profile), rest(&usual));
    }
    let neither = Request::parse(Path::new("whittle.toml"), "name = 'a'\nkind = 'linux'\noptimize = 'most'");
    assert!(neither.unwrap_err().sentence.contains("`optimize` is \"size\" or \"speed\", not \"most\""));
}

#[test]
fn a_component_for_speed_has_its_images_own_crate_compiled_so() {
    let own = |sockets: &str| {
        let (profile, _) = profile(&format!("[components]\nsockets = '{sockets}'"));
        profile["package"].get("hello-pc").map(|own| own["opt-level"].as_integer())
    };
    assert_eq!(["network-inside", "network-told", "no-network"].map(own), [Some(Some(2)), Some(Some(2)), None]);
}

#[test]
fn a_plan_is_json_and_back() {
    let plan = plan("rust", "pc", "[components]\nheap = { use = 'bump', size = '2M' }").unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), plan.json()).unwrap();
    assert_eq!(Plan::read(file.path()).unwrap(), plan);
    let json: serde_json::Value = serde_json::from_str(&plan.json()).unwrap();
    assert_eq!(json["components"][0]["crate"], "heap");
    assert_eq!(json["components"][0]["options"]["size"], "2M");
    assert_eq!(json["components"][0]["chosen"], "named");
    assert_eq!(json["edges"][0], serde_json::json!(["rust", "boot", "pc"]));
}

#[test]
fn a_native_image_has_one_processor() {
    let catalogue = Catalogue::read(&house()).unwrap();
    let rest = |scheduler: &str| {
        format!("[components]\nconsole = 'plain'\nheap = {{ use = 'bump', size = '1M' }}\nscheduler = {scheduler}")
    };
    let plan = |scheduler: &str| resolve::resolve(&catalogue, &request("rust", &rest(scheduler)), "process");
    let options = plan("'fair'").unwrap().provider("scheduler").unwrap().options["processors"].to_string();
    assert_eq!(options, "1");
    let refused = plan("{ use = 'fair', processors = 2 }").unwrap_err().sentence;
    let expected = "`fair` has several processors, and an image of kind `rust` has one: write `processors = 1`, or leave \
                    it out";
    assert_eq!(refused, format!("hello/whittle.toml:6: {expected}"));
}

#[test]
fn the_linkers_words_become_ours() {
    let plan = plan("rust", "pc", "").unwrap();
    let words = "rust-lld: error: undefined symbol: whittle.provide_clock.monotonic\n>>> referenced by x\n\
                 rust-lld: error: undefined symbol: whittle.provide_clock.wall\n";
    let sentence = linker::translate(&offer(), &plan, words).unwrap();
    assert_eq!(
        sentence,
        "hello uses clock (monotonic, wall), and whittle.toml names no component for it: write `clock = \"alarm\"` \
         under [components]; there is `alarm`, `framed` and `tsc`"
    );
    let taken_out = linker::translate(&offer(), &plan, "undefined symbol: whittle.provide_power.exit").unwrap();
    assert!(taken_out.ends_with("write `contracts::provide_power!(pc::Reset);` there"), "{taken_out}");
    assert_eq!(linker::translate(&offer(), &plan, "error: undefined symbol: memcpy"), None);
}

/// A component of one's own: a crate beside whittle.toml, that names the platform's crate in its line.
#[test]
fn a_crate_of_ones_own_is_named_by_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = 'upside-down'\n[package.metadata.whittle.component.upside-down]\nsummary = 's'\n\
                    provides = ['console']\nslots.console = 'upside_down::Turned<{platform}::Plain>'";
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::write(folder.path().join("own/Cargo.toml"), manifest).unwrap();
    let text = "name = 'hello'\nkind = 'rust'\ncrates.upside-down = 'own'\ncomponents.console = 'upside-down'";
    let request = Request::parse(&folder.path().join("whittle.toml"), text).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offer");
    let catalogue = Catalogue::for_request(&root, &request).unwrap();
    for platform in ["pc", "process"] {
        let plan = resolve::resolve(&catalogue, &request, platform).unwrap();
        let made = generate::generate(&catalogue, &request, &plan).unwrap();
        let line = format!("contracts::provide_console!(upside_down::Turned<{platform}::Plain>);");
        assert!(made.text("src/main.rs").unwrap().contains(&line));
        let own = format!("upside-down = {{ path = \"{}\" }}", folder.path().join("own").display());
        assert!(made.text("Cargo.toml").unwrap().contains(&own));
    }
    assert!(catalogue.sources().any(|source| source == folder.path().join("own/Cargo.toml")));
}

/// What a component's lines name is a dependency of its crate, and so one of the image's: a crate of the house, one
/// beside its own, one of a registry. What they do not name is not.
#[test]
fn a_line_may_name_what_its_crate_depends_on() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = 'loud'\n[dependencies]\nnoise = { path = '../elsewhere/noise' }\n\
                    near-by = { path = '../near', features = ['much'] }\nfar = '1.2'\nunused = '1'\n\
                    [package.metadata.whittle.component.loud]\nsummary = 's'\nprovides = ['console']\n\
                    slots.console = 'loud::Loud<noise::Wave, near_by::Ear, far::Away>'";
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::write(folder.path().join("own/Cargo.toml"), manifest).unwrap();
    let text = "name = 'hello'\nkind = 'rust'\ncrates.loud = 'own'\ncomponents.console = 'loud'";
    let request = Request::parse(&folder.path().join("whittle.toml"), text).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/offer");
    let catalogue = Catalogue::for_request(&root, &request).unwrap();
    let plan = resolve::resolve(&catalogue, &request, "process").unwrap();
    let made = generate::generate(&catalogue, &request, &plan).unwrap();
    let made = made.text("Cargo.toml").unwrap();
    let near = folder.path().join("own/../near");
    for line in [
        format!("noise = {{ path = \"{}\" }}", root.join("elements/noise").display()),
        format!("near-by = {{ features = [\"much\"], path = \"{}\" }}", near.display()),
        "far = \"1.2\"".to_owned(),
    ] {
        assert!(made.lines().any(|found| found == line), "{line}\n{made}");
    }
    assert!(!made.contains("unused"), "{made}");
}

#[test]
fn the_general_linux_image_is_a_short_program() {
    let catalogue = Catalogue::read(&house()).unwrap();
    let request = Request::of_folder(&house().join("images/linux")).unwrap();
    for platform in resolve::platforms(&catalogue, &request).unwrap() {
        let text = program(&catalogue, &request, &platform);
        assert!(text.lines().count() < 85, "{text}");
        assert!(text.contains("contracts::provide_application!(linux::Linux);"), "{text}");
    }
}

/// The book's listings are what `whittle build` writes. With WHITTLE_BLESS=1 they are written anew.
#[test]
fn the_listings_of_the_book_are_the_generators() {
    let catalogue = Catalogue::read(&house()).unwrap();
    for (folder, platform) in [("apps/hello-native", "process"), ("images/linux", "process"), ("images/linux", "pc")] {
        let request = Request::of_folder(&house().join(folder)).unwrap();
        let listing = house().join(format!("docs/src/listings/{}-{platform}.rs", request.name));
        let text = program(&catalogue, &request, platform);
        if std::env::var_os("WHITTLE_BLESS").is_some() {
            fs::write(&listing, &text).unwrap();
        }
        let shown = fs::read_to_string(&listing).unwrap_or_default();
        assert!(shown == text, "{} differs: run the test with WHITTLE_BLESS=1", listing.display());
    }
}
