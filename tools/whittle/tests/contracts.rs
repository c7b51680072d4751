//! Contracts and settings: each declared once, each explained, and all of them shown on one page.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use whittle::compose::{Catalogue, Contract, Declaration, Method};

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A house with one crate for each text, which declares what stands in it.
fn house_of(crates: &[(&str, &str)]) -> tempfile::TempDir {
    let house = tempfile::tempdir().unwrap();
    for (name, text) in crates {
        let folder = house.path().join("elements").join(name);
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest = format!("[package]\nname = \"{name}\"\n[dependencies]\ndeclaration = \"0\"\n");
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/lib.rs"), text).unwrap();
    }
    house
}

const CLOCK: &str = "declaration::contract! {
    clock = \"the time\";

    /// A clock.
    /// It ticks.
    pub trait Clock: Sync {
        /// Nanoseconds.
        fn now(
            &self,
            processor: usize,
        ) -> u64;

        /// Whether it ticks.
        fn ticks(&self) -> bool {
            true
        }
    }
}
";

#[test]
fn a_declaration_is_read_as_it_stands() {
    let house = house_of(&[("machine", &format!("//! Ö.\n{CLOCK}"))]);
    let catalogue = Catalogue::read(house.path()).unwrap();
    let clock = &catalogue.contracts["clock"];
    assert_eq!((clock.summary.as_str(), clock.slot.as_deref()), ("the time", Some("provide_clock")));
    let declaration = clock.declaration.as_ref().unwrap();
    assert_eq!((declaration.interface.as_str(), declaration.help.as_str()), ("machine::Clock", "A clock.\nIt ticks."));
    assert!(declaration.file.ends_with("elements/machine/src/lib.rs"));
    assert_eq!(declaration.line, 3);
    let methods: Vec<_> =
        declaration.methods.iter().map(|method| (method.signature.as_str(), method.has_default)).collect();
    assert_eq!(methods, [("fn now(&self, processor: usize) -> u64", false), ("fn ticks(&self) -> bool", true)]);
    assert_eq!(declaration.methods[0].help, "Nanoseconds.");
}

#[test]
fn settings_are_read_with_their_bounds() {
    let text = "declaration::settings! {
        config = \"the settings\";

        /// Settings.
        pub struct Config {
            /// answer
            trace: bool = true,
            /// bytes
            stack: size = 64 K (at least 2 K),
        }
    }";
    let house = house_of(&[("machine", text)]);
    let catalogue = Catalogue::read(house.path()).unwrap();
    let shown: Vec<String> =
        catalogue.settings.values().map(|setting| format!("{} {}", setting.help, setting.default)).collect();
    assert_eq!(shown, ["bytes \"64K\"", "answer true"]);
    assert_eq!(catalogue.settings["stack"].least.as_ref().map(ToString::to_string).as_deref(), Some("\"2K\""));
    assert_eq!(catalogue.contracts["config"].slot.as_deref(), Some("provide_config"));
}

#[test]
fn what_is_no_declaration_is_told_with_its_line() {
    let house = house_of(&[("machine", "\n\ndeclaration::contract! { clock: \"the time\"; pub trait Clock {} }")]);
    let sentence = Catalogue::read(house.path()).unwrap_err().sentence;
    assert!(sentence.contains("elements/machine/src/lib.rs:3: "), "{sentence}");
}

#[test]
fn a_name_that_is_declared_twice_is_refused() {
    Catalogue::read(&house()).unwrap();
    let house = house_of(&[("machine", CLOCK), ("other", CLOCK)]);
    let sentence = Catalogue::read(house.path()).unwrap_err().sentence;
    assert_eq!(sentence, "the contract `clock` is declared twice: `other` declares it again; take another name");
    let settings =
        "declaration::settings! { NAME = \"settings\"; pub struct Config { /// help\n trace: bool = true } }";
    let (one, other) = (settings.replace("NAME", "one"), settings.replace("NAME", "other"));
    let house = house_of(&[("machine", &one), ("other", &other)]);
    let sentence = Catalogue::read(house.path()).unwrap_err().sentence;
    assert_eq!(sentence, "the setting `trace` is declared twice: `other` declares it again; take another name");
}

/// Lines of the crate `contracts` that say again what a contract declares: a function of the same name and arguments.
fn repetitions(catalogue: &Catalogue) -> Vec<String> {
    let declarations = catalogue.contracts.values().filter_map(|contract| contract.declaration.as_ref());
    let methods = declarations.flat_map(|declaration| &declaration.methods);
    let declared: Vec<String> = methods.map(|method| arguments(&method.signature)).collect();
    let mut found = Vec::new();
    for path in sources(&catalogue.root.join("contracts/src")) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let Some((_, signature)) = line.split_once("fn ").filter(|_| line.trim_end().ends_with(';')) else {
                continue;
            };
            let again = declared.contains(&arguments(&format!("fn {signature}")));
            found.extend(again.then(|| format!("{}:{}: {}", path.display(), number + 1, line.trim())));
        }
    }
    found
}

/// A function's name and those of its arguments, which do not change with the way in which types are written.
fn arguments(signature: &str) -> String {
    let (name, rest) = signature.split_once('(').unwrap_or((signature, ""));
    let names = rest.split(", ").filter_map(|argument| argument.split_once(':')).map(|(name, _)| name.trim());
    format!("{name}({})", names.collect::<Vec<_>>().join(","))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let mut found: Vec<PathBuf> =
        paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect();
    found.retain(is_source);
    found
}

#[test]
fn no_method_is_written_down_again() {
    let none: [String; 0] = [];
    assert_eq!(repetitions(&Catalogue::read(&house()).unwrap()), none);
    let house = house_of(&[("machine", CLOCK)]);
    let contracts = house.path().join("contracts/src");
    fs::create_dir_all(&contracts).unwrap();
    fs::write(contracts.join("clock.rs"), "unsafe extern \"Rust\" {\n    safe fn ticks() -> bool;\n}\n").unwrap();
    let found = repetitions(&Catalogue::read(house.path()).unwrap());
    assert!(matches!(&found[..], [line] if line.ends_with("clock.rs:2: safe fn ticks() -> bool;")), "{found:?}");
}

/// Contracts and methods that say nothing of their meaning.
fn unexplained(catalogue: &Catalogue) -> Vec<String> {
    let mut found = Vec::new();
    for (name, contract) in &catalogue.contracts {
        found.extend(contract.summary.is_empty().then(|| name.clone()));
        let Some(declaration) = &contract.declaration else { continue };
        found.extend(declaration.help.is_empty().then(|| declaration.interface.clone()));
        let silent = declaration.methods.iter().filter(|method| method.help.is_empty());
        found.extend(silent.map(|method| format!("{}::{}", declaration.interface, method.name)));
    }
    found
}

#[test]
fn every_contract_and_method_is_explained() {
    let catalogue = Catalogue::read(&house()).unwrap();
    let declared = catalogue.contracts.values().filter(|contract| contract.declaration.is_some()).count();
    assert!(declared >= 22, "{declared}");
    let none: [String; 0] = [];
    assert_eq!(unexplained(&catalogue), none);
    let house = house_of(&[("machine", &CLOCK.replace("/// Whether it ticks.", ""))]);
    assert_eq!(unexplained(&Catalogue::read(house.path()).unwrap()), ["machine::Clock::ticks"]);
}

/// The contracts as a page: what stands in their declarations, one behind the other.
#[test]
fn the_page_shows_what_is_declared() {
    let path = house().join("contracts/README.md");
    let page = page(&Catalogue::read(&house()).unwrap());
    if std::env::var_os("WHITTLE_BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "contracts/README.md is not what is declared: WHITTLE_BLESS=1 cargo test -p whittle --test contracts"
    );
}

fn page(catalogue: &Catalogue) -> String {
    let mut text = String::from(
        "# Contracts\n\n\
         Every interface between the parts of an image. A contract is a trait of an element, and a slot for one instance.\n\
         The image fills the slot by a macro, and anyone calls its methods as functions.\n\n\
         This page is written from the declarations, each of which stands in the file that is named with it:\n\
         `WHITTLE_BLESS=1 cargo test -p whittle --test contracts`. A method with `{ .. }` has an answer of its own, so a\n\
         provider may leave it out.\n\n\
         | contract | what it is | trait |\n|---|---|---|\n",
    );
    for (name, contract) in &catalogue.contracts {
        let (link, interface) = match &contract.declaration {
            Some(declaration) => (format!("[`{name}`](#{name})"), format!("`{}`", declaration.interface)),
            None => (format!("`{name}`"), String::new()),
        };
        let _ = writeln!(text, "| {link} | {} | {interface} |", contract.summary);
    }
    text += "\nThose without a trait are abilities, which only order and require, or types that one component gives to others\n\
             (`pages`, `caches`). The slot of `config` is a constant:\n\n| setting | without a word | what it does |\n|---|---|---|\n";
    for (name, setting) in &catalogue.settings {
        let _ = writeln!(text, "| `{name}` | {} | {} |", setting.default, setting.help);
    }
    for (name, contract) in &catalogue.contracts {
        if let Some(declaration) = &contract.declaration {
            section(&mut text, catalogue, name, contract, declaration);
        }
    }
    text
}

fn section(text: &mut String, catalogue: &Catalogue, name: &str, contract: &Contract, declaration: &Declaration) {
    let file = declaration.file.strip_prefix(&catalogue.root).unwrap().display().to_string();
    let _ = writeln!(text, "\n## {name}\n\n{}: [`{}`](../{file}).", sentence(&contract.summary), declaration.interface);
    if let Some(filling) = contract.filling() {
        let of = filling.split("::").next().unwrap_or_default();
        let first = declaration.methods.first().map_or("", |method| method.name.as_str());
        let _ = writeln!(text, "Filled by `{filling}!(..)`, called as `{of}::{name}::{first}(..)`.");
    }
    let _ = writeln!(text, "\n```rust");
    comment(text, "", &declaration.help);
    let _ = writeln!(text, "pub trait {} {{", declaration.interface.rsplit("::").next().unwrap_or_default());
    for (index, method) in declaration.methods.iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        comment(text, "    ", &method.help);
        let _ = writeln!(text, "    {}", wrapped(method));
    }
    text.push_str("}\n```\n");
}

fn sentence(summary: &str) -> String {
    let mut letters = summary.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn comment(text: &mut String, indent: &str, help: &str) {
    for line in help.lines() {
        let _ = writeln!(text, "{}", format!("{indent}/// {line}").trim_end());
    }
}

/// A signature, with a line for each argument where it is long.
fn wrapped(method: &Method) -> String {
    const MOST: usize = 112;
    let end = if method.has_default { " { .. }" } else { ";" };
    let (head, rest) = method.signature.split_once('(').unwrap();
    let (arguments, result) = rest
        .rsplit_once(") ->")
        .map_or((rest.trim_end_matches(')'), String::new()), |(arguments, result)| (arguments, format!(" ->{result}")));
    if method.signature.len() + end.len() <= MOST {
        return format!("{}{end}", method.signature);
    }
    let arguments: String = arguments.split(", ").map(|argument| format!("        {argument},\n")).collect();
    format!("{head}(\n{arguments}    ){result}{end}")
}
